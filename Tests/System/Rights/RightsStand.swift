import Foundation
import Redis
import StrideTestSupport
import Testing

/// All four services over stores of their own, and people with several tokens.
struct RightsStand: Sendable {
    let fleet: Fleet
    let leaderboard: ServiceProcess
    var stores: TestStores { fleet.stores }

    /// Starts everything, lends it and ends it.
    static func run(
        settings: [String: String] = [:], _ body: @Sendable (RightsStand) async throws -> Void
    ) async throws {
        let settings = [
            "STRIDE_LEADERBOARD_RATE_PER_MINUTE": "6000000", "STRIDE_LEADERBOARD_BURST": "1000000",
            "STRIDE_LEADERBOARD_QUEUE_MS": "30000", "STRIDE_LEADERBOARD_STATEMENT_MS": "30000",
            "STRIDE_PROGRESS_CHECK_MS": "0",
        ].merging(settings) { $1 }
        try await Fleet.run(ownRedis: true, settings: settings) { fleet in
            let leaderboard = try await ServiceProcess.start(fleet.stores, .leaderboard, settings: settings)
            defer { leaderboard.kill() }
            let stand = RightsStand(fleet: fleet, leaderboard: leaderboard)
            _ = try await stand.coach().send(
                "PUT", "/v1/challenges/open",
                body: Array(#"{"name":"Open","order":"desc","description":"","self_report":true}"#.utf8), via: 3)
            try await body(stand)
        }
    }

    /// The places of the services in `Phone.send(via:)`.
    var ports: [UInt16] { [fleet.ingest.port, fleet.plan.port, fleet.progress.port, leaderboard.port] }

    /// Who may write boards.
    func coach() throws -> Phone {
        var phone = try stores.phone("coach", ports: ports)
        phone.token = try stores.tokens.token(for: "coach", scopes: ["leaderboard:write"])
        return phone
    }

    /// A user with a token of 2001, or of another second.
    func phone(_ name: String, issued: Int? = nil) throws -> Phone {
        var phone = try stores.phone(name, ports: ports)
        if let issued { phone.token = try stores.tokens.token(for: name, issued: issued) }
        return phone
    }

    /// The same user as somebody who has signed in just now.
    func signedIn(_ name: String) throws -> Phone { try phone(name, issued: Int(Date().timeIntervalSince1970)) }

    /// One call to each service, by which it says who is known: the status of each.
    func statuses(of phone: Phone) async throws -> [Int] {
        var statuses: [Int] = []
        for (place, call) in [
            ("DELETE", "/v1/workouts/1"), ("GET", "/v1/profile"), ("GET", "/v1/progressSummary"),
            ("GET", "/v1/athletes/me"),
        ].enumerated() {
            statuses.append(try await phone.send(call.0, call.1, via: place).status)
        }
        return statuses
    }

    /// Everything that a person can leave behind; a workout of each of three days, from two devices.
    func live(_ phone: Phone, workouts: [JSON]) async throws {
        #expect(try await phone.postBatch(workouts).status == 200)
        for name in ["first", "second"] {
            let plan: JSON = [
                "requestId": .string(newRequestID()), "planName": .string(name), "startDate": "2025-06-02",
                "weekly_goals": [["week": 0, "steps": 7000]],
            ]
            let answer = try await phone.send("POST", "/v1/create_workout_plan", body: Array(plan.text.utf8), via: 1)
            #expect(answer.status == 201, "\(answer)")
        }
        #expect(
            try await phone.send("PUT", "/v1/weekly_goal", body: Array(#"{"steps":35000}"#.utf8), via: 1).status == 200)
        let profile = Array(#"{"time_zone":"Europe/Berlin","week_start":"sunday"}"#.utf8)
        #expect(try await phone.send("PUT", "/v1/profile", body: profile, via: 1).status == 200)
        let entry = Array(#"{"name":"Me \#(phone.user)","score":12}"#.utf8)
        #expect(try await phone.send("PUT", "/v1/athletes/me", body: entry, via: 3).status == 201)
        #expect(try await phone.send("GET", "/v1/progressSummary", via: 2).status == 200)
    }

    /// The tables in which a text that only this user has still stands.
    func tables(holding text: String, butFor exceptions: Set<String> = ["users", "erasures"]) async throws -> [String] {
        let names = try await stores.database.rows(
            "select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind = 'r'"
        ).compactMap { $0["name"].string }
        var found: [String] = []
        for name in names where !exceptions.contains(name) {
            let count = try await stores.database.number(
                "select count(*) from \(name) t where t::text like '%\(text)%'")
            if count > 0 { found.append(name) }
        }
        return found
    }

    /// The keys of Redis that name a user.
    func keys(of phone: Phone) async throws -> [String] {
        try await stores.redis.send("KEYS", "*\(phone.user)*").elements?.compactMap(\.text) ?? []
    }

    /// Everything that the database holds of a user, as one text.
    func everything(of phone: Phone) async throws -> [JSON] {
        var all: [JSON] = []
        for table in ["users", "workouts", "daily_totals", "settings", "plans", "athletes"] {
            all += try await stores.database.rows(
                "select * from \(table) where user_id = '\(phone.user)' order by 1, 2")
        }
        return all
    }

    /// Puts further workouts of a user, with their days, where ingest would have: a minute each, from 2010 on.
    func fill(_ phone: Phone, rows: Int) async throws {
        try await stores.database.run(
            """
            insert into workouts (user_id, request_id, start_ms, end_ms, steps, distance_mm, time_zone, zone_was_sent,
                status, source, day, revision)
            select '\(phone.user)', gen_random_uuid(), 1262304000000 + n::bigint * 3600000, 1262304060000 + n::bigint * 3600000, 10, 7000, 'UTC',
                true, 0, 0, date '2010-01-01' + (n / 24)::int, 1
            from generate_series(0, \(rows - 1)) n
            """,
            """
            insert into daily_totals (user_id, day, steps, distance_mm, workouts, revision)
            select user_id, day, sum(steps), sum(distance_mm), count(*), 1 from workouts
            where user_id = '\(phone.user)' and start_ms < 1700000000000 group by 1, 2 on conflict do nothing
            """)
    }

    /// Asks for the erasure until it is done: what a client does that keeps its wish.
    func erase(_ phone: Phone, via place: Int = 0) async throws -> HTTPAnswer {
        for _ in 0..<60 {
            if let answer = try? await phone.send("DELETE", "/v1/me", via: place), answer.status != 503 {
                return answer
            }
            try await Task.sleep(for: .milliseconds(500))
        }
        throw Late("not erased")
    }
}
