import Foundation

/// What progress should answer, counted once more from nothing but the workouts and the rules in words.
///
/// Nothing of the product is in it. Time goes by whole minutes; every zone that is used has offsets of whole quarters of
/// an hour, so the local day is looked up every quarter, and no rule about changes of the clock is needed.
enum Recount {
    /// A workout as it stands in the end.
    struct Workout: Hashable, Sendable {
        var id: String
        /// Minutes since 1970 in UTC.
        var from: Int
        var to: Int
        var steps: Int
        var millimetres: Int
        /// The zone in which it counts.
        var zone: String
        /// The zone that it names, if it names one.
        var sentZone: String?
        var isInProgress: Bool
        var isManual: Bool
        var device: String?
    }

    /// The figures of a day or a week.
    struct Figures: Hashable, Sendable {
        var steps = 0
        var millimetres = 0
        var workouts = 0
    }

    /// Lengths in minutes that a workout may have; all divide `common`, so rates are whole numbers.
    static let lengths = [1, 6, 30, 60, 90, 240, 720, 1500, 2880]
    private static let common = 72_000

    /// The local day, counted from 1970-01-01, at a minute of UTC.
    static func day(at minute: Int, in zone: TimeZone) -> Int {
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(minute * 60)))
        return Int((Double(minute * 60 + offset) / 86_400).rounded(.down))
    }

    /// A local day as the contract writes it.
    static func name(of day: Int) -> String {
        Date(timeIntervalSince1970: Double(day) * 86_400).formatted(.iso8601.year().month().day())
    }

    /// The figures of every day that a workout touches.
    static func days(of workouts: [Workout]) -> [Int: Figures] {
        let winners = winners(workouts)
        var days: [Int: Figures] = [:]
        for workout in workouts {
            var (all, kept): ([Int: Int], [Int: Int]) = ([:], [:])
            for (day, minutes) in pieces(of: workout) {
                all[day, default: 0] += minutes.count
                kept[day, default: 0] +=
                    workout.device == nil
                    ? minutes.count
                    : winners.reduce(0) { sum, stretch in
                        stretch.device == workout.device ? sum + stretch.minutes.clamped(to: minutes).count : sum
                    }
            }
            let (steps, distance) = (share(workout.steps, all, kept), share(workout.millimetres, all, kept))
            for day in all.keys {
                days[day, default: Figures()].steps += steps[day] ?? 0
                days[day, default: Figures()].millimetres += distance[day] ?? 0
                days[day, default: Figures()].workouts += 1
            }
        }
        return days
    }

    /// The sum of some days in a row.
    static func sum(_ days: [Int: Figures], _ range: ClosedRange<Int>) -> Figures {
        range.reduce(into: Figures()) { sum, day in
            sum.steps += days[day]?.steps ?? 0
            sum.millimetres += days[day]?.millimetres ?? 0
        }
    }

    /// The stretches of a workout that lie on one local day.
    private static func pieces(of workout: Workout) -> [(day: Int, minutes: Range<Int>)] {
        guard let zone = TimeZone(identifier: workout.zone) else { return [] }
        var pieces: [(day: Int, minutes: Range<Int>)] = []
        var minute = workout.from
        while minute < workout.to {
            let end = min(workout.to, (minute / 15 + 1) * 15)
            let day = day(at: minute, in: zone)
            if let last = pieces.last, last.day == day {
                pieces[pieces.count - 1].minutes = last.minutes.lowerBound..<end
            } else {
                pieces.append((day, minute..<end))
            }
            minute = end
        }
        return pieces
    }

    /// Which device counts in each stretch between two starts or ends: the highest sum of rates, else the smaller id.
    private static func winners(_ workouts: [Workout]) -> [(minutes: Range<Int>, device: String)] {
        let owned = workouts.filter { $0.device != nil }
        let edges = Set(owned.flatMap { [$0.from, $0.to] }).sorted()
        var winners: [(minutes: Range<Int>, device: String)] = []
        for (edge, next) in zip(edges, edges.dropFirst()) {
            var rates: [String: Int] = [:]
            for workout in owned where workout.from <= edge && edge < workout.to {
                rates[workout.device ?? "", default: 0] += workout.steps * (common / (workout.to - workout.from))
            }
            let best = rates.max { $0.value == $1.value ? $0.key > $1.key : $0.value < $1.value }
            if let best { winners.append((edge..<next, best.key)) }
        }
        return winners
    }

    /// Nothing lost: whole parts, then one more for the largest remainders, ties to the earlier day.
    ///
    /// Otherwise each day's share, rounded half up.
    private static func share(_ value: Int, _ all: [Int: Int], _ kept: [Int: Int]) -> [Int: Int] {
        let whole = all.values.reduce(0, +)
        guard kept == all else { return kept.mapValues { (2 * value * $0 + whole) / (2 * whole) } }
        var parts = all.mapValues { value * $0 / whole }
        let missing = value - parts.values.reduce(0, +)
        let order = all.sorted {
            let (left, right) = (value * $0.value % whole, value * $1.value % whole)
            return left == right ? $0.key < $1.key : left > right
        }
        for (day, _) in order.prefix(missing) { parts[day, default: 0] += 1 }
        return parts
    }
}
