/// An athlete and where it stands.
public struct RankedAthlete: Hashable, Sendable {
    /// The athlete's id.
    public var id: Int64
    /// What is recorded of it.
    public var entry: AthleteEntry
    /// One more than the number of athletes with a better score; nil without a score.
    public var rank: Int64?

    /// Joins the parts.
    public init(id: Int64, entry: AthleteEntry, rank: Int64?) {
        self.id = id
        self.entry = entry
        self.rank = rank
    }

    /// Where the athlete stands in the order of the board.
    public var position: BoardPosition { BoardPosition(score: entry.score, id: id) }
}

/// Athletes in a row, in the order of a board, and where the first of them stands.
public struct BoardStretch: Hashable, Sendable {
    /// The athletes in order.
    public var athletes: [NamedEntry]
    /// How many athletes come before the first.
    public var before: Int64
    /// How many athletes have a better score than the first; of no meaning if it has none.
    public var better: Int64

    /// Joins the parts.
    public init(athletes: [NamedEntry], before: Int64, better: Int64) {
        self.athletes = athletes
        self.before = before
        self.better = better
    }

    /// The athletes with their ranks: 1, 2, 2, 4.
    ///
    /// Only the first one's rank has to be counted: whoever has another score than the one before is the first of that score, so
    /// its rank is its place.
    public var ranked: [RankedAthlete] {
        var rank = better + 1
        return athletes.enumerated().map { index, athlete in
            if index > 0, athlete.entry.score != athletes[index - 1].entry.score { rank = before + Int64(index) + 1 }
            return RankedAthlete(id: athlete.id, entry: athlete.entry, rank: athlete.entry.score == nil ? nil : rank)
        }
    }
}

/// One page of a board.
public struct BoardPage: Hashable, Sendable {
    /// The athletes in the order of the board.
    public var athletes: [RankedAthlete]
    /// How many there are on all pages.
    public var total: Int64
    /// Where the next page begins; nil on the last one.
    public var next: BoardCursor?

    /// Makes a page of a stretch.
    ///
    /// - Parameter hasMore: whether somebody comes after the stretch.
    public init(_ stretch: BoardStretch, total: Int64, hasMore: Bool) {
        athletes = stretch.ranked
        self.total = total
        next = hasMore ? athletes.last.map { BoardCursor(position: $0.position) } : nil
    }

    /// The body of an answer.
    public func encode() -> [UInt8] {
        var writer = JSONWriter(reserving: 64 + athletes.count * 96)
        writer.beginObject()
        writer.member("athletes", athletes)
        writer.member("total", total)
        if let next { writer.member("nextCursor", next.text) } else { writer.nullMember("nextCursor") }
        writer.endObject()
        return writer.bytes
    }
}

/// One athlete and who stands next to it.
public struct BoardView: Hashable, Sendable {
    /// The athlete.
    public var athlete: RankedAthlete
    /// Who stands before and after, in the order of the board, without the athlete.
    public var neighbours: [RankedAthlete]
    /// How many athletes there are.
    public var total: Int64

    /// Takes the athlete out of the stretch round it; nil if it is not there.
    public init?(of id: Int64, in stretch: BoardStretch, total: Int64) {
        var ranked = stretch.ranked
        guard let place = ranked.firstIndex(where: { $0.id == id }) else { return nil }
        athlete = ranked.remove(at: place)
        neighbours = ranked
        self.total = total
    }

    /// The body of an answer.
    public func encode() -> [UInt8] {
        var writer = JSONWriter(reserving: 192 + neighbours.count * 96)
        writer.beginObject()
        writer.name("athlete")
        writer.athlete(athlete)
        writer.member("neighbours", neighbours)
        writer.member("total", total)
        writer.endObject()
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: MemberName, _ athletes: [RankedAthlete]) {
        self.name(name)
        beginArray()
        for athlete in athletes { self.athlete(athlete) }
        endArray()
    }

    fileprivate mutating func athlete(_ athlete: RankedAthlete) {
        beginObject()
        athleteMembers(of: athlete.id, athlete.entry)
        if let rank = athlete.rank { member("rank", rank) } else { nullMember("rank") }
        endObject()
    }

    /// Writes the members of an athlete into an open object.
    mutating func athleteMembers(of id: Int64, _ entry: AthleteEntry) {
        member("id", id)
        member("name", entry.name)
        if let score = entry.score { member("score", score) } else { nullMember("score") }
        if let imageURL = entry.imageURL { member("image_url", imageURL) }
    }
}

extension NamedEntry {
    /// The body of an answer about an athlete whose rank is not known.
    public func encodeWithoutRank() -> [UInt8] {
        var writer = JSONWriter(reserving: 192)
        writer.beginObject()
        writer.name("athlete")
        writer.beginObject()
        writer.athleteMembers(of: id, entry)
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }
}
