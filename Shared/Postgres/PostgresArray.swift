/// A one-dimensional array, encoded while it is filled.
///
/// Rows of a batch travel as a handful of arrays (`unnest`), so this is on the path of every workout: one growing
/// buffer, no boxed elements. Fill one array per column in one pass over the batch.
///
/// Layout (PostgreSQL `array_send`): dimensions, has-null flag, element type, then for the one dimension its length
/// and lower bound 1, then each element with its length in front (−1 for null). An empty array has no dimension.
///
/// Cost: one allocation when `capacity` is right (text: when the average is about 16 bytes).
package struct PostgresArray: Sendable, Equatable {
    /// The type of the elements; appending another type is a fault of ours and traps.
    package let elementType: PostgresType
    /// The type of the array itself.
    package let type: PostgresType
    /// How many elements there are.
    package private(set) var count = 0
    private var hasNull = false
    /// The elements as they travel, without the header, in the first `used` bytes; the rest is room.
    ///
    /// Storing into room that is there is cheaper than appending bytes one by one.
    private var elements: [UInt8]
    private var used = 0

    /// Makes an empty array.
    ///
    /// - Parameter elementType: a scalar type; an array type or `inferred` is a fault of ours and traps.
    /// - Parameter capacity: how many elements will come.
    package init(of elementType: PostgresType, capacity: Int) {
        guard let type = elementType.array else { preconditionFailure("\(elementType) has no array type") }
        self.elementType = elementType
        self.type = type
        elements = [UInt8](repeating: 0, count: max(0, capacity) * (4 + elementType.usualWidth))
    }

    /// Appends a null.
    package mutating func appendNull() {
        hasNull = true
        count += 1
        makeRoom(4)
        store(-1 as Int32, at: used)
        used += 4
    }

    /// Appends an `int2`.
    package mutating func append(_ value: Int16) {
        let start = begin(.int2, width: 2)
        store(value, at: start)
    }

    /// Appends an `int4`.
    package mutating func append(_ value: Int32) {
        let start = begin(.int4, width: 4)
        store(value, at: start)
    }

    /// Appends an `int8`.
    package mutating func append(_ value: Int64) {
        let start = begin(.int8, width: 8)
        store(value, at: start)
    }

    /// Appends a `bool`.
    package mutating func append(_ value: Bool) {
        let start = begin(.bool, width: 1)
        store(value ? 1 : 0 as UInt8, at: start)
    }

    /// Appends a `uuid`.
    package mutating func append(_ value: PostgresUUID) {
        let start = begin(.uuid, width: 16)
        store(value.high, at: start)
        store(value.low, at: start + 8)
    }

    /// Appends a `date`.
    package mutating func append(_ value: PostgresDate) {
        let start = begin(.date, width: 4)
        store(value.wireValue, at: start)
    }

    /// Appends a `text`; the server refuses U+0000 (22021), so check for it before.
    package mutating func append(_ value: String) {
        var value = value
        value.withUTF8 { bytes in
            let start = begin(.text, width: bytes.count)
            unsafe store(UnsafeRawBufferPointer(bytes), at: start)
        }
    }

    /// Appends a `bytea`.
    package mutating func append(_ value: [UInt8]) {
        let start = begin(.bytea, width: value.count)
        unsafe value.withUnsafeBytes { unsafe store($0, at: start) }
    }

    /// Writes the length of an element and gives the place of its bytes.
    private mutating func begin(_ type: PostgresType, width: Int) -> Int {
        precondition(type == elementType, "\(type) appended to an array of \(elementType)")
        count += 1
        makeRoom(4 + width)
        store(Int32(clamping: width), at: used)
        used += 4 + width
        return used - width
    }

    private mutating func makeRoom(_ bytes: Int) {
        let missing = used + bytes - elements.count
        if missing > 0 { elements.append(contentsOf: repeatElement(0, count: max(missing, elements.count, 64))) }
    }

    @inline(__always)
    private mutating func store<Integer: FixedWidthInteger>(_ value: Integer, at offset: Int) {
        unsafe elements.withUnsafeMutableBytes {
            unsafe $0.storeBytes(of: value.bigEndian, toByteOffset: offset, as: Integer.self)
        }
    }

    private mutating func store(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        unsafe elements.withUnsafeMutableBytes { room in
            unsafe UnsafeMutableRawBufferPointer(rebasing: room[offset...]).copyMemory(from: bytes)
        }
    }

    /// How many bytes the array takes on the wire.
    package var encodedCount: Int { (count == 0 ? 12 : 20) + used }

    /// Appends the array as it travels.
    func encode(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: count == 0 ? 0 : 1 as Int32)
        bytes.append(bigEndian: hasNull ? 1 : 0 as Int32)
        bytes.append(bigEndian: elementType.rawValue)
        guard count > 0 else { return }
        bytes.append(bigEndian: Int32(clamping: count))
        bytes.append(bigEndian: 1 as Int32)
        bytes.append(contentsOf: elements[..<used])
    }
}

extension PostgresArray {
    /// Whether both travel as the same bytes.
    package static func == (left: PostgresArray, right: PostgresArray) -> Bool {
        left.type == right.type && left.count == right.count
            && left.elements[..<left.used] == right.elements[..<right.used]
    }
}

extension PostgresType {
    /// What an element takes, exactly for fixed widths.
    fileprivate var usualWidth: Int {
        switch self {
        case .bool: 1
        case .int2: 2
        case .int4, .date: 4
        case .int8: 8
        default: 16
        }
    }
}

extension [UInt8] {
    /// Appends an integer, most significant byte first, which is how everything travels.
    @inline(__always) mutating func append(bigEndian value: some FixedWidthInteger) {
        unsafe Swift.withUnsafeBytes(of: value.bigEndian) { unsafe append(contentsOf: $0) }
    }
}
