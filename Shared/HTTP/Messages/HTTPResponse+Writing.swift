extension HTTPResponse {
    /// What a response says about its connection (RFC 9112 §9.3).
    enum ConnectionNote {
        /// HTTP/1.1 goes on: nothing to say.
        case none
        /// An HTTP/1.0 client asked to go on.
        case keepAlive
        /// The last response of this connection.
        case close
    }

    /// Head and body in one buffer, allocated once.
    ///
    /// `dateLine` is a whole field line with its CRLF. For HEAD the head is the one GET would get, `Content-Length` included
    /// (RFC 9110 §9.3.2); 204 and 304 have neither body nor `Content-Length`. Of a stream only the head is written.
    func written(
        requestID: String, dateLine: [UInt8], isHead: Bool, connection: ConnectionNote, isHTTP10: Bool = false
    ) -> [UInt8] {
        let hasContent = !status.isWithoutContent
        var output: [UInt8] = []
        let fieldBytes = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        // The longest status line, date, length and note of the connection: no more, because glibc is quick up to a KiB.
        let ownBytes = 160 + requestID.utf8.count
        output.reserveCapacity(ownBytes + fieldBytes + (hasContent && !isHead ? body.count : 0))
        output.append(contentsOf: "HTTP/1.1 ".utf8)
        output.append(decimal: status.code)
        output.append(ASCII.space)
        output.append(contentsOf: status.reasonPhrase.utf8)
        output.append(contentsOf: "\r\n".utf8)
        output.append(contentsOf: dateLine)
        for field in headers where Self.mayBeWritten(field.name) {
            output.append(field: field.name, field.value)
        }
        output.append(field: "X-Request-Id", requestID)
        switch connection {
        case .none: break
        case .keepAlive: output.append(contentsOf: "Connection: keep-alive\r\n".utf8)
        case .close: output.append(contentsOf: "Connection: close\r\n".utf8)
        }
        guard hasContent else {
            output.append(contentsOf: "\r\n".utf8)
            return output
        }
        switch body {
        case .bytes(let bytes):
            output.append(contentsOf: "Content-Length: ".utf8)
            output.append(decimal: bytes.count)
            output.append(contentsOf: "\r\n\r\n".utf8)
            if !isHead { output.append(contentsOf: bytes) }
        case .stream:
            output.append(contentsOf: (isHTTP10 ? "\r\n" : "Transfer-Encoding: chunked\r\n\r\n").utf8)
        }
        return output
    }

    /// Whether a handler's field may go out: its name is a token, and it is none of those that only the server writes.
    private static func mayBeWritten(_ name: String) -> Bool {
        let bytes = name.utf8.span
        guard bytes.count > 0 else { return false }
        for index in bytes.indices where !ASCII.isToken(bytes[index]) { return false }
        return switch bytes.count {
        case 4: !isName(name, "date")
        case 7: !isName(name, "trailer") && !isName(name, "upgrade")
        case 10: !isName(name, "connection") && !isName(name, "keep-alive")
        case 12: !isName(name, "x-request-id")
        case 14: !isName(name, "content-length")
        case 17: !isName(name, "transfer-encoding")
        default: true
        }
    }

    private static func isName(_ name: String, _ other: StaticString) -> Bool {
        ASCII.equal(name.utf8, other)
    }
}

extension [UInt8] {
    /// Appends `name: value` and CRLF; control characters of the value become spaces (RFC 9110 §5.5), so nothing a client
    /// sent can end the line.
    mutating func append(field name: String, _ value: String) {
        append(contentsOf: name.utf8)
        append(ASCII.colon)
        append(ASCII.space)
        let bytes = value.utf8.span
        var hasControl = false
        for index in bytes.indices where bytes[index] < 0x20 || bytes[index] == 0x7F { hasControl = true }
        if hasControl {
            for byte in value.utf8 { append(byte < 0x20 || byte == 0x7F ? ASCII.space : byte) }
        } else {
            append(contentsOf: value.utf8)
        }
        append(ASCII.carriageReturn)
        append(ASCII.lineFeed)
    }

    /// Appends a chunk (RFC 9112 §7.1); without bytes it would be the last one.
    mutating func append(chunk bytes: [UInt8]) {
        append(contentsOf: String(bytes.count, radix: 16).utf8)
        append(contentsOf: "\r\n".utf8)
        append(contentsOf: bytes)
        append(contentsOf: "\r\n".utf8)
    }

    /// Appends a number that is not negative in decimal digits, without making a string.
    mutating func append(decimal number: Int) {
        var divisor = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            append(0x30 + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }
}
