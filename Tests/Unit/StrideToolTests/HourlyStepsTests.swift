import Models
import Testing

@testable import StrideTool

/// What is read from a recording.
@Suite struct HourlyStepsTests {
    @Test("Hours are grouped by person, empty ones are skipped, and each knows its line")
    func table() throws {
        let steps = try HourlySteps(
            """
            Id,ActivityHour,Time,StepTotal
            7,3/12/2016 0:00,12:00:00 AM,0
            7,3/12/2016 1:00,01:00:00 AM,27
            8,3/12/2016 1:00,01:00:00 AM,3
            7,3/12/2016 13:00,01:00:00 PM,500

            """)
        #expect(steps.rowCount == 4)
        #expect(steps.emptyHours == 1)
        #expect(steps.faults.isEmpty)
        #expect(steps.rows.map(\.person) == ["7", "8"])
        #expect(steps.rows[0].rows.map(\.steps) == [27, 500])
        #expect(steps.rows[0].rows.map(\.line) == [3, 5])
        #expect(steps.rows[0].rows.map(\.hour.description) == ["2016-03-12T01", "2016-03-12T13"])
        #expect(steps.rows[1].rows.map(\.line) == [4])
    }

    @Test("Line ends of Windows, a byte order mark, another order of columns and no Time make no difference")
    func forms() throws {
        let steps = try HourlySteps("\u{FEFF}StepTotal,Id,ActivityHour\r\n27,7,3/12/2016 1:00\r\n")
        #expect(steps.rows.count == 1)
        #expect(
            steps.rows[0].rows == [
                HourlySteps.Row(
                    person: "7", hour: try #require(LocalHour(parsing: "3/12/2016 1:00")), steps: 27, line: 2)
            ])
    }

    @Test(
        "A line that cannot be read is reported with its number and harms no neighbour",
        arguments: [
            ("7,3/12/2016 1:00,01:00:00 AM", "3 fields in place of 4"),
            ("7,3/12/2016 1:00,01:00:00 AM,1,2", "5 fields in place of 4"),
            (",3/12/2016 1:00,01:00:00 AM,5", "Id is no number"),
            ("seven,3/12/2016 1:00,01:00:00 AM,5", "Id is no number"),
            ("7,3/32/2016 1:00,01:00:00 AM,5", "ActivityHour is no whole hour"),
            ("7,3/12/2016 1:30,01:30:00 AM,5", "ActivityHour is no whole hour"),
            ("7,3/12/2016 1:00,02:00:00 AM,5", "Time is not the hour of ActivityHour"),
            ("7,3/12/2016 1:00,01:00:00 AM,-5", "StepTotal is no whole number"),
            ("7,3/12/2016 1:00,01:00:00 AM,", "StepTotal is no whole number"),
            ("7,3/12/2016 1:00,01:00:00 AM,1.5", "StepTotal is no whole number"),
            ("7,3/12/2016 1:00,01:00:00 AM,99999999999999999999", "StepTotal is no whole number"),
            ("7,3/12/2016 0:00,12:00:00 AM,5", "the same person and hour as line 2"),
            ("7,3/12/2016 2:00,02:00:00 AM,5", "the same person and hour as line 3"),
        ])
    func faults(line: String, reason: String) throws {
        let steps = try HourlySteps(
            """
            Id,ActivityHour,Time,StepTotal
            7,3/12/2016 0:00,12:00:00 AM,0
            7,3/12/2016 2:00,02:00:00 AM,11
            \(line)
            7,3/12/2016 3:00,03:00:00 AM,12
            """)
        #expect(steps.faults == [HourlySteps.Fault(line: 4, reason: reason)])
        #expect(steps.rows.map { $0.rows.map(\.steps) } == [[11, 12]])
        #expect(steps.rowCount == 4)
    }

    @Test("A file without the columns is no recording", arguments: ["", "\n1,2,3\n", "Id,ActivityHour,Time\n"])
    func noTable(text: String) { #expect(throws: HourlySteps.NoTable.self) { try HourlySteps(text) } }
}
