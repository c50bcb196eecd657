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
            return "\(time) s  \(fault)" + (lasting > 0 ? ", \(lasting) ms" : "")
        }
    }

    /// The entries in their order.
    package private(set) var steps: [Step] = []

    /// A schedule for so many milliseconds.
    ///
    /// - Parameter gap: the mean time between the beginnings of two faults.
    package init(seed: UInt64, milliseconds: Int, gap: Int = 700) {
        var generator = SeededGenerator(seed: seed)
        var at = 1000
        while true {
            at += Int.random(in: (gap / 4)...(gap * 7 / 4), using: &generator)
            guard at < milliseconds else { break }
            let fault = Self.fault(&generator)
            let lasting = [60, 250, 700, 1500, 3000, 6000].randomElement(using: &generator) ?? 60
            steps.append(Step(at: at, fault: fault, lasting: fault.lasts ? lasting : 0))
        }
    }

    /// The lanes with their entries.
    var lanes: [[Step]] { Dictionary(grouping: steps, by: \.fault.lane).values.map { $0 } }

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
