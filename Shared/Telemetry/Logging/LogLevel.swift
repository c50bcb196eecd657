/// How much a line matters.
///
/// Configuration names the lowest level that is written.
package enum LogLevel: String, Sendable, Comparable, CaseIterable {
    /// For one who is looking for a fault right now.
    case debug
    /// What happened in the normal course: started, drained, stopped.
    case info
    /// Something is degraded and the service goes on.
    case warning
    /// Something failed that someone should look at.
    case error

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}
