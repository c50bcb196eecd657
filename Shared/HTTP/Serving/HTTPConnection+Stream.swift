internal import EventLoops

/// Bodies in pieces: the next one is made when the one before has left.
extension HTTPConnection {
    /// Writes the head and sends the body as fast as the client reads it.
    func answer(_ response: HTTPResponse, _ body: HTTPBodyStream) {
        let request = current
        let method = request.head?.method ?? request.origin.method
        guard case .write(let note) = state.streamReady() else {
            current = Current()
            return finish(request, method: method, response, wasDropped: true)
        }
        stream.write(
            response.written(
                requestID: request.id, dateLine: server.dateLine(), isHead: false, connection: note,
                isHTTP10: state.isHTTP10))
        stream.followReader()
        Task(executorPreference: server.loop) { [self] in
            let isWhole = await send(body)
            current = Current()
            finish(request, method: method, response, wasDropped: !isWhole)
            if isWhole { endStream() }
        }
    }

    /// Whether everything has been handed to the stream; else the connection has ended.
    private func send(_ body: HTTPBodyStream) async -> Bool {
        while await hasLeft() {
            // The loop gets its turn between pieces that neither wait to be made nor to leave: others are served, and the
            // end of the connection, which comes later than the failed write, is noticed.
            await Task.yield()
            switch await body.next() {
            case .bytes(let bytes):
                guard state.phase == .streaming, !bytes.isEmpty else { continue }
                stream.write(state.isHTTP10 ? bytes : Self.chunk(bytes))
            case .end: return state.phase == .streaming
            case .failure:
                if state.phase == .streaming { stream.reset() }
                return false
            }
        }
        return false
    }

    /// Waits until what was written has left; false when nobody is there any more.
    private func hasLeft() async -> Bool {
        while true {
            let action = state.pieceWritten(hasUnsent: stream.unsentBytes > 0)
            updateDeadline()
            switch action {
            case .next: return true
            case .stop: return false
            case .wait: await withCheckedContinuation { sender = $0 }
            }
        }
    }

    private func endStream() {
        if !state.isHTTP10 { stream.write(Self.lastChunk) }
        state.streamEnded()
        perform(state.answerWritten(hasUnsent: stream.unsentBytes > 0))
        updateDeadline()
    }

    /// What was written has left, or the connection has ended.
    func resumeSender() {
        let waiting = sender
        sender = nil
        waiting?.resume()
    }

    private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        var chunk: [UInt8] = []
        chunk.reserveCapacity(bytes.count + 20)
        chunk.append(chunk: bytes)
        return chunk
    }

    private static let lastChunk = Array("0\r\n\r\n".utf8)
}
