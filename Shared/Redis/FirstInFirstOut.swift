/// A queue over one array: the front moves along and the gap is closed now and then.
///
/// Cost: amortized one move per element, and no allocation once it has reached its size.
struct FirstInFirstOut<Element> {
    private var storage: [Element?] = []
    private var head = 0

    var count: Int { storage.count - head }
    var isEmpty: Bool { head == storage.count }

    /// The front; nil when empty.
    var first: Element? { isEmpty ? nil : storage[head] }

    /// Changes the element that is `offset` places behind the front, where it stands.
    mutating func update<Result>(_ offset: Int, _ change: (inout Element) -> Result) -> Result? {
        guard offset >= 0, offset < count, var element = storage[head + offset].take() else { return nil }
        defer { storage[head + offset] = element }
        return change(&element)
    }

    mutating func append(_ element: Element) { storage.append(element) }

    /// Takes the front away, with everything that it holds; nil when empty.
    mutating func popFirst() -> Element? {
        guard head < storage.count else { return nil }
        let element = storage[head].take()
        head += 1
        if head == storage.count {
            storage.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 32, head * 2 >= storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return element
    }
}
