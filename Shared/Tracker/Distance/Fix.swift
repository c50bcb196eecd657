/// One position from a satellite receiver.
///
/// Positions stay here: what the tracker gives out are metres, steps and times.
public struct Fix: Equatable, Sendable {
    /// Seconds on the clock that steps are told on too.
    public var time: Double
    /// Degrees north, WGS 84.
    public var latitude: Double
    /// Degrees east, WGS 84.
    public var longitude: Double
    /// The radius in metres in which the receiver believes to be; nil if it does not say.
    public var accuracy: Double?

    /// Joins the parts; nothing is checked, the estimator leaves out what cannot be.
    public init(time: Double, latitude: Double, longitude: Double, accuracy: Double? = nil) {
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
    }

    /// Whether a receiver can have said this.
    var isPlausible: Bool {
        time > -1e12 && time < 1e12 && latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180
    }
}
