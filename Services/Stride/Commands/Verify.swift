import EventLoops
import Models
import Postgres
import Redis
import ServiceKit
import Storage

/// `stride verify`: compares workouts, totals and cache of users, and rows, sums and cache of boards.
enum Verify {
    static func run(_ arguments: inout Arguments, _ settings: inout Settings) async throws -> Int32 {
        let isForAll = arguments.flag("all")
        let subject = try arguments.option("sub")
        try arguments.finish()
        guard !(isForAll && subject != nil) else { throw Arguments.Fault("--all or --sub, not both") }
        let postgresURL = settings.text("STRIDE_POSTGRES_URL")
        let redisURL = settings.text("STRIDE_REDIS_URL")
        let issuer = subject == nil ? "" : settings.text("STRIDE_TOKEN_ISSUER")
        try settings.finish()
        var postgres = try settings.postgres(url: postgresURL, name: "stride-verify")
        // The rows of one user are read in one statement, however many there are.
        postgres.statementTimeout = .seconds(120)
        var redis = try settings.redis(url: redisURL)
        redis.commandTimeout = .seconds(5)
        redis.stallTimeout = .seconds(5)
        let user = try subject.map { try Principal.userID(issuer: issuer, subject: $0) }
        let users: Verification.Summary
        let boards: BoardVerification.Summary
        do {
            (users, boards) = try await compare(postgres, redis, user)
        } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
            Terminal.clear()
            let holders = try await LockHolder.find(postgres, everyMode: false)
            for line in LockHolder.advice(on: holders, after: "verify") { Terminal.complain(line) }
            return 1
        }
        Terminal.endProgress()
        let differences = users.differences + boards.differences
        let boardsSeen = user == nil ? "\(boards.boards) boards, " : ""
        print("\(users.users) users, \(users.days) days, \(boardsSeen)\(differences) differences")
        return differences == 0 ? 0 : 1
    }

    private static func compare(
        _ postgres: PostgresConfiguration, _ redis: RedisConfiguration, _ user: UserID?
    ) async throws -> (Verification.Summary, BoardVerification.Summary) {
        try await Stores.withBoth(postgres, redis) {
            connection, redis -> (Verification.Summary, BoardVerification.Summary) in
            guard let generation = try await CacheGeneration.name(redis: redis, postgres: connection) else {
                throw RedisError.notConnected
            }
            let verification = Verification(
                connection: connection, redis: redis, generation: generation,
                report: {
                    Terminal.clear()
                    print($0)
                },
                note: { Terminal.status("\($0.users) users, \($0.days) days, \($0.differences) differences") })
            if let user { return (try await verification.only(user), BoardVerification.Summary()) }
            let boards = BoardVerification(
                connection: connection, store: LeaderboardStore(timeout: .seconds(120)),
                cache: BoardCache(redis: redis) { generation }, report: verification.report)
            return (try await verification.everybody(), try await boards.everything())
        }
    }
}
