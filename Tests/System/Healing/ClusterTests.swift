import Redis
import StrideTestSupport
import Testing

/// A Redis Cluster, or a master that sentinels watch, loses a server while services work.
@Suite(.serialized) struct ClusterTests {
    @Test("C4: a master of the cluster is killed and its lagging replica takes over: right in 5 s, nobody is refused")
    func failover() async throws {
        try await TestStores.run { stores in
            let cluster = try await TestCluster.start(on: stores.loop, replicas: true, nodeTimeout: 2000)
            defer { cluster.end() }
            let fleet = try await Fleet.start(stores, now: Promise.now, settings: ["STRIDE_REDIS_URL": cluster.url])
            defer { fleet.kill() }
            var people: [Person] = []
            for number in 0..<15 { people.append(try await Promise.warm(fleet, steps: 1000 + number)) }
            try await eventually("no mark is left") {
                try await stores.database.number("select count(*) from cache_marks") == 0
            }
            try await Promise.expectAgreement(fleet)
            // The replica of the first master hears nothing any more of what is written from here on.
            try await cluster.nodes[3].stopFollowing(cluster.nodes[0])
            try await Self.post(100, at: "09", people)
            try await eventually("no mark is left") {
                try await stores.database.number("select count(*) from cache_marks") == 0
            }
            cluster.nodes[0].kill()
            // Nobody waits for the failover. Those who write now leave marks; the others are the replica's word against the rows.
            try await Self.post(10, at: "10", Array(people.prefix(3)))
            for (number, person) in people.enumerated() {
                #expect(try await Promise.steps(of: person) == (number < 3 ? 1110 : 1100) + number)
            }
            try await cluster.expectWhole(among: Array(cluster.nodes.dropFirst()))
            try await Promise.expectKept(fleet)
            for (number, person) in people.enumerated() {
                try await eventually("the cache answers \(number)") {
                    try await person.get("/v1/progressSummary")["X-Stride-Source"] == "cache"
                }
                #expect(try await Promise.steps(of: person) == (number < 3 ? 1110 : 1100) + number)
            }
            try await Promise.expectAgreement(fleet)
        }
    }

    @Test(
        "B2: the majority of a cluster is gone: workouts are taken, PostgreSQL answers; when it is back, all is right")
    func majorityLost() async throws {
        try await TestStores.run { stores in
            let cluster = try await TestCluster.start(on: stores.loop, nodeTimeout: 1000)
            defer { cluster.end() }
            let fleet = try await Fleet.start(stores, now: Promise.now, settings: ["STRIDE_REDIS_URL": cluster.url])
            defer { fleet.kill() }
            var people: [Person] = []
            for number in 0..<6 { people.append(try await Promise.warm(fleet, steps: 1000 + number)) }
            for node in cluster.nodes.prefix(2) { node.kill() }
            try await eventually("the third server knows that it is alone") {
                try await cluster.nodes[2].send("CLUSTER", "INFO").text?.contains("cluster_state:fail") == true
            }
            try await Self.post(100, at: "09", people)
            for (number, person) in people.enumerated() {
                let answer = try await person.get("/v1/progressSummary")
                #expect(answer.status == 200)
                #expect(answer["X-Stride-Source"] == "database")
                #expect(answer.json["currentDaySteps"].int == 1100 + number)
            }
            for node in cluster.nodes.prefix(2) { try await node.start() }
            try await cluster.expectWhole()
            try await Promise.expectKept(fleet)
            for (number, person) in people.enumerated() {
                try await eventually("the cache answers \(number)") {
                    try await person.get("/v1/progressSummary")["X-Stride-Source"] == "cache"
                }
                #expect(try await Promise.steps(of: person) == 1100 + number)
            }
        }
    }

    @Test("C4: sentinels promote the lagging replica of a killed master: right in 5 s, nobody is refused")
    func sentinels() async throws {
        try await TestStores.run { stores in
            let group = try await TestSentinels.start(on: stores.loop)
            defer { group.end() }
            let fleet = try await Fleet.start(stores, now: Promise.now, settings: ["STRIDE_REDIS_URL": group.url])
            defer { fleet.kill() }
            let people = [try await Promise.warm(fleet, steps: 1000), try await Promise.warm(fleet, steps: 1001)]
            try await group.replica.stopFollowing(group.master)
            try await Self.post(100, at: "09", people)
            try await eventually("no mark is left") {
                try await stores.database.number("select count(*) from cache_marks") == 0
            }
            group.master.kill()
            try await Self.post(10, at: "10", [people[0]])
            for (number, person) in people.enumerated() {
                #expect(try await Promise.steps(of: person) == (number == 0 ? 1110 : 1101))
            }
            try await eventually("the replica is the master", within: .seconds(90)) {
                try await group.replica.send("ROLE").elements?.first?.text == "master"
            }
            try await Promise.expectKept(fleet)
            for (number, person) in people.enumerated() {
                try await eventually("the cache answers \(number)") {
                    try await person.get("/v1/progressSummary")["X-Stride-Source"] == "cache"
                }
                #expect(try await Promise.steps(of: person) == (number == 0 ? 1110 : 1101))
            }
            try await Promise.expectAgreement(fleet)
        }
    }

    private static func post(_ steps: Int, at hour: String, _ people: [Person]) async throws {
        for person in people {
            #expect(try await person.post(Promise.workout(at: hour, steps: steps)).status == 200)
        }
    }
}
