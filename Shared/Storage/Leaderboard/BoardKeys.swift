internal import Models

/// The names of a board's keys in Redis.
///
/// All of one challenge carry the same hash tag, so that they lie on one node of a Redis Cluster and one script may touch them together.
struct BoardKeys {
    private let prefix: String

    init(_ challenge: ChallengeName) { prefix = "stride:{board:\(challenge.text)}:" }

    /// Hash: which board this is and what it adds up to (`BoardFields`).
    var meta: String { prefix + "meta" }
    /// Sorted set: athletes with a score, the best first.
    var ranks: String { prefix + "ranks" }
    /// Sorted set: athletes without a score, all at 0.
    var unscored: String { prefix + "unscored" }
    /// Hash: name and picture of each athlete.
    var athletes: String { prefix + "athletes" }
    /// Hash: the sums at the end of days.
    var days: String { prefix + "days" }
    /// Hash: the newest revision that found no board to be shown on, with its generation.
    var floor: String { prefix + "floor" }
    /// String: who is building the board.
    var lease: String { prefix + "lease" }

    /// What the scripts that read or change a board are given.
    var board: [String] { [meta, ranks, unscored, athletes, days, floor] }
    /// A board that is being built aside; nobody else knows the token.
    func aside(_ token: String) -> [String] { ["ranks", "unscored", "athletes"].map { "\(prefix)\(token):\($0)" } }
    /// Where an old board goes to be freed.
    func trash(_ token: String) -> [String] { ["ranks", "unscored", "athletes"].map { "\(prefix)\(token):old:\($0)" } }
}

/// How an athlete is spelt in sorted sets and hashes: seven bytes whose order is the numeric order of the ids.
///
/// A sorted set lists members with equal scores by their bytes, so this is what makes equal athletes come by id, negative ids included.
/// The id is moved up by 2^53, so it lies between 1 and 2^54 − 1, and written with the most significant byte first.
enum BoardMember {
    static func bytes(of id: Int64) -> [UInt8] {
        let moved = UInt64(bitPattern: id &+ 1 << 53)
        return (0..<7).map { UInt8(truncatingIfNeeded: moved >> UInt64(48 - $0 * 8)) }
    }

    /// Nil for bytes that name no athlete.
    static func id(of bytes: ArraySlice<UInt8>) -> Int64? {
        guard bytes.count == 7 else { return nil }
        let moved = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let id = Int64(bitPattern: moved) - 1 << 53
        return LeaderboardLimits.accepts(id) ? id : nil
    }
}

/// How a board's hashes spell things.
enum BoardFields {
    /// The name, and behind a line feed, which no name has, the picture.
    static func value(of entry: AthleteEntry) -> String {
        entry.imageURL.map { "\(entry.name)\n\($0)" } ?? entry.name
    }

    static func entry(_ bytes: ArraySlice<UInt8>, score: Int64?) -> AthleteEntry? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            return String(validating: bytes, as: UTF8.self).map { AthleteEntry(name: $0, score: score) }
        }
        guard let name = String(validating: bytes[..<end], as: UTF8.self),
            let imageURL = String(validating: bytes[(end + 1)...], as: UTF8.self)
        else { return nil }
        return AthleteEntry(name: name, score: score, imageURL: imageURL)
    }

    static func value(of totals: BoardTotals) -> String {
        "\(totals.participants):\(totals.completed):\(totals.scoreSum)"
    }

    static func totals(_ text: String) -> BoardTotals? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let participants = Int64(parts[0]), let completed = Int64(parts[1]),
            let sum = Int128(parts[2])
        else { return nil }
        return BoardTotals(participants: participants, completed: completed, scoreSum: sum)
    }
}
