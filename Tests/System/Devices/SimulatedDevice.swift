import ClientCore
import ClientStore
import StrideTestSupport

/// A real core on a made-up phone: its database survives, everything else may fail as the seed decides.
///
/// Its clock shows whole minutes only, so that what the model counts by minutes is exact. One file, because living and settling share
/// what nobody else may see.
final class SimulatedDevice {
    /// What the device holds, by id: what the user knows to be saved.
    typealias Ledger = [String: NaiveRecount.Span]

    let name: String
    /// How far its clock is ahead of the server's, in minutes.
    var clockError = 0
    private(set) var isOnline = false
    private(set) var failures: [String] = []
    private(set) var restarts = 0
    private let person: Person
    private let database: RecordDatabase
    private let user: SimulatedUser
    private var random: SeededGenerator
    private var client = Client()
    private var minutes: Int
    private var request: ClientRequest?
    private var wake: Int?
    private var screens: [String: JSON] = [:]

    /// The moment at which the services live.
    static let serverTime = "2025-06-14T12:00:00Z"
    /// How far a wrong clock is ahead, in minutes.
    private static let wrongClock = 3 * 1440
    private static let zero = instant("2025-06-10T00:00:00Z")

    init(_ name: String, of user: SimulatedUser, database path: String, seed: UInt64) throws {
        self.name = name
        self.user = user
        person = user.person
        random = SeededGenerator(seed: seed)
        database = try RecordDatabase(path: path)
        minutes = (instant(Self.serverTime) - Self.zero) / 60_000
        try start()
    }

    private var now: Int { Self.zero + (minutes + clockError) * 60_000 }

    private func start() throws {
        client = Client()
        request = nil
        wake = nil
        for event in try database.restoring(now: Int64(now)) { try carryOut(client.handle(event)) }
        let digits = String(UInt64.random(in: 0...UInt64.max, using: &random) | 1 << 63, radix: 16)
        try send(
            "start",
            [
                "seed": .string(digits + digits), "zone": ["name": "UTC", "offsets": [[0, 0]]],
                "online": .bool(isOnline),
                "signed_in": true, "device_id": .string(name),
            ])
    }

    /// The process ends and begins anew.
    func restart() throws {
        restarts += 1
        try start()
    }

    /// Sends an event; with `dies`, the process ends before one of the effects, and begins anew.
    func send(_ type: String, _ members: JSON = [:], span: NaiveRecount.Span? = nil, dies: Bool = false) throws {
        let event = members.with(["type": .string(type), "now": .int(now)])
        let effects = client.handle(Array(event.text.utf8))
        guard dies else { return try carryOut(effects, span: span) }
        try carryOut(Array(effects.prefix(Int.random(in: 0...effects.count, using: &random))), span: span)
        try restart()
    }

    private func carryOut(_ effects: [Effect], span: NaiveRecount.Span? = nil) throws {
        for effect in effects {
            switch effect {
            case .store(let changes):
                if let span { try note(changes, span) }
                try database.apply(changes)
            case .send(let request): self.request = request
            case .wake(let time): wake = time.map { Int($0) }
            case .show(let view, let key, let model):
                screens[view + (key.map { "/" + $0 } ?? "")] = try JSON(parsing: model)
            case .report(let code, let detail): failures.append("\(code) \(detail)")
            case .signIn: failures.append("asked to sign in")
            case .zone, .erased: break
            }
        }
    }

    /// What the user sees as saved or gone is what has to be true in the end.
    ///
    /// The same transaction may store others that were here before, such as those that are about to be sent.
    private func note(_ changes: [RecordChange], _ span: NaiveRecount.Span) throws {
        let known = try records()
        let new = changes.filter { $0.store == "workouts" && $0.value != nil && known[$0.key] == nil }
        if new.count != 1 { failures.append("one workout was saved as \(new.count)") }
        for change in new { user.ledger[change.key] = span }
    }
}

extension SimulatedDevice {
    /// Something that happens to a phone.
    func live() async throws {
        minutes += Int.random(in: 0...3, using: &random)
        let dies = Int.random(in: 0..<8, using: &random) == 0
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6: try add(dies: dies)
        case 6: try addWithWrongClock(isPutRight: Bool.random(using: &random))
        case 7: try addInUnknownZone()
        case 8: try deleteOne(dies: dies)
        case 9..<12:
            isOnline.toggle()
            try send("online", ["online": .bool(isOnline)], dies: dies)
        case 12: try restart()
        case 13: try send("open", ["view": "home"], dies: dies)
        case 14: try send("refresh", dies: dies)
        case 15:
            try send(
                "set_goal", ["steps": .int(Int.random(in: 1...90_000, using: &random)), "distance": nil], dies: dies)
        default: try await exchange(dies: dies)
        }
        try send("tick")
        for _ in 0..<Int.random(in: 0...3, using: &random) { try await exchange(dies: false) }
    }

    private func add(dies: Bool) throws {
        var span = NaiveRecount.Span.random(&random)
        span.device = name
        try send("add_workout", Self.members(of: span), span: span, dies: dies)
    }

    private static func members(of span: NaiveRecount.Span) -> JSON {
        let body = span.body
        return [
            "start_time": body["start_time"], "end_time": body["end_time"], "steps": body["steps"],
            "distance": body["distance"],
        ]
    }

    /// Three days ahead, the server refuses what was "just walked"; sent again, it lies where it really was.
    ///
    /// If the clock is put right before the server is asked, only the user knows where that is.
    private func addWithWrongClock(isPutRight: Bool) throws {
        clockError = Self.wrongClock
        let end = minutes + clockError
        let span = NaiveRecount.Span(from: end - 10, to: end, steps: 700, millimetres: 500_000, device: name)
        try send("add_workout", Self.members(of: span), span: span)
        if isPutRight { clockError = 0 }
    }

    private func addInUnknownZone() throws {
        try send("zone", ["zone": ["name": "Nowhere/Land", "offsets": [[0, 0]]], "is_device": true])
        let span = NaiveRecount.Span(from: 1500, to: 1560, steps: 99, millimetres: 1, device: name)
        try send("add_workout", Self.members(of: span), span: span)
        try send("zone", ["zone": ["name": "UTC", "offsets": [[0, 0]]], "is_device": true])
    }

    /// Deletes any workout that this device knows of, its own or not.
    private func deleteOne(dies: Bool) throws {
        let known = try records().filter { $0.value["state"] == "kept" }.keys.sorted()
        guard let id = known.randomElement(using: &random) else { return }
        try send("delete_workout", ["id": .string(id)], dies: dies)
        // Gone only if the phone had time to note it.
        let record = try records()[id]
        if record == nil || record?["state"] == "deleting" { user.ledger[id] = nil }
    }

    /// Carries out the request under way: it may be lost, or its answer.
    func exchange(dies: Bool, isReliable: Bool = false) async throws {
        guard let request else { return }
        self.request = nil
        let luck = isReliable ? 100 : Int.random(in: 0..<100, using: &random)
        if luck < 8 || !isOnline { return try answer(request, 0, []) }
        let answer = try await person.phone.send(
            request.method, request.path, body: request.body, via: Self.service(request))
        if luck < 16 { return try self.answer(request, 0, []) }
        if luck < 20 { return try restart() }
        try self.answer(request, answer.status, answer.body, dies: dies)
    }

    private func answer(_ request: ClientRequest, _ status: Int, _ body: [UInt8], dies: Bool = false) throws {
        let event = Client.answer(to: request.id, status: status, body: body, now: Int64(now))
        let effects = client.handle(event)
        try carryOut(dies ? Array(effects.prefix(Int.random(in: 0...effects.count, using: &random))) : effects)
        if dies { try restart() }
    }

    private static func service(_ request: ClientRequest) -> Int {
        if request.path.hasPrefix("/v1/workouts") || request.path.hasPrefix("/v1/me") { return 0 }
        return request.path.hasPrefix("/v1/changes") || request.path.hasPrefix("/v1/days") ? 2 : 1
    }

    /// The workouts that are stored, by id.
    func records() throws -> [String: JSON] {
        var records: [String: JSON] = [:]
        for record in try database.records() where record.store == "workouts" {
            records[record.key] = try JSON(parsing: record.value ?? [])
        }
        return records
    }
}

extension SimulatedDevice {
    /// The network holds, the clock is right, and the user looks after what was refused: until nothing waits.
    func settle() async throws {
        clockError = 0
        isOnline = true
        try restart()
        for _ in 0..<3 {
            try await drain()
            for (id, record) in try records().sorted(by: { $0.key < $1.key }) where record["state"] == "refused" {
                try handleRefused(id, record)
            }
        }
        try await drain()
        let left = try records().filter { $0.value["state"] != "kept" || $0.value["sent"] == nil }
        if !left.isEmpty { failures.append("left over: \(left)") }
    }

    private func handleRefused(_ id: String, _ record: JSON) throws {
        var span = user.ledger.removeValue(forKey: id)
        // What lies in the past of a zone that there is may never be refused.
        if let span, span.to <= minutes, record["zone"] == "UTC" { failures.append("refused: \(span)") }
        var members: JSON = ["id": .string(id)]
        var error = record["reason"]["clock_error"].int.map { $0 / 60_000 }
        if error == nil, let span, span.to > minutes {
            error = Self.wrongClock
            members["end_time"] = .int(Self.zero + (span.to - Self.wrongClock) * 60_000)
        }
        guard let error, span != nil else { return try send("delete_workout", members) }
        span?.from -= error
        span?.to -= error
        if let span, span.to > minutes { failures.append("still ahead: \(span)") }
        try send("retry_workout", members, span: span)
    }

    /// Exchanges until nothing is under way and nothing waits for a time.
    private func drain() async throws {
        for _ in 0..<500 {
            if request != nil {
                try await exchange(dies: false, isReliable: true)
            } else if try records().values.contains(where: {
                $0["state"] == "deleting" || $0["sent"] == nil && $0["state"] == "kept"
            }),
                let wake
            {
                minutes += max(1, (wake - now + 59_999) / 60_000)
                try send("tick")
            } else {
                return
            }
        }
        failures.append("it never came to rest")
    }

    /// Reads everything, and what the screen of a day shows then.
    func steps(on day: String) async throws -> JSON {
        try send("open", ["view": "day", "day": .string(day)])
        try send("refresh")
        try await drain()
        return screens["day/" + day]?["steps"] ?? nil
    }
}
