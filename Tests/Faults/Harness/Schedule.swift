import StrideTestSupport

/// What goes wrong when, decided by the seed alone.
package struct Schedule: Sendable {
    /// One entry.
    package struct Step: Hashable, Sendable, CustomStringConvertible {
        /// When it begins, in milliseconds.
        package var at: Int
        /// What.
        package var fault: Fault
        /// How long, in milliseconds; 0 for what is over at once.
        package var lasting: Int

        /// One line.
        package var description: String {
            let time = "\(at / 1000).\(String(1000 + at % 1000).dropFirst())"
            return "\(time) s  \(fault)" + (lasting > 0 ? "" : "")
        }
    }

    /// How the healed services race.
    package struct Race: Hashable, Sendable, CustomStringConvertible {
        /// Whose writes come late.
        package var way: Fault.Way
        /// By so many milliseconds each way, less than a service waits for Redis: a write that it gives up is repaired.
        package var by: Int
        /// Whether what is under way there is lost from time to time.
        ///
        /// What was lost is repaired by dropping, which would also mend a wrong order; so not always.
        package var isCut: Bool

        /// In words.
        package var description: String {
            "\(way) is late by \(by) ms\(isCut ? " and reset again and again" : "")"
        }
    }

    /// What follows after healing.
    package private(set) var race: Race

    /// The entries in their order.
    package private(set) var steps: [Step] = []

    /// Where each service dies or stalls by itself, as `STRIDE_FAULT_POINT` says, by its place in the fleet.
    package private(set) var points: [String] = []

    /// A schedule for so many milliseconds.
    ///
    /// - Parameter gap: the mean time between the beginnings of two faults.
    package init(seed: UInt64, milliseconds: Int, gap: Int = 700) {
        var generator = SeededGenerator(seed: seed)
        let isFirst = Bool.random(using: &generator)
        race = Race(
            way: Fault.Way(service: isFirst ? .ingest1 : .ingest2, leadsToRedis: true),
            by: Int.random(in: 25...75, using: &generator), isCut: Bool.random(using: &generator))
        points = Fault.Service.allCases.map { Self.points(of: $0, &generator) }
        var at = 1000
        while true {
            at += Int.random(in: (gap / 4)...(gap * 7 / 4), using: &generator)
            guard at < milliseconds else { break }
            let fault = Self.fault(&generator)
            // Without PostgreSQL nothing happens at all, so it is never away for long.
            let times = fault.lane == "PostgreSQL" ? [30, 100, 300, 1000] : [30, 100, 300, 700, 1500, 5000]
            let lasting = times.randomElement(using: &generator) ?? 30
            steps.append(Step(at: at, fault: fault, lasting: fault.lasts ? lasting : 0))
        }
    }

    /// The lanes with their entries.
    var lanes: [[Step]] { Dictionary(grouping: steps, by: \.fault.lane).values.map { $0 } }

    private static func points(of service: Fault.Service, _ generator: inout SeededGenerator) -> String {
        // Counted in passings: some ten commits a second and process, more exchanges.
        var entries = ["postgres_sent:\(Int.random(in: 100...500, using: &generator)):exit"]
        entries.append("redis_sent:\(Int.random(in: 100...500, using: &generator)):exit")
        if service != .progress {
            let stall = [20, 150, 400, 2500].randomElement(using: &generator) ?? 20
            entries.append("before_redis:\(Int.random(in: 8...40, using: &generator)):sleep\(stall)")
            let point = ["after_commit", "before_answer"].randomElement(using: &generator) ?? "after_commit"
            entries.append("\(point):\(Int.random(in: 20...100, using: &generator)):exit")
            if Bool.random(using: &generator) { entries.append("drain:1:exit") }
        }
        return entries.joined(separator: ",")
    }

    private static func fault(_ generator: inout SeededGenerator) -> Fault {
        let service = Fault.Service.allCases.randomElement(using: &generator) ?? .ingest1
        let way = Fault.Way(service: service, leadsToRedis: Bool.random(using: &generator))
        switch Int.random(in: 0..<40, using: &generator) {
        case 0..<6: return .kill(service)
        case 6..<10: return .pause(service)
        case 10: return .restart(service)
        case 11..<15: return .weather(way, .late(milliseconds: Int.random(in: 5...900, using: &generator)))
        case 15..<17: return .weather(way, .bytewise)
        case 17..<20: return .weather(way, .silent)
        case 20..<23: return .cut(way)
        case 23..<25: return .away(way)
        case 25..<28: return .halfClose(way, towardsStore: Bool.random(using: &generator))
        case 28: return .pauseRedis
        case 29: return .flushRedis
        case 30: return .killRedis(keepsSnapshot: true)
        case 31: return .killRedis(keepsSnapshot: false)
        case 32: return .snapshotRedis
        case 33..<35: return .pausePrimary
        case 35: return .pauseStandby
        case 36..<38: return .killPrimary
        default: return .promote
        }
    }
}
