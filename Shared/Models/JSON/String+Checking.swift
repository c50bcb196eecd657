extension String {
    /// The text of bytes that are UTF-8; nil for others.
    ///
    /// The same as `init(validating:as:)`, which instantiates generic types at run time with each call; texts in caches and
    /// rows are ASCII nearly always.
    package init?(checking bytes: ArraySlice<UInt8>) {
        let span = bytes.span
        var all: UInt8 = 0
        for index in span.indices { all |= span[index] }
        if all < 0x80 {
            self = String(decoding: bytes, as: UTF8.self)
        } else {
            self.init(validating: bytes, as: UTF8.self)
        }
    }
}
