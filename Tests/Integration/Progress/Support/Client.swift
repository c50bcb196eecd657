import StrideTestSupport

/// An answer of progress.
typealias Answer = HTTPAnswer

extension HTTPAnswer {
    /// Where the answer says that it came from.
    var source: String? { self["X-Stride-Source"] }
    /// The stable word of a problem.
    var code: String? { member("code") }
    /// Why a client is to wait.
    var reason: String? { member("reason") }

    /// The text member of that name that comes first.
    func member(_ name: String) -> String? {
        guard let start = text.firstRange(of: "\"\(name)\":\"")?.upperBound else { return nil }
        return String(text[start...].prefix { $0 != "\"" })
    }

    /// The request ids in the body, in order.
    var ids: [String] {
        text.split(separator: "\"requestId\":\"").dropFirst().map { String($0.prefix(36)) }
    }

    /// The numbers of a member, in order.
    func numbers(_ name: String) -> [Int64] {
        text.split(separator: "\"\(name)\":").dropFirst().compactMap { Int64($0.prefix { $0.isNumber || $0 == "-" }) }
    }
}
