/// Bytes that both sides of the border see; they grow and are never given back.
struct Transfer {
    private(set) var start: UnsafeMutablePointer<UInt8>?
    private var capacity = 0
    private var count = 0

    /// Room for so many bytes; what stood there may be gone.
    mutating func room(for bytes: Int) -> UnsafeMutablePointer<UInt8>? {
        if bytes > capacity || start == nil {
            start?.deallocate()
            capacity = max(bytes, 1024)
            start = .allocate(capacity: capacity)
        }
        count = bytes
        return start
    }

    /// What was written.
    var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

    /// Writes bytes; how many.
    mutating func fill(with source: [UInt8]) -> Int32 {
        let target = room(for: source.count)
        source.withUnsafeBufferPointer { bytes in
            if let from = bytes.baseAddress { target?.update(from: from, count: source.count) }
        }
        return Int32(truncatingIfNeeded: source.count)
    }
}
