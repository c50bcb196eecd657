/// Which score is better.
public enum BoardOrder: String, CaseIterable, Hashable, Sendable {
    /// The higher one, as for repetitions.
    case descending = "desc"
    /// The lower one, as for times.
    case ascending = "asc"

    /// A score as a number of which the smaller is always the better; its own inverse.
    public func key(of score: Int64) -> Int64 { self == .descending ? -score : score }

    /// Whether one score is strictly better than another.
    public func isBetter(_ score: Int64, than other: Int64) -> Bool { key(of: score) < key(of: other) }
}

/// A place in the order of a board: scored athletes by score and then by id, after them the others by id.
public struct BoardPosition: Hashable, Sendable {
    /// The score; nil among the athletes without one.
    public var score: Int64?
    /// The athlete's id.
    public var id: Int64

    /// Joins the parts.
    public init(score: Int64?, id: Int64) {
        self.score = score
        self.id = id
    }

    /// Whether this place comes before another.
    public func isBefore(_ other: BoardPosition, in order: BoardOrder) -> Bool {
        switch (score, other.score) {
        case (let score?, let otherScore?):
            score == otherScore ? id < other.id : order.isBetter(score, than: otherScore)
        case (.some, nil): true
        case (nil, .some): false
        case (nil, nil): id < other.id
        }
    }
}

/// Where a page of a board ended; the next one has what stands behind this place when it is asked for.
///
/// By place and not by number, so that athletes who come or go in front of it shift nothing. Who overtakes the place between two pages is on
/// neither, who falls behind it is on both: the board has changed in between, and each page is right for its moment.
public struct BoardCursor: Hashable, Sendable {
    /// The last athlete of the page.
    public var position: BoardPosition

    /// Wraps a place.
    public init(position: BoardPosition) { self.position = position }

    /// Reads a cursor that the server gave out; nil for anything else.
    public init?(text: String) {
        guard var cursor = CursorText(text, of: .athletes), let id = cursor.readInteger() else { return nil }
        position = BoardPosition(score: nil, id: Int64(bitPattern: id))
        guard LeaderboardLimits.accepts(position.id) else { return nil }
        if cursor.isAtEnd { return }
        guard let score = cursor.readInteger(), cursor.isAtEnd, LeaderboardLimits.accepts(Int64(bitPattern: score))
        else { return nil }
        position.score = Int64(bitPattern: score)
    }

    /// The cursor as clients see it, opaque to them.
    public var text: String {
        var cursor = CursorText(.athletes)
        cursor.append(UInt64(bitPattern: position.id))
        if let score = position.score { cursor.append(UInt64(bitPattern: score)) }
        return cursor.text
    }
}
