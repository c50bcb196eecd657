/// The figures of one pool, for metrics.
package struct PostgresPoolCounters: Hashable, Sendable {
    /// Connections that are open.
    package var open: Int
    /// Those of them that nobody uses.
    package var idle: Int
    /// Connections that are being opened.
    package var opening: Int
    /// Callers that wait.
    package var waiting: Int
    /// Connections opened since the start.
    package var openedTotal: UInt64
    /// Connections that ended otherwise than by closing the pool.
    package var droppedTotal: UInt64
    /// Attempts to connect that failed.
    package var connectFailedTotal: UInt64
    /// Callers refused because too many waited or the database was down.
    package var refusedTotal: UInt64
}
