internal import Models
internal import Postgres

/// Reads what the statements of boards answer.
enum BoardRows {
    static func head(_ result: PostgresResult) throws(PostgresError) -> BoardHead? {
        guard result.rowCount > 0 else { return nil }
        let about = Challenge(
            name: try result.text(0, 0), order: try result.bool(0, 1) ? .ascending : .descending,
            description: try result.text(0, 2), takesSelfReports: try result.bool(0, 3))
        return BoardHead(
            about: about, revision: try result.int64(0, 4), totals: try totals(result, 0, from: 5),
            lastDay: result.isNull(0, 8) ? nil : Day(number: try result.date(0, 8).daysSince1970))
    }

    /// Participants, completed and the sum as text, in three columns.
    static func totals(_ result: PostgresResult, _ row: Int, from column: Int) throws(PostgresError) -> BoardTotals {
        guard let sum = Int128(try result.text(row, column + 2)) else {
            throw .unexpectedResult("a sum of scores that is no integer")
        }
        return BoardTotals(
            participants: try result.int64(row, column), completed: try result.int64(row, column + 1), scoreSum: sum)
    }

    /// Id, name, score and picture.
    static func athletes(_ result: PostgresResult) throws(PostgresError) -> [NamedEntry] {
        var athletes: [NamedEntry] = []
        athletes.reserveCapacity(result.rowCount)
        for row in 0..<result.rowCount {
            athletes.append(NamedEntry(id: try result.int64(row, 0), entry: try entry(result, row)))
        }
        return athletes
    }

    static func entry(_ result: PostgresResult, _ row: Int) throws(PostgresError) -> AthleteEntry {
        AthleteEntry(
            name: try result.text(row, 1), score: result.isNull(row, 2) ? nil : try result.int64(row, 2),
            imageURL: result.isNull(row, 3) ? nil : try result.text(row, 3))
    }

    static func days(_ result: PostgresResult) throws(PostgresError) -> [Day: BoardTotals] {
        var days: [Day: BoardTotals] = [:]
        for row in 0..<result.rowCount {
            days[Day(number: try result.date(row, 0).daysSince1970)] = try totals(result, row, from: 1)
        }
        return days
    }
}
