import Models
import Testing

@Suite struct WorkoutRevisionTests {
    private static func content(
        end: Int64 = 2000, steps: Int32 = 10, distance: Int64 = 5, _ status: WorkoutStatus = .complete,
        start: Int64 = 1000,
        timeZone: String? = nil, source: WorkoutSource = .auto, deviceID: String? = "a"
    ) -> WorkoutContent {
        WorkoutContent(
            start: Timestamp(milliseconds: start), end: Timestamp(milliseconds: end), steps: steps,
            distance: Millimetres(distance), timeZone: timeZone, status: status, source: source, deviceID: deviceID)
    }

    @Test(
        "Another start, zone, source or device is another workout, whatever the states",
        arguments: [
            content(start: 999), content(timeZone: "UTC"), content(source: .manual), content(deviceID: "b"),
            content(deviceID: nil),
        ])
    func identity(other: WorkoutContent) {
        for stored in [WorkoutStatus.complete, .inProgress] {
            for incoming in [WorkoutStatus.complete, .inProgress] {
                var (left, right) = (Self.content(), other)
                (left.status, right.status) = (stored, incoming)
                right.end = Timestamp(milliseconds: 3000)
                #expect(WorkoutRevision.decide(stored: left, incoming: right) == .conflict)
            }
        }
    }

    @Test(
        "The numbers are compared by end, then steps, then distance",
        arguments: [
            (content(end: 2001, steps: 0, distance: 0), true), (content(steps: 11, distance: 0), true),
            (content(distance: 6), true), (content(end: 1999, steps: 99, distance: 99), false),
            (content(steps: 9, distance: 99), false), (content(distance: 4), false),
        ])
    func order(other: WorkoutContent, isGreater: Bool) {
        let (growing, complete) = (Self.content(.inProgress), Self.content(.complete))
        var (otherGrowing, otherComplete) = (other, other)
        (otherGrowing.status, otherComplete.status) = (.inProgress, .complete)
        #expect(WorkoutRevision.decide(stored: growing, incoming: otherGrowing) == (isGreater ? .update : .duplicate))
        #expect(WorkoutRevision.decide(stored: growing, incoming: otherComplete) == .update)
        #expect(
            WorkoutRevision.decide(stored: complete, incoming: otherGrowing) == (isGreater ? .conflict : .duplicate))
        #expect(WorkoutRevision.decide(stored: complete, incoming: otherComplete) == .conflict)
    }

    @Test(
        "Equal content is a duplicate; COMPLETE with the same numbers closes; the last growth after the close is late")
    func equal() {
        let (growing, complete) = (Self.content(.inProgress), Self.content(.complete))
        #expect(WorkoutRevision.decide(stored: growing, incoming: growing) == .duplicate)
        #expect(WorkoutRevision.decide(stored: complete, incoming: complete) == .duplicate)
        #expect(WorkoutRevision.decide(stored: growing, incoming: complete) == .update)
        #expect(WorkoutRevision.decide(stored: complete, incoming: growing) == .duplicate)
    }

    /// What is stored after all calls of a history, and every answer.
    private static func fold(_ history: [WorkoutContent]) -> (end: WorkoutContent, answers: Set<WorkoutRevision>) {
        var stored = history[0]
        var answers: Set<WorkoutRevision> = []
        for incoming in history {
            let answer = WorkoutRevision.decide(stored: stored, incoming: incoming)
            answers.insert(answer)
            if answer == .update { stored = incoming }
        }
        return (stored, answers)
    }

    private static func permutations<Element>(_ elements: [Element]) -> [[Element]] {
        guard let last = elements.last else { return [[]] }
        return permutations(Array(elements.dropLast())).flatMap { shorter in
            (0...shorter.count).map { index in
                var longer = shorter
                longer.insert(last, at: index)
                return longer
            }
        }
    }

    @Test(
        "A growing workout ends in the same state in whatever order its calls arrive", arguments: 0...6, [false, true])
    func growth(growths: Int, closesEqual: Bool) {
        var history: [WorkoutContent] = []
        for index in 0..<growths {
            let (end, steps) = (Int64(2000 + index / 2), Int32(10 + index / 3))
            history.append(Self.content(end: end, steps: steps, distance: Int64(index), .inProgress))
        }
        var last = history.last ?? Self.content()
        last.status = .complete
        if !closesEqual { last.distance += Millimetres(1) }
        history.append(last)
        let orders = Self.permutations(history)
        #expect(orders.count == (1...history.count).reduce(1, *))
        for order in orders {
            let (end, answers) = Self.fold(order)
            #expect(end == last)
            #expect(!answers.contains(.conflict))
        }
    }

    @Test("A COMPLETE call with smaller numbers, or none at all, also leads to one end state")
    func smallerClose() {
        let growths = (0..<4).map { Self.content(steps: Int32(10 + $0), .inProgress) }
        for order in Self.permutations(growths) { #expect(Self.fold(order).end == growths[3]) }
        let close = Self.content(steps: 11, .complete)
        for order in Self.permutations(growths + [close]) { #expect(Self.fold(order).end == close) }
    }
}
