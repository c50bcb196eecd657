/// Which windows are walking, and so which peaks are steps.
///
/// A chain of windows in which walking may go on counts from its first certain window on, and a little back from there.
struct WalkChain: Sendable {
    private let rules: StepRules
    private(set) var candidates: [StepCandidate] = []
    private var waiting: [WalkingVerdict] = []
    private var isWalking = false
    /// The newest window that counted, and the last point of its steps.
    private var latest: WalkingVerdict?

    init(rules: StepRules) {
        self.rules = rules
        candidates.reserveCapacity(64)
        waiting.reserveCapacity(32)
    }

    mutating func removeAll() {
        candidates.removeAll(keepingCapacity: true)
        waiting.removeAll(keepingCapacity: true)
        isWalking = false
        latest = nil
    }

    mutating func append(_ candidate: StepCandidate) { candidates.append(candidate) }

    /// Takes the next window's verdict; the time of a step if the window counts.
    mutating func judge(_ verdict: WalkingVerdict?) -> Double? {
        guard let verdict else {
            isWalking = false
            waiting.removeAll(keepingCapacity: true)
            return nil
        }
        if isWalking {
            accept(verdict)
        } else if verdict.isCertain || verdict.isLikely && resumes(verdict) {
            begin(with: verdict)
        } else {
            waiting.append(verdict)
            if let first = waiting.first, first.end < verdict.end - rules.lookBack { waiting.removeFirst() }
            return nil
        }
        return verdict.lag
    }

    /// Takes out the oldest candidate if it is decided what it is.
    ///
    /// One that lies in a walk waits a moment for a window that tells its rhythm better; the others wait until no later
    /// window can take them in.
    ///
    /// - Parameters:
    ///   - next: the number of the last point of the next window.
    ///   - isAwaited: whether steps wait for it, too few to count or the last of them too soft.
    mutating func takeSettled(next: Double, isAwaited: Bool) -> StepCandidate? {
        guard let first = candidates.first else { return nil }
        if first.rhythm != nil {
            let patience = isAwaited ? rules.startPatience : rules.patience
            return first.point < next - patience ? candidates.removeFirst() : nil
        }
        let earliest = min(waiting.first?.end ?? next, next)
        guard first.point < earliest - rules.window + 1 + rules.margin else { return nil }
        if !isWalking, let latest {
            // The walk may go on, and then this lies in a bridged disturbance.
            let reach = latest.end - rules.margin
            let isOver = next - rules.window + rules.margin - rules.lookBack > reach + rules.longestBridge
            if first.point > reach, !isOver { return nil }
        }
        return candidates.removeFirst()
    }

    /// Whether a walk with this rhythm was there a moment ago.
    private func resumes(_ verdict: WalkingVerdict) -> Bool {
        guard let latest else { return false }
        return isBridgeable(from: latest, to: verdict, start: verdict.start(rules))
    }

    private func isBridgeable(from old: WalkingVerdict, to new: WalkingVerdict, start: Double) -> Bool {
        start - (old.end - rules.margin) <= rules.longestBridge
            && (new.lag - old.lag).magnitude <= rules.bridgedChange * old.lag
    }

    private mutating func begin(with verdict: WalkingVerdict) {
        let old = latest
        isWalking = true
        var start = verdict.start(rules)
        for earlier in waiting where earlier.end >= verdict.end - rules.lookBack {
            start = min(start, earlier.start(rules))
            accept(earlier)
        }
        waiting.removeAll(keepingCapacity: true)
        accept(verdict)
        if let old, isBridgeable(from: old, to: verdict, start: start) { bridge(from: old, to: verdict, start: start) }
    }

    private mutating func accept(_ verdict: WalkingVerdict) {
        latest = verdict
        for place in candidates.indices where verdict.contains(candidates[place].point, rules: rules) {
            candidates[place].accept(verdict)
        }
    }

    /// Takes the peaks of a disturbance for steps: nobody stops for a moment and goes on in the same rhythm.
    private mutating func bridge(from old: WalkingVerdict, to new: WalkingVerdict, start: Double) {
        var between = new
        between.lag = (old.lag + new.lag) / 2
        between.amplitude = min(old.amplitude, new.amplitude)
        between.match = 0
        for place in candidates.indices
        where candidates[place].rhythm == nil && candidates[place].point > old.end - rules.margin
            && candidates[place].point < start
        {
            candidates[place].rhythm = between
            candidates[place].isBridged = true
        }
    }
}
