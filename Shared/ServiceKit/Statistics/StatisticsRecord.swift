package import Redis

/// The figures of one instance, or of many, for one second or one minute.
package struct StatisticsRecord: Equatable, Sendable {
    private var values: [StatisticsField: Int64] = [:]

    /// Nothing is known.
    package init() {}

    /// Reads the fields of a hash or an entry of a stream: names and values in turn; what is not known is left out.
    package init(_ fields: [RESPValue]) {
        for index in stride(from: 0, to: fields.count - 1, by: 2) {
            guard let name = fields[index].text, let field = StatisticsField(rawValue: name) else { continue }
            values[field] = fields[index + 1].number
        }
    }

    /// A figure; nil where there is no such thing.
    package subscript(field: StatisticsField) -> Int64? {
        get { values[field] }
        set { values[field] = newValue }
    }

    /// A figure, 0 where there is no such thing.
    package func count(_ field: StatisticsField) -> Int64 { values[field] ?? 0 }

    /// Everything that was refused.
    package var refused: Int64 { StatisticsField.refusals.reduce(0) { $0 + count($1) } }

    /// What there is, in the order of the list of fields.
    package var entries: [(field: StatisticsField, value: Int64)] {
        StatisticsField.allCases.compactMap { field in values[field].map { (field, $0) } }
    }

    /// The same with counts as they would be of exactly a second, so that instances can be added up.
    package var perSecond: StatisticsRecord {
        guard let span = self[.span], span > 0, span != 1000 else { return self }
        var second = self
        for (field, value) in entries where field.isCount {
            second[field] = Int64((Double(value) * 1000 / Double(span)).rounded())
        }
        second[.span] = 1000
        return second
    }

    /// Joins the figures of several instances.
    package static func merge(_ records: some Collection<StatisticsRecord>) -> StatisticsRecord {
        var merged = StatisticsRecord()
        for field in StatisticsField.allCases {
            let all = records.filter { $0[field] != nil }
            guard !all.isEmpty else { continue }
            switch field.merge {
            case .sum: merged[field] = all.reduce(0) { $0 &+ $1.count(field) }
            case .worst: merged[field] = all.reduce(0) { max($0, $1.count(field)) }
            case .mean(let weight):
                let total = all.reduce(0) { $0 &+ $1.count(weight) }
                let sum = all.reduce(0.0) { $0 + Double($1.count(field)) * Double($1.count(weight)) }
                merged[field] = total > 0 ? Int64((sum / Double(total)).rounded()) : 0
            }
        }
        return merged
    }
}

extension RedisCommand {
    /// Appends the figures as names and values.
    mutating func append(_ record: StatisticsRecord) {
        for (field, value) in record.entries {
            append(field.rawValue)
            append(value)
        }
    }
}
