/// A peak of the motion that may be a step.
struct StepCandidate: Sendable {
    /// The number of its point.
    var point: Double
    /// Its height in g.
    var height: Double
    /// Whether samples were missing shortly before.
    var followsHole: Bool
    /// The best rhythm of the windows that have it for a step; nil if there is none.
    var rhythm: WalkingVerdict?
    /// Whether it lies in a disturbance between two windows of the same walk.
    var isBridged = false

    /// Takes a window's rhythm unless a better one is there.
    mutating func accept(_ verdict: WalkingVerdict) {
        if let rhythm, rhythm.match >= verdict.match { return }
        rhythm = verdict
        isBridged = false
    }
}
