/// The rules of RFC 9112 on a complete head that need more than one field, as pure functions.
enum HTTPHeadRules {
    /// Exactly one valid `Host`; an HTTP/1.0 client may leave it out (RFC 9112 §3.2).
    static func checkHost(_ headers: HTTPHeaders, isHTTP10: Bool) throws(HTTPRefusal) {
        let count = headers.count(of: "host")
        guard count == 1 || (count == 0 && isHTTP10) else {
            throw .malformed(detail: count == 0 ? "The Host field is missing." : "There is more than one Host field.")
        }
        if let host = headers.bytes(of: "host"), !isHost(host) {
            throw .malformed(detail: "The Host field is malformed.")
        }
    }

    /// `Transfer-Encoding` must be `chunked` and nothing else, and not in HTTP/1.0 (RFC 9112 §6.1).
    ///
    /// The codings of the registry that do not end in chunked leave the length unknown: 400. Codings that this server does not
    /// know, or knows by name only, are 501.
    static func checkTransferCodings(_ headers: HTTPHeaders, isHTTP10: Bool) throws(HTTPRefusal) {
        let values = headers.values(of: "transfer-encoding")
        guard !values.isEmpty else { return }
        guard !isHTTP10 else { throw .malformed(detail: "HTTP/1.0 has no Transfer-Encoding.") }
        let codings = values.flatMap { value in
            value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(ASCII.trimmed)
        }
        if codings.count == 1, ASCII.equal(codings[0], "chunked") { return }
        for coding in codings {
            let name = coding.prefix { ASCII.isToken($0) }
            guard !name.isEmpty else { throw .malformed(detail: "The Transfer-Encoding field is malformed.") }
            let known: [StaticString] = ["chunked", "gzip", "x-gzip", "deflate", "compress", "x-compress"]
            guard known.contains(where: { ASCII.equal(name, $0) }) else { throw .notImplemented }
        }
        guard let last = codings.last, ASCII.equal(last, "chunked") else {
            throw .malformed(detail: "The Transfer-Encoding does not end in chunked.")
        }
        guard !codings.dropLast().contains(where: { ASCII.equal($0.prefix { ASCII.isToken($0) }, "chunked") }) else {
            throw .malformed(detail: "The Transfer-Encoding names chunked twice.")
        }
        throw .notImplemented
    }

    /// Whether the connection goes on behind a request (RFC 9112 §9.3).
    ///
    /// `close` is the last word, whatever else the options say; without it HTTP/1.1 goes on, and HTTP/1.0 if it asks to.
    /// llhttp misses a `close` that has a tab behind it, or that an HTTP/1.0 client sends with `keep-alive`.
    static func keepsAlive(_ headers: HTTPHeaders, isHTTP10: Bool) -> Bool {
        var (closes, goesOn) = (false, !isHTTP10)
        headers.forEachValue(of: "connection") { value in
            var rest = value
            while !rest.isEmpty {
                let element = rest.prefix { $0 != UInt8(ascii: ",") }
                let option = ASCII.trimmed(element)
                if ASCII.equal(option, "close") { closes = true }
                if ASCII.equal(option, "keep-alive") { goesOn = true }
                rest = rest[element.endIndex...].dropFirst()
            }
        }
        return goesOn && !closes
    }

    /// Whether bytes can be `uri-host [ ":" port ]`: the characters of RFC 3986 §3.2.2, no user, digits behind a last colon.
    ///
    /// Empty is allowed, as RFC 9112 §3.2 has it for a target without authority.
    static func isHost(_ host: ArraySlice<UInt8>) -> Bool {
        var name = host
        if host.first == UInt8(ascii: "[") {
            guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let address = host[(host.startIndex + 1)..<end]
            guard !address.isEmpty, address.allSatisfy({ ASCII.isAlphanumeric($0) || $0 == ASCII.colon || $0 == 0x2E })
            else { return false }
            name = host[(end + 1)...]
            guard name.isEmpty || name.first == ASCII.colon else { return false }
        }
        if let colon = name.firstIndex(of: ASCII.colon) {
            let port = name[(colon + 1)...]
            guard port.count <= 5, port.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return false }
            name = name[..<colon]
        }
        return name.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "|"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "#"): false
            case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: ","): true
            default: ASCII.isToken(byte)
            }
        }
    }
}
