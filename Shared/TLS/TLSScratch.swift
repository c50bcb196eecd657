/// Where plaintext lies while a delegate looks at it: one for all TLS streams of a loop, so that none has its own.
///
/// Used by one stream at a time, because streams read only when the loop calls them. Confined to its loop.
@safe package final class TLSScratch {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: TLSSession.largestPlaintext, alignment: 16)

    /// Makes one.
    package init() {}

    deinit { unsafe buffer.deallocate() }
}
