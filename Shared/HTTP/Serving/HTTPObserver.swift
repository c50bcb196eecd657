/// Who is told about every request; metrics and access logs.
///
/// Called on the loop for each request, so an implementation counts and returns: no lock, no I/O.
package protocol HTTPObserver: Sendable {
    /// A request is complete, or was refused, and is about to be answered: one more is in flight.
    func requestStarted()

    /// The answer was handed to the connection, or dropped because the client had gone: one less is in flight.
    func requestFinished(_ exchange: HTTPExchange)
}

/// What an observer learns about one finished request.
package struct HTTPExchange: Sendable {
    /// The method; nil when the request line could not be read.
    package let method: HTTPMethod?
    /// The template of the route, such as `/v1/workouts/{workout_id}`; nil when no path of the API matched, so that the number
    /// of different values never depends on what clients send.
    package let route: String?
    /// The status of the answer.
    package let status: HTTPStatus
    /// Why the client is to come again; nil for every other answer.
    package let refusalReason: String?
    /// From the last byte of the request to the answer.
    package let duration: Duration
    /// The request's id.
    package let requestID: String
    /// Whether the client was gone before the answer.
    package let wasDropped: Bool
}

/// Observes nothing.
package struct SilentHTTPObserver: HTTPObserver {
    /// Makes one.
    package init() {}
    /// Does nothing.
    package func requestStarted() {}
    /// Does nothing.
    package func requestFinished(_ exchange: HTTPExchange) {}
}
