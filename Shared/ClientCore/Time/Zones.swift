import Models

/// The clock of a zone as the host told it: from when on it is how far ahead.
struct ZoneTable: LocalClock, Sendable {
    let name: String
    private let starts: [Int64]
    private let offsets: [Int32]

    /// Reads `{"name", "offsets": [[from, seconds], …]}`; nil if it is no such thing.
    init?(_ value: JSONValue) {
        guard let name = value.text("name"), Self.isName(name), let entries = value.list("offsets"), !entries.isEmpty,
            entries.count <= 2000
        else { return nil }
        var (starts, offsets): ([Int64], [Int32]) = ([], [])
        for entry in entries {
            let pair = entry.elements
            guard pair.count == 2, let from = pair[0].integer, let seconds = pair[1].integer,
                (-86_400...86_400).contains(seconds), starts.last.map({ $0 < from }) ?? true
            else { return nil }
            starts.append(from)
            offsets.append(Int32(truncatingIfNeeded: seconds))
        }
        self.name = name
        self.starts = starts
        self.offsets = offsets
    }

    /// Whether a text can be the name of a zone: 1 … 64 printable ASCII.
    static func isName(_ text: String) -> Bool {
        let bytes = text.utf8
        return !bytes.isEmpty && bytes.count <= 64 && bytes.allSatisfy { $0 >= 0x20 && $0 <= 0x7E }
    }

    /// Before the first entry, what the first says.
    func offsetSeconds(at instant: Timestamp) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= instant.milliseconds { low = middle + 1 } else { high = middle }
        }
        return Int(offsets[max(0, low - 1)])
    }
}

/// The time zones that the host has told of, the device's first.
struct Zones {
    private var tables: [ZoneTable] = []
    private var asked: [String] = []

    /// The zone of the device; nil before the start.
    var device: ZoneTable? { tables.first }

    /// The name of the device's zone.
    var name: String { device?.name ?? "UTC" }

    /// Takes a zone; the device's replaces the device's.
    mutating func take(_ table: ZoneTable, isDevice: Bool) {
        tables.removeAll { same($0.name, table.name) }
        if isDevice || tables.isEmpty { tables.insert(table, at: 0) } else { tables.append(table) }
    }

    /// The table of a zone; nil if it is not known, and then it is asked for once.
    func table(_ name: String) -> ZoneTable? { tables.first { same($0.name, name) } }

    /// Whether the host is to be asked for a zone; true once.
    mutating func wants(_ name: String) -> Bool {
        guard table(name) == nil, asked.count < 256, !asked.contains(where: { same($0, name) }) else { return false }
        asked.append(name)
        return true
    }

    /// The day of an instant on the device's clock.
    func day(at milliseconds: Int64) -> Day {
        let instant = Timestamp(milliseconds: milliseconds)
        return device?.day(at: instant) ?? ZoneOffsets.utc.day(at: instant)
    }

    /// The next midnight on the device's clock.
    func midnight(after milliseconds: Int64) -> Int64 {
        let offset = Int64(device?.offsetSeconds(at: Timestamp(milliseconds: milliseconds)) ?? 0) * 1000
        let next = Int64(day(at: milliseconds).number) + 1
        return max(milliseconds + 1000, next * Day.milliseconds - offset)
    }

    /// A workout's stretches by day, on its own zone's clock or, while that is unknown, the device's.
    func segments(from start: Int64, to end: Int64, zone: String) -> [DaySegment] {
        let (from, to) = (Timestamp(milliseconds: start), Timestamp(milliseconds: end))
        guard let table = table(zone) ?? device else {
            return DayCut.segments(from: from, to: to, clock: ZoneOffsets.utc)
        }
        return DayCut.segments(from: from, to: to, clock: table)
    }
}
