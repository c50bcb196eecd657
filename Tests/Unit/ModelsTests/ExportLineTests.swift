import Models
import Testing

/// Lines of an export and the receipt of an erasure, byte by byte.
@Suite struct ExportLineTests {
    @Test("Each item is one line with its kind first, and what it is otherwise is as the other answers write it")
    func lines() throws {
        var lines = ExportLines()
        lines.add(.begin(at: Timestamp(milliseconds: 1_764_460_800_000)))
        lines.add(.profile(Profile(timeZone: "Europe/Berlin", weekStart: .sunday)))
        lines.add(.weeklyGoal(WeeklyGoal(steps: nil, distance: Millimetres(25_000_500))))
        lines.add(
            .athlete(NamedEntry(id: 7, entry: AthleteEntry(name: "A\nB", score: nil, imageURL: nil)), challenge: "open")
        )
        lines.add(
            .result(
                ExportedResult(
                    challenge: "open", athleteID: 7, score: nil, isRemoval: true,
                    recordedAt: Timestamp(milliseconds: 5))))
        lines.add(.day(Day(number: 0), DayTotals(steps: 3, distance: Millimetres(1500), workouts: 2)))
        lines.add(.end(lines: 6))
        let expected = [
            #"{"kind":"export","version":1,"asOf":1764460800000}"#,
            #"{"kind":"profile","time_zone":"Europe/Berlin","week_start":"sunday"}"#,
            #"{"kind":"weekly_goal","distance":25000.5}"#,
            #"{"kind":"athlete","challenge":"open","id":7,"name":"A\nB","score":null}"#,
            #"{"kind":"result","challenge":"open","id":7,"score":null,"removed":true,"recordedAt":5}"#,
            #"{"kind":"day","day":"1970-01-01","steps":3,"distance":1.5,"workouts":2}"#,
            #"{"kind":"end","lines":6}"#,
        ]
        #expect(String(decoding: lines.bytes, as: UTF8.self) == expected.map { $0 + "\n" }.joined())
        #expect(lines.count == 7)
    }

    @Test("A receipt has the five members of the contract")
    func receipt() {
        let receipt = ErasureReceipt(
            receiptID: "7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f", erasedAt: Timestamp(milliseconds: 1_764_460_800_001),
            workouts: 3, plans: 2, athletes: 1)
        let body =
            #"{"receiptId":"7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f","erasedAt":1764460800001,"workouts":3,"plans":2,"athletes":1}"#
        #expect(String(decoding: receipt.encode(), as: UTF8.self) == body)
    }

    @Test("An erasure takes the own entry off the board, whatever the challenge allows, and names nobody in the log")
    func ledger() {
        let ann = UserID(UUIDValue(high: 0, low: 1))
        let entry = AthleteEntry(name: "Ann", score: 5, imageURL: nil)
        let totals = BoardTotals(participants: 1, completed: 1, scoreSum: 5)
        var ledger = BoardLedger(
            totals: totals, takesSelfReports: false, athletes: [StoredAthlete(id: 7, entry: entry, owner: ann)])
        #expect(ledger.apply(.erase(ann)) == .removed && ledger.removed == [7])
        #expect(ledger.touched[7] == .some(nil) && ledger.totals == BoardTotals())
        #expect(ledger.apply(.erase(UserID(UUIDValue(high: 0, low: 2)))) == .removed && ledger.removed == [7])
    }
}
