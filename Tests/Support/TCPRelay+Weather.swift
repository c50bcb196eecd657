import EventLoops

extension TCPRelay {
    /// What becomes of everything that passes, both ways.
    package enum Weather: Hashable, Sendable, CustomStringConvertible {
        /// It passes.
        case clear
        /// It passes late, in its order.
        case late(milliseconds: Int)
        /// It passes byte by byte.
        case bytewise
        /// Nothing passes, not even an end, and nobody is told.
        case silent

        /// In words, for a schedule.
        package var description: String {
            switch self {
            case .clear: "clear"
            case .late(let milliseconds): "late by \(milliseconds) ms"
            case .bytewise: "byte by byte"
            case .silent: "a black hole"
            }
        }
    }

    /// Decides about everything from now on; connections that have lost something are reset when it clears up.
    package func turn(_ weather: Weather) async throws {
        let wasSilent = try await loop.run {
            defer { self.weather = weather }
            return self.weather == .silent && weather != .silent
        }
        if wasSilent { try await cut() }
    }

    /// Tells one side of each connection that the other says no more, while it is still heard.
    package func halfClose(towardsServer: Bool) async throws {
        try await loop.run {
            for end in self.ends where end.isOfServer == towardsServer { end.stream.shutdownWriting() }
        }
    }

    /// One direction of a connection; keeps the order, whatever the weather was when a piece came.
    ///
    /// Confined to the relay's loop, hence `@unchecked Sendable`.
    final class Pipe: @unchecked Sendable {
        private enum Piece {
            case bytes([UInt8], Weather, from: MonotonicInstant)
            case end
        }

        private let stream: TCPStream
        private weak var relay: TCPRelay?
        private var pieces: [Piece] = []
        private var isPassing = false

        init(_ stream: TCPStream, of relay: TCPRelay) {
            self.stream = stream
            self.relay = relay
        }

        func write(_ bytes: [UInt8]) {
            let weather = relay?.weather ?? .clear
            if weather == .clear, !isPassing { return stream.write(bytes) }
            pass(.bytes(bytes, weather, from: stream.loop.now))
        }

        func end() {
            if relay?.weather == .silent { return }
            if isPassing { pass(.end) } else { stream.close() }
        }

        private func pass(_ piece: Piece) {
            pieces.append(piece)
            guard !isPassing, let loop = relay?.loop else { return }
            isPassing = true
            loop.submit { await self.passAll(on: loop) }
        }

        private func passAll(on loop: EventLoop) async {
            while !pieces.isEmpty {
                switch pieces.removeFirst() {
                case .bytes(let bytes, .clear, _): stream.write(bytes)
                case .bytes(let bytes, .late(let milliseconds), let begin):
                    let due = begin.advanced(by: .milliseconds(milliseconds))
                    if loop.now < due { try? await loop.sleep(for: loop.now.duration(to: due)) }
                    stream.write(bytes)
                case .bytes(let bytes, .bytewise, _):
                    for byte in bytes {
                        stream.write([byte])
                        await Task.yield()
                    }
                case .bytes(_, .silent, _): break
                case .end: stream.close()
                }
            }
            isPassing = false
        }
    }
}
