internal import Models
internal import Redis

/// A stretch of a board as the scripts answer it: revision, participants, place of the first, how many are better, scored members and keys
/// by turns, members without a score, values.
struct ReadStretch {
    let revision: String
    let total: Int64
    let stretch: BoardStretch
    let hasMore: Bool

    /// Nil for anything else, and for an athlete that no build has written.
    init?(_ reply: RESPValue) {
        guard let parts = reply.elements, parts.count == 8, let revision = parts[0].text, let total = parts[1].number,
            let before = parts[2].number, let better = parts[3].number, let scored = parts[4].elements,
            let unscored = parts[5].elements, let values = parts[6].elements,
            values.count == scored.count / 2 + unscored.count
        else { return nil }
        let order: BoardOrder = parts[7].text == BoardOrder.ascending.boardSign ? .ascending : .descending
        var athletes: [NamedEntry] = []
        athletes.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            let isScored = index < scored.count / 2
            let member = isScored ? scored[index * 2] : unscored[index - scored.count / 2]
            let key = isScored ? scored[index * 2 + 1].number : nil
            guard let id = member.bytes.flatMap({ BoardMember.id(of: $0) }), !isScored || key != nil,
                let entry = value.bytes.flatMap({ BoardFields.entry($0, score: key.map { order.key(of: $0) }) })
            else { return nil }
            athletes.append(NamedEntry(id: id, entry: entry))
        }
        self.revision = revision
        self.total = total
        stretch = BoardStretch(athletes: athletes, before: before, better: better)
        hasMore = before + Int64(athletes.count) < total
    }
}
