import Models
import Testing

/// The same totals, slowly: every stretch between any two boundaries, every pair of devices, exact fractions.
struct SlowRecount {
    private(set) var totals: [Day: DayTotals] = [:]

    init(_ workouts: [StoredWorkout]) {
        let bounds = Set(workouts.flatMap { [$0.start, $0.end] + $0.segments.map(\.from) }).sorted()
        var kept = workouts.map { _ in [Day: Int64]() }
        for (from, to) in zip(bounds, bounds.dropFirst()) {
            let active = workouts.indices.filter { workouts[$0].start <= from && to <= workouts[$0].end }
            for index in active {
                let isBeaten = active.contains { other in
                    Self.beats(workouts[other].deviceID, workouts[index].deviceID, active.map { workouts[$0] })
                }
                for segment in workouts[index].segments where segment.from <= from && to <= segment.to {
                    kept[index][segment.day, default: 0] += isBeaten ? 0 : to.milliseconds - from.milliseconds
                }
            }
        }
        for (workout, kept) in zip(workouts, kept) {
            let steps = Self.shares(of: Int64(workout.steps), workout, kept)
            let distances = Self.shares(of: workout.distance.count, workout, kept)
            for day in kept.keys {
                let old = totals[day] ?? DayTotals()
                totals[day] = DayTotals(
                    steps: old.steps + (steps[day] ?? 0),
                    distance: Millimetres(old.distance.count + (distances[day] ?? 0)), workouts: old.workouts + 1)
            }
        }
    }

    /// Whether one device's time is preferred to another's where these workouts are active.
    private static func beats(_ left: String?, _ right: String?, _ active: [StoredWorkout]) -> Bool {
        guard let left, let right, left != right else { return false }
        let leftRate = BigCount.summedRate(of: left, among: active)
        let rightRate = BigCount.summedRate(of: right, among: active)
        return leftRate == rightRate ? Array(left.utf8) < Array(right.utf8) : rightRate < leftRate
    }

    private static func shares(of value: Int64, _ workout: StoredWorkout, _ kept: [Day: Int64]) -> [Day: Int64] {
        let whole = Int128(workout.milliseconds)
        let isWhole = Int128(kept.values.reduce(0, +)) == whole
        guard isWhole else {
            return kept.mapValues { Int64((Int128(value) * Int128($0) * 2 + whole) / (whole * 2)) }
        }
        var shares = kept.mapValues { Int64(Int128(value) * Int128($0) / whole) }
        let byRemainder = kept.keys.sorted { left, right in
            let leftRest = Int128(value) * Int128(kept[left] ?? 0) % whole
            let rightRest = Int128(value) * Int128(kept[right] ?? 0) % whole
            return leftRest == rightRest ? left < right : leftRest > rightRest
        }
        for day in byRemainder.prefix(Int(value - shares.values.reduce(0, +))) { shares[day, default: 0] += 1 }
        return shares
    }
}

extension [UInt8] {
    fileprivate static func < (left: [UInt8], right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }
}

/// A count of any size: 32 bits a digit, the least first, no zeros at the end.
private struct BigCount: Comparable {
    var digits: [UInt32]

    init(_ value: UInt32) { digits = value == 0 ? [] : [value] }

    /// The sum of steps ÷ duration of one device, times the product of all durations.
    static func summedRate(of device: String, among workouts: [StoredWorkout]) -> BigCount {
        var sum = BigCount(0)
        for (index, workout) in workouts.enumerated() where workout.deviceID == device {
            var term = BigCount(UInt32(workout.steps))
            for (other, factor) in workouts.enumerated() where other != index {
                term = term * UInt32(factor.milliseconds)
            }
            sum = sum + term
        }
        return sum
    }

    static func * (left: BigCount, right: UInt32) -> BigCount {
        var product = left
        var carry: UInt64 = 0
        for index in product.digits.indices {
            carry += UInt64(product.digits[index]) * UInt64(right)
            product.digits[index] = UInt32(truncatingIfNeeded: carry)
            carry >>= 32
        }
        if carry > 0 { product.digits.append(UInt32(carry)) }
        return product
    }

    static func + (left: BigCount, right: BigCount) -> BigCount {
        var sum = BigCount(0)
        var carry: UInt64 = 0
        for index in 0..<max(left.digits.count, right.digits.count) {
            carry += index < left.digits.count ? UInt64(left.digits[index]) : 0
            carry += index < right.digits.count ? UInt64(right.digits[index]) : 0
            sum.digits.append(UInt32(truncatingIfNeeded: carry))
            carry >>= 32
        }
        if carry > 0 { sum.digits.append(UInt32(carry)) }
        return sum
    }

    static func < (left: BigCount, right: BigCount) -> Bool {
        left.digits.count == right.digits.count
            ? left.digits.reversed().lexicographicallyPrecedes(right.digits.reversed())
            : left.digits.count < right.digits.count
    }
}
