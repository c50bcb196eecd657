import Testing
import Tracker

@Suite("Recording workouts")
struct WorkoutRecorderTests {
    /// 2026-11-30T08:00:00Z.
    static let start: Int64 = 1_796_025_600_000

    static func at(_ seconds: Double) -> Int64 { start + Int64(seconds * 1000) }

    /// Walks from one second to another, a step a second, and lets time pass as a device does.
    static func walk(_ recorder: inout WorkoutRecorder, from: Int, to: Int) -> [RecorderEffect] {
        var effects: [RecorderEffect] = []
        for second in from...to {
            let time = at(Double(second))
            effects += recorder.handle(.steps(count: 1, first: time, last: time))
        }
        return effects
    }

    static func ended(_ effects: [RecorderEffect]) -> [WorkoutRecord] {
        effects.compactMap { if case .ended(let record) = $0 { record } else { nil } }
    }

    static func progress(_ effects: [RecorderEffect]) -> [WorkoutRecord] {
        effects.compactMap { if case .progress(let record) = $0 { record } else { nil } }
    }

    @Test("Sixty seconds without a step end a workout with its last step")
    func sixtySecondsWithoutStep() {
        var recorder = WorkoutRecorder()
        var effects = Self.walk(&recorder, from: 0, to: 100)
        #expect(effects.first == .began(at: Self.start))
        #expect(recorder.handle(.tick(at: Self.at(165))).isEmpty)
        effects = recorder.handle(.tick(at: Self.at(170)))
        #expect(
            effects == [
                .ended(
                    WorkoutRecord(
                        start: Self.start, end: Self.at(100), steps: 101, millimetres: 0, isManual: false))
            ])
        #expect(recorder.current == nil)
    }

    @Test("A pause of 55 seconds does not end it, though its steps become certain later")
    func pause55SecondsDoes() {
        var recorder = WorkoutRecorder()
        _ = Self.walk(&recorder, from: 0, to: 100)
        #expect(Self.ended(recorder.handle(.tick(at: Self.at(161)))).isEmpty)
        // Five steps from second 155 on become certain at 161.5.
        let effects = recorder.handle(.steps(count: 5, first: Self.at(155), last: Self.at(159)))
        #expect(Self.ended(effects).isEmpty)
        #expect(recorder.current?.steps == 106)
        #expect(recorder.current?.start == Self.start)
    }

    @Test("Steps after a longer rest begin another workout even if nobody looked at the clock")
    func stepsAfterLongerRest() {
        var recorder = WorkoutRecorder()
        _ = Self.walk(&recorder, from: 0, to: 100)
        let effects = recorder.handle(.steps(count: 5, first: Self.at(161), last: Self.at(165)))
        #expect(Self.ended(effects).map(\.steps) == [101])
        #expect(effects.contains(.began(at: Self.at(161))))
        #expect(recorder.current?.steps == 5)
    }

    @Test("A long workout is sent every five minutes, and each time it has grown")
    func longWorkoutSentEvery() {
        var recorder = WorkoutRecorder()
        let sent = Self.progress(Self.walk(&recorder, from: 0, to: 1300))
        #expect(sent.map(\.end) == [Self.at(300), Self.at(600), Self.at(900), Self.at(1200)])
        #expect(sent.map(\.steps) == [301, 601, 901, 1201])
        #expect(sent.allSatisfy { $0.start == Self.start })
    }

    @Test("A wake is asked for before anything is due")
    func wakeAskedBeforeAnything() {
        var recorder = WorkoutRecorder()
        let effects = Self.walk(&recorder, from: 0, to: 10)
        #expect(effects.last == .wake(at: Self.at(80)))
    }

    @Test("The user's pause counts nothing and ends nothing")
    func userSPauseCounts() {
        var recorder = WorkoutRecorder()
        _ = Self.walk(&recorder, from: 0, to: 100)
        _ = recorder.handle(.pause(at: Self.at(101)))
        #expect(recorder.isPaused)
        _ = Self.walk(&recorder, from: 200, to: 220)
        _ = recorder.handle(.moved(millimetres: 5000))
        #expect(recorder.handle(.tick(at: Self.at(3000))).isEmpty)
        _ = recorder.handle(.resume(at: Self.at(3000)))
        _ = Self.walk(&recorder, from: 3001, to: 3010)
        let record = Self.ended(recorder.handle(.stop(at: Self.at(3012)))).first
        #expect(record?.steps == 111)
        #expect(record?.millimetres == 0)
        #expect(record?.start == Self.start)
        #expect(record?.end == Self.at(3010))
    }

    @Test("A forgotten pause ends after four hours")
    func forgottenPauseEndsAfter() {
        var recorder = WorkoutRecorder()
        _ = Self.walk(&recorder, from: 0, to: 100)
        let effects = recorder.handle(.pause(at: Self.at(101)))
        #expect(effects.last == .wake(at: Self.at(101 + 4 * 3600)))
        #expect(Self.ended(recorder.handle(.tick(at: Self.at(101 + 4 * 3600)))).map(\.end) == [Self.at(100)])
    }

    @Test("A workout that the user starts waits for its first step")
    func workoutUserStartsWaits() {
        var recorder = WorkoutRecorder()
        #expect(recorder.handle(.start(at: Self.at(0))) == [.began(at: Self.at(0)), .wake(at: Self.at(300))])
        #expect(recorder.handle(.tick(at: Self.at(200))).isEmpty)
        _ = recorder.handle(.moved(millimetres: 1500))
        _ = recorder.handle(.steps(count: 5, first: Self.at(201), last: Self.at(204)))
        #expect(
            recorder.current
                == WorkoutRecord(
                    start: Self.at(0), end: Self.at(204), steps: 5, millimetres: 1500, isManual: true))
    }

    @Test("A workout without a step is forgotten")
    func workoutWithoutStepForgotten() {
        var recorder = WorkoutRecorder()
        _ = recorder.handle(.start(at: Self.at(0)))
        #expect(recorder.handle(.tick(at: Self.at(300))) == [.discarded])
        _ = recorder.handle(.start(at: Self.at(400)))
        #expect(recorder.handle(.stop(at: Self.at(410))) == [.discarded])
    }

    @Test("After a restart the workout goes on or has ended")
    func afterRestartWorkoutGoes() {
        let record = WorkoutRecord(
            start: Self.start, end: Self.at(100), steps: 101, millimetres: 70_000, isManual: false)
        var recorder = WorkoutRecorder(resuming: record)
        _ = recorder.handle(.steps(count: 1, first: Self.at(130), last: Self.at(130)))
        #expect(recorder.current?.steps == 102)
        recorder = WorkoutRecorder(resuming: record)
        #expect(recorder.handle(.tick(at: Self.at(5000))) == [.ended(record)])
    }

    @Test("A clock that is put back ends the workout as it is")
    func clockPutBackEnds() {
        var recorder = WorkoutRecorder()
        _ = Self.walk(&recorder, from: 4000, to: 4100)
        let effects = Self.walk(&recorder, from: 500, to: 510)
        #expect(Self.ended(effects).map(\.end) == [Self.at(4100)])
        #expect(recorder.current?.start == Self.at(500))
    }

    @Test("No workout is longer than a day")
    func workoutLongerThanDay() {
        var recorder = WorkoutRecorder()
        var ended: [WorkoutRecord] = []
        for minute in 0...(30 * 60) {
            ended += Self.ended(
                recorder.handle(
                    .steps(count: 60, first: Self.at(Double(minute) * 50), last: Self.at(Double(minute) * 50 + 49))))
        }
        #expect(ended.count == 1)
        #expect(ended.allSatisfy { $0.end - $0.start <= 24 * 3_600_000 })
    }

    @Test("Whatever comes, records are possible and steps are counted once")
    func whateverComesRecordsPossible() {
        var dice = Dice(23)
        let times: [Int64] = [.min, .max, 0, -1, Self.start, Self.start - 3_600_000, 7_258_118_400_000]
        var recorder = WorkoutRecorder()
        var clock = Self.start
        var told: Int64 = 0
        var kept: Int64 = 0
        for _ in 0..<20_000 {
            clock += Int64.random(in: -2_000...90_000, using: &dice)
            let time = Int.random(in: 0..<20, using: &dice) == 0 ? times.randomElement(using: &dice) ?? 0 : clock
            let event: RecorderEvent =
                switch Int.random(in: 0..<9, using: &dice) {
                case 0: .start(at: time)
                case 1: .pause(at: time)
                case 2: .resume(at: time)
                case 3: .stop(at: time)
                case 4: .tick(at: time)
                case 5: .moved(millimetres: .random(in: (-5)...2_000, using: &dice))
                default: .steps(count: .random(in: (-2)...8, using: &dice), first: time, last: time)
                }
            if case .steps(let count, _, _) = event, count > 0 { told += count }
            for record in Self.ended(recorder.handle(event)) {
                #expect(record.end > record.start)
                #expect(record.steps > 0)
                #expect(record.millimetres >= 0)
                kept += record.steps
            }
        }
        #expect(kept > 0)
        #expect(kept + (recorder.current?.steps ?? 0) <= told)
    }
}
