/// An answer that says no, as `application/problem+json` (RFC 9457).
public struct Problem: Hashable, Sendable {
    /// Why a client has to wait.
    public enum Reason: String, CaseIterable, Hashable, Sendable {
        /// The user's own budget is used up: 429.
        case userRate = "user_rate"
        /// The service has more work than it can do in time: 503.
        case overload
        /// The database does not answer: 503.
        case storeUnavailable = "store_unavailable"
        /// This process is about to end: 503.
        case draining
    }

    /// The word that clients switch on.
    public var code: ProblemCode
    /// A sentence about this occurrence; never internals of the server.
    public var detail: String
    /// The request's id; nil leaves the member out.
    public var instance: String?
    /// Everything that is wrong with a well-formed document; empty leaves `errors` out.
    public var faults: [Fault]
    /// Why to wait; only with `tryAgainLater`.
    public var reason: Reason?
    /// The true wait plus jitter; nil leaves the member out, except that every 429 and 503 has one: a second if unknown.
    public var retryAfterMilliseconds: Int64?
    /// The server's clock, for a client whose own may be wrong.
    public var serverTime: Timestamp?
    /// The plan that the server holds, as JSON; only with `planConflict`, nil leaves the member out.
    public var currentPlan: [UInt8]?

    /// Joins the parts.
    public init(
        _ code: ProblemCode, detail: String, instance: String? = nil, faults: [Fault] = [], reason: Reason? = nil,
        retryAfterMilliseconds: Int64? = nil, serverTime: Timestamp? = nil, currentPlan: [UInt8]? = nil
    ) {
        self.code = code
        self.detail = detail
        self.instance = instance
        self.faults = faults
        self.reason = reason
        self.retryAfterMilliseconds = retryAfterMilliseconds
        self.serverTime = serverTime
        self.currentPlan = currentPlan
    }

    /// The problem of a well-formed document that breaks rules.
    ///
    /// The detail tells the first fault, `errors` all of them.
    /// - Parameter serverTime: set if the client's clock may be the cause.
    public static func invalid(
        _ faults: [Fault], instance: String? = nil, serverTime: Timestamp? = nil
    ) -> Problem {
        var detail = "The request is not valid"
        if let first = faults.first {
            detail = "\(first.pointer.isEmpty ? "The document" : first.pointer) \(first.detail)"
            if faults.count > 1 { detail += " (and \(faults.count - 1) more, see errors)" }
        }
        return Problem(.invalidRequest, detail: detail, instance: instance, faults: faults, serverTime: serverTime)
    }

    /// The HTTP status: that of the code, and 429 when it was the user's own budget.
    public var status: Int { code == .tryAgainLater && reason == .userRate ? 429 : code.status }
}

extension Problem {
    /// What `retry_after_ms` says: never negative, and always there when the client is to wait.
    public var statedRetryAfterMilliseconds: Int64? {
        if code != .tryAgainLater { return retryAfterMilliseconds.map { max(0, $0) } }
        return max(0, retryAfterMilliseconds ?? 1000)
    }

    /// The same for the `Retry-After` field: whole seconds, rounded up, at least 1 (RFC 9110 §10.2.3).
    public var retryAfterSeconds: Int64? {
        statedRetryAfterMilliseconds.map { max(1, $0 / 1000 + ($0 % 1000 > 0 ? 1 : 0)) }
    }

    /// The body.
    public func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("type", code.type)
        writer.member("title", code.title)
        writer.member("status", Int64(status))
        writer.member("detail", detail)
        if let instance { writer.member("instance", instance) }
        writer.member("code", code.rawValue)
        if let reason { writer.member("reason", reason.rawValue) }
        if !faults.isEmpty { writer.member("errors", faults) }
        if let wait = statedRetryAfterMilliseconds { writer.member("retry_after_ms", wait) }
        if let serverTime { writer.member("serverTime", serverTime) }
        if let currentPlan {
            writer.name("currentPlan")
            writer.raw(currentPlan)
        }
        writer.endObject()
        return writer.bytes
    }
}

extension JSONWriter {
    /// Writes a member whose value is a list of faults: `[{"pointer", "detail"}]`.
    public mutating func member(_ name: MemberName, _ faults: [Fault]) {
        self.name(name)
        beginArray()
        for fault in faults {
            beginObject()
            member("pointer", fault.pointer)
            member("detail", fault.detail)
            endObject()
        }
        endArray()
    }
}
