#if hasFeature(Embedded)  // There texts are a type of that module.
    public import Models
#else
    import Models
#endif

/// What the core wants done; the host carries effects out in their order.
public enum Effect: Sendable {
    /// One transaction on the local database, durable before the next effect.
    case store([RecordChange])
    /// A request to the services; its answer comes back as an event.
    case send(ClientRequest)
    /// A `tick` is wanted at this time in milliseconds since 1970; nil: none is. Replaces the earlier wish.
    case wake(Int64?)
    /// The new content of an open screen: its name, its key (a day or a challenge), and the model as JSON.
    case show(view: String, key: String?, model: [UInt8])
    /// The offsets of this time zone are wanted.
    case zone(String)
    /// The server wants a new token.
    case signIn
    /// The account is erased: the database can go.
    case erased
    /// Something made no sense: a word for the log, and what it was about.
    case report(code: String, detail: String)
}

/// A record that is put, or removed if it has no value.
public struct RecordChange: Equatable, Sendable {
    /// `workouts`, `days`, `state` or `boards`.
    public var store: String
    /// The key within the store.
    public var key: String
    /// A JSON object; nil removes the record.
    public var value: [UInt8]?

    /// Joins the parts.
    public init(store: String, key: String, value: [UInt8]?) {
        self.store = store
        self.key = key
        self.value = value
    }

    /// Compares byte by byte.
    public static func == (left: RecordChange, right: RecordChange) -> Bool {
        same(left.store, right.store) && same(left.key, right.key) && left.value == right.value
    }
}

/// A request as the host sends it: it adds the base address, the token and the media type.
public struct ClientRequest: Sendable {
    /// Names it in the answer.
    public var id: Int64
    /// The method.
    public var method: String
    /// Path and query.
    public var path: String
    /// JSON, or nil for none.
    public var body: [UInt8]?
    /// Whether the token goes along.
    public var isAuthenticated: Bool
}

extension Effect {
    /// The array of effects as hosts that speak JSON read it; docs/client.md describes it.
    public static func encode(_ effects: [Effect]) -> [UInt8] {
        var writer = JSONWriter(reserving: 1024)
        writer.beginArray()
        for effect in effects { effect.write(to: &writer) }
        writer.endArray()
        return writer.bytes
    }

    private func write(to writer: inout JSONWriter) {
        writer.beginObject()
        switch self {
        case .store(let changes): Self.write(changes, to: &writer)
        case .send(let request):
            writer.member("type", "send")
            writer.member("id", request.id)
            writer.member("method", request.method)
            writer.member("path", request.path)
            writer.name("body")
            if let body = request.body { writer.raw(body) } else { writer.null() }
            writer.member("authenticated", request.isAuthenticated)
        case .wake(let time):
            writer.member("type", "wake")
            writer.optional("at", time)
        case .show(let view, let key, let model):
            writer.member("type", "show")
            writer.member("view", view)
            writer.optional("key", key)
            writer.name("model")
            writer.raw(model)
        case .zone(let name):
            writer.member("type", "zone")
            writer.member("name", name)
        case .signIn: writer.member("type", "sign_in")
        case .erased: writer.member("type", "erased")
        case .report(let code, let detail):
            writer.member("type", "report")
            writer.member("code", code)
            writer.member("detail", detail)
        }
        writer.endObject()
    }

    private static func write(_ changes: [RecordChange], to writer: inout JSONWriter) {
        writer.member("type", "store")
        writer.name("put")
        writer.beginArray()
        for change in changes {
            guard let value = change.value else { continue }
            writer.beginObject()
            writer.member("store", change.store)
            writer.member("key", change.key)
            writer.name("value")
            writer.raw(value)
            writer.endObject()
        }
        writer.endArray()
        writer.name("remove")
        writer.beginArray()
        for change in changes where change.value == nil {
            writer.beginObject()
            writer.member("store", change.store)
            writer.member("key", change.key)
            writer.endObject()
        }
        writer.endArray()
    }
}
