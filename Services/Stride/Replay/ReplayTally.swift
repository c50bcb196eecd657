import Foundation

/// What has become of everything so far; all persons report here.
actor ReplayTally {
    /// The numbers.
    struct Totals: Equatable, Sendable {
        var created = 0
        var duplicates = 0
        var refused: [PersonUpload.Refusal] = []
        var settled: Int { created + duplicates + refused.count }
    }

    private(set) var totals = Totals()
    private let count: Int
    private let clock = ContinuousClock()
    private var lastProgress: ContinuousClock.Instant

    /// - Parameter count: how many workouts there are.
    init(count: Int) {
        self.count = count
        lastProgress = clock.now
    }

    /// Adds a step; tells how long nothing has moved, for anybody.
    func add(_ step: PersonUpload.Step, note: String = "") -> Duration {
        if step.settled > 0 { lastProgress = clock.now }
        totals.created += step.created
        totals.duplicates += step.duplicates
        totals.refused += step.refused
        let numbers = "\(totals.created) created, \(totals.duplicates) duplicates"
        Terminal.progress(totals.settled, of: count, note.isEmpty ? numbers : "\(numbers); \(note)")
        return lastProgress.duration(to: clock.now)
    }
}
