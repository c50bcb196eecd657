import Glibc
import Tracker

/// Random numbers that are the same in every run.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: Int) {
        state = 0x9e37_79b9_7f4a_7c15 &+ UInt64(truncatingIfNeeded: seed) &* 0xbf58_476d_1ce4_e5b9
        for _ in 0..<8 { _ = next() }
    }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    /// A number of the normal distribution.
    mutating func normal() -> Double {
        let (radius, turn) = (Double.random(in: 1e-12..<1, using: &self), Double.random(in: 0..<1, using: &self))
        return (-2 * log(radius)).squareRoot() * cos(2 * .pi * turn)
    }
}

/// A way to change a recording that should change nothing about its steps.
struct Change: Sendable {
    let name: String
    let apply: @Sendable ([Motion], Int) -> [Motion]

    static let all: [Change] = [
        Change(name: "15 Hz") { samples, _ in thinned(samples, to: 15) },
        Change(name: "20 Hz") { samples, _ in thinned(samples, to: 20) },
        Change(name: "25 Hz") { samples, _ in thinned(samples, to: 25) },
        Change(name: "50 Hz") { samples, _ in thinned(samples, to: 50) },
        Change(name: "times off by 5 ms") { jittered($0, 0.005, Dice($1)) },
        Change(name: "times off by 10 ms") { jittered($0, 0.010, Dice($1)) },
        Change(name: "10 % missing") { missing($0, 0.1, Dice($1)) },
        Change(name: "30 % missing") { missing($0, 0.3, Dice($1)) },
        Change(name: "0.4 s missing in 20 s") { samples, _ in
            samples.filter { $0.time < 1 || $0.time.truncatingRemainder(dividingBy: 20) >= 0.4 }
        },
        Change(name: "axes rotated") { rotated($0, Dice($1)) },
        Change(name: "5 % more, 0.03 g off") { samples, _ in
            mapped(samples) { Motion(time: $0.time, x: $0.x * 1.05 + 0.03, y: $0.y * 1.05 - 0.03, z: $0.z * 1.05) }
        },
        Change(name: "steps of 16 mg") { samples, _ in
            mapped(samples) {
                Motion(
                    time: $0.time, x: ($0.x / 0.016).rounded() * 0.016, y: ($0.y / 0.016).rounded() * 0.016,
                    z: ($0.z / 0.016).rounded() * 0.016)
            }
        },
        Change(name: "no gravity, 1 s filter") { samples, _ in withoutGravity(samples, 1) },
        Change(name: "no gravity, 4 s filter") { samples, _ in withoutGravity(samples, 4) },
        Change(name: "time x 0.8") { samples, _ in stretched(samples, 0.8) },
        Change(name: "time x 1.2") { samples, _ in stretched(samples, 1.2) },
        Change(name: "time x 1.35") { samples, _ in stretched(samples, 1.35) },
    ]
}

private func mapped(_ samples: [Motion], _ change: (Motion) -> Motion) -> [Motion] { samples.map(change) }

private func stretched(_ samples: [Motion], _ factor: Double) -> [Motion] {
    mapped(samples) { Motion(time: $0.time * factor, x: $0.x, y: $0.y, z: $0.z) }
}

/// The nearest sample at each tick of a slower clock: no filter against aliases, as with a slow sensor.
private func thinned(_ samples: [Motion], to rate: Double) -> [Motion] {
    guard var time = samples.first?.time, let end = samples.last?.time else { return [] }
    var result: [Motion] = []
    var place = 0
    while time <= end {
        while place + 1 < samples.count, abs(samples[place + 1].time - time) <= abs(samples[place].time - time) {
            place += 1
        }
        let nearest = samples[place]
        result.append(Motion(time: time, x: nearest.x, y: nearest.y, z: nearest.z))
        time += 1 / rate
    }
    return result
}

private func jittered(_ samples: [Motion], _ seconds: Double, _ dice: Dice) -> [Motion] {
    var dice = dice
    return samples.map { Motion(time: $0.time + seconds * dice.normal(), x: $0.x, y: $0.y, z: $0.z) }
}

private func missing(_ samples: [Motion], _ share: Double, _ dice: Dice) -> [Motion] {
    var dice = dice
    return samples.filter { _ in Double.random(in: 0..<1, using: &dice) >= share }
}

private func rotated(_ samples: [Motion], _ dice: Dice) -> [Motion] {
    var dice = dice
    var (w, x, y, z) = (dice.normal(), dice.normal(), dice.normal(), dice.normal())
    let length = (w * w + x * x + y * y + z * z).squareRoot()
    (w, x, y, z) = (w / length, x / length, y / length, z / length)
    return samples.map {
        let (a, b, c) = ($0.x, $0.y, $0.z)
        return Motion(
            time: $0.time, x: (1 - 2 * (y * y + z * z)) * a + 2 * (x * y - w * z) * b + 2 * (x * z + w * y) * c,
            y: 2 * (x * y + w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z - w * x) * c,
            z: 2 * (x * z - w * y) * a + 2 * (y * z + w * x) * b + (1 - 2 * (x * x + y * y)) * c)
    }
}

/// Linear acceleration as phones make it: less a slow mean.
private func withoutGravity(_ samples: [Motion], _ seconds: Double) -> [Motion] {
    let start = samples.prefix(200)
    var (x, y, z) = (mean(start.map(\.x)), mean(start.map(\.y)), mean(start.map(\.z)))
    var last = samples.first?.time ?? 0
    return samples.map {
        let share = min(1, ($0.time - last) / seconds)
        last = $0.time
        (x, y, z) = (x + share * ($0.x - x), y + share * ($0.y - y), z + share * ($0.z - z))
        return Motion(time: $0.time, x: $0.x - x, y: $0.y - y, z: $0.z - z)
    }
}
