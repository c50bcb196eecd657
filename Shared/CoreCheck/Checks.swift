import ClientCore

/// Plays a made-up life; how many of its rules did not hold.
@_expose(wasm, "self_test") @c(self_test)
public func selfTest() -> Int32 { Rehearsal(seed: 1, events: 2000).failures }

/// Plays a made-up life; a fingerprint of everything that the core said.
@_expose(wasm, "rehearse") @c(rehearse)
public func rehearse(_ seed: Int64, _ events: Int32) -> Int64 {
    Int64(bitPattern: Rehearsal(seed: UInt64(bitPattern: seed), events: Int(max(0, events))).fingerprint)
}
