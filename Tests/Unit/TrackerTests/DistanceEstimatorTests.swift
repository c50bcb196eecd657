import Testing
import Tracker

@Suite("Measuring the way")
struct DistanceEstimatorTests {
    /// A way straight north at so many metres a second, a fix a second.
    static func north(metres: Int, speed: Double = 2, latitude: Double = 50, longitude: Double = 8) -> [Fix] {
        // A degree of the meridian at 50° is 111 229 m.
        (0...Int(Double(metres) / speed)).map {
            Fix(time: Double($0), latitude: latitude + Double($0) * speed / 111_229, longitude: longitude)
        }
    }

    static func metres(_ fixes: [Fix]) -> Double {
        var estimator = DistanceEstimator()
        for fix in fixes { estimator.push(fix) }
        estimator.finish()
        return estimator.metres
    }

    @Test("A kilometre is a kilometre")
    func kilometreKilometre() {
        #expect((Self.metres(Self.north(metres: 1000)) - 1000).magnitude <= 5)
    }

    @Test("A way along a parallel has its length on the ellipsoid")
    func wayAlongParallelHas() {
        // A degree of the parallel at 60° is 55 800 m.
        let fixes = (0...500).map { Fix(time: Double($0), latitude: 60, longitude: Double($0) * 2 / 55_800) }
        #expect((Self.metres(fixes) - 1000).magnitude <= 5)
    }

    @Test("The antimeridian is no way round the earth")
    func antimeridianWayRoundEarth() {
        let fixes = (0...500).map { step -> Fix in
            let longitude = 179.995 + Double(step) * 2 / 111_320
            return Fix(time: Double(step), latitude: 0, longitude: longitude > 180 ? longitude - 360 : longitude)
        }
        #expect((Self.metres(fixes) - 1000).magnitude <= 5)
    }

    @Test("Duplicates, swapped fixes, spikes and inaccurate fixes change nothing")
    func duplicatesSwappedFixesSpikes() {
        let fixes = Self.north(metres: 1000)
        let plain = Self.metres(fixes)
        var spoilt: [Fix] = []
        for (index, fix) in fixes.enumerated() {
            spoilt.append(fix)
            if index % 5 == 0 { spoilt.append(fix) }
            if index % 90 == 45 { spoilt.append(fixes[index - 1]) }
            if index % 100 == 50 {
                spoilt.append(Fix(time: fix.time + 0.4, latitude: fix.latitude + 0.003, longitude: fix.longitude))
                spoilt.append(
                    Fix(time: fix.time + 0.6, latitude: fix.latitude, longitude: fix.longitude + 0.01, accuracy: 60))
            }
        }
        #expect((Self.metres(spoilt) - plain).magnitude <= 0.01 * plain)
    }

    @Test("A jump that stays is not counted, what follows is")
    func jumpStaysCountedWhat() {
        let fixes = Self.north(metres: 400).map {
            Fix(time: $0.time, latitude: $0.latitude + ($0.time > 100 ? 0.05 : 0), longitude: $0.longitude)
        }
        #expect((Self.metres(fixes) - 400).magnitude <= 15)
    }

    @Test("A gap is bridged by the straight way")
    func gapBridgedStraightWay() {
        let fixes = Self.north(metres: 1000).filter { !(100..<160).contains($0.time) }
        #expect((Self.metres(fixes) - 1000).magnitude <= 10)
    }

    @Test("A pause is not counted")
    func pauseCounted() {
        var estimator = DistanceEstimator()
        for fix in Self.north(metres: 1000) {
            if fix.time == 200 { estimator.pause() }
            if !(200..<300).contains(fix.time) { estimator.push(fix) }
        }
        estimator.finish()
        #expect((estimator.metres - 800).magnitude <= 15)
    }

    @Test("Without fixes steps are the way")
    func withoutFixesStepsWay() {
        var estimator = DistanceEstimator(stride: 0.8)
        for step in 0..<500 { estimator.push(stepAt: Double(step) / 2) }
        #expect((estimator.metres - 400).magnitude < 1e-9)
        estimator.finish()
        #expect((estimator.metres - 400).magnitude < 1e-9)
    }

    @Test("The length of a stride is learned and serves where fixes fail")
    func lengthStrideLearnedServes() {
        var estimator = DistanceEstimator(stride: 0.5)
        // 1 m a step for 1000 m, then a tunnel in which 200 steps are made.
        for fix in Self.north(metres: 1000, speed: 2) {
            estimator.push(fix)
            estimator.push(stepAt: fix.time + 0.1)
            estimator.push(stepAt: fix.time + 0.6)
        }
        #expect((0.9...1.1).contains(estimator.stride))
        let before = estimator.metres
        for step in 0..<200 { estimator.push(stepAt: 502 + Double(step) / 2) }
        #expect((175...225).contains(estimator.metres - before), "\(estimator.metres - before)")
        let inTunnel = estimator.metres
        // Out again, 200 m on: the way is not counted twice, and never shrinks.
        estimator.push(Fix(time: 602, latitude: 50 + 1200 / 111_229, longitude: 8))
        #expect(estimator.metres >= inTunnel)
        #expect((estimator.metres - 1200).magnitude <= 30)
    }

    @Test("Nothing that a receiver can send stops the estimator or makes the way shrink")
    func nothingReceiverCanSend() {
        let numbers: [Double] = [
            .nan, .infinity, -.infinity, 0, 1, -1, 90, -90, 89.999999, 180, -180, 1e300, 20, 1e12, 1e-300, 50, 8,
        ]
        var dice = Dice(7)
        var estimator = DistanceEstimator(stride: .nan)
        var time = 0.0
        var last = 0.0
        for round in 0..<20_000 {
            func any() -> Double { numbers.randomElement(using: &dice) ?? 0 }
            time += Double.random(in: -1...3, using: &dice)
            estimator.push(
                Fix(
                    time: round % 3 == 0 ? any() : time, latitude: any(), longitude: any(),
                    accuracy: round % 2 == 0 ? nil : any()))
            estimator.push(stepAt: round % 5 == 0 ? any() : time)
            #expect(estimator.metres.isFinite)
            #expect(estimator.metres >= last)
            last = estimator.metres
        }
    }
}
