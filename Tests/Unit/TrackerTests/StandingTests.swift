import Testing
import Tracker

@Suite("Standing in noise")
struct StandingTests {
    /// Metres that somebody seems to go who stands for ten minutes, from the least of many noises to the most.
    ///
    /// - Parameter keep: how much of an error is left a second later.
    static func standing(noise: Double, keep: Double, noises: UInt64 = 200) -> [Double] {
        (1...noises).map { seed in
            var dice = Dice(seed)
            // Nearly normal.
            func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &dice) } }
            let fresh = noise * (1 - keep * keep).squareRoot()
            var (east, north) = (noise * normal(), noise * normal())
            return DistanceEstimatorTests.metres(
                (0..<600).map { second in
                    (east, north) = (keep * east + fresh * normal(), keep * north + fresh * normal())
                    // A degree at 59° north is 111 400 and 57 500 m.
                    return Fix(
                        time: Double(second), latitude: 59 + north / 111_400, longitude: 5.7 + east / 57_500)
                })
        }.sorted()
    }

    @Test("Somebody who stands ten minutes in 200 white noises of 4 m goes no more than 11 m in 19 of 20")
    func standingInWhiteNoise() {
        let metres = Self.standing(noise: 4, keep: 0)
        #expect(metres[189] <= 11, "\(metres[189])")
        #expect(metres.reduce(0, +) / 200 <= 2)
        #expect(metres[199] <= 45, "\(metres[199])")
    }

    @Test("Somebody who stands ten minutes in 200 noises of 4 m that last 30 s goes no more than 45 m in 19 of 20")
    func standingInLastingNoise() {
        // exp(-1/30)
        let metres = Self.standing(noise: 4, keep: 0.967_216)
        #expect(metres[189] <= 45, "\(metres[189])")
        #expect(metres.reduce(0, +) / 200 <= 20)
        #expect(metres[199] <= 110, "\(metres[199])")
    }
}
