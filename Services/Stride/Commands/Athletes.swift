import EventLoops
import Foundation
import Models
import Postgres
import Redis
import ServiceKit
import Storage

/// `stride athletes import`: records the athletes of a file.
enum Athletes {
    static func run(_ arguments: inout Arguments, _ settings: inout Settings) async throws -> Int32 {
        let name = try arguments.required("challenge")
        guard try arguments.word("import") == "import" else { throw Arguments.Fault("only import is known") }
        let path = try arguments.word("the file")
        try arguments.finish()
        guard let challenge = ChallengeName(name) else { throw Arguments.Fault("\(name) cannot be a challenge") }
        let postgresURL = settings.text("STRIDE_POSTGRES_URL")
        let redisURL = settings.text("STRIDE_REDIS_URL")
        try settings.finish()
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Arguments.Fault("\(path) cannot be read")
        }
        let file = AthleteFile(Array(data))
        for row in file.badRows { Terminal.complain("\(path), \(row)") }
        let postgres = try settings.postgres(url: postgresURL, name: "stride-athletes")
        let redis = try RedisConfiguration(url: redisURL)
        let tally = try await record(file.athletes, challenge, postgres, redis)
        Terminal.endProgress()
        for id in tally.refused { Terminal.complain("athlete \(id) belongs to a user; not recorded") }
        print("recorded    \(tally.created) new, \(tally.updated) changed, \(tally.unchanged) as before")
        print("refused     \(tally.refused.count + file.badRows.count)")
        return tally.refused.isEmpty && file.badRows.isEmpty ? 0 : 1
    }

    /// Redis need not be there: the services then find out by themselves.
    private static func record(
        _ athletes: [NamedEntry], _ challenge: ChallengeName, _ postgres: PostgresConfiguration,
        _ redis: RedisConfiguration
    ) async throws -> AthleteImport.Tally {
        let count = athletes.count
        return try await Stores.withPostgres(postgres) { connection in
            let client = RedisClient(configuration: redis, scripts: BoardCache.scripts, loop: connection.loop)
            defer { client.close() }
            client.start()
            try? await client.waitUntilReady(timeout: .seconds(2))
            let generation = try await CacheGeneration.name(redis: client, postgres: connection)
            let run = AthleteImport(
                store: LeaderboardStore(timeout: .seconds(30)), connection: connection,
                cache: BoardCache(redis: client) { generation }, now: { WallClock().now },
                note: { Terminal.progress($0.settled, of: count, "athletes") })
            return try await run.run(athletes, challenge: challenge)
        }
    }
}
