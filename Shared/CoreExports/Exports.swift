import ClientCore

nonisolated(unsafe) private var client = Client()
nonisolated(unsafe) private var input = Transfer()
nonisolated(unsafe) private var output = Transfer()

/// Makes room for an event; where to write it.
@_expose(wasm, "core_input") @c(core_input)
public func coreInput(_ count: Int32) -> UnsafeMutablePointer<UInt8>? { input.room(for: Int(max(0, count))) }

/// Handles the event that was written; how long the answer is.
@_expose(wasm, "core_json") @c(core_json)
public func coreJSON() -> Int32 { output.fill(with: Effect.encode(client.handle(input.bytes))) }

/// Where the answer to the last event stands.
@_expose(wasm, "core_output") @c(core_output)
public func coreOutput() -> UnsafeMutablePointer<UInt8>? { output.start }

/// An accelerometer sample; 1 when a tick is wanted.
@_expose(wasm, "core_motion") @c(core_motion)
public func coreMotion(_ milliseconds: Double, _ x: Double, _ y: Double, _ z: Double) -> Int32 {
    client.motion(at: milliseconds, x: x, y: y, z: z) ? 1 : 0
}

/// A position; 1 when a tick is wanted.
@_expose(wasm, "core_fix") @c(core_fix)
public func coreFix(_ milliseconds: Double, _ latitude: Double, _ longitude: Double, _ accuracy: Double) -> Int32 {
    client.fix(at: milliseconds, latitude: latitude, longitude: longitude, accuracy: accuracy) ? 1 : 0
}
