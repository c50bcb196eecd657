import Models

/// A file of athletes: `id,name,score` in each line, a header optional, fields quoted as in RFC 4180.
///
/// A score that is left out or empty is an athlete without one. Every bad row is reported with the number of its line; the others are kept.
struct AthleteFile: Sendable {
    /// A row that cannot be used.
    struct BadRow: Hashable, Sendable, CustomStringConvertible {
        let line: Int
        let reason: String
        var description: String { "line \(line): \(reason)" }
    }

    /// The athletes in the order of the file; of two with one id the last one counts.
    private(set) var athletes: [NamedEntry] = []
    /// What could not be used.
    private(set) var badRows: [BadRow] = []

    /// Reads a whole file; a byte order mark in front is skipped.
    init(_ bytes: [UInt8]) {
        var rows = CommaSeparatedRows(bytes)
        while let row = rows.next() {
            if let fault = row.fault {
                badRows.append(BadRow(line: row.line, reason: fault))
                continue
            }
            if row.fields.count == 1, row.fields[0].isEmpty { continue }
            if row.line == 1, Self.isHeader(row.fields) { continue }
            switch Self.athlete(row.fields) {
            case .success(let athlete): athletes.append(athlete)
            case .failure(let fault): badRows.append(BadRow(line: row.line, reason: fault.reason))
            }
        }
    }

    private struct Fault: Error { let reason: String }

    private static func isHeader(_ fields: [String]) -> Bool {
        fields.first?.lowercased().filter { $0 != " " } == "id"
    }

    private static func athlete(_ fields: [String]) -> Result<NamedEntry, Fault> {
        guard fields.count == 2 || fields.count == 3 else {
            return .failure(Fault(reason: "\(fields.count) fields in place of id,name,score"))
        }
        guard let id = AthleteRules.integer(trimmed(fields[0])) else {
            return .failure(Fault(reason: "the id is no integer within ±(2^53 − 1)"))
        }
        guard AthleteRules.acceptsName(fields[1]) else {
            return .failure(Fault(reason: "the name has not 1 to 100 characters, or has a control character"))
        }
        let text = fields.count == 3 ? trimmed(fields[2]) : ""
        let score = AthleteRules.integer(text)
        guard score != nil || text.isEmpty else {
            return .failure(Fault(reason: "the score is no integer within ±(2^53 − 1)"))
        }
        return .success(NamedEntry(id: id, entry: AthleteEntry(name: fields[1], score: score)))
    }

    private static func trimmed(_ text: String) -> Substring {
        var text = text[...].drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}

/// Takes rows off a text of comma-separated values (RFC 4180): quotes may hold commas, line breaks and doubled quotes.
struct CommaSeparatedRows {
    /// A row, and the line on which it begins.
    struct Row {
        let line: Int
        let fields: [String]
        /// What is wrong with its quotes or its bytes.
        let fault: String?
    }

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The next row; nil at the end.
    mutating func next() -> Row? {
        guard position < bytes.count else { return nil }
        let first = line
        var (fields, field): ([[UInt8]], [UInt8]) = ([], [])
        var (isQuoted, wasQuoted, isWrong) = (false, false, false)
        scan: while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\"") where isQuoted:
                if position < bytes.count, bytes[position] == byte {
                    field.append(byte)
                    position += 1
                } else {
                    isQuoted = false
                }
            case UInt8(ascii: "\"") where field.isEmpty && !wasQuoted: (isQuoted, wasQuoted) = (true, true)
            case UInt8(ascii: ",") where !isQuoted:
                fields.append(field)
                (field, wasQuoted) = ([], false)
            case UInt8(ascii: "\n"):
                line += 1
                guard isQuoted else { break scan }
                field.append(byte)
            case UInt8(ascii: "\r") where !isQuoted && position < bytes.count && bytes[position] == UInt8(ascii: "\n"):
                break
            default:
                if byte == UInt8(ascii: "\"") || (wasQuoted && !isQuoted) { isWrong = true }
                field.append(byte)
            }
        }
        fields.append(field)
        let texts = fields.compactMap { String(validating: $0, as: UTF8.self) }
        let fault =
            isQuoted
            ? "a quote is not closed"
            : isWrong
                ? "a quote in the wrong place"
                : texts.count < fields.count ? "not UTF-8" : nil
        return Row(line: first, fields: texts, fault: fault)
    }
}
