/// Steps as a measure of distance: for the time without fixes, and how long one is.
struct StrideLength: Sendable {
    /// Lengths that people's steps have, in metres.
    private static let range = 0.3...2.2
    /// The way and the steps from which a length is learned.
    private static let lesson = 100.0

    /// The length of one step.
    private(set) var metres: Double
    private var sinceFix = 0.0
    private var isSilent = false
    private var lessonSteps = 0.0
    private var lessonMetres = 0.0

    init(metres: Double) {
        // Not a number fails the comparison too.
        self.metres = Self.range.contains(metres) ? metres : 0.74
    }

    /// The way of the steps since the fixes ceased; 0 while they come.
    var pendingMetres: Double { isSilent ? sinceFix * metres : 0 }

    mutating func push(at time: Double, lastFix: Double?, silence: Double) {
        guard let lastFix else {
            isSilent = true
            sinceFix += 1
            return
        }
        lessonSteps += 1
        guard time > lastFix else { return }
        sinceFix += 1
        if time - lastFix > silence { isSilent = true }
    }

    /// A fix came: the way of the steps before it.
    mutating func take() -> Double {
        let way = pendingMetres
        if isSilent {
            lessonSteps = 0
            lessonMetres = 0
        }
        sinceFix = 0
        isSilent = false
        return way
    }

    /// Learns from a leg between fixes.
    mutating func learn(leg: Double) {
        lessonMetres += leg
        guard lessonMetres >= Self.lesson, lessonSteps >= Self.lesson else {
            // A ride: far more way than steps.
            if lessonMetres > 10 * Self.lesson { restart() }
            return
        }
        let length = lessonMetres / lessonSteps
        if Self.range.contains(length) { metres += 0.5 * (length - metres) }
        restart()
    }

    private mutating func restart() {
        lessonSteps = 0
        lessonMetres = 0
    }
}
