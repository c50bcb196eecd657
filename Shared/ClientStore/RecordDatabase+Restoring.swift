public import ClientCore

extension RecordDatabase {
    /// The `restore` events with which a core begins, a few hundred records each.
    ///
    /// A value that is no JSON would spoil the event that it stands in; the core writes none, and one that was damaged is
    /// left out.
    ///
    /// - Parameter now: milliseconds since 1970.
    public func restoring(now: Int64) throws(RecordDatabaseError) -> [[UInt8]] {
        Self.restoring(try records(), now: now)
    }

    /// The same for records that come from elsewhere.
    public static func restoring(_ records: [RecordChange], now: Int64) -> [[UInt8]] {
        var events: [[UInt8]] = []
        var rest = records[...]
        while !rest.isEmpty {
            events.append(Client.restoring(Array(rest.prefix(300)), now: now))
            rest = rest.dropFirst(300)
        }
        return events
    }
}
