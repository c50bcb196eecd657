/// `Content-Type` and `Accept` (RFC 9110 §8.3, §12.5.1), as far as an API with one representation needs them.
enum MediaTypes {
    /// Whether the body is `application/json`, with any parameters, not encoded, and says so once.
    static func isJSONBody(_ headers: HTTPHeaders) -> Bool {
        guard let value = headers.bytes(of: "content-type"), headers.count(of: "content-type") == 1 else {
            return false
        }
        if let encoding = headers.bytes(of: "content-encoding"), !ASCII.equal(encoding, "identity") { return false }
        let type = value.prefix { $0 != UInt8(ascii: ";") }
        return ASCII.equal(ASCII.trimmed(type), "application/json")
    }

    /// Whether `Accept` admits a media type: the most specific range that matches decides, and its weight must not be 0.
    ///
    /// No `Accept`, or an empty one, admits everything.
    static func accepts(_ headers: HTTPHeaders, _ type: String) -> Bool {
        var best = (rank: 0, isAdmitted: false)
        var isEmpty = true
        headers.forEachValue(of: "accept") { value in
            forEachPiece(of: value, separatedBy: UInt8(ascii: ",")) { range in
                let name = ASCII.trimmed(range.prefix { $0 != UInt8(ascii: ";") })
                guard !name.isEmpty else { return }
                isEmpty = false
                let rank = rank(of: name, for: type)
                guard rank > 0, rank >= best.rank else { return }
                let isAdmitted = !hasZeroWeight(range)
                best = (rank, isAdmitted || (rank == best.rank && best.isAdmitted))
            }
        }
        return isEmpty || best.isAdmitted
    }

    /// Calls for each part between separators, allocating nothing.
    private static func forEachPiece(
        of bytes: ArraySlice<UInt8>, separatedBy separator: UInt8, _ body: (ArraySlice<UInt8>) -> Void
    ) {
        var rest = bytes
        while let end = rest.firstIndex(of: separator) {
            body(rest[..<end])
            rest = rest[(end + 1)...]
        }
        body(rest)
    }

    /// 3 for the type itself, 2 for `application/*`, 1 for `*/*`, 0 for no match.
    private static func rank(of range: ArraySlice<UInt8>, for type: String) -> Int {
        if same(range, type.utf8) { return 3 }
        if range.elementsEqual("*/*".utf8) { return 1 }
        guard range.suffix(2).elementsEqual("/*".utf8) else { return 0 }
        return same(range.dropLast(2), type.utf8.prefix { $0 != ASCII.slash }) ? 2 : 0
    }

    /// Whether one of a range's parameters is `q=0`, with as many zeros as one likes.
    private static func hasZeroWeight(_ range: ArraySlice<UInt8>) -> Bool {
        var isZero = false
        forEachPiece(of: range, separatedBy: UInt8(ascii: ";")) { piece in
            let parameter = ASCII.trimmed(piece)
            guard parameter.count > 2, ASCII.equal(parameter.prefix(2), "q=") else { return }
            isZero = parameter.dropFirst(2).allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
        }
        return isZero
    }

    private static func same(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
        one.count == other.count && one.elementsEqual(other) { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }
}
