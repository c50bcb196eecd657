/// Counts steps from an accelerometer: any phone, in any position and place, 15 to 100 Hz, with gaps.
///
/// A stream: samples go in one by one, steps come out when they are certain, 2.1 s after they were made; the first of a
/// walk come together once there are five. Memory does not grow, nothing is allocated once it has run for a while, and
/// only + - × ÷ and the square root are used, so that every platform gives the same steps, bit by bit.
///
/// Gravity included is what it wants (`accelerationIncludingGravity` of the web; on iOS gravity plus user acceleration). It
/// also works without, somewhat worse, and notices that by itself.
///
/// The method, in the order of the files: even grid (`SampleGrid`), motion along gravity (`VerticalMotion`), its rhythm by
/// autocorrelation (`Rhythm`), whether that is walking (`WalkingVerdict`), from when to when (`WalkChain`), and which
/// peaks are steps (`StepPicker`); each names its source. Accuracy is measured by `./dev bench tracker`.
public struct StepDetector: Sendable {
    /// How many points lie between two judgements: 0.24 s.
    private static let hop = 12

    private let rules: StepRules
    private var grid = SampleGrid()
    private var vertical = VerticalMotion()
    private var window: MotionWindow
    private var chain: WalkChain
    private var picker: StepPicker
    private var work: RhythmScratch
    private var point = -1.0
    private var untilLook = StepDetector.hop
    private var older = 0.0
    private var newer = 0.0
    private var sawHole = false
    private var points: [Double] = []

    /// All steps so far.
    public private(set) var total: Int64 = 0
    /// When the steps were made that the last call of `push` or `finish` confirmed, oldest first, in the samples' time.
    public private(set) var confirmed: [Double] = []

    /// A detector that has seen nothing.
    public init() { self.init(rules: StepRules()) }

    /// A detector with other limits, to measure what they are worth.
    package init(rules: StepRules) {
        self.rules = rules
        window = MotionWindow(rules: rules)
        chain = WalkChain(rules: rules)
        picker = StepPicker(rules: rules)
        work = RhythmScratch(rules: rules)
        points.reserveCapacity(16)
        confirmed.reserveCapacity(16)
    }

    /// Takes the next sample and says how many steps became certain by it.
    ///
    /// A sample that is not finite, impossible, or not later than the last is ignored. More than a second without one, or a
    /// clock that jumps back by more than that, ends the walk: its steps are decided, and everything begins anew.
    public mutating func push(_ sample: Motion) -> Int {
        confirmed.removeAll(keepingCapacity: true)
        switch grid.push(sample) {
        case .ignored: break
        case .anew:
            settle(next: .infinity)
            reset()
            grid.begin(with: sample)
            take(Vector(x: sample.x, y: sample.y, z: sample.z))
        case .accepted(let last):
            if sample.time - last.time > SampleGrid.hole { sawHole = true }
            while let next = grid.next(from: last, to: sample) { take(next) }
        }
        return confirmed.count
    }

    /// Decides what is pending, because no more samples will come, and begins anew.
    public mutating func finish() -> Int {
        confirmed.removeAll(keepingCapacity: true)
        settle(next: .infinity)
        reset()
        return confirmed.count
    }

    private mutating func take(_ sample: Vector) {
        let motion = vertical.next(sample)
        point += 1
        window.append(motion, sample)
        if newer > 0, newer >= older, newer > motion.signal {
            chain.append(StepCandidate(point: point - 1, height: newer, followsHole: sawHole))
            sawHole = false
        }
        older = newer
        newer = motion.signal
        untilLook -= 1
        guard untilLook == 0 else { return }
        untilLook = Self.hop
        if window.isFull { look() }
    }

    private mutating func look() {
        let verdict = WalkingVerdict(
            window, end: point, interval: grid.interval, isFree: vertical.isFree, rules: rules, work: &work)
        if let lag = chain.judge(verdict) { vertical.learn(lag: lag) }
        settle(next: point + Double(Self.hop))
    }

    private mutating func settle(next: Double) {
        while let candidate = chain.takeSettled(next: next, isAwaited: picker.isWaiting) {
            picker.take(candidate, canMiss: vertical.isFree, confirmed: &points)
        }
        for point in points { confirmed.append(grid.time(of: point)) }
        total += Int64(points.count)
        points.removeAll(keepingCapacity: true)
    }

    private mutating func reset() {
        grid = SampleGrid()
        vertical = VerticalMotion()
        window.removeAll()
        chain.removeAll()
        picker.removeAll()
        point = -1
        untilLook = Self.hop
        older = 0
        newer = 0
        sawHole = false
    }
}
