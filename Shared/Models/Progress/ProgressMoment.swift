/// The one moment, in the one zone, to which all fields of an answer belong.
///
/// Taken once for each request: an answer that asked the clock twice could straddle midnight.
public struct ProgressMoment: Hashable, Sendable {
    /// The server's clock.
    public let now: Timestamp
    /// The day that the clock of the zone shows then.
    public let today: Day
    /// The IANA name of the zone.
    public let timeZone: String

    /// Looks at the clock of a zone, which must be that of the name.
    public init(now: Timestamp, timeZone: String, clock: some LocalClock) {
        self.now = now
        self.today = clock.day(at: now)
        self.timeZone = timeZone
    }
}
