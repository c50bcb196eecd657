import ClientCore
import Foundation
import Testing

/// The build for browsers against this one; `./dev test` builds it and says where it is.
///
/// Where it is missing, they fail.
struct WasmTests {
    private static let folder = ProcessInfo.processInfo.environment["STRIDE_TEST_WASM"] ?? ""

    /// Runs a program; its status and what it said.
    private static func run(_ words: String...) throws -> (status: Int32, said: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, said)
    }

    @Test("in the toolchain's interpreter its own test finds nothing") func selfTest() throws {
        let (status, said) = try Self.run(
            "timeout", "300", "wasmkit", "run", Self.folder + "/core-check.wasm", "self_test")
        #expect(status == 0)
        #expect(said.contains("i32(0)"), "\(said)")
    }

    @Test("in Node it says what the host says, bit by bit, and holds no more memory after a million events")
    func sameAsHost() throws {
        let pairs = (1...3).map { (seed: UInt64) in "\(seed)=\(Rehearsal(seed: seed, events: 800).fingerprint)" }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../Wasm/check.mjs")
        let (status, said) = try Self.run(
            "timeout", "600", "node", script.path, Self.folder, pairs[0], pairs[1], pairs[2])
        #expect(status == 0, "\(said)")
        print(said)
    }
}
