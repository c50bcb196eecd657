import EventLoops
import Models
import Postgres
import ServiceKit
import Storage
import Telemetry

/// Carries erasures out, on one loop.
///
/// Each is a task of its own that outlives the call; what it has reached stands in PostgreSQL, so whoever finds it left goes
/// on. One step at a time on a loop, whatever it belongs to, and a pause as long as the step after it: a user with a million rows
/// costs the database half of one connection and no lock that anybody else waits for. Confined to its loop, hence
/// `@unchecked Sendable`.
final class ErasureWork: @unchecked Sendable {
    let loop: EventLoop
    let pool: PostgresPool
    let store: ErasureStore
    let boards: LeaderboardStore
    let traces: ErasureTraces
    let clock: WallClock
    private let book: ErasureBook
    private let marks: MarkBook
    private let logger: Logger
    private let finished: Counter?
    private let shard: MetricShard
    private var running: Set<UUIDValue> = []
    private var isStepping = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private(set) var isStopping = false

    /// Until every loop of every process has heard of an erasure, and the second of it is over.
    ///
    /// Before, somebody with an older token might still be shown something, and have it cached.
    private static let settling = Duration.milliseconds(1200)
    /// The same for its end, so that a newer token is let in wherever it comes.
    static let spreading = Duration.milliseconds(700)
    /// Erasures of one loop; with more, callers come again.
    private static let most = 200
    /// The longest pause after a step, and between two looks at one that somebody else is at.
    static let pause = Duration.milliseconds(200)

    init(_ resources: LoopResources, timeout: Duration) {
        loop = resources.loop
        pool = resources.postgres
        store = ErasureStore(timeout: timeout)
        boards = LeaderboardStore(timeout: timeout)
        traces = ErasureTraces(resources)
        clock = resources.clock
        book = resources.erasures
        marks = resources.marks
        logger = resources.logger
        shard = resources.shard
        finished = try? resources.registry.counter("stride_ingest_erasures_total", help: "Users who were erased.")
    }

    /// Whether an erasure is worked on here.
    func isRunning(_ erasure: Erasure) -> Bool { running.contains(erasure.receiptID) }

    /// Begins or goes on; nothing happens when that is done here already, or when too much is.
    func start(_ erasure: Erasure, isNew: Bool) {
        guard !isStopping, running.count < Self.most, running.insert(erasure.receiptID).inserted else { return }
        book.note(erasure)
        loop.submit {
            do {
                if isNew { try await self.loop.sleep(for: Self.settling) }
                try await self.carryOut(erasure)
            } catch {
                self.logger.warning(
                    "erasure_interrupted",
                    ["receipt": .string(erasure.receiptID.description), "error": .describing("\(error)")])
            }
            self.running.remove(erasure.receiptID)
        }
    }

    /// Ends between two steps; somebody else goes on.
    func stop() async {
        isStopping = true
        while !running.isEmpty { try? await loop.sleep(for: .milliseconds(5)) }
    }

    /// Nothing is left: tells whoever has to know.
    func ended(_ erasure: Erasure, _ mark: CacheMark) async {
        book.note(erasure)
        if await traces.forget(erasure.user) { marks.forget(mark) }
        finished?.increment(in: shard)
        logger.info(
            "user_erased",
            [
                "receipt": .string(erasure.receiptID.description), "workouts": .number(Int(erasure.workouts)),
                "plans": .number(Int(erasure.plans)), "athletes": .number(Int(erasure.athletes)),
            ])
        try? await loop.sleep(for: Self.spreading)
    }

    /// Waits until nobody else on this loop is in a step or in the pause behind it.
    func beginStep() async {
        guard isStepping else {
            isStepping = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Lets the next one step.
    func endStep() {
        guard !waiting.isEmpty else {
            isStepping = false
            return
        }
        waiting.removeFirst().resume()
    }
}
