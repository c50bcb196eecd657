import Foundation
import StrideTestSupport
import Testing

/// `GET /v1/export` through the real services.
@Suite(.serialized) struct ExportTests {
    private static func lines(_ answer: HTTPAnswer) throws -> [JSON] {
        #expect(answer.body.last == UInt8(ascii: "\n"))
        return try answer.text.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
    }

    private static let walks = (0..<5).map { index in
        workout(
            from: "2025-06-2\(index)T08:00:00Z", to: "2025-06-2\(index)T08:30:00Z",
            steps: 1000 + index, metres: .raw("87\(index).5"), zone: "Europe/Berlin", device: "phone")
    }

    @Test("An export is what was sent: workouts, days, plans, goal, profile, own entry, and a last line that counts")
    func contents() async throws {
        try await RightsStand.run { stand in
            let (ada, bob) = (try stand.phone("ada"), try stand.phone("bob"))
            try await stand.live(ada, workouts: Self.walks)
            try await stand.live(
                bob, workouts: [workout(from: "2025-06-01T08:00:00Z", to: "2025-06-01T09:00:00Z", steps: 7)])
            let first = try #require(try await ada.send("GET", "/v1/workouts?limit=1", via: 2).json.elements.first)
            #expect(try await ada.delete(first["workout_id"].int ?? 0).status == 204)

            let answer = try await ada.send("GET", "/v1/export", via: 2)
            #expect(answer.status == 200 && answer["Content-Type"] == "application/x-ndjson")
            #expect(answer["Cache-Control"] == "private, no-store" && answer["Transfer-Encoding"] == "chunked")
            let lines = try Self.lines(answer)
            func of(_ kind: String) -> [JSON] {
                lines.filter { $0["kind"] == .string(kind) }.map { $0.without("kind") }
            }
            #expect(lines.first?["kind"] == "export" && lines.first?["version"] == 1)
            #expect(lines.last?["kind"] == "end" && lines.last?["lines"] == .int(lines.count - 1))
            let listed = try await ada.send("GET", "/v1/workouts", via: 2).json.elements
            #expect(of("workout") == listed)
            #expect(of("workout").map { $0["requestId"] } == Self.walks.dropFirst().map { $0["requestId"] })
            #expect(
                of("workout").map { $0["distance"] } == [
                    .double(871.5), .double(872.5), .double(873.5), .double(874.5),
                ])
            #expect(of("deleted_workout") == [first])
            let days = try await ada.send("GET", "/v1/days?from=2025-06-20&to=2025-06-24", via: 2).json["days"].elements
            #expect(of("day") == days)
            #expect(days.map { $0["steps"] } == [0, 1001, 1002, 1003, 1004])
            #expect(of("profile") == [["time_zone": "Europe/Berlin", "week_start": "sunday"]])
            #expect(of("weekly_goal") == [["steps": 35000]])
            let plans = of("plan").sorted { ($0["planName"].string ?? "") < ($1["planName"].string ?? "") }
            #expect(
                plans.map { $0["planName"] } == ["first", "second"] && plans.map { $0["current"] } == [false, true])
            let current = try await ada.send("GET", "/v1/plan", via: 1).json
            #expect(plans[1].without("current") == current)
            let own = try await ada.send("GET", "/v1/athletes/me", via: 3).json["athlete"]
            #expect(of("athlete") == [own.without("rank").with(["challenge": "open"])])
            #expect(
                of("result").map { $0.without("recordedAt") } == [
                    ["challenge": "open", "id": own["id"], "score": 12, "removed": false]
                ])
            // One, and 4 workouts, 1 deleted, 5 days, profile, goal, 2 plans, entry, result, and the last.
            #expect(lines.count == 18)
            #expect(!answer.text.contains("\(bob.user)"))

            // Somebody who has nothing has an export, too; nobody has none.
            let empty = try Self.lines(try await stand.phone("nobody").send("GET", "/v1/export", via: 2))
            #expect(empty.map { $0["kind"] } == ["export", "end"] && empty.last?["lines"] == 1)
            let stranger = try await stand.stores.client.send(
                HTTPCall("GET", "/v1/export"), to: stand.fleet.progress.port)
            #expect(stranger.status == 401)
            let wrong = try await ada.send("GET", "/v1/export", fields: [("Accept", "text/html")], via: 2)
            #expect(wrong.status == 406)
        }
    }

    @Test(
        "A hundred thousand workouts come whole, once each and in order, and the process grows by a few pieces at most")
    func large() async throws {
        try await RightsStand.run { stand in
            let ada = try stand.phone("ada")
            #expect(try await ada.postBatch(Self.walks).status == 200)
            _ = try await ada.send("GET", "/v1/export", via: 2)
            try await stand.fill(ada, rows: 100_000)
            let before = try #require(stand.fleet.progress.process?.peakKiB)
            let answer = try await ada.send("GET", "/v1/export", via: 2)
            let grown = try #require(stand.fleet.progress.process?.peakKiB) - before
            #expect(answer.status == 200)
            let lines = try Self.lines(answer)
            let workouts = lines.filter { $0["kind"] == "workout" }
            #expect(workouts.count == 100_005)
            #expect(Set(workouts.compactMap { $0["requestId"].string }).count == 100_005)
            let starts = workouts.compactMap { $0["start_time"].int }
            #expect(starts == starts.sorted())
            #expect(lines.filter { $0["kind"] == "day" }.count >= 4167)
            #expect(lines.last?["lines"] == .int(lines.count - 1))
            print("export: \(answer.body.count / 1024) KiB, \(lines.count) lines, the process grew by \(grown) KiB")
            #expect(grown < 12_000)
        }
    }

    @Test("Who stops reading holds no session and no snapshot, only a seat, and gives that back by leaving")
    func stopsReading() async throws {
        try await RightsStand.run(settings: ["STRIDE_PROGRESS_EXPORTS": "1"]) { stand in
            let ada = try stand.phone("ada")
            try await stand.fill(ada, rows: 100_000)
            let reader = try SlowReader(ada.call("GET", "/v1/export"), to: stand.fleet.progress.port)
            #expect(await reader.some() != nil)
            var seen = -1
            try await eventually("it waits for the reader", every: .milliseconds(300)) {
                let now = try await stand.fleet.progress.metric(#"stride_progress_database_reads_total{kind="export"}"#)
                defer { seen = now }
                return now == seen
            }
            #expect(seen < 150)
            let held = try await stand.stores.database.number(
                """
                select count(*) from pg_stat_activity where datname = current_database()
                    and application_name = 'stride-progress' and (backend_xmin is not null or xact_start is not null)
                """)
            #expect(held == 0)
            let second = try await ada.send("GET", "/v1/export", via: 2)
            #expect(second.status == 503 && second.json["reason"] == "overload")
            #expect(try await ada.send("GET", "/v1/workouts?limit=2", via: 2).json.elements.count == 2)
            reader.leave()
            try await eventually("the seat is free") { try await ada.send("GET", "/v1/export", via: 2).status == 200 }
        }
    }

    @Test("An export whose user is erased meanwhile ends in the middle, without a last line")
    func erasedMeanwhile() async throws {
        try await RightsStand.run { stand in
            let ada = try stand.phone("ada")
            try await stand.fill(ada, rows: 100_000)
            let reader = try SlowReader(ada.call("GET", "/v1/export"), to: stand.fleet.progress.port)
            #expect(await reader.some() != nil)
            #expect(try await stand.erase(ada).status == 200)
            let rest = await reader.rest()
            #expect(!rest.contains(#""kind":"end""#) && !rest.hasSuffix("0\r\n\r\n"))
            #expect(try await ada.send("GET", "/v1/export", via: 2).status == 401)
        }
    }
}
