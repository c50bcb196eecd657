/// What answers a request.
///
/// It runs on the loop that read the request, must not block, and cannot fail: an error is an answer, too.
package typealias HTTPHandler = @Sendable (_ request: HTTPRequest, _ parameters: PathParameters) async -> HTTPResponse

/// One method on one path of a service.
///
/// A class, immutable, so that routing hands on a reference.
package final class HTTPRoute: Sendable {
    /// What a route answers with, for `Accept`.
    ///
    /// Problems, `application/problem+json`, are understood everywhere.
    package enum Produces: Sendable {
        /// `application/json`.
        case json
        /// Another media type, such as `text/plain`, in lower case.
        case type(String)
    }

    /// The method.
    package let method: HTTPMethod
    /// The path; a segment in braces is a parameter.
    package let template: String
    /// Whether the request must carry `application/json`.
    package let takesJSON: Bool
    /// What it answers with.
    package let produces: Produces
    let beforeBody: (@Sendable (HTTPRequestHead) -> HTTPResponse?)?
    let handler: HTTPHandler
    let parameters: [PathParameters.Parameter]

    /// A route.
    ///
    /// - Parameters:
    ///   - takesJSON: without an `application/json` body the answer is 415.
    ///   - produces: if `Accept` excludes it and problems, the answer is 406.
    ///   - beforeBody: asked only for a client that waits for `100 Continue`: what the answer already is without a body (a
    ///     missing token), or nil. The handler decides again.
    package init(
        _ method: HTTPMethod, _ template: String, takesJSON: Bool = false, produces: Produces = .json,
        beforeBody: (@Sendable (HTTPRequestHead) -> HTTPResponse?)? = nil, handler: @escaping HTTPHandler
    ) {
        self.method = method
        self.template = template
        self.takesJSON = takesJSON
        self.produces = produces
        self.beforeBody = beforeBody
        self.handler = handler
        parameters = PathParameters.parameters(of: template)
    }

    /// What speaks against a request with this head.
    func objection(to head: HTTPRequestHead) -> HTTPRefusal? {
        if takesJSON && !MediaTypes.isJSONBody(head.headers) { return .unsupportedMediaType }
        let accepted =
            switch produces {
            case .json: MediaTypes.accepts(head.headers, "application/json")
            case .type(let type): MediaTypes.accepts(head.headers, type)
            }
        if accepted || MediaTypes.accepts(head.headers, "application/problem+json") { return nil }
        return .notAcceptable
    }
}

/// The segments of a path that a route has names for.
///
/// Nothing is copied until a value is asked for.
package struct PathParameters: Sendable {
    /// A name and the segment it stands for.
    struct Parameter: Sendable {
        var name: String
        var segment: Int
    }

    let parameters: [Parameter]
    let path: HTTPPath

    /// The decoded value of a parameter, or nil if the route has no such name.
    package subscript(name: String) -> String? {
        for parameter in parameters where parameter.name == name { return path[parameter.segment] }
        return nil
    }

    /// The parameters of a template such as `/v1/workouts/{workout_id}`.
    static func parameters(of template: String) -> [Parameter] {
        let segments = template.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        return segments.enumerated().compactMap { index, segment in
            segment.hasPrefix("{") && segment.hasSuffix("}")
                ? Parameter(name: String(segment.dropFirst().dropLast()), segment: index) : nil
        }
    }
}
