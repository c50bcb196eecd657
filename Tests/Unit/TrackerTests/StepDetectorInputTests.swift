import Testing
import Tracker

@Suite("Whatever a sensor sends")
struct StepDetectorInputTests {
    @Test("Nothing that a sensor can send stops the detector")
    func nothingSensorCanSend() {
        let numbers: [Double] = [
            .nan, .infinity, -.infinity, 0, -0.0, 1, -1, .leastNonzeroMagnitude, 1e300, -1e300,
            .greatestFiniteMagnitude, 99, 1e12, 5,
        ]
        var dice = Dice(5)
        var detector = StepDetector()
        for _ in 0..<20_000 {
            func any() -> Double { numbers.randomElement(using: &dice) ?? 0 }
            #expect(detector.push(Motion(time: any(), x: any(), y: any(), z: any())) >= 0)
        }
        // And it still works.
        var steps = detector.finish()
        for sample in walk(steps: 60) { steps += detector.push(sample) }
        steps += detector.finish()
        #expect(steps >= 58)
    }

    @Test("Impossible samples amid a walk change nothing")
    func impossibleSamplesAmidWalk() {
        let samples = walk(steps: 60)
        var spoilt: [Motion] = []
        for (index, sample) in samples.enumerated() {
            spoilt.append(sample)
            if index % 7 == 0 { spoilt.append(Motion(time: .nan, x: 0, y: 0, z: 1)) }
            if index % 7 == 3 { spoilt.append(Motion(time: sample.time + 0.001, x: .infinity, y: 0, z: 1)) }
            if index % 7 == 5 { spoilt.append(Motion(time: sample.time + 0.001, x: 1e200, y: 0, z: 1)) }
        }
        #expect(count(spoilt) == count(samples))
    }

    @Test("Strong shaking without a rhythm is no walk")
    func strongShakingWithoutRhythm() {
        var dice = Dice(11)
        let noise = (0..<6000).map { index in
            Motion(
                time: Double(index) / 100, x: .random(in: -2...2, using: &dice), y: .random(in: -2...2, using: &dice),
                z: 1 + .random(in: -2...2, using: &dice))
        }
        #expect(count(noise) <= 10)
    }

    @Test("Times as large as seconds since 1970 give the same steps")
    func timesLargeSecondsSince() {
        let samples = walk(steps: 60)
        let late = samples.map { Motion(time: $0.time + 1_764_460_800, x: $0.x, y: $0.y, z: $0.z) }
        #expect(abs(count(late) - count(samples)) <= 1)
    }

    @Test("The same samples give the same bits")
    func sameSamplesGiveSame() {
        var (one, other) = (StepDetector(), StepDetector())
        for sample in walk(steps: 60) {
            #expect(one.push(sample) == other.push(sample))
            #expect(one.confirmed.map(\.bitPattern) == other.confirmed.map(\.bitPattern))
        }
        #expect(one.total > 50)
    }
}
