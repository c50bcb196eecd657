import Testing
import Tracker

/// Numbers that look random and are the same in every run.
struct Dice: RandomNumberGenerator {
    var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

/// A made-up walk: the body is lifted with each step, heels strike, and the hand that holds the phone trembles.
///
/// - Parameters:
///   - cadence: steps a second.
///   - still: seconds of standing before and after.
///   - soft: steps with a quarter of the height.
func walk(
    steps: Int, cadence: Double = 1.8, rate: Double = 50, still: Double = 4, height: Double = 0.25, gravity: Double = 1,
    soft: Range<Int> = 0..<0
) -> [Motion] {
    var dice = Dice(UInt64(steps) + 17)
    let end = still + Double(steps) / cadence
    var samples: [Motion] = []
    for index in 0..<Int((end + still) * rate) {
        let time = Double(index) / rate
        var lift = 0.0
        if time >= still, time < end {
            let phase = ((time - still) * cadence).truncatingRemainder(dividingBy: 1)
            let height = soft.contains(Int((time - still) * cadence)) ? height / 4 : height
            // A hump of half the step, the rest of it below, and a short strike.
            lift = height * (phase < 0.5 ? 16 * phase * (0.5 - phase) - 1.0 / 3 : -1.0 / 3)
            if phase < 0.08 { lift += height }
        }
        let tremble = { Double.random(in: -0.01...0.01, using: &dice) }
        samples.append(
            Motion(time: time, x: tremble(), y: tremble(), z: gravity + lift + tremble()))
    }
    return samples
}

/// How many steps a detector finds.
func count(_ samples: [Motion]) -> Int {
    var detector = StepDetector()
    for sample in samples { _ = detector.push(sample) }
    _ = detector.finish()
    return Int(detector.total)
}
