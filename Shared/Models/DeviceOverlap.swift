/// Counts time that several devices of one user cover only once.
///
/// In each stretch of time the device with the highest step rate counts: the sum of steps ÷ duration over its workouts there.
/// Among equal rates it is the smaller device id, by the bytes of UTF-8. The others lose the stretch, with its distance.
/// Workouts of one device are added to each other, and workouts without a device to everything.
public enum DeviceOverlap {
    /// The totals of every day that one of the workouts touches.
    ///
    /// A workout that loses nothing counts as it was cut (``DayCut/parts(of:steps:distance:)``). One that loses some of its
    /// time counts in each of its days, also in those where it loses nothing, with value × time kept in that day ÷ its
    /// duration, rounded half up. The result depends on the set alone, not on its order.
    ///
    /// For a day to be right, the set must hold every workout that has time in the day and every workout that shares time with
    /// one of these; other days of the answer may lack something.
    ///
    /// Cost: O(n log n) and, for each of the at most 2 n stretches, a pass over the devices present in it.
    public static func totals(of workouts: [StoredWorkout]) -> [Day: DayTotals] {
        let ranks = deviceRanks(of: workouts)
        let kept = keptTimes(of: workouts, ranks: ranks)
        var totals: [Day: DayTotals] = [:]
        for (workout, rank) in zip(workouts, ranks) {
            for part in parts(of: workout, kept: rank.map { kept[$0] }) {
                totals[part.day, default: DayTotals()].add(part)
            }
        }
        return totals
    }

    /// The days whose totals may differ between the stored workouts with and without one more.
    ///
    /// A workout can only take time from, or win time for, what it overlaps: for its own device too, because rates are summed.
    /// And who starts or stops losing time is rounded anew in all its days. Without another device among the overlapping
    /// workouts there is nothing to win, and only the days of the new one change.
    public static func daysAffected(by workout: StoredWorkout, among stored: [StoredWorkout]) -> Set<Day> {
        var days = Set<Day>()
        for segment in workout.segments { days.insert(segment.day) }
        guard let device = workout.deviceID else { return days }
        let overlapping = stored.filter { $0.deviceID != nil && $0.start < workout.end && workout.start < $0.end }
        let isContested = overlapping.contains { other in
            !(other.deviceID ?? device).utf8.elementsEqual(device.utf8)
        }
        guard isContested else { return days }
        for other in overlapping {
            for segment in other.segments { days.insert(segment.day) }
        }
        return days
    }

    /// What a workout adds to its days, given the time that its device keeps; nil for a workout without a device.
    private static func parts(of workout: StoredWorkout, kept: KeptTime?) -> [DayPart] {
        if let kept {
            var parts = DayCut.days(of: workout.segments) { kept.milliseconds(from: $0.from, to: $0.to) }
            let whole = workout.milliseconds
            if parts.reduce(0, { $0 + $1.milliseconds }) < whole {
                for index in parts.indices {
                    let remaining = parts[index].milliseconds
                    let steps = nearestShare(Int64(workout.steps), of: remaining, in: whole)
                    parts[index].steps = Int32(truncatingIfNeeded: steps)
                    parts[index].distance.count = nearestShare(workout.distance.count, of: remaining, in: whole)
                }
                return parts
            }
        }
        return DayCut.parts(of: workout.segments, steps: workout.steps, distance: workout.distance)
    }

    /// `value × part ÷ whole`, rounded half up; the limits are those of ``DayCut/share(_:of:in:)``.
    private static func nearestShare(_ value: Int64, of part: Int64, in whole: Int64) -> Int64 {
        let (quotient, remainder) = DayCut.share(value, of: part, in: whole)
        return remainder * 2 >= whole ? quotient + 1 : quotient
    }
}
