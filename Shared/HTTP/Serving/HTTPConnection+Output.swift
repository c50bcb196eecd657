internal import EventLoops

extension HTTPConnection {
    /// Counts the request as in flight.
    func begin() {
        current.started = server.loop.nanoseconds
        server.requestBegan()
    }

    /// Answers the current request with a refusal.
    func refuse(_ refusal: HTTPRefusal) {
        if current.head == nil { current.id = current.origin.id ?? parser.nextRequestID() }
        begin()
        let head = current.head ?? current.origin.head
        answer(server.router.render(refusal, head: head, requestID: current.id))
    }

    /// Writes the answer to the current request, or drops it when the client has gone, and goes on.
    func answer(_ response: HTTPResponse) {
        server.loop.preconditionInLoop()
        if case .stream(let body) = response.body, !response.status.isWithoutContent, current.head?.method != .head {
            return answer(response, body)
        }
        // Moved, because a copy would retain each of its parts.
        var request = Current()
        swap(&request, &current)
        let method = request.head?.method ?? request.origin.method
        let action = state.answerReady()
        finish(request, method: method, response, action)
        switch action {
        case .drop: return
        case .write(let note):
            stream.write(
                response.written(
                    requestID: request.id, dateLine: server.dateLine(), isHead: method == .head, connection: note,
                    isHTTP10: state.isHTTP10))
        }
        perform(state.answerWritten(hasUnsent: stream.unsentBytes > 0))
        updateDeadline()
    }

    func perform(_ action: HTTPConnectionState.AfterAnswer) {
        switch action {
        case .readOn: readOn()
        case .wait: break
        case .shutDown:
            stream.shutdownWriting()
            held = []
            // Whatever still comes is discarded, until the peer ends or the deadline passes.
            resumeReading()
        case .close: stream.close()
        }
    }

    private func finish(
        _ request: Current, method: HTTPMethod?, _ response: HTTPResponse, _ action: HTTPConnectionState.AnswerAction
    ) {
        var wasDropped = false
        if case .drop = action { wasDropped = true }
        finish(request, method: method, response, wasDropped: wasDropped)
    }

    func finish(_ request: Current, method: HTTPMethod?, _ response: HTTPResponse, wasDropped: Bool) {
        server.requestEnded(
            HTTPExchange(
                method: method, route: request.resolution?.template, status: response.status,
                refusalReason: response.refusalReason,
                duration: request.started.map { .nanoseconds(Int64(truncatingIfNeeded: server.loop.nanoseconds &- $0)) }
                    ?? .zero,
                requestID: request.id, wasDropped: wasDropped))
    }
}
