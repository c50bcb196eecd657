/// The paths of the whole API as a tree of segments.
///
/// A value of arrays, built once; matching compares bytes in place and allocates nothing. A literal segment beats a parameter
/// (`/v1/athletes/summary` before `/v1/athletes/{id}`), and if what follows the literal leads nowhere, the parameter is tried.
struct HTTPRouteTree: Sendable {
    /// One segment; `template` is set where a path ends.
    struct Node: Sendable {
        var literals: [(segment: [UInt8], node: Int)] = []
        var parameter: Int?
        var template: String?
        var methods: Set<HTTPMethod> = []
        var routes: [HTTPRoute] = []
        var allow = ""
    }

    /// The root is the first; they refer to each other by their places.
    private(set) var nodes = [Node()]

    /// Adds methods of the API on a path.
    mutating func add(_ template: String, methods: some Sequence<HTTPMethod>) {
        let node = makeNode(template)
        nodes[node].methods.formUnion(methods)
        nodes[node].allow = Self.allow(nodes[node].methods)
    }

    /// Adds a route; of two for the same method and path the later one counts.
    mutating func add(_ route: HTTPRoute) {
        let node = makeNode(route.template)
        nodes[node].routes.removeAll { $0.method == route.method }
        nodes[node].routes.append(route)
        nodes[node].methods.insert(route.method)
        nodes[node].allow = Self.allow(nodes[node].methods)
    }

    /// The place of the end of the path that matches, or nil; the place, because a node would be copied with all that it holds.
    func match(_ path: HTTPPath) -> Int? { find(path, segment: 0, from: 0) }

    /// `Allow` for the asterisk form: what any path takes.
    var allowAnywhere: String {
        Self.allow(nodes.reduce(into: Set()) { $0.formUnion($1.methods) })
    }

    private func find(_ path: HTTPPath, segment: Int, from node: Int) -> Int? {
        guard segment < path.count else { return nodes[node].template == nil ? nil : node }
        let bytes = path.bytes(at: segment)
        for literal in nodes[node].literals where literal.segment.elementsEqual(bytes) {
            if let found = find(path, segment: segment + 1, from: literal.node) { return found }
        }
        // A parameter stands for something: an empty segment matches none.
        guard !bytes.isEmpty, let parameter = nodes[node].parameter else { return nil }
        return find(path, segment: segment + 1, from: parameter)
    }

    private mutating func makeNode(_ template: String) -> Int {
        var node = 0
        for segment in template.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            node = segment.hasPrefix("{") ? parameterChild(of: node) : literalChild(of: node, Array(segment.utf8))
        }
        if nodes[node].template == nil { nodes[node].template = template }
        return node
    }

    private mutating func parameterChild(of node: Int) -> Int {
        if let child = nodes[node].parameter { return child }
        nodes.append(Node())
        nodes[node].parameter = nodes.count - 1
        return nodes.count - 1
    }

    private mutating func literalChild(of node: Int, _ segment: [UInt8]) -> Int {
        if let child = nodes[node].literals.first(where: { $0.segment == segment }) { return child.node }
        nodes.append(Node())
        nodes[node].literals.append((segment, nodes.count - 1))
        return nodes.count - 1
    }

    /// The value of `Allow`: HEAD goes with GET, OPTIONS is answered everywhere.
    private static func allow(_ methods: Set<HTTPMethod>) -> String {
        var methods = methods.union([.options])
        if methods.contains(.get) { methods.insert(.head) }
        let order: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options]
        return order.filter { methods.contains($0) }.map(\.name).joined(separator: ", ")
    }
}
