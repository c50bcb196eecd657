/// What one window says about walking.
struct WalkingVerdict: Sendable {
    /// The number of the window's last point.
    var end: Double
    /// The time of one step.
    var lag: Double
    /// The root mean square of the motion in g.
    var amplitude: Double
    /// How good the rhythm is.
    var match: Double
    /// Whether walking may begin here.
    var isCertain: Bool
    /// Whether it may go on here after a disturbance.
    var isLikely: Bool

    /// Judges a window; nil if nobody walks in it.
    ///
    /// Strict to begin and lenient to go on: a walk through a turn looks worse than the walk before and after it. The
    /// evidence is a sum, so that a soft step in a steady hand and a hard one in a swinging pocket both suffice.
    init?(
        _ window: MotionWindow, end: Double, interval: Double, isFree: Bool, rules: StepRules,
        work: inout RhythmScratch
    ) {
        let amplitude = window.amplitude
        guard amplitude >= rules.leastMotion,
            let rhythm = Rhythm(window.signal, rules: rules, work: &work), rhythm.match >= rules.leastMatch
        else { return nil }
        let swing = window.swing / amplitude
        guard swing <= rules.mostSwing else { return nil }

        // Lines between samples far apart dull what is sharp: by 1 / (1 + (π f d)² / 3) for a tone of f Hz; f is 5.
        let sharpness = window.sharpness(amplitude: amplitude) * (1 + 82 * interval * interval)
        // Without gravity there is nothing to compare with; the value is that of a usual walk.
        let coherence = isFree ? 0.97 : window.coherence
        // The quotient runs from -1 to 1 and is half the logarithm's height where it matters.
        let evidence =
            rules.likeness * rhythm.stepMatch + rules.share * window.share(amplitude: amplitude)
            + rules.sharpness * (sharpness - rules.usualSharpness) / (sharpness + rules.usualSharpness)
            + rules.coherence * coherence

        self.end = end
        self.amplitude = amplitude
        lag = rhythm.lag
        match = rhythm.match
        isLikely =
            evidence >= rules.startEvidence && rhythm.match >= rules.startMatch
            && sharpness <= rules.mostSharpness
        // A device that turns much can be an arm's: then the rest has to be clearer.
        isCertain = isLikely && evidence >= rules.startEvidence + rules.swingCost * (swing - rules.startSwing)
    }

    /// Whether a point lies far enough inside the window to be one of its steps.
    func contains(_ point: Double, rules: StepRules) -> Bool {
        point >= start(rules) && point <= end - rules.margin
    }

    /// The first point that may be one of the window's steps.
    func start(_ rules: StepRules) -> Double { end - rules.window + 1 + rules.margin }
}
