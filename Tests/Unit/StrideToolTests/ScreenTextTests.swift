import Models
import Testing

@testable import StrideTool

@Suite("Text in columns, and the answer that is drawn")
struct ScreenTextTests {
    @Test("Wide characters and emoji take two columns, marks none")
    func widths() {
        for (text, width) in [("", 0), ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("🏃", 2), ("a·b", 3), ("한글", 4)] {
            #expect(ScreenText.width(text) == width, "\(text)")
        }
    }

    @Test("A text is cut to its columns, never through a wide character, and cannot move the cursor")
    func fit() {
        #expect(ScreenText.fit("walks", 5) == "walks")
        #expect(ScreenText.fit("walks!", 5) == "walk…")
        #expect(ScreenText.fit("日本語", 5) == "日本…")
        #expect(ScreenText.fit("日本語", 4) == "日…")
        #expect(ScreenText.fit("a\u{1B}[2J\u{202E}b\n\u{9B}c", 10) == "a[2Jbc")
    }

    @Test("Numbers are grouped by three, metres become kilometres with one decimal")
    func numbers() {
        let grouped = [0: "0", 999: "999", 1000: "1 000", 12_345: "12 345", 1_234_567: "1 234 567", -1000: "-1 000"]
        for (number, text) in grouped { #expect(ScreenText.grouped(Int64(number)) == text) }
        for (metres, text) in [0: "0.0 km", 49: "0.0 km", 50: "0.1 km", 9849: "9.8 km", 1_234_567: "1 234.6 km"] {
            #expect(ScreenText.kilometres(Int64(metres)) == text)
        }
    }

    @Test("A summary is read with its days turned round, so that today comes last")
    func summary() throws {
        let text = """
            {"planName":"10 000 steps","planState":"active","currentWeek":2,"totalWeeksInPlan":10,"currentDayGoal":5000,
             "currentWeekSteps":[4000,3600],"today":"2026-11-30","days":["2026-11-30","2026-11-29"],
             "currentWeekDistances":[2900.5,0],"currentDaySteps":4000,"currentDayDistance":2900.5,"weekSteps":7600,
             "weekDistance":5400.5,"weeklyGoal":{"steps":35000,"distance":null},"goalSource":"plan",
             "time_zone":"Europe/Berlin","asOf":1764500000000}
            """
        let summary = try #require(WeekSummary(try JSONValue.parse(Array(text.utf8))))
        let today = try #require(Day(parsing: "2026-11-30"))
        #expect(
            summary
                == WeekSummary(
                    planName: "10 000 steps", planState: "active", currentWeek: 2, weekCount: 10,
                    days: [
                        .init(day: today.advanced(by: -1), steps: 3600, metres: 0),
                        .init(day: today, steps: 4000, metres: 2900),
                    ], weekSteps: 7600, weekMetres: 5400, goalSteps: 35_000, goalMetres: nil, goalSource: "plan",
                    timeZone: "Europe/Berlin"))
        for broken in ["{}", "[]", text.replacing("[4000,3600]", with: "[4000]"), text.replacing("3600", with: "1.5")] {
            #expect(WeekSummary(try JSONValue.parse(Array(broken.utf8))) == nil)
        }
    }
}
