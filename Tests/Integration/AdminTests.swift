import StrideTestSupport
import Testing

/// The operators' port: alive, ready, metrics.
@Suite(.serialized) struct AdminTests {
    private static let walk = workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 1)

    private func ask(_ path: String, _ stand: Stand) async throws -> HTTPAnswer {
        try await stand.stores.client.send(HTTPCall("GET", path), to: stand.ingest.adminPort)
    }

    @Test("/livez and /readyz are 200 while it serves; the public port has neither them nor /metrics")
    func alive() async throws {
        try await Stand.run { stand in
            try await eventually("it is ready") { try await ask("/readyz", stand).status == 200 }
            #expect(try await ask("/livez", stand).status == 200)
            #expect(try await ask("/v1/workouts", stand).status == 404)
            for path in ["/livez", "/readyz", "/metrics", "/stats"] {
                let answer = try await stand.stores.client.send(HTTPCall("GET", path), to: stand.ingest.port)
                #expect(answer.status == 404)
            }
        }
    }

    @Test("/readyz is 503 while the schema is missing, and 200 by itself once somebody has migrated")
    func schemaMissing() async throws {
        try await TestStores.run(migrated: false) { stores in
            let ingest = try await InProcessIngest.start(stores)
            let stand = Stand(stores: stores, ingest: ingest)
            for _ in 0..<5 {
                let answer = try await ask("/readyz", stand)
                #expect(answer.status == 503)
                #expect(answer.json["code"] == "TRY_AGAIN_LATER")
                #expect(try await ask("/livez", stand).status == 200)
                try await Task.sleep(for: .milliseconds(50))
            }
            // Not written, and no word of tables to a client.
            let answer = try await stand.phone().post(Self.walk)
            #expect(answer.status >= 500 && !answer.text.contains("users"))
            try await stores.database.migrate()
            try await eventually("it is ready") { try await ask("/readyz", stand).status == 200 }
            #expect(try await stand.phone().post(Self.walk).status == 201)
            await stores.client.closeIdle()
            await ingest.stop()
        }
    }

    @Test("/readyz is 503 while it drains, the request that is under way is answered, and new callers are refused")
    func draining() async throws {
        try await TestStores.run { stores in
            let ingest = try await InProcessIngest.start(stores)
            let stand = Stand(stores: stores, ingest: ingest)
            let phone = try stand.phone()
            try await eventually("it is ready") { try await ask("/readyz", stand).status == 200 }
            #expect(try await phone.post(Self.walk).status == 201)
            try await stores.database.whileLocked("users") { unlock in
                async let held = phone.post(Self.walk.with(["requestId": .string(newRequestID())]))
                try await eventually("it waits for the lock") { try await stores.database.waitingForLocks() > 0 }
                async let drained: Void = ingest.stop()
                try await eventually("it is not ready") { try await ask("/readyz", stand).status == 503 }
                try await eventually("nobody new is let in") {
                    (try? await HTTPLine.open(ingest.port, on: stores.loop)) == nil
                }
                try await unlock()
                let answer = try await held
                #expect(answer.status == 201 && answer.isLast)
                await stores.client.closeIdle()
                await drained
            }
            #expect(try await stores.database.days(of: phone.user) == ["2025-06-10": DayFigures(2, 0, 2)])
        }
    }

    @Test("/metrics is Prometheus text, tells what happened, and holds no token and no content")
    func metrics() async throws {
        try await Stand.run { stand in
            let phone = try stand.phone("name-of-the-walker")
            let id = try await phone.post(Self.walk).json["workout_id"].int ?? 0
            _ = try await phone.post(Self.walk)
            _ = try await phone.post(Self.walk.with(["steps": 2]))
            _ = try await phone.postBatch([Self.walk.with(["requestId": .string(newRequestID())]), Self.walk, 5])
            _ = try await phone.delete(id)
            let answer = try await ask("/metrics", stand)
            #expect(answer.status == 200)
            #expect(answer["Content-Type"]?.hasPrefix("text/plain; version=0.0.4") == true)
            let samples = try Samples(answer.text)
            for (result, count) in ["created": 2.0, "duplicate": 2, "conflict": 1, "user_rate": 0, "internal": 0] {
                #expect(samples.values[#"stride_ingest_workouts_total{result="\#(result)"}"#] == count)
            }
            #expect(samples.values["stride_ingest_queued_workouts"] == 0)
            #expect(
                samples.values["stride_ingest_batch_size_count"]
                    == samples.values["stride_ingest_commit_duration_seconds_count"])
            #expect(samples.values["stride_ingest_cache_write_failures_total"] == 0)
            let posts = samples.values.keys.first {
                $0.hasPrefix("http_server_request_duration_seconds_count") && $0.contains(#"http_route="/v1/workouts""#)
                    && $0.contains(#"http_response_status_code="201""#) && $0.contains(#"http_request_method="POST""#)
            }
            #expect(posts.flatMap { samples.values[$0] } == 1)
            for secret in [phone.token, "name-of-the-walker", "\(phone.user)", Self.walk["requestId"].string ?? "-"] {
                #expect(!answer.text.contains(secret))
            }
        }
    }

    @Test("O1: random paths, methods and ids make no new series")
    func seriesDoNotGrow() async throws {
        try await Stand.run { stand in
            let phone = try stand.phone()
            func probe(_ number: Int) async throws {
                for path in [
                    "/x\(number)", "/v1/workouts/\(number)", "/v1/workouts/a\(number)", "/v1/athletes/\(number)",
                ] {
                    _ = try await phone.send("DELETE", path)
                    _ = try await phone.send("GET", path + "?q=\(number)")
                }
                let line = try await HTTPLine.open(stand.ingest.port, on: stand.stores.loop)
                try await line.send("M\(number) /v1/workouts HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await line.answer().status >= 400)
                line.close()
            }
            try await probe(1)
            try await probe(2)
            let before = try Samples(try await ask("/metrics", stand).text).values.count
            for number in 3..<60 { try await probe(number) }
            #expect(try Samples(try await ask("/metrics", stand).text).values.count == before)
        }
    }
}

/// The Prometheus text format, read strictly: each family described once before its samples, each sample once.
private struct Samples {
    var values: [String: Double] = [:]

    init(_ text: String) throws {
        var types: [String: String] = [:]
        #expect(text.hasSuffix("\n"))
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let words = line.split(separator: " ")
            if line.hasPrefix("# TYPE ") {
                #expect(types[String(words[2])] == nil, "described twice: \(words[2])")
                types[String(words[2])] = String(words[3])
            } else if !line.hasPrefix("# HELP ") {
                let space = try #require(line.lastIndex(of: " "), "no sample: \(line)")
                let name = String(line[..<space])
                let value = try #require(Double(line[line.index(after: space)...]), "no number: \(line)")
                let family = String(name.prefix { $0 != "{" })
                let base = ["_bucket", "_sum", "_count"].reduce(family) { name, suffix in
                    types[name] == nil && name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
                }
                #expect(types[base] != nil, "not described: \(name)")
                #expect(
                    family.utf8.allSatisfy { $0 == 0x5F || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
                #expect(values.updateValue(value, forKey: name) == nil, "twice: \(name)")
            }
        }
    }
}
