import EventLoops
import Models
import Storage
import Telemetry

/// Has boards built that were looked for and not there.
///
/// Nobody waits for it: PostgreSQL answers meanwhile. One board at a time on a loop, and one process at a time for a board. Confined to its loop,
/// hence `@unchecked Sendable`.
final class BoardBuilder: @unchecked Sendable {
    private let build: BoardBuild
    private let loop: EventLoop
    private let metrics: LeaderboardMetrics
    private let logger: Logger
    private var waiting: [ChallengeName] = []
    private var isBuilding = false

    /// More are forgotten; whoever looks for them next asks again.
    private static let mostWaiting = 1000

    init(build: BoardBuild, loop: EventLoop, metrics: LeaderboardMetrics, logger: Logger) {
        self.build = build
        self.loop = loop
        self.metrics = metrics
        self.logger = logger
    }

    /// Asks for a board.
    func request(_ challenge: ChallengeName) {
        guard waiting.count < Self.mostWaiting, !waiting.contains(challenge) else { return }
        waiting.append(challenge)
        guard !isBuilding else { return }
        isBuilding = true
        loop.submit { await self.run() }
    }

    private func run() async {
        while let challenge = waiting.first {
            do {
                if try await build.build(challenge) == .built { metrics.built() }
            } catch {
                logger.warning(
                    "board_not_built", ["challenge": .string(challenge.text), "error": .describing("\(error)")])
            }
            waiting.removeFirst()
        }
        isBuilding = false
    }
}
