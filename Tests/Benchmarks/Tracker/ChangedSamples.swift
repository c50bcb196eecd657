import Tracker

func mapped(_ samples: [Motion], _ change: (Motion) -> Motion) -> [Motion] { samples.map(change) }

func eachAxis(_ sample: Motion, _ change: (Double) -> Double) -> Motion {
    Motion(time: sample.time, x: change(sample.x), y: change(sample.y), z: change(sample.z))
}

/// As a sensor with few bits tells it.
func inSteps(_ sample: Motion, _ size: Double) -> Motion { eachAxis(sample) { ($0 / size).rounded() * size } }

/// A share of the samples with a value or a time that is none.
func noNumbers(_ samples: [Motion], _ share: Double, _ dice: Dice) -> [Motion] {
    var dice = dice
    return samples.map { sample in
        let none = Double.random(in: 0..<1, using: &dice) < 0.5 ? Double.nan : .infinity
        switch Double.random(in: 0..<1, using: &dice) / share {
        case ..<0.5: return Motion(time: sample.time, x: sample.x, y: none, z: sample.z)
        case ..<1: return Motion(time: none, x: sample.x, y: sample.y, z: sample.z)
        default: return sample
        }
    }
}

/// After a share of the samples that of 50 ms ago once more.
func repeated(_ samples: [Motion], _ share: Double, _ dice: Dice) -> [Motion] {
    var dice = dice
    return samples.indices.flatMap { place -> [Motion] in
        let isRepeated = place >= 5 && Double.random(in: 0..<1, using: &dice) < share
        return isRepeated ? [samples[place], samples[place - 5]] : [samples[place]]
    }
}

func stretched(_ samples: [Motion], _ factor: Double) -> [Motion] {
    mapped(samples) { Motion(time: $0.time * factor, x: $0.x, y: $0.y, z: $0.z) }
}

/// The nearest sample at each tick of a slower clock: no filter against aliases, as with a slow sensor.
func thinned(_ samples: [Motion], to rate: Double) -> [Motion] {
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

func jittered(_ samples: [Motion], _ seconds: Double, _ dice: Dice) -> [Motion] {
    var dice = dice
    return samples.map { Motion(time: $0.time + seconds * dice.normal(), x: $0.x, y: $0.y, z: $0.z) }
}

func missing(_ samples: [Motion], _ share: Double, _ dice: Dice) -> [Motion] {
    var dice = dice
    return samples.filter { _ in Double.random(in: 0..<1, using: &dice) >= share }
}

func rotated(_ samples: [Motion], _ dice: Dice) -> [Motion] {
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
func withoutGravity(_ samples: [Motion], _ seconds: Double) -> [Motion] {
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
