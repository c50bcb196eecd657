import Redis
import StrideTestSupport
import Testing

/// `stride verify --all` decides whether the promise is kept, so it must find what is wrong.
@Suite(.serialized) struct JudgeTests {
    @Test("One false field of one user in Redis, whichever it is, and the judge says no; put right, it says yes")
    func falsified() async throws {
        // Progress looks for differences too, and would drop what is falsified here.
        let settings = ["STRIDE_PROGRESS_CHECK_MS": "0"]
        try await Fleet.run(ownRedis: true, now: Promise.now, settings: settings) { fleet in
            let (redis, anna) = (fleet.stores.redis, try await Promise.warm(fleet))
            _ = try await Promise.warm(fleet, steps: 300)
            #expect(try await anna.plan("PUT", "/v1/weekly_goal", ["steps": 7000]).status == 200)
            let key = TestRedis.daysKey(of: anna.phone.user)
            try await Promise.expectAgreement(fleet)
            for field in ["2026-12-02", "plan", "goal", "profile"] {
                let right = try #require(try await redis.send("HGET", key, field).text, "\(field)")
                let altered =
                    field == "profile"
                    ? right.replacing("UTC", with: "Asia/Tokyo") : Self.otherDigit(right)
                #expect(altered != right)
                for wrong in [altered, nil] {
                    if let wrong {
                        try await redis.send("HSET", key, field, wrong)
                    } else {
                        try await redis.send("HDEL", key, field)
                    }
                    let (ending, output) = try await fleet.verify()
                    // Without plan, goal or profile a hash is a miss; without one of its days it is a lie.
                    let isMiss = wrong == nil && field != "2026-12-02"
                    #expect(ending == .exited(isMiss ? 0 : 1), "\(field) = \(wrong ?? "nothing"): \(output)")
                    #expect(output.contains("\(anna.phone.user)") == !isMiss)
                    try await redis.send("HSET", key, field, right)
                    try await Promise.expectAgreement(fleet)
                }
            }
        }
    }

    @Test("A profile that was put without a member is one with the defaults, for every reader and for the judge")
    func emptyProfile() async throws {
        try await Fleet.run(ownRedis: true, now: Promise.now) { fleet in
            let bea = try fleet.person()
            #expect(try await bea.post(Promise.workout(at: "08", steps: 10)).status == 200)
            #expect(try await Promise.steps(of: bea) == 10)
            #expect(try await bea.plan("PUT", "/v1/profile", .object([:])).status == 200)
            let standard: JSON = ["time_zone": "UTC", "week_start": "monday"]
            #expect(try await bea.plan("GET", "/v1/profile").json == standard)
            #expect(try await bea.get("/v1/changes").json["profile"] == standard)
            try await Promise.expectAgreement(fleet)
            try await fleet.stores.redis.send("FLUSHALL")
            #expect(try await bea.summary()["time_zone"] == "UTC")
            try await Promise.expectAgreement(fleet)
            // Half of one is the same.
            #expect(try await bea.plan("PUT", "/v1/profile", ["week_start": "sunday"]).status == 200)
            #expect(try await bea.get("/v1/changes").json["profile"] == standard.with(["week_start": "sunday"]))
            try await Promise.expectAgreement(fleet)
        }
    }

    /// The same text with its last digit changed, which is that of a number and not of the revision.
    private static func otherDigit(_ text: String) -> String {
        guard let place = text.lastIndex(where: \.isNumber) else { return text }
        var text = text
        let other: Character = text[place] == "1" ? "2" : "1"
        text.replaceSubrange(place...place, with: [other])
        return text
    }
}
