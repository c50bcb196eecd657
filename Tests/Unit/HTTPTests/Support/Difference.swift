/// Why this server and the nginx of Debian 12 (1.22) judge a case differently.
///
/// This one refuses wherever nothing else is said.
enum Difference {
    /// The reason for each case by its name in ``DifferenceTests``.
    static let reasons = Dictionary(
        uniqueKeysWithValues: groups.flatMap { reason, names in names.map { ($0, reason) } })

    private static let groups: [(reason: String, names: [String])] = [
        (
            "nginx takes a bare LF, or CR CR LF, as the end of a line, as RFC 9112 §2.2 allows; here only CRLF is one",
            [
                "header: CR CR LF", "header: a bare LF as the last line", "header: a bare LF behind a value",
                "header: a bare LF behind an empty value", "header: bare LFs only", "line: a bare LF behind it",
                "wire: a bare LF before the coding", "chunk: a bare LF as the last line",
                "chunk: a bare LF behind the data", "chunk: a bare LF behind the size",
                "chunk: a bare LF behind the trailers", "chunk: a bare LF in the trailers",
                "wire: a bare LF behind the last chunk", "wire: a bare LF in the extension of the last chunk",
                "wire: a bare LF that ends a quoted extension", "wire: a bare LF that ends an extension",
            ]
        ),
        (
            "nginx skips CR and LF before a request line, however many; here one empty line may stand there",
            [
                "line: a bare CR before it", "line: a bare LF before it", "line: two empty lines before it",
                "wire: three empty lines before it", "wire: an empty line of LF behind one of CRLF",
            ]
        ),
        (
            "nginx drops a line of the header block that is no field and goes on (ignore_invalid_headers)",
            [
                "header: a bare LF in Connection", "header: a name that is no token", "header: a name with an umlaut",
                "header: no colon", "wire: a field in quotes",
            ]
        ),
        (
            "nginx passes control characters in values on; RFC 9110 §5.5 calls them dangerous",
            [
                "header: DEL in a value", "header: a control character in a value", "wire: ESC in a value",
                "wire: a vertical tab before a value",
            ]
        ),
        (
            "nginx looks at Host only to choose a server block; RFC 9112 §3.2 wants 400 for one that is no uri-host",
            [
                "header: a Host with a port of letters", "header: a Host with a user", "header: a Host with two ports",
                "header: an open bracket in Host", "wire: a host in Cyrillic", "wire: a host with a backslash",
                "wire: a host with a fragment", "wire: a host with a port of six digits", "wire: a host with a query",
                "wire: a host with a signed port", "wire: a host with quotes", "wire: an empty address in brackets",
                "wire: letters behind the brackets",
            ]
        ),
        (
            "nginx takes a tab for a part of the value and refuses; RFC 9112 §5 calls it white space, so here it passes",
            ["wire: a host in tabs"]
        ),
        (
            "nginx passes methods that it does not know on to whom it may concern; here nobody knows them: 501",
            [
                "line: a method of RTSP", "line: a method of WebDAV", "line: a method that begins like another",
                "line: an unknown method",
            ]
        ),
        (
            "nginx takes every version 1.x; here 1.0 and 1.1 are spelt in one way",
            ["line: HTTP/1.10", "line: HTTP/1.2", "wire: a version with a zero behind"]
        ),
        (
            "nginx skips spaces in a request line, as RFC 9112 §3 allows; here exactly one stands between its parts",
            [
                "line: a space behind the version", "line: two spaces before the target",
                "line: two spaces behind the target",
            ]
        ),
        (
            "nginx passes the target on as it came; here it is decoded, and what cannot be decoded is refused",
            [
                "line: a fragment", "line: a malformed query", "line: a path that is no UTF-8",
                "line: a query that is no UTF-8", "line: a surrogate in UTF-8", "line: another scheme",
                "line: bytes above ASCII in the target",
            ]
        ),
        (
            "nginx skips everything between a chunk's size and its LF; here it is the grammar of RFC 9112 §7.1.1",
            [
                "chunk: NUL in an extension", "chunk: a space before the extension", "chunk: a space behind",
                "chunk: a tab behind", "chunk: an unnamed extension", "wire: a space behind the last chunk",
                "wire: an open quote",
            ]
        ),
        (
            "llhttp knows no escaped quotes in extensions; nobody sends them, and the request is refused, not misread",
            ["wire: a quoted extension with an escaped quote"]
        ),
        (
            "nginx bounds neither extensions nor leading zeros nor trailers; here each has its limit",
            [
                "chunk: 101 trailers", "chunk: a size with 17 KiB of leading zeros", "chunk: extensions of 17 KiB",
                "chunk: extensions of 300 bytes on 100 chunks", "chunk: trailers of 17 KiB",
            ]
        ),
        (
            "nginx skips trailers without looking at them; here they are fields like those of the head, and then dropped",
            [
                "chunk: NUL in a trailer", "chunk: a coding in the trailers", "chunk: a folded trailer",
                "chunk: a space before a trailer's colon", "chunk: an unnamed trailer",
                "wire: a control character in a trailer", "wire: a trailer folded at once",
                "wire: a trailer without colon", "wire: data in place of the end",
            ]
        ),
        (
            "nginx ignores expectations that it does not know; RFC 9110 §10.1.1 allows 417",
            [
                "wire: an expectation of 101", "wire: an expectation with a parameter",
            ]
        ),
    ]
}
