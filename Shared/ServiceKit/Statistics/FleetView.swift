package import Models
package import Telemetry

/// What the whole fleet did in the last second and in each of the last minutes, as Redis has it.
package struct FleetView: Sendable {
    /// A running instance.
    package struct Instance: Sendable {
        /// Such as `ingest`.
        package var service: String
        /// Such as `host:8081`.
        package var name: String
        /// When it last wrote.
        package var seen: Timestamp
        /// When it started.
        package var started: Timestamp
        /// Its last second.
        package var now: StatisticsRecord
        /// Whom it has seen within a minute.
        package var users: DistinctSketch
    }

    /// All instances of one service together.
    package struct Service: Sendable {
        /// Such as `ingest`.
        package var name: String
        /// How many run.
        package var instances: Int
        /// Their last second, each counted as exactly one.
        package var now: StatisticsRecord
        /// Their last minutes, oldest first, with those of instances that have gone since.
        package var minutes: [(begin: Timestamp, record: StatisticsRecord)]
    }

    /// When it was looked at, by the clock of whoever looked.
    package var at: Timestamp
    /// Who runs, by service and name.
    package var instances: [Instance]
    /// The minutes of each service; empty if they were not asked for.
    package var minutes: [String: [Timestamp: StatisticsRecord]]

    /// Joins what was read.
    package init(at: Timestamp, instances: [Instance], minutes: [String: [Timestamp: StatisticsRecord]]) {
        self.at = at
        self.instances = instances.sorted { ($0.service, $0.name) < ($1.service, $1.name) }
        self.minutes = minutes
    }

    /// About how many users all of them have seen within a minute, each counted once.
    package var users: Int64 { Self.users(of: instances) }

    /// All services of which something is known, by name.
    package var services: [Service] {
        let names = Set(instances.map(\.service)).union(minutes.keys)
        return names.sorted().map { name in
            let own = instances.filter { $0.service == name }
            var now = StatisticsRecord.merge(own.map(\.now.perSecond))
            if !own.isEmpty { now[.users] = Self.users(of: own) }
            let past = (minutes[name] ?? [:]).sorted { $0.key.milliseconds < $1.key.milliseconds }
            return Service(
                name: name, instances: own.count, now: now, minutes: past.map { (begin: $0.key, record: $0.value) })
        }
    }

    private static func users(of instances: [Instance]) -> Int64 {
        var sketch = DistinctSketch()
        for instance in instances { sketch.merge(instance.users) }
        return sketch.estimate
    }
}

extension FleetView {
    /// The document that `GET /stats` and `stride top --once --json` give, as `docs/redis.md` describes it.
    package func encode() -> [UInt8] {
        var writer = JSONWriter(reserving: 16_384)
        writer.beginObject()
        writer.member("at", at)
        writer.member("users", users)
        writer.name("services")
        writer.beginArray()
        for service in services {
            writer.beginObject()
            writer.member("service", service.name)
            writer.member("instances", Int64(service.instances))
            writer.member("now", service.now)
            writer.name("minutes")
            writer.beginArray()
            for minute in service.minutes {
                writer.beginObject()
                writer.member("begin", minute.begin)
                writer.members(minute.record)
                writer.endObject()
            }
            writer.endArray()
            writer.endObject()
        }
        writer.endArray()
        writer.name("instances")
        writer.beginArray()
        for instance in instances {
            writer.beginObject()
            writer.member("service", instance.service)
            writer.member("instance", instance.name)
            writer.member("seen", instance.seen)
            writer.member("started", instance.started)
            writer.member("now", instance.now)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, _ record: StatisticsRecord) {
        self.name(name)
        beginObject()
        members(record)
        endObject()
    }

    fileprivate mutating func members(_ record: StatisticsRecord) {
        for (field, value) in record.entries { member(field.rawValue, value) }
    }
}
