/// Which master serves which slot, as one server of the cluster said, corrected by what others have said since.
struct RedisSlotMap: Equatable {
    /// The masters, in the order of their first slots; a master that was learnt later stands behind.
    private(set) var masters: [RedisPlace] = []
    /// One more than the place in `masters`; 0 for a slot that nobody serves.
    private var owners = [UInt16](repeating: 0, count: RedisSlot.count)

    /// Reads an answer to `CLUSTER SLOTS`; nil unless all of it makes sense and at least one slot is served.
    ///
    /// A master that names no host is the one that was asked. Replicas are left out: they are never read from.
    /// Source: Redis command reference, `CLUSTER SLOTS`.
    init?(_ reply: RESPValue, asked: RedisPlace) {
        guard let ranges = reply.elements, !ranges.isEmpty, ranges.count <= RedisSlot.count else { return nil }
        var read: [(slots: ClosedRange<Int>, place: RedisPlace)] = []
        for range in ranges {
            guard let parts = range.elements, parts.count >= 3, case .integer(let first) = parts[0],
                case .integer(let last) = parts[1], first >= 0, first <= last, last < Int64(RedisSlot.count),
                let place = Self.place(parts[2], asked: asked)
            else { return nil }
            read.append((Int(first)...Int(last), place))
        }
        for (slots, place) in read.sorted(by: { $0.slots.lowerBound < $1.slots.lowerBound }) {
            let owner = number(of: place)
            for slot in slots { owners[slot] = owner }
        }
    }

    private static func place(_ node: RESPValue, asked: RedisPlace) -> RedisPlace? {
        guard let parts = node.elements, parts.count >= 2, case .integer(let number) = parts[1],
            let port = UInt16(exactly: number), port > 0
        else { return nil }
        if parts[0].isNull { return RedisPlace(host: asked.host, port: port) }
        guard let host = parts[0].text, host != "?" else { return nil }
        return RedisPlace(host: host.isEmpty ? asked.host : host, port: port)
    }

    private mutating func number(of place: RedisPlace) -> UInt16 {
        if let index = masters.firstIndex(of: place) { return UInt16(index + 1) }
        masters.append(place)
        return UInt16(masters.count)
    }

    /// Where in `masters` the one that serves a slot stands; nil if nobody does.
    func owner(of slot: UInt16) -> Int? {
        let owner = owners[Int(slot)]
        return owner == 0 ? nil : Int(owner) - 1
    }

    /// Whether every slot is served.
    var isComplete: Bool { !owners.contains(0) }

    /// A server has said that another one serves this slot now.
    mutating func learn(_ slot: UInt16, at place: RedisPlace) {
        guard Int(slot) < RedisSlot.count, masters.count < RedisSlot.count else { return }
        owners[Int(slot)] = number(of: place)
    }
}
