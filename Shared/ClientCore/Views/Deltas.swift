import Models

/// What this device adds to the confirmed numbers, day by day, by the rule of two devices that the server has too.
///
/// For each day: the totals of all known workouts as they should count, less the totals of those that the confirmed numbers
/// contain. Only workouts near one that is unsettled are looked at: a workout lasts at most 48 hours, so what is farther away
/// than two of them cannot lose or win time by it.
struct Deltas {
    /// The change of one day.
    struct Change {
        var day: Day
        var steps: Int64
        var millimetres: Int64
        var workouts: Int64
    }

    /// In order of the days.
    private(set) var changes: [Change] = []
    private var revision: Int64 = -1

    /// The change of a day; nothing for most.
    subscript(day: Day) -> Change {
        changes.first { $0.day == day } ?? Change(day: day, steps: 0, millimetres: 0, workouts: 0)
    }

    /// Computes anew if the workouts changed since.
    mutating func update(_ workouts: Workouts, zones: Zones) {
        guard workouts.revision != revision else { return }
        revision = workouts.revision
        changes.removeAll()
        let near = Self.nearUnsettled(workouts.items)
        guard !near.isEmpty else { return }
        let after = DeviceOverlap.totals(
            of: near.compactMap { item in item.wanted.flatMap { item.stored($0, zones: zones) } })
        let before = DeviceOverlap.totals(
            of: near.compactMap { item in item.counted.flatMap { item.stored($0, zones: zones) } })
        var days: [Day] = []
        for day in after.keys { days.append(day) }
        for day in before.keys where after[day] == nil { days.append(day) }
        days.sort()
        for day in days {
            let (new, old) = (after[day] ?? DayTotals(), before[day] ?? DayTotals())
            guard new != old else { continue }
            changes.append(
                Change(
                    day: day, steps: new.steps - old.steps, millimetres: new.distance.count - old.distance.count,
                    workouts: Int64(new.workouts) - Int64(old.workouts)))
        }
    }

    /// The unsettled workouts and all that may share time with what shares time with one of them.
    private static func nearUnsettled(_ items: [Workout]) -> [Workout] {
        let reach = 2 * WorkoutLimits.spanMilliseconds
        var spans: [(from: Int64, to: Int64)] = []
        for item in items where item.isUnsettled {
            let end = max(item.version.end, item.counted?.end ?? 0)
            let span = (from: item.start - reach, to: end + reach)
            if let last = spans.last, span.from <= last.to {
                spans[spans.count - 1].to = max(last.to, span.to)
            } else {
                spans.append(span)
            }
        }
        var near: [Workout] = []
        var place = 0
        for item in items {
            while place < spans.count, spans[place].to < item.start { place += 1 }
            guard place < spans.count else { break }
            if max(item.version.end, item.counted?.end ?? 0) > spans[place].from { near.append(item) }
        }
        return near
    }
}

/// A count as the server confirmed it, and what waits on this device.
struct Amount {
    var confirmed: Int64 = 0
    var waiting: Int64 = 0

    /// What is shown big; never below zero.
    var total: Int64 { max(0, confirmed &+ waiting) }

    static func += (left: inout Amount, right: Amount) {
        left.confirmed &+= right.confirmed
        left.waiting &+= right.waiting
    }
}

/// Steps, millimetres and workouts of a day or of some.
struct Amounts {
    var steps = Amount()
    var millimetres = Amount()
    var workouts: Int64 = 0

    static func += (left: inout Amounts, right: Amounts) {
        left.steps += right.steps
        left.millimetres += right.millimetres
        left.workouts &+= right.workouts
    }

    /// Writes steps and distance as triples.
    func write(to writer: inout JSONWriter) {
        writer.object("steps") { writer in
            writer.member("confirmed", steps.confirmed)
            writer.member("waiting", steps.waiting)
            writer.member("total", steps.total)
        }
        writer.object("distance") { writer in
            writer.member("confirmed", Millimetres(millimetres.confirmed))
            writer.member("waiting", Millimetres(millimetres.waiting))
            writer.member("total", Millimetres(millimetres.total))
        }
    }
}

extension Client {
    /// What counts on a day.
    func amounts(on day: Day) -> Amounts {
        let (totals, change) = (days[day], deltas[day])
        return Amounts(
            steps: Amount(confirmed: totals.steps, waiting: change.steps),
            millimetres: Amount(confirmed: totals.distance.count, waiting: change.millimetres),
            workouts: max(0, Int64(totals.workouts) + change.workouts))
    }

    /// What counts on some days together.
    func amounts(in span: DaySpan) -> Amounts {
        var sum = Amounts()
        for day in span { sum += amounts(on: day) }
        return sum
    }

    /// The same as the rules of progress want it: what is shown big.
    func totals(on day: Day) -> DayTotals {
        let amounts = amounts(on: day)
        return DayTotals(
            steps: amounts.steps.total, distance: Millimetres(amounts.millimetres.total),
            workouts: Int32(truncatingIfNeeded: amounts.workouts))
    }
}
