import Models

extension Board.Athlete {
    /// Reads a row; nil if it is none.
    init?(_ value: JSONValue) {
        guard let id = value.integer("id"), let name = value.text("name") else { return nil }
        self.id = id
        self.name = name
        score = value.integer("score")
        rank = value.integer("rank")
        imageURL = value.text("image_url")
    }

    /// Writes the row.
    func write(to writer: inout JSONWriter, isMine: Bool? = nil) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("name", name)
        writer.optional("score", score)
        writer.optional("rank", rank)
        writer.optional("image_url", imageURL)
        if let isMine { writer.member("is_mine", isMine) }
        writer.endObject()
    }
}

extension Board.Challenge {
    /// Reads a challenge; nil if it is none.
    init?(_ value: JSONValue) {
        guard let name = value.text("name") else { return nil }
        self.name = name
        description = value.text("description") ?? ""
        isAscending = value.text("order").map { same($0, "asc") } ?? false
        takesSelfReports = value.flag("self_report") ?? false
    }

    /// Writes it.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", name)
        writer.member("description", description)
        writer.member("order", isAscending ? "asc" : "desc")
        writer.member("self_report", takesSelfReports)
        writer.endObject()
    }
}

extension Board {
    /// The stored form; nil while nothing was read.
    var record: [UInt8]? {
        guard asOf != nil || challenge != nil else { return nil }
        return jsonObject { writer in
            writer.name("challenge")
            if let challenge { challenge.write(to: &writer) } else { writer.null() }
            writer.list("athletes", rows) { $1.write(to: &$0) }
            writer.member("total", total)
            writer.optional("cursor", cursor)
            writer.name("summary")
            if let summary { writer.value(summary) } else { writer.null() }
            writer.name("mine")
            if let mine { mine.write(to: &writer) } else { writer.null() }
            writer.optional("as_of", asOf)
        }
    }

    /// Reads a stored form into the board.
    mutating func restore(_ value: JSONValue) {
        challenge = value.object("challenge").flatMap { Challenge($0) }
        rows = []
        for row in value.list("athletes") ?? [] { if let athlete = Athlete(row) { rows.append(athlete) } }
        total = value.integer("total") ?? 0
        cursor = value.text("cursor")
        summary = value.object("summary")
        mine = value.object("mine").flatMap { Athlete($0) }
        asOf = value.integer("as_of")
    }
}
