import StrideTestSupport

/// What a seeded person does on one device: walks, walks that are still under way, late ones, deletions.
///
/// A pure value: the same seed gives the same errands, whatever becomes of them.
struct Diary: Sendable {
    /// One thing that has to reach the server.
    enum Errand: Sendable {
        /// A version of a workout.
        case post(request: String, WorkoutVersion)
        /// A deletion.
        case delete(request: String, id: Int)
    }

    /// Midday of the day on which the services believe to live, in minutes of the recount.
    static let now = 21 * 1440 + 720
    /// In minutes; the exact fractions of the recount need a small common multiple.
    private static let lengths = [1, 6, 30, 60, 240, 720, 1500]
    private let device: String?
    private let userSeed: UInt64
    private var count = 0
    private var generator: SeededGenerator
    /// Of its own, because how often a phone decides depends on the answers, and what the person does must not.
    private var choices: SeededGenerator
    /// Workouts that are still under way.
    private var open: [(request: String, version: WorkoutVersion)] = []

    init(device: String?, seed: UInt64, userSeed: UInt64) {
        self.device = device
        self.userSeed = userSeed
        generator = SeededGenerator(seed: seed)
        choices = SeededGenerator(seed: ~seed)
    }

    /// What happens next: a new workout, or an open one that goes on or ends.
    ///
    /// - Parameter slot: a time that all devices of the user are busy with together; nil leaves it to each device.
    mutating func next(slot: Int? = nil) -> (request: String, WorkoutVersion) {
        if slot == nil, !open.isEmpty, Int.random(in: 0..<3, using: &generator) == 0 { return goOn() }
        // One in four was waiting in a phone, for up to three weeks.
        let from =
            slot == nil && Int.random(in: 0..<4, using: &generator) == 0
            ? Int.random(in: 1..<Self.now - 300, using: &generator)
            : stretch(slot ?? count / 5) + Int.random(in: 0..<300, using: &generator)
        count += 1
        let length = Self.lengths.randomElement(using: &generator) ?? 1
        let span = NaiveRecount.Span(
            from: from, to: from + length, steps: Int.random(in: 0...9_000, using: &generator),
            millimetres: Int.random(in: 0...9_999_999, using: &generator), device: device)
        let version = WorkoutVersion(span, isComplete: Int.random(in: 0..<4, using: &generator) > 0)
        let request = requestID()
        if !version.isComplete { open.append((request, version)) }
        return (request, version)
    }

    /// What the devices of this user are busy with: after five workouts, or with the next slot, they turn to another time.
    ///
    /// So they meet each other's changes of one day and hardly come back: what goes wrong with the last one stays wrong.
    private func stretch(_ number: Int) -> Int {
        var stretches = SeededGenerator(seed: userSeed &+ UInt64(number))
        return Int.random(in: 1..<Self.now - 600, using: &stretches)
    }

    /// A number below a bound, for the phone's own decisions.
    mutating func choose(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &choices) }

    private mutating func goOn() -> (request: String, WorkoutVersion) {
        let place = Int.random(in: 0..<open.count, using: &generator)
        var (request, version) = open[place]
        let length = version.span.to - version.span.from
        version.span.to += (Self.lengths.first { $0 > length } ?? length) - length
        version.span.steps += Int.random(in: 1...3_000, using: &generator)
        version.span.millimetres += Int.random(in: 0...900_000, using: &generator)
        version.isComplete = Bool.random(using: &generator) || version.span.steps > 30_000
        if version.isComplete { open.remove(at: place) } else { open[place].version = version }
        return (request, version)
    }

    private mutating func requestID() -> String {
        let digits = [generator.next(), generator.next()].map { number in
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
        var text = ""
        for (place, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(place) { text += "-" }
            text.append(place == 12 ? "7" : place == 16 ? "a" : digit)
        }
        return text
    }
}
