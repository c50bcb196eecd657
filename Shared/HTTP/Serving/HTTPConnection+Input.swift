internal import EventLoops

extension HTTPConnection {
    /// Parses what has come, up to the first request that has to be answered; the rest is held.
    func read(_ bytes: Span<UInt8>) {
        var consumed = 0
        while state.inputArrived() == .parse {
            switch parser.next(bytes.extracting(consumed...), consumed: &consumed) {
            case .needsMore:
                switch state.inputExhausted(isInsideRequest: parser.isInsideRequest) {
                case .wait: break
                case .refuse(let refusal): refuse(refusal)
                case .close: stream.close()
                }
                return
            case .head(let head): headRead(head)
            case .complete(let body): requestRead(body)
            case .refused(let refusal, let origin):
                current.origin = origin
                state.inputRefused()
                refuse(refusal)
            }
        }
        if state.inputArrived() == .hold && consumed < bytes.count { hold(bytes.extracting(consumed...)) }
    }

    /// Keeps input for later and stops reading, so that no more than one read's worth is ever kept.
    func hold(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe held.append(contentsOf: $0) }
        pauseReading()
    }

    /// Goes on after an answer: with what was held, then with the socket.
    ///
    /// A loop, because an answer to held input may be given at once and leads here again.
    func readOn() {
        guard !isParsing else { return }
        isParsing = true
        while !held.isEmpty && state.inputArrived() == .parse {
            let input = held
            held = []
            read(input.span)
        }
        isParsing = false
        guard state.inputArrived() == .parse else { return }
        switch state.inputExhausted(isInsideRequest: parser.isInsideRequest) {
        case .wait: resumeReading()
        case .refuse(let refusal): refuse(refusal)
        case .close: stream.close()
        }
    }

    private func headRead(_ head: HTTPRequestHead) {
        let resolution = server.router.resolve(head)
        current = Current(head: head, resolution: resolution, id: head.id)
        parser.discardsBody = resolution.refusal != nil
        let early = head.hasBody && head.expectation == .continue100 ? resolution.earlyAnswer(to: head) : nil
        switch state.headRead(head, refusal: resolution.refusal, hasEarlyAnswer: early != nil) {
        case .read: break
        case .sendContinue: stream.write(Self.continueLine)
        case .refuse(let refusal): refuse(refusal)
        case .answerEarly:
            begin()
            if let early { answer(early) }
        }
    }

    private func requestRead(_ body: [UInt8]) {
        state.requestRead()
        guard let head = current.head, let resolution = current.resolution else { return }
        if let refusal = resolution.refusal { return refuse(refusal) }
        begin()
        let request = HTTPRequest(head: head, body: body, peer: peer)
        // The task itself rather than `submit`, which would wrap the closure twice.
        Task(executorPreference: server.loop) { [self] in
            let response = await server.router.answer(request, as: resolution)
            answer(response)
        }
    }

    private static let continueLine = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
}
