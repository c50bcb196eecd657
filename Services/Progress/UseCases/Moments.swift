import Models
import ServiceKit

/// The one moment of an answer, in the zone that was asked for or the user's own.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class Moments: @unchecked Sendable {
    private let zones: ZoneCatalogue
    private let clock: WallClock

    init(zones: ZoneCatalogue, clock: WallClock) {
        self.zones = zones
        self.clock = clock
    }

    /// The days that can be among the last seven in some zone of the world: the one that asks is not known yet.
    ///
    /// Nowhere is it earlier than a day before the day of UTC, or later than a day after it; that stays so for the ten hours
    /// that Kiritimati, fourteen ahead, is away from the day after, whichever midnight passes while the answer is made.
    var lastSevenAnywhere: DaySpan {
        let today = ZoneOffsets.utc.day(at: clock.now)
        return DaySpan(
            from: ProgressSummary.neededDays(on: today.advanced(by: -1)).start, through: today.advanced(by: 1))
    }

    /// Now, in a zone; a zone that the system has forgotten since it was set counts as UTC, and the answer says so.
    func moment(in zone: String) -> ProgressMoment {
        guard let local = zones.clock(of: zone) else {
            return ProgressMoment(now: clock.now, timeZone: "UTC", clock: ZoneOffsets.utc)
        }
        return ProgressMoment(now: clock.now, timeZone: zone, clock: local)
    }
}
