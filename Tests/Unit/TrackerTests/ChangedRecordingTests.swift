import Testing
import Tracker

/// What sensors do to a walk without changing its steps.
enum SensorChange: String, CaseIterable, Sendable {
    case slow15, slow35, jitter, missing, rotated, less, more, apart, offUp, offDown, bits, coarse, clipped
    case noNumbers, late, held, clockBack, withoutGravity

    func apply(_ samples: [Motion]) -> [Motion] {
        var dice = Dice(29)
        func chance() -> Double { .random(in: 0..<1, using: &dice) }
        func axes(_ change: (Double) -> Double) -> [Motion] {
            samples.map { Motion(time: $0.time, x: change($0.x), y: change($0.y), z: change($0.z)) }
        }
        func rate(_ rate: Double) -> [Motion] {
            var next = samples[0].time
            return samples.filter { sample in
                guard sample.time >= next else { return false }
                next += 1 / rate
                return true
            }
        }
        switch self {
        case .slow15: return rate(15)
        case .slow35: return rate(35)
        case .jitter: return samples.map { Motion(time: $0.time + 0.02 * (chance() - 0.5), x: $0.x, y: $0.y, z: $0.z) }
        case .missing: return samples.filter { _ in chance() >= 0.3 }
        case .rotated:
            // By 2/3, 1/3, 2/3: a turn whose numbers are exact enough.
            return samples.map {
                Motion(
                    time: $0.time, x: (2 * $0.x - $0.y + 2 * $0.z) / 3, y: (2 * $0.x + 2 * $0.y - $0.z) / 3,
                    z: (-$0.x + 2 * $0.y + 2 * $0.z) / 3)
            }
        case .less: return axes { $0 * 0.9 }
        case .more: return axes { $0 * 1.1 }
        case .apart: return samples.map { Motion(time: $0.time, x: $0.x * 1.1, y: $0.y * 0.9, z: $0.z) }
        case .offUp: return axes { $0 + 0.05 }
        case .offDown: return axes { $0 - 0.05 }
        case .bits: return axes { ($0 * 64).rounded() / 64 }
        case .coarse: return axes { ($0 * 32).rounded() / 32 }
        case .clipped: return axes { max(-2, min(2, $0)) }
        case .noNumbers:
            return samples.map { sample in
                let part = chance()
                if part < 0.05 { return Motion(time: sample.time, x: sample.x, y: .nan, z: sample.z) }
                if part < 0.1 { return Motion(time: sample.time, x: sample.x, y: sample.y, z: -.infinity) }
                return part < 0.15 ? Motion(time: .nan, x: sample.x, y: sample.y, z: sample.z) : sample
            }
        case .late:
            return samples.indices.flatMap { place -> [Motion] in
                place >= 5 && chance() < 0.1 ? [samples[place], samples[place - 5]] : [samples[place]]
            }
        case .held:
            return samples.indices.map { place in
                var sample = samples[place - place % 2]
                sample.time = samples[place].time
                return sample
            }
        case .clockBack:
            let middle = samples[samples.count / 2].time
            return samples.map {
                Motion(time: $0.time - ($0.time > middle ? 3600 : 0), x: $0.x, y: $0.y, z: $0.z)
            }
        case .withoutGravity:
            var (x, y, z) = (samples[0].x, samples[0].y, samples[0].z)
            return samples.map {
                (x, y, z) = (x + 0.01 * ($0.x - x), y + 0.01 * ($0.y - y), z + 0.01 * ($0.z - z))
                return Motion(time: $0.time, x: $0.x - x, y: $0.y - y, z: $0.z - z)
            }
        }
    }
}

@Suite("Recordings as worse sensors would make them")
struct ChangedRecordingTests {
    @Test("Walks have the same steps", arguments: SensorChange.allCases)
    func walksHaveSameSteps(change: SensorChange) throws {
        // In percent; edges between values told twice are as sharp as heels, and without gravity its direction is guessed.
        let allowed = [.held, .withoutGravity].contains(change) ? 6 : 3
        for (name, truth) in [
            ("oxford_phone/Pixel_Jamie_Carpet_InHand_4", 243),
            ("oxford_phone/val_user1_frontpocket_1506422223341", 327),
        ] {
            let steps = count(change.apply(try RecordedWalkTests.samples(name)))
            #expect(abs(steps - truth) * 100 <= allowed * truth, "\(name): \(steps)")
        }
    }

    @Test("What is no walk has next to no steps", arguments: SensorChange.allCases)
    func whatWalkHasNext(change: SensorChange) throws {
        // A minute of exercise has up to 90 peaks. Turning shows only while gravity has one length.
        let allowed = [.apart, .withoutGravity].contains(change) ? 30 : 10
        for name in [
            "node_pedometer/DataNotWalking2", "watch_exercise/s01_ROW_L", "watch_exercise/s03_TRAP_L",
            "watch_exercise/s03_ER_L",
        ] {
            let steps = count(change.apply(try RecordedWalkTests.samples(name)))
            #expect(steps <= allowed, "\(name): \(steps)")
        }
    }
}
