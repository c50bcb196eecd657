import StrideTestSupport

/// A user with a phone and a watch, and what both were told to keep.
final class SimulatedUser {
    let person: Person
    /// The workouts that must be on the server in the end, by requestId.
    var ledger: [String: NaiveRecount.Span] = [:]
    private(set) var devices: [SimulatedDevice] = []

    init(_ fleet: Fleet, folder: String, seed: UInt64) throws {
        person = try fleet.person()
        for (place, name) in ["phone", "watch"].enumerated() {
            // Every tenth user's databases are files; the others' live as long as the device does.
            let path = seed % 10 == 0 ? "\(folder)/\(seed)-\(name).db" : ":memory:"
            devices.append(try SimulatedDevice(name, of: self, database: path, seed: seed * 2 + UInt64(place)))
        }
    }

    /// Lives for some steps with faults, then without until all is at rest; what is wrong then.
    func run(steps: Int) async throws -> [String] {
        for _ in 0..<steps { for device in devices { try await device.live() } }
        for device in devices { try await device.settle() }
        return try await judge()
    }

    /// Compares the server and both devices with the model.
    private func judge() async throws -> [String] {
        var wrong: [String] = []
        for device in devices { wrong += device.failures.map { "\(device.name): \($0)" } }
        var listed: [String: JSON] = [:]
        for item in try await person.phone.send("GET", "/v1/workouts?limit=1000", via: 2).json.elements {
            let id = item["requestId"].string ?? ""
            if listed.updateValue(item, forKey: id) != nil { wrong.append("twice: \(id)") }
        }
        for (id, span) in ledger {
            let body = span.body(id)
            guard let item = listed.removeValue(forKey: id) else {
                wrong.append("lost: \(id) \(span)")
                continue
            }
            for name in ["start_time", "end_time", "steps"] where item[name] != body[name] {
                wrong.append("\(id): \(name) is \(item[name]) in place of \(body[name])")
            }
        }
        wrong += listed.keys.map { "invented: \($0)" }
        let expected = NaiveRecount.days(of: Array(ledger.values))
        for number in 10...15 {
            let day = "2025-06-\(number)"
            let steps = expected[day]?.steps ?? 0
            let shown: JSON = ["confirmed": .int(steps), "waiting": 0, "total": .int(steps)]
            for device in devices {
                let seen = try await device.steps(on: day)
                if seen != shown { wrong.append("\(device.name) shows \(seen) on \(day) in place of \(steps)") }
            }
        }
        return wrong
    }
}
