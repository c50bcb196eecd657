/// Makes steps of the peaks: high enough, far enough apart, and enough of them in a row.
///
/// Source: peaks in a window with least height and distance after D. Salvi et al., "An optimised algorithm for accurate
/// steps counting from smart-phone accelerometry", EMBC 2018; runs as most pedometers have them.
struct StepPicker: Sendable {
    private let rules: StepRules
    private var last: (point: Double, height: Double)?
    private var runLength = 0
    private var holeSince = false
    /// Steps of a run that is still too short to count.
    private var waiting: [Double] = []

    init(rules: StepRules) {
        self.rules = rules
        waiting.reserveCapacity(16)
    }

    mutating func removeAll() {
        last = nil
        runLength = 0
        holeSince = false
        waiting.removeAll(keepingCapacity: true)
    }

    /// Whether steps wait for the next one: the run is too short to count, or ends with a soft peak.
    var isWaiting: Bool { runLength < Int(rules.run) || !waiting.isEmpty }

    /// Takes the next candidate and appends the points that count from now on.
    ///
    /// - Parameter canMiss: whether a step may have been lost because the direction of gravity is not known.
    mutating func take(_ candidate: StepCandidate, canMiss: Bool, confirmed: inout [Double]) {
        holeSince = holeSince || candidate.followsHole
        guard let rhythm = candidate.rhythm, candidate.height >= rules.height * rhythm.amplitude else { return }
        if let last {
            let gap = candidate.point - last.point
            if gap < (candidate.isBridged ? rules.bridgedSpacing : rules.spacing) * rhythm.lag {
                if candidate.height > last.height { replaceLast(with: candidate) }
                return
            }
            if gap > rules.pause * rhythm.lag {
                runLength = 0
                waiting.removeAll(keepingCapacity: true)
            } else if canMiss || holeSince, gap > rules.missing * rhythm.lag {
                // One foot's step is too soft to be seen, or no sample tells of it; nobody goes on one foot.
                count(last.point + gap / 2)
            }
        }
        let isFirm = candidate.height >= rules.firmHeight * rhythm.amplitude
        guard isFirm || runLength > 0 else { return }
        last = (candidate.point, candidate.height)
        holeSince = false
        count(candidate.point)
        if runLength == Int(rules.run), isFirm {
            confirmed.append(contentsOf: waiting)
            waiting.removeAll(keepingCapacity: true)
        }
    }

    private mutating func count(_ point: Double) {
        waiting.append(point)
        runLength = min(runLength + 1, Int(rules.run))
    }

    /// Two peaks too near to each other are one step, at the higher.
    private mutating func replaceLast(with candidate: StepCandidate) {
        last = (candidate.point, candidate.height)
        if let place = waiting.indices.last { waiting[place] = candidate.point }
    }
}
