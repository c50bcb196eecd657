package import StrideTestSupport

/// One thing that goes wrong.
package enum Fault: Hashable, Sendable, CustomStringConvertible {
    /// A service, by its place in the fleet.
    package enum Service: Int, Hashable, Sendable, CaseIterable {
        /// The first ingest process.
        case ingest1
        /// The second.
        case ingest2
        /// Progress.
        case progress
    }

    /// A way between a service and a store.
    package struct Way: Hashable, Sendable, CustomStringConvertible {
        /// Whose it is.
        package var service: Service
        /// Whether it leads to Redis; else to both servers of PostgreSQL.
        package var leadsToRedis: Bool

        /// In words.
        package var description: String { "\(service)→\(leadsToRedis ? "Redis" : "PostgreSQL")" }
    }

    /// A service is killed and started again afterwards.
    case kill(Service)
    /// A service is stopped by SIGSTOP and goes on afterwards.
    case pause(Service)
    /// A service is asked to end and started again.
    case restart(Service)
    /// A way is slow, in pieces, or silent.
    case weather(Way, TCPRelay.Weather)
    /// All connections of a way are reset, once.
    case cut(Way)
    /// Connections of a way are refused for a while.
    case away(Way)
    /// One side of all connections of a way hears that the other says no more.
    case halfClose(Way, towardsStore: Bool)
    /// All processes of Redis are stopped and go on.
    case pauseRedis
    /// Redis loses everything and keeps running.
    case flushRedis
    /// Redis is killed and starts with the snapshot that was taken earlier in the run, or empty.
    case killRedis(keepsSnapshot: Bool)
    /// Redis takes the snapshot.
    case snapshotRedis
    /// All processes of the primary are stopped and go on.
    case pausePrimary
    /// All processes of the standby are stopped: no COMMIT is answered meanwhile.
    case pauseStandby
    /// The primary is killed and started again.
    case killPrimary
    /// The primary is killed, the standby promoted, and a new standby made in its place.
    case promote

    /// What it needs alone: two faults of one lane come one after the other.
    var lane: String {
        switch self {
        case .kill(let service), .pause(let service), .restart(let service): "\(service)"
        case .weather(let way, _), .cut(let way), .away(let way), .halfClose(let way, _): way.description
        case .pauseRedis, .flushRedis, .killRedis, .snapshotRedis: "Redis"
        case .pausePrimary, .pauseStandby, .killPrimary, .promote: "PostgreSQL"
        }
    }

    /// Whether it lasts; the others are over at once.
    var lasts: Bool {
        switch self {
        case .cut, .halfClose, .flushRedis, .snapshotRedis: false
        default: true
        }
    }

    /// In words, for the schedule.
    package var description: String {
        switch self {
        case .kill(let service): "kill -9 of \(service)"
        case .pause(let service): "SIGSTOP of \(service)"
        case .restart(let service): "SIGTERM of \(service)"
        case .weather(let way, let weather): "\(way) is \(weather)"
        case .cut(let way): "\(way) is reset"
        case .away(let way): "\(way) is refused"
        case .halfClose(let way, let towardsStore):
            "\(way) is half-closed towards the \(towardsStore ? "store" : "service")"
        case .pauseRedis: "SIGSTOP of Redis"
        case .flushRedis: "Redis is flushed"
        case .killRedis(let keeps): "kill -9 of Redis, back \(keeps ? "with an old snapshot" : "empty")"
        case .snapshotRedis: "Redis takes a snapshot"
        case .pausePrimary: "SIGSTOP of the primary"
        case .pauseStandby: "SIGSTOP of the standby"
        case .killPrimary: "kill -9 of the primary"
        case .promote: "kill -9 of the primary, promotion of the standby"
        }
    }
}
