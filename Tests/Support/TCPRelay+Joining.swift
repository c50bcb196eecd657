import EventLoops

extension TCPRelay {
    /// Ties the two sides of a connection together.
    func join(_ near: End, _ far: End) {
        var losesThisAnswer = false
        let (toFar, toNear) = (Pipe(far.stream, of: self), Pipe(near.stream, of: self))
        near.forward = { [weak self] bytes in
            guard let self else { return toFar.write(bytes) }
            guard !isHolding else { return held.append { toFar.write(bytes) } }
            guard plan != .pass, hasCommit(bytes) else { return toFar.write(bytes) }
            switch plan {
            case .pass: break
            case .loseAnswerToCommit: losesThisAnswer = true
            case .loseCommit:
                struck += 1
                plan = .pass
                near.stream.reset()
                far.stream.reset()
                return
            }
            if losesThisAnswer { plan = .pass }
            toFar.write(bytes)
        }
        far.forward = { [weak self] bytes in
            if let self, losesAnswers {
                lost += bytes.count
                return
            }
            guard losesThisAnswer else { return toNear.write(bytes) }
            self?.struck += 1
            near.stream.reset()
            far.stream.close()
        }
        // What a client said before its end may still be on its way.
        near.onEnd = { [weak self] in
            guard let self, isHolding else { return toFar.end() }
            held.append { toFar.end() }
        }
        far.onEnd = { toNear.end() }
        near.stream.resumeReading()
        far.stream.resumeReading()
    }

    /// Whether COMMIT is among the messages: by its text or by the name under which it is prepared.
    private func hasCommit(_ bytes: [UInt8]) -> Bool {
        let word = Array("commit\0".utf8)
        guard bytes.count >= word.count else { return false }
        return (0...(bytes.count - word.count)).contains { start in
            zip(bytes[start...], word).allSatisfy { ($0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0) == $1 }
        }
    }

    /// One side of a relayed connection; confined to the relay's loop, hence `@unchecked Sendable`.
    final class End: ByteStreamDelegate, @unchecked Sendable {
        let stream: TCPStream
        let isOfServer: Bool
        var forward: ([UInt8]) -> Void = { _ in }
        var onEnd: () -> Void = {}

        init(_ stream: TCPStream, isOfServer: Bool = false) {
            self.stream = stream
            self.isOfServer = isOfServer
            stream.delegate = self
        }

        func streamReceived(_ bytes: Span<UInt8>) {
            var copy: [UInt8] = []
            copy.reserveCapacity(bytes.count)
            for index in bytes.indices { copy.append(bytes[index]) }
            forward(copy)
        }
        func streamReceivedEnd() { onEnd() }
        func streamDrained() {}
        func streamClosed(_ error: StreamError?) {
            onEnd()
            forward = { _ in }
            onEnd = {}
        }
    }
}
