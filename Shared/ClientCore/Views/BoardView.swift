import Models

extension Client {
    /// A leaderboard.
    func writeBoard(_ board: Board, to writer: inout JSONWriter) {
        writer.member("challenge", String(decoding: board.name, as: UTF8.self))
        writer.optional("name", board.challenge?.name)
        writer.optional("description", board.challenge?.description)
        writer.member("order", board.challenge?.isAscending == true ? "asc" : "desc")
        writer.member("self_report", board.challenge?.takesSelfReports ?? false)
        writer.list("athletes", board.rows) { writer, row in row.write(to: &writer, isMine: row.id == board.mine?.id) }
        writer.member("total", board.total)
        writer.member("more", board.cursor != nil)
        writer.name("summary")
        if let summary = board.summary { writer.value(summary) } else { writer.null() }
        writer.name("mine")
        if let mine = board.mine { mine.write(to: &writer) } else { writer.null() }
        writer.name("change")
        guard let change = board.change else { return writer.null() }
        writer.beginObject()
        writer.member("kind", change.entry == nil ? "remove" : "record")
        writer.optional("name", change.entry?.name)
        writer.optional("score", change.entry?.score)
        var isSending = false
        if case .boardChange(let name, let version)? = link.flight?.errand {
            isSending = name == board.name && version == change.version
        }
        writer.member("state", change.reason != nil ? "refused" : isSending ? "sending" : "waiting")
        writer.optional("reason", raw: change.reason?.record)
        writer.endObject()
    }

    /// Who this is, and what was refused.
    func writeSettings(to writer: inout JSONWriter) {
        let profile = plans.profile ?? Profile()
        writer.member("time_zone", profile.timeZone)
        writer.member("week_start", PlanCodec.word(profile.weekStart))
        writer.name("profile_change")
        if let change = plans.profileChange {
            writer.beginObject()
            writer.optional("time_zone", change.timeZone)
            writer.optional("week_start", change.weekStart.map { PlanCodec.word($0) })
            var isSending = false
            if case .profileChange(let version)? = link.flight?.errand { isSending = version == change.version }
            write(change.state, isSending: isSending, to: &writer)
            writer.endObject()
        } else {
            writer.null()
        }
        writer.member("device_time_zone", zones.name)
        writer.member("device_id", device.id)
        writeQueue(to: &writer)
        writer.list("refused", workouts.items.filter { $0.state == .refused }) { write($1, to: &$0) }
        writer.member("signed_in", link.isSignedIn)
        writer.member("online", link.isOnline)
        writer.member("erasing", isErasing)
    }
}
