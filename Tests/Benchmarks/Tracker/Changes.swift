import Tracker

/// A way to change a recording that should change nothing about its steps.
struct Change: Sendable {
    let name: String
    let apply: @Sendable ([Motion], Int) -> [Motion]

    static let all: [Change] = [
        Change(name: "10 Hz") { samples, _ in thinned(samples, to: 10) },
        Change(name: "15 Hz") { samples, _ in thinned(samples, to: 15) },
        Change(name: "20 Hz") { samples, _ in thinned(samples, to: 20) },
        Change(name: "25 Hz") { samples, _ in thinned(samples, to: 25) },
        Change(name: "35 Hz") { samples, _ in thinned(samples, to: 35) },
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
        Change(name: "10 % less") { samples, _ in mapped(samples) { eachAxis($0) { $0 * 0.9 } } },
        Change(name: "10 % more") { samples, _ in mapped(samples) { eachAxis($0) { $0 * 1.1 } } },
        Change(name: "axes 10 % apart") { samples, _ in
            mapped(samples) { Motion(time: $0.time, x: $0.x * 1.1, y: $0.y * 0.9, z: $0.z) }
        },
        // Every other recording the other way, so that gravity gets longer and shorter.
        Change(name: "0.05 g off") { samples, number in
            mapped(samples) { eachAxis($0) { $0 + (number % 2 == 0 ? 0.05 : -0.05) } }
        },
        Change(name: "steps of 16 mg") { samples, _ in mapped(samples) { inSteps($0, 0.016) } },
        Change(name: "8 bits for 4 g") { samples, _ in mapped(samples) { inSteps($0, 1.0 / 32) } },
        Change(name: "8 bits for 8 g") { samples, _ in mapped(samples) { inSteps($0, 1.0 / 16) } },
        Change(name: "no more than 2 g") { samples, _ in mapped(samples) { eachAxis($0) { max(-2, min(2, $0)) } } },
        Change(name: "a tenth no numbers") { noNumbers($0, 0.1, Dice($1)) },
        Change(name: "a tenth again, late") { repeated($0, 0.1, Dice($1)) },
        Change(name: "clock back an hour") { samples, _ in
            let middle = samples[samples.count / 2].time
            return mapped(samples) {
                Motion(time: $0.time - ($0.time > middle ? 3600 : 0), x: $0.x, y: $0.y, z: $0.z)
            }
        },
        Change(name: "no gravity, 1 s filter") { samples, _ in withoutGravity(samples, 1) },
        Change(name: "no gravity, 4 s filter") { samples, _ in withoutGravity(samples, 4) },
        Change(name: "time x 0.8") { samples, _ in stretched(samples, 0.8) },
        Change(name: "time x 1.2") { samples, _ in stretched(samples, 1.2) },
        Change(name: "time x 1.35") { samples, _ in stretched(samples, 1.35) },
    ]
}
