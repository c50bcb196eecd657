/// Which handler answers a request, and which refusal does if none may.
///
/// Immutable and shared by all loops. The table of the whole API is there so that 404, 405 and `Allow` say the same whichever
/// service a request reaches.
package struct HTTPRouter: Sendable {
    /// Looks at every answer before it is written, refusals included, with the head if there was one.
    ///
    /// For fields that do not depend on the route, such as CORS. Called on the loop, must not block.
    package typealias Amendment = @Sendable (_ response: inout HTTPResponse, _ head: HTTPRequestHead?) -> Void

    private let tree: HTTPRouteTree
    private let allowAnywhere: String
    private let refusals: HTTPRefusalRenderer
    private let amend: Amendment?

    /// A router.
    ///
    /// - Parameters:
    ///   - api: every path of the API with its methods, also those other services answer.
    ///   - routes: what this service answers.
    ///   - refusals: makes answers out of refusals.
    ///   - amend: adds to every answer.
    package init(
        api: [(path: String, methods: [HTTPMethod])] = [], routes: [HTTPRoute],
        refusals: @escaping HTTPRefusalRenderer, amend: Amendment? = nil
    ) {
        var tree = HTTPRouteTree()
        for entry in api { tree.add(entry.path, methods: entry.methods) }
        for route in routes { tree.add(route) }
        self.tree = tree
        allowAnywhere = tree.allowAnywhere
        self.refusals = refusals
        self.amend = amend
    }

    /// The answer to a request, exactly as the server would give it but for the fields that it adds when writing.
    ///
    /// For tests without a socket.
    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        let resolution = resolve(request.head)
        if let refusal = resolution.refusal { return render(refusal, head: request.head, requestID: request.id) }
        return await answer(request, as: resolution)
    }

    /// What is to become of a request, decided from its head alone.
    ///
    /// First whether the method is known (501), the path (404) and the method on it (405); then the body's type (415) and what
    /// the client accepts (406).
    func resolve(_ head: HTTPRequestHead) -> HTTPResolution {
        guard head.method.isImplemented else { return .refused(.notImplemented, template: nil) }
        if head.isAsterisk { return .options(allow: allowAnywhere, template: nil) }
        guard let place = tree.match(head.path) else { return .refused(.notFound, template: nil) }
        let route =
            tree.nodes[place].routes.first { $0.method == head.method }
            ?? (head.method == .head ? tree.nodes[place].routes.first { $0.method == .get } : nil)
        if let route {
            if let refusal = route.objection(to: head) { return .refused(refusal, template: route.template) }
            return .route(route)
        }
        let node = tree.nodes[place]
        if head.method == .options { return .options(allow: node.allow, template: node.template) }
        return .refused(.methodNotAllowed(allow: node.allow), template: node.template)
    }

    /// Runs what was resolved; a refusal is rendered.
    func answer(_ request: HTTPRequest, as resolution: HTTPResolution) async -> HTTPResponse {
        var response: HTTPResponse
        switch resolution {
        case .route(let route):
            let parameters = PathParameters(parameters: route.parameters, path: request.path)
            response = await route.handler(request, parameters)
        case .options(let allow, _):
            response = HTTPResponse(status: 204, headers: [HTTPField("Allow", allow)])
        case .refused(let refusal, _):
            return render(refusal, head: request.head, requestID: request.id)
        }
        amend?(&response, request.head)
        return response
    }

    /// The answer to a refusal, with `Allow` where it belongs.
    func render(_ refusal: HTTPRefusal, head: HTTPRequestHead?, requestID: String) -> HTTPResponse {
        var response = refusals(refusal, requestID)
        if case .methodNotAllowed(let allow) = refusal { response.set("Allow", allow) }
        amend?(&response, head)
        return response
    }
}

/// What is to become of a request.
enum HTTPResolution: Sendable {
    case route(HTTPRoute)
    case options(allow: String, template: String?)
    case refused(HTTPRefusal, template: String?)

    /// The refusal, if it is one.
    var refusal: HTTPRefusal? {
        if case .refused(let refusal, _) = self { return refusal }
        return nil
    }

    /// The path's template, if a path of the API matched.
    var template: String? {
        switch self {
        case .route(let route): route.template
        case .options(_, let template), .refused(_, let template): template
        }
    }

    /// What the route answers without waiting for the body, if it does.
    func earlyAnswer(to head: HTTPRequestHead) -> HTTPResponse? {
        guard case .route(let route) = self else { return nil }
        return route.beforeBody?(head)
    }
}
