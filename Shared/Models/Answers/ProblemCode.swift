/// The stable words by which clients tell problems apart.
public enum ProblemCode: String, CaseIterable, Hashable, Sendable {
    /// The request breaks a rule: never resend it unchanged.
    case invalidRequest = "INVALID_REQUEST"
    /// No token, or not a valid one.
    case unauthenticated = "UNAUTHENTICATED"
    /// The token lacks a scope, or the challenge takes no entries of users.
    case forbidden = "FORBIDDEN"
    /// Nothing there, or nothing of this user's.
    case notFound = "NOT_FOUND"
    /// The user has no plan.
    case noPlan = "NO_PLAN"
    /// The path exists, the method does not; goes with `Allow`.
    case methodNotAllowed = "METHOD_NOT_ALLOWED"
    /// A method or coding that no path knows.
    case notImplemented = "NOT_IMPLEMENTED"
    /// The client accepts no form that there is.
    case notAcceptable = "NOT_ACCEPTABLE"
    /// The body is not what the path reads.
    case unsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE"
    /// The server holds another plan than the client believed.
    case planConflict = "PLAN_CONFLICT"
    /// The cursor can no longer be served: start again.
    case cursorExpired = "CURSOR_EXPIRED"
    /// The body is too large.
    case payloadTooLarge = "PAYLOAD_TOO_LARGE"
    /// The request line is too long.
    case uriTooLong = "URI_TOO_LONG"
    /// The header block is too large.
    case headersTooLarge = "HEADERS_TOO_LARGE"
    /// The requestId already means something else: never resend.
    case idempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED"
    /// Wait, then resend the same requestId. The reason says whose limit it was.
    case tryAgainLater = "TRY_AGAIN_LATER"
    /// A fault of the server's.
    case `internal` = "INTERNAL"
}

extension ProblemCode {
    /// The HTTP status; 503 for `tryAgainLater`, which a problem with the reason `userRate` turns into 429.
    public var status: Int {
        switch self {
        case .invalidRequest: 400
        case .unauthenticated: 401
        case .forbidden: 403
        case .notFound, .noPlan: 404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .planConflict: 409
        case .cursorExpired: 410
        case .payloadTooLarge: 413
        case .uriTooLong: 414
        case .unsupportedMediaType: 415
        case .idempotencyKeyReused: 422
        case .headersTooLarge: 431
        case .internal: 500
        case .notImplemented: 501
        case .tryAgainLater: 503
        }
    }

    /// The same short words for every occurrence (RFC 9457 §3.1.3).
    public var title: String {
        switch self {
        case .invalidRequest: "The request is not valid"
        case .unauthenticated: "Sign in first"
        case .forbidden: "Not allowed"
        case .notFound: "Not found"
        case .noPlan: "There is no plan"
        case .methodNotAllowed: "The path does not take this method"
        case .notImplemented: "Not implemented"
        case .notAcceptable: "No acceptable form of the answer"
        case .unsupportedMediaType: "The body has an unsupported media type"
        case .planConflict: "Another plan is current"
        case .cursorExpired: "The cursor has expired"
        case .payloadTooLarge: "The body is too large"
        case .uriTooLong: "The address is too long"
        case .headersTooLarge: "The header fields are too large"
        case .idempotencyKeyReused: "The requestId already means something else"
        case .tryAgainLater: "Try again later"
        case .internal: "Something went wrong on the server"
        }
    }

    /// The problem type: `urn:stride:problem:invalid-request`.
    public var type: String {
        var word: [UInt8] = []
        for byte in rawValue.utf8 { word.append(byte == UInt8(ascii: "_") ? UInt8(ascii: "-") : byte | 0x20) }
        return "urn:stride:problem:" + String(decoding: word, as: UTF8.self)
    }
}
