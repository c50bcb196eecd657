import ClientCore
import ClientStore
import Foundation
import Testing

/// The database of a native app, in real files.
struct RecordDatabaseTests {
    /// A file that is gone afterwards.
    private static func withFile(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("stride.db").path)
    }

    private static func put(_ store: String, _ key: String, _ value: String?) -> RecordChange {
        RecordChange(store: store, key: key, value: value.map { Array($0.utf8) })
    }

    @Test("what was stored is there after the file was closed and opened") func survives() throws {
        try Self.withFile { path in
            try RecordDatabase(path: path).apply([
                Self.put("workouts", "b", #"{"steps":1}"#), Self.put("days", "2025-11-30", #"{"steps":2}"#),
                Self.put("workouts", "a", #"{"steps":3}"#),
            ])
            try RecordDatabase(path: path).apply([
                Self.put("workouts", "b", nil), Self.put("workouts", "a", #"{"steps":"ä\u0000'"}"#),
            ])
            let records = try RecordDatabase(path: path).records()
            #expect(
                records == [
                    Self.put("days", "2025-11-30", #"{"steps":2}"#),
                    Self.put("workouts", "a", #"{"steps":"ä\u0000'"}"#),
                ])
        }
    }

    @Test("a file of a newer app is refused, and so is what is no database") func refuses() throws {
        try Self.withFile { path in
            do { _ = try RecordDatabase(path: path) }
            var file = try Data(contentsOf: URL(fileURLWithPath: path))
            file[63] = 99  // The last byte of `user_version` in the header.
            try file.write(to: URL(fileURLWithPath: path))
            #expect(throws: RecordDatabaseError.self) { _ = try RecordDatabase(path: path) }
            try Data("this is no database, however long it may be".utf8).write(to: URL(fileURLWithPath: path + ".x"))
            #expect(throws: RecordDatabaseError.self) { _ = try RecordDatabase(path: path + ".x") }
            #expect(throws: RecordDatabaseError.self) { _ = try RecordDatabase(path: "/nowhere/at/all") }
        }
    }

    @Test("a core begins with what an earlier one had stored") func restores() throws {
        try Self.withFile { path in
            func start(_ database: RecordDatabase) throws -> Client {
                let client = Client()
                for event in try database.restoring(now: 1_764_500_000_000) { #expect(client.handle(event).isEmpty) }
                let start =
                    #"{"type":"start","now":1764500000000,"seed":"00112233445566778899aabbccddeeff","online":false,"signed_in":true,"device_id":"x","zone":{"name":"UTC","offsets":[[0,0]]}}"#
                try carryOut(client.handle(Array(start.utf8)), database)
                return client
            }
            func carryOut(_ effects: [Effect], _ database: RecordDatabase) throws {
                for effect in effects { if case .store(let changes) = effect { try database.apply(changes) } }
            }
            let first = try RecordDatabase(path: path)
            let client = try start(first)
            for count in 1...700 {
                let add =
                    #"{"type":"add_workout","now":1764500000000,"start_time":1764400000000,"end_time":1764400060000,"steps":\#(count),"distance":0}"#
                try carryOut(client.handle(Array(add.utf8)), first)
            }
            let second = try RecordDatabase(path: path)
            #expect(try second.restoring(now: 1).count == 3)
            let other = try start(second)
            let shown = other.handle(Array(#"{"type":"open","now":1764500000000,"view":"settings"}"#.utf8))
            #expect(String(decoding: Effect.encode(shown), as: UTF8.self).contains(#""waiting":700"#))
        }
    }
}
