/// Where a client and its connections, one after the other, count; all on one loop.
final class RedisMeter {
    var counters = RedisCounters()
}
