/// Follows a position and its speed along one axis through noisy fixes.
///
/// Source: R. E. Kalman, "A New Approach to Linear Filtering and Prediction Problems", 1960, with constant velocity and
/// white acceleration.
struct AxisFilter: Sendable {
    private(set) var position: Double
    private(set) var velocity = 0.0
    private var placeVariance: Double
    private var mixedVariance = 0.0
    private var speedVariance = 4.0

    init(position: Double, noise: Double) {
        self.position = position
        placeVariance = noise * noise
    }

    /// Moves ahead in time.
    mutating func predict(seconds: Double, acceleration: Double) {
        position += velocity * seconds
        let drive = acceleration * acceleration
        placeVariance +=
            seconds * (2 * mixedVariance + seconds * speedVariance)
            + drive * seconds * seconds * seconds / 3
        mixedVariance += seconds * speedVariance + drive * seconds * seconds / 2
        speedVariance += drive * seconds
    }

    /// Takes a measured position; the difference from what was expected.
    mutating func update(_ measured: Double, noise: Double) -> Double {
        let surprise = measured - position
        let total = placeVariance + noise * noise
        let placeGain = placeVariance / total
        let speedGain = mixedVariance / total
        position += placeGain * surprise
        velocity += speedGain * surprise
        speedVariance -= speedGain * mixedVariance
        mixedVariance -= placeGain * mixedVariance
        placeVariance -= placeGain * placeVariance
        return surprise
    }

    /// Moves the axis' zero.
    mutating func shift(by distance: Double) { position += distance }
}
