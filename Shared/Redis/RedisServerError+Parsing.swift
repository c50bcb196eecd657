extension RedisServerError.Kind {
    /// Classifies an error by its first word, as Redis clients are told to.
    init(replyText: String) {
        let words = replyText.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: true)
        let first = words.first.map(String.init) ?? ""
        switch first {
        case "LOADING": self = .loading
        case "OOM": self = .oom
        case "READONLY": self = .readOnly
        case "MISCONF": self = .misconf
        case "MASTERDOWN": self = .masterDown
        case "NOREPLICAS": self = .noReplicas
        case "NOSCRIPT": self = .noScript
        case "NOAUTH": self = .noAuth
        case "WRONGPASS": self = .wrongPass
        case "NOPERM": self = .noPerm
        case "BUSY": self = .busy
        case "CLUSTERDOWN": self = .clusterDown
        case "TRYAGAIN": self = .tryAgain
        case "CROSSSLOT": self = .crossSlot
        case "WRONGTYPE": self = .wrongType
        case "MOVED", "ASK": self = Self.redirect(words) ?? .other(prefix: first)
        default: self = Self.unlisted(first, replyText)
        }
    }

    /// Reads `MOVED slot host:port`; an empty host means the host that was asked, an IPv6 host has colons of its own.
    private static func redirect(_ words: [Substring]) -> Self? {
        guard words.count == 3, let slot = UInt16(words[1]), slot < 16384,
            let colon = words[2].lastIndex(of: ":"),
            let port = UInt16(words[2][words[2].index(after: colon)...]), port > 0
        else { return nil }
        let host = String(words[2][..<colon])
        return words[0] == "MOVED"
            ? .moved(slot: slot, host: host, port: port) : .ask(slot: slot, host: host, port: port)
    }

    /// Everything without a case of its own; only a word in capitals is a prefix, anything else might be a value.
    private static func unlisted(_ first: String, _ text: String) -> Self {
        if text.hasPrefix("ERR max number of clients") { return .tooManyClients }
        let isPrefix =
            !first.isEmpty && first.utf8.count <= 32
            && first.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        return .other(prefix: isPrefix ? first : "ERR")
    }
}
