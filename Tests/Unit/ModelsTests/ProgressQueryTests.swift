import Models
import Testing

@Suite struct ProgressQueryTests {
    private static let id = RequestID(UUIDValue(high: 0xFEDC_BA98_7654_3210, low: 0x0123_4567_89AB_CDEF))

    @Test("A query that says nothing has the defaults")
    func defaults() {
        #expect(WorkoutsQuery.decode { _ in nil } == .valid(WorkoutsQuery(limit: 200)))
        #expect(ProgressQuery.decode { _ in nil } == .valid(ProgressQuery(limit: 104)))
        #expect(ChangesQuery.decode { _ in nil } == .valid(ChangesQuery(limit: 200)))
        #expect(SummaryQuery.decode({ _ in nil }, isKnownZone: { _ in false }).value?.timeZone == nil)
    }

    @Test("Everything said is read")
    func everything() {
        let cursor = WorkoutCursor(start: Timestamp(milliseconds: -1), requestID: Self.id)
        let parameters = ["start_time": "0", "end_time": "1764460800000", "limit": "1000", "cursor": cursor.text]
        #expect(
            WorkoutsQuery.decode { parameters[$0] }
                == .valid(
                    WorkoutsQuery(
                        start: Timestamp(milliseconds: 0), end: Timestamp(milliseconds: 1_764_460_800_000), limit: 1000,
                        cursor: cursor)))
        let zone = SummaryQuery.decode({ $0 == "time_zone" ? "Europe/Berlin" : nil }) { $0 == "Europe/Berlin" }
        #expect(zone.value?.timeZone == "Europe/Berlin")
    }

    @Test(
        "Faulty parameters of the list are named, all of them",
        arguments: [
            (["limit": "0"], ["limit"]), (["limit": "1001"], ["limit"]), (["limit": ""], ["limit"]),
            (["limit": "1.0"], ["limit"]), (["limit": "+5"], ["limit"]), (["limit": " 5"], ["limit"]),
            (["limit": "99999999999999999999"], ["limit"]), (["start_time": "1764460800"], ["start_time"]),
            (["end_time": "100000000000"], ["end_time"]), (["start_time": "9223372036854775808"], ["start_time"]),
            (["start_time": "2026-11-30"], ["start_time"]), (["start_time": "1e12"], ["start_time"]),
            (["start_time": "1764460800000", "end_time": "1764460800000"], ["end_time"]),
            (["start_time": "9223372036854775807", "end_time": "-9223372036854775808"], ["end_time"]),
            (["cursor": ""], ["cursor"]), (["cursor": "x"], ["cursor"]),
            (
                ["start_time": "a", "end_time": "b", "limit": "c", "cursor": "d"],
                ["start_time", "end_time", "limit", "cursor"]
            ),
        ] as [([String: String], [String])])
    func workoutFaults(parameters: [String: String], names: [String]) {
        #expect(WorkoutsQuery.decode { parameters[$0] }.pointers == names.map { "/query/" + $0 })
    }

    @Test("Other lists refuse the same, and each other's cursors")
    func otherFaults() {
        let parameters = ["limit": "0", "cursor": ChangesCursor(revision: 1).text, "time_zone": "Europe/Atlantis"]
        #expect(ProgressQuery.decode { parameters[$0] }.pointers == ["/query/limit", "/query/cursor"])
        #expect(ChangesQuery.decode { parameters[$0] }.pointers == ["/query/limit"])
        #expect(SummaryQuery.decode({ parameters[$0] }) { _ in false }.pointers == ["/query/time_zone"])
        #expect(SummaryQuery.decode({ _ in "\u{e9}" }) { _ in true }.pointers == ["/query/time_zone"])
    }

    @Test(
        "Days have both ends, in order, at most 400 of them",
        arguments: [
            ("2026-01-01", "2026-01-01", 1, []), ("2026-01-01", "2027-02-04", 400, []),
            ("2026-01-01", "2027-02-05", 0, ["/query/to"]), ("2026-01-02", "2026-01-01", 0, ["/query/to"]),
            ("0000-01-01", "9999-12-31", 0, ["/query/to"]), (nil, "2026-01-01", 0, ["/query/from"]),
            ("2026-02-29", "", 0, ["/query/from", "/query/to"]), (nil, nil, 0, ["/query/from", "/query/to"]),
        ] as [(String?, String?, Int, [String])])
    func days(from: String?, to: String?, count: Int, pointers: [String]) {
        let decoded = DaysQuery.decode { $0 == "from" ? from : $0 == "to" ? to : nil }
        #expect(decoded.value?.days.count ?? 0 == count && decoded.pointers == pointers)
        if let days = decoded.value?.days { #expect(days.first?.description == from && days.last?.description == to) }
    }

    @Test("Cursors come back as they were given, at the ends of every range too")
    func roundTrip() {
        for number in [Int64.min, -1, 0, 1_764_460_800_000, .max] {
            let cursor = WorkoutCursor(start: Timestamp(milliseconds: number), requestID: Self.id)
            #expect(WorkoutCursor(text: cursor.text) == cursor)
        }
        for week in [0, 1, 103] {
            let cursor = ProgressCursor(planID: UUIDValue(high: 1, low: 2), week: week)
            #expect(ProgressCursor(text: cursor.text) == cursor)
        }
        #expect(ProgressCursor(text: ProgressCursor(planID: UUIDValue(high: 1, low: 2), week: 104).text) == nil)
        for id in [nil, Self.id] {
            for revision in [Int64(0), 1, .max] {
                let cursor = ChangesCursor(revision: revision, requestID: id)
                #expect(ChangesCursor(text: cursor.text) == cursor)
            }
        }
        #expect(ChangesCursor(text: ChangesCursor(revision: -1).text)?.revision == 0)
    }

    @Test("A cursor cut short, prolonged, with one digit changed, or of another list is refused")
    func damaged() {
        let workouts = WorkoutCursor(start: Timestamp(milliseconds: 7), requestID: Self.id).text
        let progress = ProgressCursor(planID: UUIDValue(high: 1, low: 2), week: 3).text
        let changes = ChangesCursor(revision: 9, requestID: Self.id).text
        for (text, isRead) in [
            (workouts, { WorkoutCursor(text: $0) != nil }), (progress, { ProgressCursor(text: $0) != nil }),
            (changes, { ChangesCursor(text: $0) != nil }),
        ] as [(String, (String) -> Bool)] {
            #expect(isRead(text) && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
            #expect([workouts, progress, changes].filter(isRead) == [text])
            for length in 0..<text.utf8.count { #expect(!isRead(String(text.prefix(length)))) }
            for tail in ["0", "00", "g", " ", "é"] { #expect(!isRead(text + tail)) }
            for index in 0..<text.utf8.count {
                var bytes = Array(text.utf8)
                for digit in "0123456789abcdefg".utf8 where digit != text.utf8.dropFirst(index).first {
                    bytes[index] = digit
                    #expect(!isRead(String(decoding: bytes, as: UTF8.self)))
                }
            }
        }
    }

    @Test("Made-up cursors are never read")
    func fuzz() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                Array("0123456789abcdef".utf8).randomElement(using: &random) ?? 0x30
            }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(WorkoutCursor(text: text) == nil && ProgressCursor(text: text) == nil)
            #expect(ChangesCursor(text: text) == nil)
        }
    }
}
