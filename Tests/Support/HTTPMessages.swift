/// A request as a client sends it.
package struct HTTPCall: Sendable {
    /// The method.
    package var method: String
    /// Path and query.
    package var path: String
    /// Fields in their order, beside `Host` and `Content-Length`.
    package var fields: [(name: String, value: String)]
    /// The body; nil sends none and no length.
    package var body: [UInt8]?

    /// Puts a request together.
    package init(
        _ method: String, _ path: String, fields: [(name: String, value: String)] = [], body: [UInt8]? = nil
    ) {
        self.method = method
        self.path = path
        self.fields = fields
        self.body = body
    }

    /// What travels.
    package var bytes: [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: stride.test\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + (body ?? [])
    }
}

/// An answer as it came.
package struct HTTPAnswer: Sendable {
    /// The status.
    package var status: Int
    /// Fields in their order.
    package var fields: [(name: String, value: String)]
    /// The body.
    package var body: [UInt8]

    /// A field's value, whatever the case of its name; nil when there is none.
    package subscript(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The body as JSON; null when it is none.
    package var json: JSON { (try? JSON(parsing: body)) ?? .null }

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }

    /// Whether the server closes the connection after it.
    package var isLast: Bool { self["Connection"]?.lowercased() == "close" }
}

extension HTTPAnswer: CustomStringConvertible {
    /// Status and body, for failed expectations.
    package var description: String { "\(status) \(text)" }
}

extension HTTPAnswer {
    /// Takes the first answer off a buffer; nil while it is not complete.
    ///
    /// - Parameter hasBody: false for the answer to HEAD.
    static func take(from buffer: inout [UInt8], hasBody: Bool) throws -> HTTPAnswer? {
        guard let end = headEnd(in: buffer) else { return nil }
        let lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ", maxSplits: 2) ?? []
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw NoAnswer("not an answer: \(String(decoding: buffer[..<end], as: UTF8.self))")
        }
        var answer = HTTPAnswer(status: status, fields: [], body: [])
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw NoAnswer("not a field: \(line)") }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            answer.fields.append((String(line[..<colon]), String(value)))
        }
        let isBodiless = !hasBody || status == 204 || status == 304 || status < 200
        if !isBodiless, answer["Transfer-Encoding"] == "chunked" {
            guard let (body, length) = try chunks(in: buffer, from: end + 4) else { return nil }
            answer.body = body
            buffer.removeFirst(length)
            return answer
        }
        guard answer["Transfer-Encoding"] == nil else { throw NoAnswer("an answer in an unknown coding") }
        let count = isBodiless ? 0 : Int(answer["Content-Length"] ?? "") ?? -1
        guard count >= 0 else { throw NoAnswer("an answer without a length") }
        guard buffer.count >= end + 4 + count else { return nil }
        answer.body = Array(buffer[(end + 4)..<(end + 4 + count)])
        buffer.removeFirst(end + 4 + count)
        return answer
    }

    /// A body in chunks and where it ends; nil while it is not complete.
    private static func chunks(in buffer: [UInt8], from start: Int) throws -> (body: [UInt8], end: Int)? {
        var (place, pieces) = (start, [Range<Int>]())
        while let line = buffer[place...].firstIndex(of: 0x0A) {
            let digits = String(decoding: buffer[place..<line], as: UTF8.self).filter { $0 != "\r" && $0 != "\r\n" }
            guard let count = Int(digits, radix: 16) else { throw NoAnswer("not a chunk: \(digits)") }
            guard buffer.count >= line + 1 + count + 2 else { return nil }
            place = line + 1 + count + 2
            if count == 0 { return (pieces.flatMap { buffer[$0] }, place) }
            pieces.append((line + 1)..<(line + 1 + count))
        }
        return nil
    }

    private static func headEnd(in buffer: [UInt8]) -> Int? {
        guard buffer.count >= 4 else { return nil }
        let mark: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        return (0...(buffer.count - 4)).first { buffer[$0] == 0x0D && Array(buffer[$0..<($0 + 4)]) == mark }
    }
}

/// No answer came.
package struct NoAnswer: Error, CustomStringConvertible {
    /// Why.
    package let description: String
    /// Whether the request had been sent.
    package var wasSent = true
    init(_ description: String, wasSent: Bool = true) {
        self.description = description
        self.wasSent = wasSent
    }
}
