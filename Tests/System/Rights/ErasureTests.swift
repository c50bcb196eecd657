import Foundation
import StrideTestSupport
import Testing

/// `DELETE /v1/me` through the real services.
@Suite(.serialized) struct ErasureTests {
    private static func walks(_ ids: [String]) -> [JSON] {
        ids.enumerated().map { index, id in
            let day = "2025-06-2\(index % 3 + 1)"
            return workout(
                id, from: "\(day)T08:\(10 + index):00Z", to: "\(day)T08:\(11 + index):00Z", steps: 100 + index,
                metres: 70, device: index % 2 == 0 ? "phone" : "watch")
        }
    }

    @Test("Everything of a user goes, older tokens count no more in all four services, a newer one starts afresh")
    func everythingGoes() async throws {
        try await RightsStand.run { stand in
            let (ada, bob) = (try stand.phone("ada"), try stand.phone("bob"))
            let ids = (0..<6).map { _ in newRequestID() }
            try await stand.live(ada, workouts: Self.walks(ids))
            try await stand.live(bob, workouts: Self.walks((0..<4).map { _ in newRequestID() }))
            let first = try await ada.send("GET", "/v1/workouts?limit=1", via: 2).json.elements.first
            let deleted = try #require(first?["workout_id"].int)
            #expect(try await ada.delete(deleted).status == 204)
            let cursor = try #require(try await ada.send("GET", "/v1/changes", via: 2).json["nextCursor"].string)
            let others = try await stand.everything(of: bob)
            #expect(try await stand.tables(holding: "\(ada.user)").count >= 6)
            #expect(try await stand.keys(of: ada).contains("stride:{\(ada.user)}:home"))

            let answer = try await ada.send("DELETE", "/v1/me")
            #expect(answer.status == 200, "\(answer)")
            // Six were sent and one of them deleted; the plan was replaced once.
            #expect(answer.json["workouts"] == 5 && answer.json["plans"] == 2 && answer.json["athletes"] == 1)
            #expect(UUID(uuidString: answer.json["receiptId"].string ?? "") != nil)
            #expect(answer.json.names.count == 5)
            let age = Int(Date().timeIntervalSince1970 * 1000) - (answer.json["erasedAt"].int ?? 0)
            #expect((1000...60_000).contains(age))

            #expect(try await stand.statuses(of: ada) == [401, 401, 401, 401])
            #expect(try await ada.postBatch(Self.walks(ids)).status == 401)
            #expect(try await ada.post(Self.walks(ids)[0]).status == 401)
            try await eventually("nothing names the user") {
                let tables = try await stand.tables(holding: "\(ada.user)")
                let keys = try await stand.keys(of: ada)
                return tables.isEmpty && keys.isEmpty
            }
            let board = try await stand.coach().send("GET", "/v1/athletes", via: 3)
            #expect(board.json["athletes"].elements.compactMap { $0["name"].string } == ["Me \(bob.user)"])
            #expect(board.json["total"] == 1)
            #expect(try await stand.everything(of: bob) == others)

            // Whoever lost the answer asks again, with this token or another one from before.
            #expect(try await ada.send("DELETE", "/v1/me").body == answer.body)
            #expect(try await stand.phone("ada", issued: 1_700_000_000).send("DELETE", "/v1/me").body == answer.body)

            let again = try stand.signedIn("ada")
            #expect(try await stand.statuses(of: again) == [404, 200, 200, 404])
            let summary = try await again.send("GET", "/v1/progressSummary", via: 2).json
            #expect(summary["planState"] == "none" && summary["weeklyGoal"] == .null && summary["time_zone"] == "UTC")
            #expect(try await again.send("GET", "/v1/workouts", via: 2).json.elements.isEmpty)
            #expect(try await again.send("GET", "/v1/changes?cursor=\(cursor)", via: 2).status == 410)
            // A request id that was erased means nothing any more.
            #expect(try await again.post(Self.walks(ids)[1]).status == 201)
            #expect(
                try await again.send("GET", "/v1/days?from=2025-06-22&to=2025-06-22", via: 2).json["days"].elements
                    .first?["steps"] == 101)
            #expect(try await again.send("GET", "/v1/changes", via: 2).json["workouts"].elements.count == 1)
            let verdict = try await stand.fleet.verify()
            #expect(verdict.ending == .exited(0), "\(verdict.output)")

            try await Task.sleep(for: .milliseconds(1100))
            let second = try await stand.signedIn("ada").send("DELETE", "/v1/me")
            #expect(second.status == 200 && second.json["workouts"] == 1 && second.json["plans"] == 0)
            #expect(second.json["receiptId"] != answer.json["receiptId"])
            #expect(try await ada.send("DELETE", "/v1/me").body == answer.body)
        }
    }

    @Test("A process that is killed after every few steps, and started again, erases each row once and all of them")
    func killedBetweenSteps() async throws {
        try await RightsStand.run { stand in
            let flag = try TestFolder()
            try flag.write("armed", "")
            let mortal = try await ServiceProcess.start(
                stand.stores, name: "mortal",
                settings: [
                    "STRIDE_FAULT_POINT": "erasure_step:3:exit", "STRIDE_FAULT_WHILE": flag.path + "/armed",
                    "STRIDE_INGEST_STATEMENT_MS": "30000",
                ])
            defer { mortal.kill() }
            // The other processes must not help; of a pair there is a second ingest.
            for other in [stand.fleet.ingest] + stand.fleet.others.prefix(1) { other.kill() }
            var ada = try stand.phone("ada")
            ada.ports[0] = mortal.port
            #expect(try await ada.postBatch(Self.walks([newRequestID()])).status == 200)
            try await stand.fill(ada, rows: 12_000)
            let lost = try? await ada.send("DELETE", "/v1/me")
            #expect(lost == nil)
            var lives = 1
            while lives < 4 {
                try await eventually("it is dead", within: .seconds(60)) { mortal.process?.ending != nil }
                try await mortal.start()
                lives += 1
            }
            try FileManager.default.removeItem(atPath: flag.path + "/armed")
            if mortal.process?.ending != nil { try await mortal.start() }
            let receipt = try await stand.erase(ada)
            #expect(receipt.status == 200 && receipt.json["workouts"] == 12_001)
            #expect(try await ada.send("DELETE", "/v1/me").body == receipt.body)
            try await eventually("nothing names the user") { try await stand.tables(holding: "\(ada.user)").isEmpty }
            #expect(try await stand.fleet.verify().ending == .exited(0))
        }
    }

    @Test(
        "Two who ask at once through two processes, and a queue that goes on sending: one receipt, nothing comes back")
    func twoAtOnce() async throws {
        try await RightsStand.run { stand in
            let other = try await ServiceProcess.start(
                stand.stores, name: "other", settings: ["STRIDE_INGEST_STATEMENT_MS": "30000"])
            defer { other.kill() }
            var ada = try stand.phone("ada")
            ada.ports.append(other.port)
            try await stand.live(ada, workouts: Self.walks((0..<6).map { _ in newRequestID() }))
            try await stand.fill(ada, rows: 20_000)
            let (phone, isOver) = (ada, StopFlag())
            async let queue = Self.keepSending(phone, until: isOver)
            async let one = stand.erase(phone)
            async let two = stand.erase(phone, via: 4)
            let (first, second) = try await (one, two)
            isOver.set()
            let statuses = try await queue
            #expect(first.status == 200 && first.body == second.body)
            #expect((first.json["workouts"].int ?? 0) >= 20_006)
            #expect(statuses.contains(401) && Set(statuses).isSubset(of: [201, 401]))
            try await eventually("nothing names the user") { try await stand.tables(holding: "\(phone.user)").isEmpty }
            #expect(try await stand.fleet.verify().ending == .exited(0))
        }
    }

    /// Posts as an old queue would; the statuses.
    private static func keepSending(_ phone: Phone, until isOver: StopFlag) async throws -> [Int] {
        var statuses: [Int] = []
        while !isOver.isSet {
            statuses.append(
                try await phone.post(walks([newRequestID()])[0], via: statuses.count % 2 == 0 ? 0 : 4).status)
            try await Task.sleep(for: .milliseconds(5))
        }
        return statuses
    }

    @Test("A newer token waits while the erasure is under way, is told so everywhere, and what it then writes stays")
    func newerTokensWait() async throws {
        try await RightsStand.run { stand in
            let ada = try stand.phone("ada")
            try await stand.live(ada, workouts: Self.walks((0..<3).map { _ in newRequestID() }))
            // Whoever works on an erasure holds its row for the time of a step; here somebody holds it for long.
            let ids = (0..<2).map { _ in newRequestID() }
            async let answer = stand.erase(ada)
            try await eventually("the erasure has begun") {
                try await stand.stores.database.number("select count(*) from erasures") == 1
            }
            try await stand.stores.database.whileLocked("daily_totals") { unlock in
                try await Task.sleep(for: .milliseconds(1100))
                let again = try stand.signedIn("ada")
                try await eventually("everybody has heard of it") {
                    try await stand.statuses(of: again) == [503, 503, 503, 503]
                }
                let refused = try await again.postBatch(Self.walks(ids))
                #expect(refused.status == 503 && refused.json["code"] == "TRY_AGAIN_LATER")
                #expect((refused.json["retry_after_ms"].int ?? 0) > 0)
                try await unlock()
            }
            #expect(try await answer.json["workouts"] == 3)
            let again = try stand.signedIn("ada")
            #expect(
                try await again.postBatch(Self.walks(ids)).json["results"].elements.map { $0["result"] } == [
                    "created", "created",
                ])
            #expect(try await again.send("GET", "/v1/workouts", via: 2).json.elements.count == 2)
        }
    }

    @Test(
        "A process that has not heard of an erasure learns of it under the user's lock: no older token writes anything")
    func lockTells() async throws {
        try await RightsStand.run { stand in
            let ada = try stand.phone("ada")
            try await stand.live(ada, workouts: Self.walks([newRequestID()]))
            // In the user's row alone, where no book sees it.
            try await stand.stores.database.run(
                "update users set erased_ms = \(instant("2025-06-10T10:00:00Z")) where user_id = '\(ada.user)'")
            let before = try await stand.everything(of: ada).count
            let put = Array(#"{"steps":1}"#.utf8)
            #expect(try await ada.post(Self.walks([newRequestID()])[0]).status == 401)
            #expect(try await ada.postBatch(Self.walks([newRequestID(), newRequestID()])).status == 401)
            #expect(try await ada.delete(1).status == 401)
            #expect(try await ada.send("PUT", "/v1/weekly_goal", body: put, via: 1).status == 401)
            #expect(try await ada.send("DELETE", "/v1/weekly_goal", via: 1).status == 401)
            #expect(try await ada.send("PUT", "/v1/profile", body: Array("{}".utf8), via: 1).status == 401)
            #expect(try await ada.send("DELETE", "/v1/plan", via: 1).status == 401)
            let plan =
                #"{"requestId":"\#(newRequestID())","planName":"p","startDate":"2025-06-02","weekly_goals":[{"week":0,"steps":7}]}"#
            #expect(try await ada.send("POST", "/v1/create_workout_plan", body: Array(plan.utf8), via: 1).status == 401)
            let entry = Array(#"{"name":"Back","score":1}"#.utf8)
            #expect(try await ada.send("PUT", "/v1/athletes/me", body: entry, via: 3).status == 401)
            #expect(try await ada.send("DELETE", "/v1/athletes/me", via: 3).status == 401)
            #expect(try await stand.everything(of: ada).count == before)
            // A neighbour in the same batch, and a token of the second after.
            let later = try stand.phone("ada", issued: instant("2025-06-10T10:00:01Z") / 1000)
            #expect(try await later.post(Self.walks([newRequestID()])[0]).status == 201)
            #expect(try await later.send("PUT", "/v1/weekly_goal", body: put, via: 1).status == 200)
            #expect(try await later.send("PUT", "/v1/athletes/me", body: entry, via: 3).status == 200)
            let same = try stand.phone("ada", issued: instant("2025-06-10T10:00:00Z") / 1000)
            #expect(try await same.post(Self.walks([newRequestID()])[0]).status == 401)
        }
    }

    @Test("While a hundred thousand rows go nobody waits for a lock, and no step takes more than a piece")
    func harmsNobody() async throws {
        try await RightsStand.run { stand in
            let (ada, bob) = (try stand.phone("ada"), try stand.phone("bob"))
            #expect(try await ada.post(Self.walks([newRequestID()])[0]).status == 201)
            try await stand.fill(ada, rows: 100_000)
            async let answer = stand.erase(ada)
            var (sizes, waits, posts, last) = ([Int](), 0, 0, 100_001)
            while last > 0 {
                #expect(try await bob.post(Self.walks([newRequestID()])[0]).status == 201)
                posts += 1
                waits += try await stand.stores.database.number(
                    """
                    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
                        and query ~ 'users|workouts|daily_totals'
                    """)
                let left = try await stand.stores.database.workoutCount(of: ada.user)
                if left < last { sizes.append(last - left) }
                last = left
            }
            #expect(try await answer.json["workouts"] == 100_001)
            #expect(waits == 0 && posts > 3)
            let steps = try await stand.stores.database.number(
                "select steps from erasures where user_id = '\(ada.user)'")
            // Twenty-one pieces of 5 000 at most, one each of the days, the plans, the settings and the results, and the end.
            #expect(steps >= 25)
            print("erasure: 100 001 rows in \(steps) steps, \(posts) posts beside it, \(waits) waits for locks")
        }
    }
}
