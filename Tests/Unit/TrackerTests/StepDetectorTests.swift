import Testing
import Tracker

@Suite("Counting steps of made-up walks")
struct StepDetectorTests {
    @Test("A walk of 60 steps is 60 steps at any cadence", arguments: [1.0, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3, 4.0, 4.5])
    func walk60Steps60(cadence: Double) {
        let steps = count(walk(steps: 60, cadence: cadence))
        #expect((58...62).contains(steps), "\(steps)")
    }

    @Test("The rate of the sensor does not matter", arguments: [10.0, 15, 25, 50, 100])
    func rateSensorDoesMatter(rate: Double) {
        let steps = count(walk(steps: 60, rate: rate))
        #expect((58...62).contains(steps), "\(steps)")
    }

    @Test("Standing still is no step")
    func standingStillStep() {
        #expect(count(walk(steps: 0, still: 150)) == 0)
    }

    @Test("Three steps are not yet a walk")
    func threeStepsYetWalk() {
        #expect(count(walk(steps: 3)) == 0)
    }

    @Test("The position of the device does not matter")
    func positionDeviceDoesMatter() {
        // Quarter turns and a turn of 3-4-5 keep every number exact enough for equal counts.
        let upright = walk(steps: 60)
        let expected = count(upright)
        let turns: [(Motion) -> Motion] = [
            { Motion(time: $0.time, x: $0.z, y: $0.x, z: $0.y) },
            { Motion(time: $0.time, x: -$0.x, y: $0.y, z: -$0.z) },
            { Motion(time: $0.time, x: 0.6 * $0.x + 0.8 * $0.z, y: $0.y, z: 0.6 * $0.z - 0.8 * $0.x) },
        ]
        for turn in turns { #expect(count(upright.map(turn)) == expected) }
    }

    @Test("Steps are found without gravity")
    func stepsFoundWithoutGravity() {
        let steps = count(walk(steps: 60, gravity: 0))
        #expect((57...62).contains(steps), "\(steps)")
    }

    @Test("A third of the samples may be missing")
    func thirdSamplesMayBe() {
        var dice = Dice(3)
        let steps = count(walk(steps: 60, rate: 100).filter { _ in Double.random(in: 0..<1, using: &dice) > 0.3 })
        #expect((58...62).contains(steps), "\(steps)")
    }

    @Test("Samples out of order are as if they had not come")
    func samplesOutOrderIf() {
        let samples = walk(steps: 60)
        var shuffled: [Motion] = []
        for (index, sample) in samples.enumerated() {
            shuffled.append(sample)
            if index % 10 == 9 { shuffled.append(samples[index - 5]) }
            if index % 10 == 4 { shuffled.append(sample) }
        }
        #expect(count(shuffled) == count(samples))
    }

    @Test("A gap ends one walk and begins another")
    func gapEndsOneWalk() {
        let first = walk(steps: 40)
        let end = (first.last?.time ?? 0) + 65
        let second = walk(steps: 30).map { Motion(time: $0.time + end, x: $0.x, y: $0.y, z: $0.z) }
        #expect(count(first + second) == count(first) + count(second))
    }

    @Test("A clock that is put back begins anew")
    func clockPutBackBegins() {
        let first = walk(steps: 40)
        let second = walk(steps: 30).map { Motion(time: $0.time - 3600, x: $0.x, y: $0.y, z: $0.z) }
        #expect(count(first + second) == count(first) + count(second))
    }

    @Test("The first steps come within six seconds, and then one by one within three")
    func firstStepsComeWithin() {
        var detector = StepDetector()
        var first: Double?
        for sample in walk(steps: 60, rate: 100) {
            let count = detector.push(sample)
            guard count > 0 else { continue }
            #expect(detector.confirmed.count == count)
            if first == nil {
                first = sample.time
                #expect(sample.time - 4 <= 6)
                #expect(count <= 8)
            } else {
                #expect(count <= 2)
                for time in detector.confirmed { #expect(sample.time - time <= 3) }
            }
        }
        #expect(first != nil)
    }

    @Test("Steps softer than their neighbours come as soon as others", arguments: [1.5, 1.8, 2.2])
    func stepsSofterThanTheir(cadence: Double) {
        var detector = StepDetector()
        var isFirst = true
        for sample in walk(steps: 60, cadence: cadence, soft: 30..<33) where detector.push(sample) > 0 {
            // The first five come together.
            if !isFirst { for time in detector.confirmed { #expect(sample.time - time <= 2.4) } }
            isFirst = false
        }
        _ = detector.finish()
        #expect((58...62).contains(detector.total))
    }

    @Test("Times of steps rise and are those of the walk")
    func timesStepsRiseThose() {
        var detector = StepDetector()
        var times: [Double] = []
        for sample in walk(steps: 60) {
            _ = detector.push(sample)
            times += detector.confirmed
        }
        _ = detector.finish()
        times += detector.confirmed
        #expect(times == times.sorted())
        #expect(Int64(times.count) == detector.total)
        #expect((3.5...5.5).contains(times.first ?? 0))
        #expect((36...38.5).contains(times.last ?? 0))
    }
}
