/// How a window of the motion along gravity repeats itself.
///
/// A walk is alike to itself one step later, and more so two steps later, when the same foot is on the ground. Source:
/// R. Moe-Nilssen and J. Helbostad, "Estimation of gait cycle characteristics by trunk accelerometry", Journal of
/// Biomechanics 37 (2004); windows of a few seconds after A. Rai et al., "Zee", MobiCom 2012.
struct Rhythm: Sendable {
    /// The time of one step in points of the grid, between two points where the score's peak lies so.
    private(set) var lag: Double
    /// How alike the signal is to itself one step later, -1 to 1.
    let stepMatch: Double
    /// How alike it is two steps later.
    let strideMatch: Double

    /// Both together: whether there is a rhythm at all.
    var match: Double { stepMatch + strideMatch }

    /// Looks for the rhythm of a signal, `nil` where there is none.
    ///
    /// Of several rhythms that fit nearly as well the fastest is taken: everything that repeats after one step also
    /// repeats after two, but nothing that repeats only after two steps is alike after one.
    init?(_ signal: SlidingBuffer, rules: StepRules, work: inout RhythmScratch) {
        let first = Int(rules.shortestLag)
        let last = Int(rules.longestLag)
        work.correlate(signal, from: first - 1, through: 2 * last + 1)
        work.score(from: first, through: last)

        var best = 0.0
        for lag in first...last where work.isPeak(lag) { best = max(best, work.scores[lag]) }
        guard best > 0,
            let chosen = (first...last).first(where: { work.isPeak($0) && work.scores[$0] >= rules.octave * best })
        else { return nil }
        stepMatch = work.correlation[chosen]
        strideMatch = work.strideMatch(chosen)

        lag = Double(chosen)
        let before = work.scores[chosen - 1]
        let after = work.scores[chosen + 1]
        let curve = before - 2 * work.scores[chosen] + after
        // A parabola through the three points; at the ends of the range there is no third.
        if chosen > first, chosen < last, curve < -1e-12 {
            lag += max(-0.5, min(0.5, 0.5 * (before - after) / curve))
        }
    }
}

/// The memory in which rhythms are looked for, kept so that nothing is allocated.
struct RhythmScratch: Sendable {
    private(set) var correlation: [Double]
    private(set) var scores: [Double]

    init(rules: StepRules) {
        correlation = [Double](repeating: 0, count: 2 * Int(rules.longestLag) + 2)
        scores = [Double](repeating: 0, count: Int(rules.longestLag) + 2)
    }

    /// The autocorrelation, each part divided by its own energy so that a growing signal is not punished.
    mutating func correlate(_ signal: SlidingBuffer, from first: Int, through last: Int) {
        let count = signal.length
        var head = signal.spread(about: 0) * Double(count)
        var tail = head
        for lag in 1...last {
            head -= signal[count - lag] * signal[count - lag]
            tail -= signal[lag - 1] * signal[lag - 1]
            guard lag >= first else { continue }
            var sum = 0.0
            for place in lag..<count { sum += signal[place] * signal[place - lag] }
            let energy = head * tail
            correlation[lag] = energy > 1e-18 ? sum / energy.squareRoot() : 0
        }
    }

    /// Adds the likeness after one and two steps, and takes off for steps slower than 1.7 a second, which are rare.
    ///
    /// The ends of the range have no neighbours and count as lower.
    mutating func score(from first: Int, through last: Int) {
        scores[first - 1] = -10
        scores[last + 1] = -10
        for lag in first...last {
            // The quotient is half the logarithm of lag / 30, nearly.
            let slowness = max(0, Double(lag) - 30) / (Double(lag) + 30)
            scores[lag] = correlation[lag] + strideMatch(lag) - 8 * slowness * slowness
        }
    }

    func strideMatch(_ lag: Int) -> Double {
        max(correlation[2 * lag - 1], correlation[2 * lag], correlation[2 * lag + 1])
    }

    func isPeak(_ lag: Int) -> Bool { scores[lag] >= scores[lag - 1] && scores[lag] >= scores[lag + 1] }
}
