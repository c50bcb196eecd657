/// How long to wait before the next attempt to connect: doubling, and drawn at random so that a fleet does not come
/// back at once.
///
/// A pause is between half of the current step and the whole of it. Source: AWS Architecture Blog, "Exponential
/// Backoff And Jitter" (the "equal jitter" variant, which keeps a floor under the pause).
struct RedisBackoff {
    private let minimum: Duration
    private let maximum: Duration
    private var step: Duration

    init(minimum: Duration, maximum: Duration) {
        self.minimum = max(.milliseconds(1), minimum)
        self.maximum = max(self.minimum, maximum)
        step = self.minimum
    }

    /// The next pause.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let pause = step * Double.random(in: 0.5...1, using: &generator)
        step = min(step * 2, maximum)
        return pause
    }

    /// A connection worked: the next loss begins with a short pause again.
    mutating func reset() { step = minimum }
}
