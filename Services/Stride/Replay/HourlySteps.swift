import Models

/// A recording of hourly step counts, as a table of comma-separated values.
///
/// Its columns are:
/// - `Id`: a person, a number;
/// - `ActivityHour`: the wall-clock hour that was counted, at its beginning, month first (`3/12/2016 0:00`);
/// - `Time`: the same hour of the day on a twelve-hour clock (`12:00:00 AM`); may be absent;
/// - `StepTotal`: the steps of that hour.
///
/// Hours in which nobody walked are listed with 0. A line that cannot be read is a fault with its number and never
/// harms its neighbours.
struct HourlySteps: Sendable {
    /// One hour with steps.
    struct Row: Equatable, Sendable {
        let person: String
        let hour: LocalHour
        let steps: Int
        /// Where it stands in the file, from 1.
        let line: Int
    }

    /// A line that cannot be read.
    struct Fault: Equatable, Sendable, CustomStringConvertible {
        let line: Int
        let reason: String
        var description: String { "line \(line): \(reason)" }
    }

    /// The file is no such table at all.
    struct NoTable: Error, CustomStringConvertible {
        let description: String
    }

    /// Lines below the header.
    private(set) var rowCount = 0
    /// Hours without steps.
    private(set) var emptyHours = 0
    /// What is to be posted, by person in the order of the file.
    private(set) var rows: [(person: String, rows: [Row])] = []
    private(set) var faults: [Fault] = []

    private var places: [String: Int] = [:]
    private var firstLines: [String: [LocalHour: Int]] = [:]

    /// Reads a whole table.
    ///
    /// - Throws: `NoTable` when a needed column is missing.
    init(_ text: some StringProtocol) throws(NoTable) {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).makeIterator()
        guard var header = lines.next().map({ Self.fields($0) }) else {
            throw NoTable(description: "the file is empty")
        }
        if let first = header.first, first.first == "\u{FEFF}" { header[0] = String(first.dropFirst()) }
        func column(_ name: String) throws(NoTable) -> Int {
            guard let place = header.firstIndex(of: name) else { throw NoTable(description: "no column \(name)") }
            return place
        }
        let columns = Columns(
            count: header.count, person: try column("Id"), hour: try column("ActivityHour"),
            time: header.firstIndex(of: "Time"), steps: try column("StepTotal"))
        var line = 1
        while let next = lines.next() {
            line += 1
            guard !next.isEmpty else { continue }
            rowCount += 1
            take(Self.fields(next), columns, line: line)
        }
    }

    private struct Columns {
        let count: Int
        let person: Int
        let hour: Int
        let time: Int?
        let steps: Int
    }

    private static func fields(_ line: some StringProtocol) -> [String] {
        line.split(omittingEmptySubsequences: false) { $0 == "," }.map { String($0) }
    }

    private mutating func take(_ fields: [String], _ columns: Columns, line: Int) {
        func fault(_ reason: String) { faults.append(Fault(line: line, reason: reason)) }
        guard fields.count == columns.count else {
            return fault("\(fields.count) fields in place of \(columns.count)")
        }
        let person = fields[columns.person]
        guard (1...64).contains(person.utf8.count), person.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return fault("Id is no number")
        }
        guard let hour = LocalHour(parsing: fields[columns.hour]) else { return fault("ActivityHour is no whole hour") }
        if let time = columns.time, LocalHour.hourOfTwelve(fields[time]) != hour.hour {
            return fault("Time is not the hour of ActivityHour")
        }
        let digits = fields[columns.steps]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let steps = Int(digits) else {
            return fault("StepTotal is no whole number")
        }
        if let first = firstLines[person]?[hour] { return fault("the same person and hour as line \(first)") }
        firstLines[person, default: [:]][hour] = line
        guard steps > 0 else {
            emptyHours += 1
            return
        }
        let place = places[person] ?? rows.count
        if place == rows.count {
            places[person] = place
            rows.append((person, []))
        }
        rows[place].rows.append(Row(person: person, hour: hour, steps: steps, line: line))
    }
}
