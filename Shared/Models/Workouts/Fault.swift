/// One thing that is wrong with a well-formed document.
public struct Fault: Hashable, Sendable {
    /// The JSON pointer (RFC 6901) of the value; empty for the whole document.
    public var pointer: String
    /// A sentence for the developer of the client; it repeats nothing that was sent.
    public var detail: String

    /// Pairs a place with what is wrong there.
    public init(pointer: String, detail: String) {
        self.pointer = pointer
        self.detail = detail
    }
}

/// The faults of one document, in the order in which they were found, none twice.
public struct FaultList: Hashable, Sendable {
    /// What was found.
    public private(set) var faults: [Fault] = []

    /// An empty list.
    public init() {}

    /// Whether nothing is wrong.
    public var isEmpty: Bool { faults.isEmpty }

    /// Adds a fault unless the list has it.
    public mutating func add(_ pointer: String, _ detail: String) {
        let fault = Fault(pointer: pointer, detail: detail)
        if !faults.contains(fault) { faults.append(fault) }
    }
}
