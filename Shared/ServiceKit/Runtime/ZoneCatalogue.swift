import Foundation
package import Models

/// The time zones that the system knows, by IANA name.
///
/// One for each loop: a zone is looked up in the time-zone database once and kept as a table, so that the rule of days
/// takes no lock. Names are looked at strictly: abbreviations such as `PST` and offsets such as `GMT+5` are no zones.
///
/// Confined to the loop whose resources it belongs to, hence `@unchecked Sendable`.
package final class ZoneCatalogue: @unchecked Sendable {
    private var known: [String: ZoneOffsets] = [:]
    private var unknown: Set<String> = []

    /// The instants for which tables are made: workouts begin in 2000; 2060 is beyond any plan.
    private static let range: (from: Int64, to: Int64) = (946_598_400_000, 2_840_140_800_000)
    /// So that made-up names cannot fill the memory.
    private static let rememberedUnknown = 1000

    /// Makes a catalogue that has looked nothing up yet.
    package init() {}

    /// The clock of a zone; nil for a name that is none.
    ///
    /// Cost: one hash look-up after the first time, which takes 1 ms.
    package func clock(of name: String) -> ZoneOffsets? {
        if let clock = known[name] { return clock }
        guard !unknown.contains(name) else { return nil }
        guard Self.isZoneName(name), let zone = TimeZone(identifier: name) else {
            if unknown.count < Self.rememberedUnknown { unknown.insert(name) }
            return nil
        }
        let clock = ZoneOffsets(from: Self.range.from, to: Self.range.to) { milliseconds in
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
        }
        known[name] = clock
        return clock
    }

    /// Area/Location names, and those without a slash that the time-zone database itself lists.
    private static func isZoneName(_ name: String) -> Bool {
        guard (1...64).contains(name.utf8.count) else { return false }
        let isPlain = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == 0x2F || byte == 0x5F || byte == 0x2D || byte == 0x2B
        }
        // Foundation also knows names that the time-zone database never had.
        guard isPlain, !name.hasPrefix("SystemV/") else { return false }
        return name.utf8.contains(0x2F) || singleNames.contains(name)
    }

    private static let singleNames: Set<String> = [
        "UTC", "GMT", "UCT", "Zulu", "Universal", "Greenwich", "GMT0", "GMT+0", "GMT-0", "CET", "MET", "EET", "WET",
        "EST", "MST", "HST", "EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT", "Cuba", "Egypt", "Eire", "GB", "GB-Eire",
        "Hongkong", "Iceland", "Iran", "Israel", "Jamaica", "Japan", "Kwajalein", "Libya", "NZ", "NZ-CHAT", "Navajo",
        "PRC", "Poland", "Portugal", "ROC", "ROK", "Singapore", "Turkey", "W-SU",
    ]
}
