import ClientCore
import Models
import StrideTestSupport

/// A device without services: a core, the records that it had stored, and what it said.
///
/// It is 2025-11-30, a Sunday, 11:53:20 in Berlin; the device lives there and is called `phone`.
struct Rig {
    static let zero = 1_764_500_000_000
    static let zone: JSON = [
        "name": "Europe/Berlin",
        "offsets": [[1_743_296_400_000, 7200], [1_761_440_400_000, 3600], [1_774_746_000_000, 7200]],
    ]

    private(set) var client = Client()
    /// What the database holds, by `store/key`.
    private(set) var records: [String: RecordChange] = [:]
    /// The screens as they are shown, by name.
    private(set) var screens: [String: JSON] = [:]
    /// The request under way.
    private(set) var request: JSON?
    /// When a tick is wanted.
    private(set) var wake: Int?
    /// How often a new token was asked for.
    private(set) var signIns = 0
    /// The codes of all reports.
    private(set) var reports: [String] = []
    /// The time.
    var now = Rig.zero
    private var starts = 0

    /// A device that has been started.
    init(online: Bool = false, signedIn: Bool = true, records: [String: RecordChange] = [:]) {
        self.records = records
        start(online: online, signedIn: signedIn)
    }

    /// The process ends here, and begins anew with what was stored.
    mutating func restart(online: Bool = false, signedIn: Bool = true) {
        client = Client()
        request = nil
        wake = nil
        screens = [:]
        start(online: online, signedIn: signedIn)
    }

    private mutating func start(online: Bool, signedIn: Bool) {
        let stored = records.sorted { $0.key < $1.key }.map(\.value)
        carryOut(client.handle(Client.restoring(stored, now: Int64(now))))
        starts += 1
        send(
            "start",
            [
                "seed": .string("000000000000000000000000000000\(10 + starts)"), "zone": Rig.zone,
                "online": .bool(online),
                "signed_in": .bool(signedIn), "device_id": "phone",
            ])
    }

    /// Sends an event at the rig's time.
    @discardableResult
    mutating func send(_ type: String, _ members: JSON = [:]) -> [JSON] {
        send(text: members.with(["type": .string(type), "now": .int(now)]).text)
    }

    /// Sends any text.
    @discardableResult
    mutating func send(text: String) -> [JSON] { carryOut(client.handle(Array(text.utf8))) }

    /// Answers what is under way.
    @discardableResult
    mutating func answer(_ status: Int, _ body: JSON = nil) -> [JSON] {
        guard let id = request?["id"] else { return [] }
        request = nil
        return send("answer", ["id": id, "status": .int(status), "body": body])
    }

    /// An accelerometer sample; a tick follows if one is wanted.
    mutating func motion(at milliseconds: Double, _ x: Double, _ y: Double, _ z: Double) {
        now = max(now, Int(milliseconds))
        if client.motion(at: milliseconds, x: x, y: y, z: z) { send("tick") }
    }

    @discardableResult
    private mutating func carryOut(_ effects: [Effect]) -> [JSON] {
        for effect in effects {
            switch effect {
            case .store(let changes):
                for change in changes {
                    records["\(change.store)/\(change.key)"] = change.value == nil ? nil : change
                }
            case .wake(let time): wake = time.map { Int($0) }
            case .signIn: signIns += 1
            case .report(let code, _): reports.append(code)
            default: break
            }
        }
        let told = (try? JSON(parsing: Effect.encode(effects)))?.elements ?? []
        for effect in told {
            if effect["type"] == "send" { request = effect }
            if effect["type"] == "show" { screens[effect["view"].string ?? ""] = effect["model"] }
        }
        return told
    }
}

extension Rig {
    /// Adds a workout by hand, so many minutes before now, ten minutes long.
    mutating func add(minutesAgo: Int, steps: Int = 1000, metres: JSON = 700) {
        send(
            "add_workout",
            [
                "start_time": .int(now - minutesAgo * 60_000), "end_time": .int(now - minutesAgo * 60_000 + 600_000),
                "steps": .int(steps), "distance": metres,
            ])
    }

    /// The requestIds of the batch under way, in its order.
    var batch: [String] { request?["body"]["workouts"].elements.compactMap { $0["requestId"].string } ?? [] }

    /// Answers reads with nothing new until something else is under way, or nothing.
    mutating func read(plan: JSON? = nil, days: [String: Int] = [:]) {
        while let path = request?["path"].string, request?["method"] == "GET" {
            if path.hasPrefix("/v1/changes") {
                var body: JSON = ["workouts": [], "nextCursor": "c1", "more": false]
                if let plan { body["plan"] = plan }
                answer(200, body)
            } else if path.hasPrefix("/v1/days") {
                answer(200, Self.days(path, days))
            } else if path == "/v1/plan_templates" {
                answer(200, ["templates": []])
            } else {
                return
            }
        }
    }

    /// What `/v1/days` says: steps as given, else nothing.
    static func days(_ path: String, _ steps: [String: Int]) -> JSON {
        let parts = path.split { "=&".contains($0) }
        guard parts.count == 4, let from = Day(parsing: String(parts[1])), let to = Day(parsing: String(parts[3]))
        else {
            return nil
        }
        return [
            "days": .array(
                DaySpan(from: from, through: to).map { day in
                    let count = steps[day.description] ?? 0
                    return [
                        "day": .string(day.description), "steps": .int(count), "distance": .int(count),
                        "workouts": .int(count > 0 ? 1 : 0),
                    ]
                })
        ]
    }

    /// The values of a store, by key.
    func stored(_ store: String) -> [String: JSON] {
        var values: [String: JSON] = [:]
        for record in records.values where record.store == store {
            values[record.key] = record.value.flatMap { try? JSON(parsing: $0) }
        }
        return values
    }

    /// How many workouts wait, were refused, and are delivered, by what is stored.
    var queue: (waiting: Int, refused: Int, delivered: Int) {
        let all = stored("workouts").values
        return (
            all.filter { $0["state"] == "kept" && $0["sent"] == nil }.count,
            all.filter { $0["state"] == "refused" }.count,
            all.filter { $0["state"] == "kept" && $0["sent"] != nil }.count
        )
    }
}
