/// RFC 9112 §6 and §7: lengths, codings and chunks that ``FramingTests`` does not have.
extension WireCase {
    private static let chunked = "5\r\n[1,2]\r\n0\r\n\r\n"
    private static let coding = "Transfer-Encoding: chunked\r\n"

    static let lengths: [WireCase] = [
        .posts("a plain length", "Content-Length: 5\r\n"),
        // Allowed by the grammar, sent by nobody, and refused by llhttp; so are a coding in tabs and an escaped quote below.
        .badPost("a length in tabs", "Content-Length:\t5\t\r\n"),
        .posts("a length with leading zeros", "Content-Length: 0000000000000000000000005\r\n"),
        .posts("a field that looks like a length", "Content-Length: 5\r\nContent_Length: 9\r\n"),
        .posts("a field that begins like a length", "Content-Length: 5\r\nContent-Lengths: 9\r\n"),
        .badPost("a vertical tab before the length", "Content-Length: \u{B}5\r\n"),
        .badPost("a vertical tab behind the length", "Content-Length: 5\u{B}\r\n"),
        .badPost("a form feed behind the length", "Content-Length: 5\u{C}\r\n"),
        .badPost("NUL behind the length", "Content-Length: 5\0\r\n"),
        .badPost("an exponent", "Content-Length: 5e0\r\n"),
        .badPost("an underscore in the length", "Content-Length: 0_5\r\n"),
        .badPost("quotes around the length", "Content-Length: \"5\"\r\n"),
        .badPost("a semicolon behind the length", "Content-Length: 5;\r\n"),
        .badPost("an Arabic five", "Content-Length: \u{665}\r\n"),
        .badPost("a full-width five", "Content-Length: \u{FF15}\r\n"),
        .badPost("a length of 2^64", "Content-Length: 18446744073709551616\r\n"),
        .badPost("a length of 2^64 + 5", "Content-Length: 18446744073709551621\r\n"),
        .badPost("a length of 2^32 + 5", "Content-Length: 4294967301\r\n", "[1,2]", 413),
        .badPost("minus one", "Content-Length: -1\r\n"),
        .badPost("an empty length, then one", "Content-Length:\r\nContent-Length: 5\r\n"),
        .badPost("a length, then an empty one", "Content-Length: 5\r\nContent-Length:\r\n"),
        .badPost(
            "three lengths, the outer ones equal", "Content-Length: 5\r\nContent-Length: 0\r\nContent-Length: 5\r\n"),
        .badPost(
            "a length that another field separates from its repeat",
            "Content-Length: 5\r\nX: y\r\nContent-Length: 5\r\n"),
        .runs(
            "a GET with a body", WireCase.get("Host: a\r\nContent-Length: 5\r\n") + "[1,2]", ["GET /v1/things"],
            ["[1,2]"]),
        .runs(
            "a GET with a request for a body",
            WireCase.get("Host: a\r\nContent-Length: 36\r\n") + WireCase.get("Host: a\r\n"), ["GET /v1/things"],
            ["GET /v1/things HTTP/1.1\r\nHost: a\r\n\r\n"]),
        .runs(
            "two empty GETs", WireCase.get("Host: a\r\nContent-Length: 0\r\n") + WireCase.get("Host: a\r\n"),
            ["GET /v1/things", "GET /v1/things"], ["", ""]),
        .ends(
            "HTTP/1.0 with a length",
            "POST /v1/things HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n[1,2]",
            "POST /v1/things", "[1,2]"),
    ]

    static let codings: [WireCase] = [
        .posts("a plain coding", coding, chunked),
        .badPost("a coding in tabs", "Transfer-Encoding:\tchunked\t\r\n", chunked),
        .posts("a coding in mixed case", "tRANSFER-eNCODING: ChUnKeD\r\n", chunked),
        .posts("a field that looks like a coding", "Content-Length: 5\r\nTransfer_Encoding: chunked\r\n"),
        .posts("TE is no coding", "TE: trailers, chunked\r\nConnection: TE\r\nContent-Length: 5\r\n"),
        .posts("a content coding is none of ours", "Content-Encoding: identity\r\nContent-Length: 5\r\n"),
        .runs(
            "a GET in chunks", WireCase.get("Host: a\r\n\(coding)") + chunked, ["GET /v1/things"], ["[1,2]"]),
        .badPost("chunked, identity", "Transfer-Encoding: chunked, identity\r\n", chunked),
        .badPost("identity, chunked", "Transfer-Encoding: identity, chunked\r\n", chunked, 501),
        .badPost("identity in a field of its own", "Transfer-Encoding: identity\r\n\(coding)", chunked, 501),
        .badPost(
            "chunked, then identity in a field of its own", "\(coding)Transfer-Encoding: identity\r\n", chunked),
        .badPost("xchunked and a length", "Content-Length: 5\r\nTransfer-Encoding: xchunked\r\n"),
        .badPost("identity and a length", "Content-Length: 5\r\nTransfer-Encoding: identity\r\n"),
        .badPost("a coding twice and a length", "Content-Length: 5\r\n\(coding)\(coding)", chunked),
        .badPost("a vertical tab behind chunked", "Transfer-Encoding: chunked\u{B}\r\n", chunked),
        .badPost("a form feed behind chunked", "Transfer-Encoding: chunked\u{C}\r\n", chunked),
        .badPost("NUL behind chunked", "Transfer-Encoding: chunked\0\r\n", chunked),
        .badPost("NUL before chunked", "Transfer-Encoding: \0chunked\r\n", chunked),
        .badPost("DEL behind chunked", "Transfer-Encoding: chunked\u{7F}\r\n", chunked),
        .badPost("a space within chunked", "Transfer-Encoding: chun ked\r\n", chunked, 501),
        .badPost("two words", "Transfer-Encoding: chunked chunked\r\n", chunked),
        .badPost("a comma behind chunked", "Transfer-Encoding: chunked,\r\n", chunked),
        .badPost("a semicolon behind chunked", "Transfer-Encoding: chunked;\r\n", chunked),
        .badPost("a Kelvin sign for the k", "Transfer-Encoding: chun\u{212A}ed\r\n", chunked, 501),
        .badPost("chunk without its end", "Transfer-Encoding: chunke\r\n", chunked, 501),
        .badPost("an empty coding, then chunked", "Transfer-Encoding:\r\n\(coding)", chunked),
        .badPost("chunked, then an empty coding", "\(coding)Transfer-Encoding:\r\n", chunked),
        .badPost("a bare LF before the coding", "X: y\n\(coding)", chunked),
        .badPost("a bare CR before the coding", "X: y\r\(coding)", chunked),
        .badPost("a coding behind an empty name", ": x\r\n\(coding)", chunked),
        .badPost("a coding in a folded line", "X: y\r\n \(coding)", chunked),
        .badPost("a tab before the colon of the coding", "Transfer-Encoding\t: chunked\r\n", chunked),
        .badPost("a NUL in the name of the coding", "Transfer-Encoding\0: chunked\r\n", chunked),
        .refused(
            "a coding and a length in HTTP/1.0",
            "POST /v1/things HTTP/1.0\r\nHost: a\r\nContent-Length: 5\r\n\(coding)\r\n\(chunked)"),
        .refused(
            "a coding in HTTP/1.0 that wants to go on",
            "POST /v1/things HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\(coding)\r\n\(chunked)"),
    ]

    static let chunks: [WireCase] = [
        .posts("a size in capitals and zeros", coding, "0000000000000005\r\n[1,2]\r\n0\r\n\r\n"),
        .posts(
            "a size of 40 digits that is five", coding, "\(String(repeating: "0", count: 39))5\r\n[1,2]\r\n0\r\n\r\n"),
        .posts("many zeros as the last chunk", coding, "5\r\n[1,2]\r\n0000000000000000000000\r\n\r\n"),
        .posts("a quoted extension with a semicolon", coding, "5;a=\"b;c\"\r\n[1,2]\r\n0\r\n\r\n"),
        .badChunks("a quoted extension with an escaped quote", "5;a=\"\\\"\"\r\n[1,2]\r\n0\r\n\r\n"),
        .posts("a length in the trailers is dropped", coding, "5\r\n[1,2]\r\n0\r\nContent-Length: 5\r\n\r\n"),
        .posts("trailers that are dropped", coding, "5\r\n[1,2]\r\n0\r\nHost: b\r\nAuthorization: x\r\n\r\n"),
        .badChunks("a vertical tab behind the size", "5\u{B}\r\n[1,2]\r\n0\r\n\r\n"),
        .badChunks("NUL behind the size", "5\0\r\n[1,2]\r\n0\r\n\r\n"),
        .badChunks("an underscore in the size", "0_5\r\n[1,2]\r\n0\r\n\r\n"),
        .badChunks("an Arabic five as size", "\u{665}\r\n[1,2]\r\n0\r\n\r\n"),
        .badChunks("two sizes", "5,5\r\n[1,2]\r\n0\r\n\r\n"),
        .badChunks("a size of 2^64 + 5", "10000000000000005\r\n[1,2]\r\n0\r\n\r\n"),
        .badChunks("a size of 2^32 + 5", "100000005\r\n[1,2]\r\n0\r\n\r\n", 413),
        .badChunks("a size of 2^63", "8000000000000000\r\n[1,2]\r\n0\r\n\r\n", 413),
        .badChunks("minus zero as the last chunk", "5\r\n[1,2]\r\n-0\r\n\r\n"),
        .badChunks("0x0 as the last chunk", "5\r\n[1,2]\r\n0x0\r\n\r\n"),
        .badChunks("a space behind the last chunk", "5\r\n[1,2]\r\n0 \r\n\r\n"),
        .badChunks("a bare LF behind the last chunk", "5\r\n[1,2]\r\n0\n\r\n"),
        .badChunks("CR CR LF behind the size", "5\r\r\n[1,2]\r\n0\r\n\r\n"),
        .badChunks("CR CR LF behind the data", "5\r\n[1,2]\r\r\n0\r\n\r\n"),
        .badChunks("a tab before the size", "\t5\r\n[1,2]\r\n0\r\n\r\n"),
        .badChunks("a bare LF that ends an extension", "5;a\n[1,2]\r\n0\r\n\r\n"),
        .badChunks("a bare LF that ends a quoted extension", "5;a=\"b\"\n[1,2]\r\n0\r\n\r\n"),
        .badChunks("a bare CR that ends a quoted extension", "5;a=\"b\"\r[1,2]\r\n0\r\n\r\n"),
        .badChunks("an open quote", "5;a=\"b\r\n[1,2]\r\n0\r\n\r\n"),
        .badChunks("a bare LF in the extension of the last chunk", "5\r\n[1,2]\r\n0;a\n\r\n"),
        .badChunks("data in place of the end", "5\r\n[1,2]\r\n0\r\nGET /v1/things HTTP/1.1\r\n\r\n"),
        .badChunks("a bare CR in a trailer", "5\r\n[1,2]\r\n0\r\nX: a\rY: b\r\n\r\n"),
        .badChunks("a trailer without colon", "5\r\n[1,2]\r\n0\r\nX\r\n\r\n"),
        .badChunks("a trailer folded at once", "5\r\n[1,2]\r\n0\r\n X: a\r\n\r\n"),
        .badChunks("a control character in a trailer", "5\r\n[1,2]\r\n0\r\nX: \u{1}\r\n\r\n"),
    ]
}
