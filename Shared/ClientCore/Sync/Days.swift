import Models

/// The totals of days as the server confirmed them, in order; a day that is missing has none.
struct Days {
    private var items: [(day: Day, totals: DayTotals)] = []

    /// The days that have totals.
    var known: [Day] { items.map { $0.day } }

    /// The confirmed totals of a day.
    subscript(day: Day) -> DayTotals {
        let place = place(of: day)
        return place < items.count && items[place].day == day ? items[place].totals : DayTotals()
    }

    /// Sets the totals of a day; false if they were the same.
    @discardableResult
    mutating func set(_ totals: DayTotals, on day: Day) -> Bool {
        let place = place(of: day)
        let isKnown = place < items.count && items[place].day == day
        guard totals != (isKnown ? items[place].totals : DayTotals()) else { return false }
        if totals == DayTotals() {
            items.remove(at: place)
        } else if isKnown {
            items[place].totals = totals
        } else {
            items.insert((day, totals), at: place)
        }
        return true
    }

    /// The stored form of a day; nil if it has no totals.
    func record(of day: Day) -> [UInt8]? {
        let totals = self[day]
        guard totals != DayTotals() else { return nil }
        return jsonObject { writer in
            writer.member("steps", totals.steps)
            writer.member("mm", totals.distance.count)
            writer.member("workouts", Int64(totals.workouts))
        }
    }

    /// Reads the totals of a record, or of the server's list of days.
    static func totals(_ value: JSONValue) -> DayTotals? {
        guard let steps = value.integer("steps"), (0...1_000_000_000_000).contains(steps),
            let workouts = value.integer("workouts"), (0...1_000_000_000).contains(workouts),
            let millimetres = value.integer("mm") ?? value.metres("distance"),
            (0...1_000_000_000_000_000).contains(millimetres)
        else { return nil }
        return DayTotals(
            steps: steps, distance: Millimetres(millimetres), workouts: Int32(truncatingIfNeeded: workouts))
    }

    private func place(of day: Day) -> Int {
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if items[middle].day < day { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
