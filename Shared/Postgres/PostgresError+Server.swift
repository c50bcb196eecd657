internal import CPostgres

extension PostgresError {
    /// A row that somebody else keeps locked, found without waiting for it.
    package static let locked = PostgresError(.server(.lockNotAvailable), "a row is locked by somebody else")

    /// The server's error in a result; nil when the result has no SQLSTATE, which means that libpq itself made it up
    /// because the connection is gone or memory ran out.
    init?(refusal result: PostgresResult) {
        // Field codes are the protocol's letters (PostgreSQL documentation, "Error and Notice Message Fields").
        func field(_ letter: Character) -> String? {
            guard let code = letter.asciiValue, let text = unsafe PQresultErrorField(result.raw, Int32(code)) else {
                return nil
            }
            return unsafe String(cString: text)
        }
        guard let state = field("C").flatMap({ SQLState(rawValue: $0) }) else { return nil }
        let severity = field("V") ?? field("S") ?? ""
        self.init(.server(state), "PostgreSQL refused a statement (\(state))")
        constraint = field("n")
        // Class 22 (data exception) quotes the datum in its primary message.
        detail = state.conditionClass == "22" ? nil : field("M")
        let isStalePlan = state == .featureNotSupported && field("R") == "RevalidateCachedQuery"
        endsSession = severity == "FATAL" || severity == "PANIC"
        needsNewSession = endsSession || isStalePlan || state.disposition == .reconnect
    }

    /// What libpq says about an attempt to connect that failed.
    ///
    /// With verbose errors the server's SQLSTATE stands in the text, between the severity and the message.
    init(connecting text: String) {
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" })
        where word.utf8.count == 6 && word.hasSuffix(":") {
            guard let state = SQLState(rawValue: String(word.dropLast())), state.rawValue.contains(where: \.isNumber)
            else { continue }
            self.init(.server(state), "PostgreSQL refused the session (\(state))", detail: Self.firstLine(text))
            needsNewSession = true
            return
        }
        if Self.speaksOfTLS(text) {
            self.init(.insecure, "no protected connection to PostgreSQL", detail: Self.firstLine(text))
        } else {
            self.init(.connectFailed, "no connection to PostgreSQL", detail: Self.firstLine(text))
        }
    }

    /// Whether TLS is what failed, and not the connection below it.
    ///
    /// libpq has no code for it, only words; those before the colon may be a host's name.
    private static func speaksOfTLS(_ text: String) -> Bool {
        let words = text.firstRange(of: "failed: ").map { text[$0.upperBound...] } ?? text[...]
        return !words.contains("SYSCALL") && (words.contains("SSL") || words.contains("certificate"))
    }

    static func firstLine(_ text: String) -> String {
        text.split(separator: "\n").first.map(String.init) ?? ""
    }
}
