import Models

/// A leaderboard as it was last read, and what the user wants of it.
struct Board {
    /// A row.
    struct Athlete {
        var id: Int64
        var name: String
        var score: Int64?
        var rank: Int64?
        var imageURL: String?
    }

    /// What the challenge is.
    struct Challenge {
        var name: String
        var description: String
        var isAscending: Bool
        var takesSelfReports: Bool
    }

    /// So many rows come at once.
    static let page = 100
    /// The most that one call gives.
    static let most = 1000

    /// The name in paths.
    let name: [UInt8]
    var challenge: Challenge?
    var rows: [Athlete] = []
    var total: Int64 = 0
    var cursor: String?
    /// The summary as the server wrote it.
    var summary: JSONValue?
    var mine: Athlete?
    var asOf: Int64?
    var change: BoardChange?

    // Not stored.
    var wantsChallenge = false
    var wantsRows = false
    var wantsMore = false
    var wantsSummary = false
    var wantsMine = false
    var failure: String?

    init(name: [UInt8]) { self.name = name }

    /// Wants everything read again.
    mutating func wantAll() {
        wantsChallenge = true
        wantsRows = true
        wantsMore = false
        wantsSummary = true
        wantsMine = true
    }

    /// The path of its athletes; what follows comes behind.
    func path(_ rest: String) -> String {
        "/v1/challenges/" + String(decoding: name, as: UTF8.self) + "/athletes" + rest
    }

    /// Reads the name of a challenge; nil if it is none.
    static func name(_ text: String) -> [UInt8]? { ChallengeName(text).map { Array($0.text.utf8) } }
}

/// The own entry as the user wants it.
struct BoardChange {
    /// Name, score and picture; nil: off the board.
    var entry: (name: String, score: Int64?, imageURL: String?)?
    var reason: Reason?
    var version: Int64 = 0
}

extension BoardChange {
    /// The body of the call that records it.
    var body: [UInt8]? {
        entry.map { entry in
            jsonObject { writer in
                writer.member("name", entry.name)
                writer.optional("score", entry.score)
                if let imageURL = entry.imageURL { writer.member("image_url", imageURL) }
            }
        }
    }

    /// The stored form.
    var record: [UInt8] {
        jsonObject { writer in
            writer.optional("entry", raw: body)
            if let reason { writer.optional("reason", raw: reason.record) }
        }
    }

    /// Reads a stored form.
    init(_ value: JSONValue) {
        if let entry = value.object("entry"), let name = entry.text("name") {
            self.entry = (name, entry.integer("score"), entry.text("image_url"))
        }
        reason = value.object("reason").map { Reason($0) }
    }
}
