/// A recursive filter of second order at 50 Hz.
///
/// The coefficients are the bilinear transform of Butterworth's prototype, written out as numbers: no mathematical
/// library is needed, and every platform computes the same bits.
struct Biquad: Sendable {
    private let ahead: (Double, Double, Double)
    private let back: (Double, Double)
    private var first = 0.0
    private var second = 0.0

    /// High-pass at 0.6 Hz: takes out posture.
    static let noPosture = Biquad(
        ahead: (0.9480807851292697, -1.8961615702585395, 0.9480807851292697),
        back: (-1.8934641463618267, 0.8988589941552521))
    /// Low-pass at 3.5 Hz: leaves the rhythm of steps.
    static let onlyRhythm = Biquad(
        ahead: (0.03657483584392802, 0.07314967168785604, 0.03657483584392802),
        back: (-1.3908952814253894, 0.5371946248011015))
    /// High-pass at 4 Hz: leaves the impacts.
    static let onlyImpacts = Biquad(
        ahead: (0.6997743165179748, -1.3995486330359497, 0.6997743165179748),
        back: (-1.3072850288493236, 0.4918122372225753))

    private init(ahead: (Double, Double, Double), back: (Double, Double)) {
        self.ahead = ahead
        self.back = back
    }

    /// The filter's answer to the next value (transposed direct form II).
    mutating func filter(_ value: Double) -> Double {
        let out = ahead.0 * value + first
        first = ahead.1 * value - back.0 * out + second
        second = ahead.2 * value - back.1 * out
        return out
    }
}

/// Two filters in a row that leave what steps can be: 0.6 to 3.5 Hz.
struct StepBand: Sendable {
    private var high = Biquad.noPosture
    private var low = Biquad.onlyRhythm

    mutating func filter(_ value: Double) -> Double { low.filter(high.filter(value)) }
}
