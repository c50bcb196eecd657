internal import Models
package import Redis
internal import Telemetry

/// Reads what all instances have written: who there is, and then everything about them, two exchanges.
///
/// Confined to the loop of its client.
package struct FleetReader: Sendable {
    private let redis: RedisClient

    /// Reads with this client.
    package init(redis: RedisClient) { self.redis = redis }

    /// Looks at the fleet.
    ///
    /// - Parameter hasMinutes: whether the last minutes are wanted too.
    /// - Throws: when Redis does not answer, or refuses; then nothing is known of the fleet.
    package func look(hasMinutes: Bool = true) async throws(RedisError) -> FleetView {
        let names = try Self.elements(await redis.send(RedisCommand("ZRANGE", StatisticsKeys.instances, "0", "-1")))
            .compactMap(\.text)
        var commands: [RedisCommand] = []
        for name in names {
            commands.append(RedisCommand("HGETALL", StatisticsKeys.live(name)))
            commands.append(RedisCommand("GET", StatisticsKeys.users(name)))
            if hasMinutes { commands.append(RedisCommand("XRANGE", StatisticsKeys.minutes(name), "-", "+")) }
        }
        let replies = try await redis.send(commands)
        let width = hasMinutes ? 3 : 2
        var instances: [FleetView.Instance] = []
        var minutes: [String: [Timestamp: [StatisticsRecord]]] = [:]
        for (index, name) in names.enumerated() where (index + 1) * width <= replies.count {
            let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { continue }
            let fields = try Self.elements(replies[index * width])
            if let instance = Self.instance(parts[0], parts[1], fields, users: replies[index * width + 1]) {
                instances.append(instance)
            }
            guard hasMinutes else { continue }
            for entry in try Self.elements(replies[index * width + 2]) {
                guard let (begin, record) = Self.minute(entry) else { continue }
                minutes[parts[0], default: [:]][begin, default: []].append(record)
            }
        }
        return FleetView(
            at: WallClock().now, instances: instances,
            minutes: minutes.mapValues { $0.mapValues { StatisticsRecord.merge($0) } })
    }

    private static func elements(_ reply: RESPValue) throws(RedisError) -> [RESPValue] {
        if let error = reply.error { throw .server(error.kind) }
        return reply.elements ?? []
    }

    /// Nil when it has not written lately.
    private static func instance(
        _ service: String, _ name: String, _ fields: [RESPValue], users: RESPValue
    ) -> FleetView.Instance? {
        func time(_ wanted: String) -> Timestamp? {
            stride(from: 0, to: fields.count - 1, by: 2).first { fields[$0].text == wanted }
                .flatMap { fields[$0 + 1].number }.map { Timestamp(milliseconds: $0) }
        }
        guard let seen = time("at") else { return nil }
        return FleetView.Instance(
            service: service, name: name, seen: seen, started: time("started") ?? seen, now: StatisticsRecord(fields),
            users: users.bytes.flatMap { DistinctSketch($0) } ?? DistinctSketch())
    }

    /// An entry of a stream is its id and a list of names and values.
    private static func minute(_ entry: RESPValue) -> (begin: Timestamp, record: StatisticsRecord)? {
        guard let parts = entry.elements, parts.count == 2, let id = parts[0].text, let fields = parts[1].elements,
            let begin = id.split(separator: "-").first.flatMap({ Int64($0) })
        else { return nil }
        return (Timestamp(milliseconds: begin), StatisticsRecord(fields))
    }
}
