import EventLoops
import Models
import Postgres
import Redis
import ServiceKit
import StrideTestSupport
import Telemetry
import Testing

@testable import LeaderboardService
@testable import Storage

/// Everything about the running leaderboard; one at a time, because each has connections and threads of its own.
@Suite(.serialized) enum LeaderboardServiceTests {}

/// A leaderboard with a database and a Redis of its own, because every gym has a challenge called `open`.
///
/// Every call goes over a socket.
struct Gym: Sendable {
    let stores: TestStores
    let service: Service<LeaderboardLoop>
    let registry: MetricRegistry

    /// Who calls.
    enum Caller {
        case nobody
        /// Somebody whose token has the scope.
        case coach
        case user(String)
    }

    /// Starts everything, lends it, and ends it.
    static func run(
        _ settings: [String: String] = [:], untilReady: Bool = true, shortWaits: Bool = false,
        url: (@Sendable (TestStores) async throws -> String)? = nil, _ body: @Sendable (Gym) async throws -> Void
    ) async throws {
        try await TestStores.run(ownRedis: true) { stores in
            var settings = settings
            if let url { settings["STRIDE_POSTGRES_URL"] = try await url(stores) }
            let gym = try await Gym.start(stores, settings, shortWaits: shortWaits)
            do {
                if untilReady { try await gym.awaitReady() }
                try await body(gym)
            } catch {
                await gym.end()
                throw error
            }
            await gym.end()
        }
    }

    /// Starts a further leaderboard on the same stores.
    static func start(
        _ stores: TestStores, _ changes: [String: String] = [:], shortWaits: Bool = false
    ) async throws -> Gym {
        let own = [
            "STRIDE_LEADERBOARD_PORT": "0", "STRIDE_LEADERBOARD_ADMIN_PORT": "0", "STRIDE_DRAIN_MS": "5000",
            "STRIDE_LEADERBOARD_RATE_PER_MINUTE": "6000000", "STRIDE_LEADERBOARD_BURST": "1000000",
        ]
        var settings = Settings(stores.environment(own.merging(changes) { $1 }))
        var configuration = try LeaderboardConfiguration(from: &settings)
        if !shortWaits {
            configuration.service.redis.commandTimeout = .seconds(20)
            configuration.service.redis.stallTimeout = .seconds(20)
            configuration.queuePatience = .seconds(60)
            configuration.statementTimeout = .seconds(60)
            configuration.service.postgres.statementTimeout = .seconds(60)
        }
        let registry = MetricRegistry()
        let service = try await LeaderboardApplication.start(configuration, logger: .discarding, registry: registry)
        return Gym(stores: stores, service: service, registry: registry)
    }

    /// Stops the service.
    func end() async {
        await stores.client.closeIdle()
        await service.drain()
    }

    func awaitReady() async throws {
        try await eventually("the leaderboard is ready") {
            try await stores.client.send(HTTPCall("GET", "/readyz"), to: service.adminAddress.port).status == 200
        }
    }

    /// One call.
    func call(
        _ method: String, _ path: String, _ body: JSON? = nil, as caller: Caller = .coach,
        fields: [(name: String, value: String)] = []
    ) async throws -> HTTPAnswer {
        var fields = fields
        switch caller {
        case .nobody: break
        case .coach:
            let token = try stores.tokens.token(for: "coach", scopes: ["leaderboard:write"])
            fields.append(("Authorization", "Bearer \(token)"))
        case .user(let name): fields.append(("Authorization", "Bearer \(try stores.tokens.token(for: name))"))
        }
        if body != nil { fields.append(("Content-Type", "application/json")) }
        let call = HTTPCall(method, path, fields: fields, body: body.map { Array($0.text.utf8) })
        return try await stores.client.send(call, to: service.address.port)
    }

    func get(_ path: String, fields: [(name: String, value: String)] = []) async throws -> HTTPAnswer {
        try await call("GET", path, as: .nobody, fields: fields)
    }

    /// Waits until Redis answers for a challenge.
    func awaitBoard(_ base: String = "/v1") async throws {
        try await eventually("the board is in Redis") {
            try await get(base + "/athletes?limit=1")["X-Stride-Source"] == "cache"
        }
    }

    /// Records athletes in batches; every item must be taken.
    func record(_ athletes: [JSON], base: String = "/v1", sourceLocation: SourceLocation = #_sourceLocation)
        async throws
    {
        for start in stride(from: 0, to: athletes.count, by: 1000) {
            let part = Array(athletes[start..<min(start + 1000, athletes.count)])
            let answer = try await call("POST", base + "/athletes/batch", ["athletes": .array(part)])
            try #require(answer.status == 200, "\(answer)", sourceLocation: sourceLocation)
            let refused = answer.json["results"].elements.filter { $0["result"] == "rejected" }
            #expect(refused.isEmpty, sourceLocation: sourceLocation)
        }
    }

    /// Lends this leaderboard and one beside it that has no Redis: the same question has the same answer from both stores.
    ///
    /// - Parameter body: called for each, with the source that its answers must name.
    func onBothStores(_ settings: [String: String] = [:], _ body: (Gym, _ source: String) async throws -> Void)
        async throws
    {
        try await body(self, "cache")
        let blind = try await Gym.start(
            stores, settings.merging(["STRIDE_REDIS_URL": "redis://127.0.0.1:1"]) { $1 })
        do {
            try await blind.awaitReady()
            try await body(blind, "database")
        } catch {
            await blind.end()
            throw error
        }
        await blind.end()
    }

    /// The value of a series; 0 when it was never touched.
    func metric(_ series: String) -> Double {
        let lines = String(decoding: registry.render(), as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix(series + " ") }
            .flatMap { Double($0.dropFirst(series.utf8.count + 1)) } ?? 0
    }
}

/// An athlete as a batch has it.
func athlete(_ id: Int, _ score: Int?, name: String = "A") -> JSON {
    ["id": .int(id), "name": .string(name), "score": score.map { .int($0) } ?? .null]
}

extension HTTPAnswer {
    /// The athletes of a page, or the neighbours of one: `id:score:rank`.
    func board(_ member: String = "athletes") -> [String] { json[member].elements.map(\.place) }
    /// Where the answer says that it came from.
    var source: String? { self["X-Stride-Source"] }
    /// Where the faults are.
    var pointers: [String] { json["errors"].elements.compactMap { $0["pointer"].string } }
    /// The problem's word.
    var code: String? { json["code"].string }
}

extension JSON {
    /// `id:score:rank`, a dash for null.
    var place: String {
        [self["id"], self["score"], self["rank"]].map { $0.int.map { "\($0)" } ?? "-" }.joined(separator: ":")
    }
}
