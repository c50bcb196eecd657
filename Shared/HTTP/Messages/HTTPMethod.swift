/// The method of a request.
///
/// The nine methods of RFC 9110 §9 and RFC 5789 have cases, so that routing compares an integer. Methods are case-sensitive:
/// `get` is `.other("get")`, which the server answers with 501.
package enum HTTPMethod: Hashable, Sendable, CustomStringConvertible {
    case get, head, post, put, delete, options, patch, trace, connect
    /// A well-formed token that this server does not implement.
    case other(String)

    /// The method with this name, exactly as it stands on the wire.
    package init(_ name: some StringProtocol) {
        switch name {
        case "GET": self = .get
        case "HEAD": self = .head
        case "POST": self = .post
        case "PUT": self = .put
        case "DELETE": self = .delete
        case "OPTIONS": self = .options
        case "PATCH": self = .patch
        case "TRACE": self = .trace
        case "CONNECT": self = .connect
        default: self = .other(String(name))
        }
    }

    /// The name as it stands on the wire.
    package var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .patch: "PATCH"
        case .trace: "TRACE"
        case .connect: "CONNECT"
        case .other(let name): name
        }
    }

    /// The name as it stands on the wire.
    package var description: String { name }

    /// Whether the server knows what this method means; if not, the answer is 501 on every path.
    package var isImplemented: Bool {
        if case .other = self { return false }
        return true
    }
}
