/// Writes log lines: one JSON object a line, with the ids of the request it belongs to.
///
/// A value to pass along: copying costs a few reference counts. A line below the configured level costs one comparison, its
/// fields are not even computed. Messages are literals: what varies goes into fields, so that lines can be counted by
/// message and nothing from outside becomes one.
package struct Logger: Sendable {
    private let sink: LogSink
    private var requestID: String?
    private var traceID: String?

    /// A logger without a request.
    package init(_ sink: LogSink) { self.sink = sink }

    /// A logger that writes nothing, for tests and tools.
    package static let discarding = Logger(.discarding)

    /// The same logger for one request.
    package func with(requestID: String?, traceID: String? = nil) -> Logger {
        var copy = self
        copy.requestID = requestID
        copy.traceID = traceID
        return copy
    }

    /// Writes a line if its level is written at all.
    package func log(_ level: LogLevel, _ message: StaticString, _ fields: @autoclosure () -> LogFields = [:]) {
        guard level >= sink.minimumLevel else { return }
        sink.write(level, message.description, fields, requestID: requestID, traceID: traceID)
    }

    /// Writes a line at level `debug`.
    package func debug(_ message: StaticString, _ fields: @autoclosure () -> LogFields = [:]) {
        log(.debug, message, fields())
    }

    /// Writes a line at level `info`.
    package func info(_ message: StaticString, _ fields: @autoclosure () -> LogFields = [:]) {
        log(.info, message, fields())
    }

    /// Writes a line at level `warning`.
    package func warning(_ message: StaticString, _ fields: @autoclosure () -> LogFields = [:]) {
        log(.warning, message, fields())
    }

    /// Writes a line at level `error`.
    package func error(_ message: StaticString, _ fields: @autoclosure () -> LogFields = [:]) {
        log(.error, message, fields())
    }
}
