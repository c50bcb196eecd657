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

    /// Now, in a zone; a zone that the system has forgotten since it was set counts as UTC, and the answer says so.
    func moment(in zone: String) -> ProgressMoment {
        guard let local = zones.clock(of: zone) else {
            return ProgressMoment(now: clock.now, timeZone: "UTC", clock: ZoneOffsets(fixed: 0))
        }
        return ProgressMoment(now: clock.now, timeZone: zone, clock: local)
    }
}
