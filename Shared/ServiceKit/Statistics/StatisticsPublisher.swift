internal import EventLoops
internal import Models
internal import Redis
internal import Telemetry

/// Writes what this instance does into Redis, once a second, in one exchange on a connection of its own.
///
/// It lives on the operators' loop and reads what the other loops have counted anyway, so no request waits for it, whatever
/// Redis does. A second that Redis does not take is left out. Confined to that loop, hence `@unchecked Sendable`.
final class StatisticsPublisher: @unchecked Sendable {
    let redis: RedisClient
    private let loop: EventLoop
    private let registry: MetricRegistry
    private let windows: [DistinctWindow]
    private let source: StatisticsSource
    private let instance: String
    private let started: Int64
    private var second: Moment
    private var minute: Moment
    /// When the minute that is being counted began, in milliseconds since 1970.
    private var minuteBegin: Int64
    private var watch: Task<Void, Never>?

    /// What the metrics said, and when on the loop's clock.
    private struct Moment {
        var reading = MetricReading()
        var milliseconds: UInt64
    }

    /// Everything that was counted before is part of the first second.
    init(
        service: String, instance: String, redis configuration: RedisConfiguration, registry: MetricRegistry,
        windows: [DistinctWindow], loop: EventLoop
    ) {
        loop.preconditionInLoop()
        self.loop = loop
        self.registry = registry
        self.windows = windows
        self.instance = instance
        source = StatisticsSource(service: service)
        redis = RedisClient(configuration: configuration, loop: loop)
        second = Moment(milliseconds: loop.now.milliseconds)
        minute = second
        started = Self.clock
        minuteBegin = started / 60_000 * 60_000
    }

    /// The real clock: other instances and those who look use it, whatever a test says.
    private static var clock: Int64 { WallClock().now.milliseconds }

    func start() {
        redis.start()
        watch = Task(executorPreference: loop) {
            while !Task.isCancelled {
                do { try await self.loop.sleep(for: .seconds(1)) } catch { return }
                await self.send(self.commands())
            }
        }
    }

    /// Says what was done since the minute began, and that this instance is gone.
    func stop() async {
        watch?.cancel()
        _ = commands()
        var last = [RedisCommand("UNLINK", StatisticsKeys.live(instance), StatisticsKeys.users(instance))]
        last += minuteCommands(at: Self.clock)
        await send(last)
        redis.close()
    }

    private func send(_ commands: [RedisCommand]) async { _ = try? await redis.send(commands) }

    /// What is to be written about the time since the last call.
    private func commands() -> [RedisCommand] {
        let now = Self.clock
        let next = Moment(reading: registry.read(), milliseconds: loop.now.milliseconds)
        var record = record(from: second, to: next)
        second = next
        var sketch = DistinctSketch()
        for window in windows { window.add(to: &sketch, at: next.milliseconds) }
        record[.users] = sketch.estimate

        var live = RedisCommand("HSET", StatisticsKeys.live(instance), "at", "\(now)", "started", "\(started)")
        live.append(record)
        var users = RedisCommand("SET", StatisticsKeys.users(instance))
        users.append(sketch.registers)
        users.append("EX")
        users.append(StatisticsKeys.liveSeconds)
        var commands = [
            live, RedisCommand("EXPIRE", StatisticsKeys.live(instance), "\(StatisticsKeys.liveSeconds)"), users,
            RedisCommand("ZADD", StatisticsKeys.instances, "\(now)", instance),
        ]
        if now / 60_000 * 60_000 != minuteBegin { commands += minuteCommands(at: now, users: sketch.estimate) }
        return commands
    }

    /// The minute that has ended; and who has not written for so long that nothing of theirs is left is forgotten.
    private func minuteCommands(at now: Int64, users: Int64? = nil) -> [RedisCommand] {
        var record = record(from: minute, to: second)
        record[.users] = users
        let life = StatisticsKeys.minutesSeconds
        var entry = RedisCommand(
            "XADD", StatisticsKeys.minutes(instance), "MAXLEN", "\(StatisticsKeys.minuteCount)", "\(minuteBegin)-0")
        entry.append(record)
        minute = second
        minuteBegin = now / 60_000 * 60_000
        return [
            entry, RedisCommand("EXPIRE", StatisticsKeys.minutes(instance), "\(life)"),
            RedisCommand("ZREMRANGEBYSCORE", StatisticsKeys.instances, "-inf", "\(now - life * 1000)"),
            RedisCommand("EXPIRE", StatisticsKeys.instances, "\(life)"),
        ]
    }

    private func record(from earlier: Moment, to later: Moment) -> StatisticsRecord {
        source.record(
            from: earlier.reading, to: later.reading,
            span: Int64(clamping: later.milliseconds &- earlier.milliseconds))
    }
}
