/// What one server takes from its clients before it says no.
///
/// Every queue and every wait of a connection is bounded by one of these. The defaults are the public contract.
package struct HTTPLimits: Sendable {
    /// Bytes of the request line without its CRLF; beyond: 414.
    package var requestLineBytes = 8 * 1024
    /// Bytes of all header lines together, each with its CRLF; beyond: 431.
    package var headerBlockBytes = 16 * 1024
    /// Header fields of one request, and trailer fields of one body; beyond: 431.
    package var headerFields = 100
    /// Bytes of all trailers (beyond: 431) and of all chunk extensions (beyond: 400) of one body.
    package var trailerBytes = 16 * 1024
    /// Bytes of one body after chunks are put together; beyond: 413.
    package var bodyBytes = 1024 * 1024
    /// From the first byte of a head (of a new connection: from its accept) to the end of that head.
    package var headTimeout = Duration.seconds(10)
    /// From the end of the head to the end of the body.
    package var bodyTimeout = Duration.seconds(30)
    /// How long a kept connection may stay silent.
    package var idleTimeout = Duration.seconds(75)
    /// How long a client may take to read one response.
    package var responseTimeout = Duration.seconds(30)
    /// How long the server goes on discarding input after its last answer, so that the answer is read before a reset.
    package var lingerTimeout = Duration.seconds(2)
    /// How long an idle connection may still bring a request after ``HTTPServer/drain(timeout:)`` began.
    package var drainGrace = Duration.seconds(1)
    /// Open connections of one server, that is, of one loop; beyond: accepting pauses.
    package var connections = 10_000
    /// Connections that the kernel holds until they are accepted.
    package var backlog: Int32 = 1024

    /// The defaults.
    package init() {}
}
