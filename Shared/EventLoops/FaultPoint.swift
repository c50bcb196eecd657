#if DEBUG
    internal import Glibc
    internal import Synchronization

    /// Places in the code at which a debug build can be made to die, stop or stall, as `STRIDE_FAULT_POINT` says.
    ///
    /// From outside a process can be hit at any moment, but the short ones between two steps are hardly ever met. Release
    /// builds contain nothing of this: each call stands in `#if DEBUG`.
    ///
    /// `STRIDE_FAULT_POINT=after_commit:100:exit,before_redis:20:sleep300`: at every hundredth commit the process is killed,
    /// every twentieth write of the cache begins 300 ms late. `stop` is SIGSTOP; somebody has to send SIGCONT. When
    /// `STRIDE_FAULT_WHILE` names a file, nothing happens any more once it is gone.
    package enum FaultPoint: String, CaseIterable, Sendable {
        /// A transaction of workouts has been committed; nobody has been told.
        case afterCommit = "after_commit"
        /// The cache is about to be written.
        case beforeRedis = "before_redis"
        /// The cache is written, nobody has been answered.
        case beforeAnswer = "before_answer"
        /// Commands have been sent to Redis; no reply was read.
        case redisSent = "redis_sent"
        /// Statements have been sent to PostgreSQL; no result was read.
        case postgresSent = "postgres_sent"
        /// A step of an erasure has been committed.
        case erasureStep = "erasure_step"
        /// The service is stopping and still has work.
        case drain

        /// Passes here; from time to time the process does not get any further.
        package func reach() {
            guard let order = Self.orders[self] else { return }
            guard order.passed.add(1, ordering: .relaxed).newValue.isMultiple(of: order.every), Self.isArmed else {
                return
            }
            switch order.action {
            case .exit: kill(getpid(), SIGKILL)
            case .stop: kill(getpid(), SIGSTOP)
            case .sleep(let milliseconds): usleep(milliseconds * 1000)
            }
        }

        private static var isArmed: Bool {
            guard let file = unsafe getenv("STRIDE_FAULT_WHILE") else { return true }
            return unsafe access(file, F_OK) == 0
        }

        private enum Action { case exit, stop, sleep(UInt32) }

        private final class Order: Sendable {
            let every: Int
            let action: Action
            let passed = Atomic(0)

            init?(every: Substring, action: Substring) {
                guard let every = Int(every), every > 0 else { return nil }
                self.every = every
                switch action {
                case "exit": self.action = .exit
                case "stop": self.action = .stop
                default:
                    guard action.hasPrefix("sleep"), let time = UInt32(action.dropFirst(5)), time < 60_000 else {
                        return nil
                    }
                    self.action = .sleep(time)
                }
            }
        }

        private static let orders: [FaultPoint: Order] = {
            guard let text = unsafe getenv("STRIDE_FAULT_POINT") else { return [:] }
            var orders: [FaultPoint: Order] = [:]
            for entry in unsafe String(cString: text).split(separator: ",") {
                let words = entry.split(separator: ":")
                guard words.count == 3, let point = FaultPoint(rawValue: String(words[0])) else { continue }
                orders[point] = Order(every: words[1], action: words[2])
            }
            return orders
        }()
    }
#endif
