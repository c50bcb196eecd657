/// A response field: a name and a value.
package struct HTTPField: Sendable, Hashable {
    /// The name as it will be written.
    package var name: String
    /// The value; CR, LF, NUL and other control characters in it are written as spaces.
    package var value: String

    /// A field.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// What follows the head of a response.
package enum HTTPResponseBody: Sendable {
    /// The whole body at once.
    case bytes([UInt8])
    /// A body in pieces, for what is too large to be held.
    case stream(HTTPBodyStream)

    /// Its length in bytes; 0 of a stream, whose length nobody knows.
    package var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .stream: 0
        }
    }
}

/// An answer.
///
/// The server adds `Content-Length` or `Transfer-Encoding`, `Connection`, `Date` and `X-Request-Id`; fields with those names, or others that frame a
/// message, are ignored here, so no handler can break the framing.
package struct HTTPResponse: Sendable {
    /// The status.
    package var status: HTTPStatus
    /// The fields in the order they will be written.
    package var headers: [HTTPField]
    /// The body; not written for HEAD, 204 and 304.
    package var body: HTTPResponseBody
    /// Why the client is to come again, for the observer; never written.
    package var refusalReason: String?

    /// A response; without a body, an empty one.
    package init(status: HTTPStatus, headers: [HTTPField] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = .bytes(body)
    }

    /// A response with a body of this media type.
    package init(status: HTTPStatus, contentType: String, headers: [HTTPField] = [], body: [UInt8]) {
        var fields: [HTTPField] = []
        // With room for what callers mostly set behind this, so that the array need not grow.
        fields.reserveCapacity(4 + headers.count)
        fields.append(HTTPField("Content-Type", contentType))
        fields.append(contentsOf: headers)
        self.init(status: status, headers: fields, body: body)
    }

    /// A response whose body comes in pieces.
    package init(status: HTTPStatus, headers: [HTTPField], stream: HTTPBodyStream) {
        self.status = status
        self.headers = headers
        body = .stream(stream)
    }

    /// The first value of a field, names compared without regard to ASCII case, or nil.
    package subscript(name: String) -> String? {
        headers.first { Self.isSame($0.name, name) }?.value
    }

    /// Sets a field, replacing what stood under its name.
    package mutating func set(_ name: String, _ value: String) {
        headers.removeAll { Self.isSame($0.name, name) }
        headers.append(HTTPField(name, value))
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.count == other.utf8.count
            && one.utf8.elementsEqual(other.utf8) { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }
}
