import TLS

extension RedisConfiguration {
    /// Reads an address: one server, a cluster, or the master that sentinels name.
    ///
    /// `redis://[[user]:password@]host[:port][/database]`,
    /// `redis-cluster://[[user]:password@]host[:port][,host[:port]…]` with some of the cluster's servers,
    /// `redis-sentinel://[[user]:password@]host[:port][,host[:port]…]/master[/database]` with the sentinels (port 26379);
    /// `rediss…` for the same over TLS: a server is trusted if an authority of the system vouches for it; `tls` names
    /// another one. Reserved characters in user and password are percent-encoded; an IPv6 address stands in brackets.
    /// Throws with the part that is wrong and without its text.
    /// Source: IANA registration of the `redis` URI scheme; RFC 3986 for the parts.
    package init(url: String) throws(RedisConfigurationError) {
        guard let mark = url.firstRange(of: "://") else { throw .unknownScheme }
        let scheme = url[..<mark.lowerBound].lowercased()
        let rest = url[mark.upperBound...]
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let (credentials, place) = Self.splitCredentials(rest[..<slash])
        let path = rest[slash...].dropFirst()
        switch scheme {
        case "redis", "rediss":
            guard !Self.hasMore(rest) else { throw .unexpectedPart }
            let only = try Self.parseHost(place, port: 6379)
            self.init(host: only.host, port: only.port, database: try Self.parseDatabase(path))
        case "redis-cluster", "rediss-cluster":
            guard !Self.hasMore(rest) else { throw .unexpectedPart }
            let seeds = try Self.parseHosts(place, port: 6379)
            guard try Self.parseDatabase(path) == 0 else { throw .invalidDatabase }
            self.init(host: seeds[0].host, port: seeds[0].port)
            topology = .cluster(seeds: seeds)
        case "redis-sentinel", "rediss-sentinel":
            guard !Self.hasMore(rest) else { throw .unexpectedPart }
            let sentinels = try Self.parseHosts(place, port: 26379)
            let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first, !name.isEmpty, name.utf8.allSatisfy(isHostByte) else { throw .invalidMaster }
            self.init(
                host: sentinels[0].host, port: sentinels[0].port,
                database: try Self.parseDatabase(parts.count == 2 ? parts[1] : ""))
            topology = .sentinel(master: String(name), sentinels: sentinels)
        default: throw .unknownScheme
        }
        if scheme.hasPrefix("rediss") { tls = TLSClientFiles() }
        if let credentials { try signIn(credentials) }
    }

    private static func hasMore(_ rest: Substring) -> Bool { rest.contains("?") || rest.contains("#") }

    private static func parseHosts(
        _ list: Substring, port: UInt16
    ) throws(RedisConfigurationError) -> [RedisPlace] {
        var places: [RedisPlace] = []
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            places.append(try parseHost(part, port: port))
        }
        return places
    }

    private static func splitCredentials(_ authority: Substring) -> (credentials: Substring?, place: Substring) {
        guard let at = authority.lastIndex(of: "@") else { return (nil, authority) }
        return (authority[..<at], authority[authority.index(after: at)...])
    }

    private mutating func signIn(_ credentials: Substring) throws(RedisConfigurationError) {
        guard let colon = credentials.firstIndex(of: ":"),
            let user = percentDecoded(credentials[..<colon]),
            let password = percentDecoded(credentials[credentials.index(after: colon)...]), !password.isEmpty
        else { throw .invalidCredentials }
        self.user = user.isEmpty ? nil : user
        self.password = RedisPassword(password)
    }

    private static func parseHost(
        _ place: Substring, port usual: UInt16
    ) throws(RedisConfigurationError) -> RedisPlace {
        var host = place
        var port: Substring?
        if place.first == "[" {
            guard let end = place.firstIndex(of: "]") else { throw .invalidHost }
            host = place[..<end].dropFirst()
            let tail = place[place.index(after: end)...]
            guard tail.isEmpty || tail.first == ":" else { throw .invalidHost }
            port = tail.isEmpty ? nil : tail.dropFirst()
            guard host.utf8.allSatisfy({ isHexDigit($0) || $0 == 0x3A || $0 == 0x2E }) else { throw .invalidHost }
        } else if let colon = place.firstIndex(of: ":") {
            host = place[..<colon]
            port = place[place.index(after: colon)...]
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ isHostByte($0) || $0 == 0x3A }) else { throw .invalidHost }
        guard let port else { return RedisPlace(host: String(host), port: usual) }
        guard let number = decimal(port, upTo: 65535), number > 0 else { throw .invalidPort }
        return RedisPlace(host: String(host), port: UInt16(number))
    }

    private static func parseDatabase(_ text: Substring) throws(RedisConfigurationError) -> Int {
        guard !text.isEmpty else { return 0 }
        guard let number = decimal(text, upTo: 16383) else { throw .invalidDatabase }
        return number
    }
}

/// A number in plain digits; `Int` alone would also take a sign.
private func decimal(_ text: Substring, upTo limit: Int) -> Int? {
    guard text.utf8.count <= 5, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
        number <= limit
    else { return nil }
    return number
}

private func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
}

/// Letters, digits, `.`, `-` and `_`, which Docker's names have.
private func isHostByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
        || byte == 0x2E || byte == 0x5F
}

/// Nil for a broken escape and for bytes that are not UTF-8.
private func percentDecoded(_ text: Substring) -> String? {
    var decoded: [UInt8] = []
    var bytes = text.utf8.makeIterator()
    while let byte = bytes.next() {
        guard byte == 0x25 else {
            decoded.append(byte)
            continue
        }
        guard let high = bytes.next(), let low = bytes.next(), isHexDigit(high), isHexDigit(low),
            let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
        else { return nil }
        decoded.append(value)
    }
    return String(validating: decoded, as: UTF8.self)
}
