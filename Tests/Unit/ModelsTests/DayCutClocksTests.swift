import Models
import Testing

/// A clock whose offset changes at given instants: all that a time zone is to the cut.
struct PiecewiseClock: LocalClock {
    var first: Int
    var changes: [(at: Timestamp, offset: Int)] = []

    func offsetSeconds(at instant: Timestamp) -> Int {
        changes.last { $0.at <= instant }?.offset ?? first
    }
}

extension PiecewiseClock {
    static let utc = PiecewiseClock(first: 0)
    /// +1 to +2 on 2026-03-29 and back on 2026-10-25, both at 01:00Z.
    static let berlin = PiecewiseClock(
        first: 3600, changes: [(.utc(20_541, 1), 7200), (.utc(20_751, 1), 3600)])
    /// −5 to −4 on 2016-03-13 at 02:00 local, which is 07:00Z.
    static let newYork = PiecewiseClock(first: -18_000, changes: [(.utc(16_873, 7), -14_400)])
    /// −3 to −4 on 2026-04-05 at 24:00 local of the day before (03:00Z), and on 2026-09-06 from 00:00 to 01:00 (04:00Z).
    static let santiago = PiecewiseClock(
        first: -10_800, changes: [(.utc(20_548, 3), -14_400), (.utc(20_702, 4), -10_800)])
    /// −10 to +14 at the end of 2011-12-29: the country had no 30 December.
    static let apia = PiecewiseClock(first: -36_000, changes: [(.utc(15_338, 10), 50_400)])
    /// −2:30 to −3:30 on 2010-11-07 at 00:01 local, which is 02:31Z: 6 November comes back for 59 minutes.
    static let stJohns = PiecewiseClock(first: -9000, changes: [(.utc(14_920, 2, 31), -12_600)])
}

extension Timestamp {
    /// A UTC date and time; days count from 1970-01-01.
    static func utc(_ day: Int64, _ hour: Int64, _ minute: Int64 = 0, _ second: Int64 = 0) -> Timestamp {
        Timestamp(milliseconds: ((day * 24 + hour) * 60 + minute) * 60_000 + second * 1000)
    }
}

/// A repeatable source of random numbers (SplitMix64).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
