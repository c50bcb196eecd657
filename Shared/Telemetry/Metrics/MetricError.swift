/// Why a metric could not be registered: a mistake in our own code that the first start shows.
package enum MetricError: Error, Sendable, Equatable {
    /// The name breaks a rule of the format or of good naming; `reason` says which.
    case invalidName(String, reason: String)
    /// A label's name is not allowed or comes twice.
    case invalidLabel(String, metric: String)
    /// A histogram's bounds are empty, not rising or not finite.
    case invalidBounds(metric: String)
    /// The name exists with another type, help, label set or row of buckets.
    case conflict(metric: String)
    /// All slots are given out; labels with an open set of values are the usual reason.
    case full(metric: String)
}
