package import EventLoops

/// What one suite has for itself: a database, a Redis, a secret, a client and a loop for them.
package final class TestStores: Sendable {
    /// The loop of everything on the test's side.
    package let loop: EventLoop
    /// The database.
    package let database: TestDatabase
    /// Redis.
    package let redis: TestRedis
    /// Logs and secrets.
    package let folder: TestFolder
    /// Tokens.
    package let tokens: TestTokens
    /// The client of all phones.
    package let client: HTTPClient

    /// Runs a body with stores of its own, which are removed whatever happens.
    ///
    /// A few exist at a time, because they share the machine and the server's connections with everything else that is
    /// tested; so a body must not ask for further ones.
    ///
    /// - Parameters:
    ///   - turnstile: `ofSuites` around tests that have yet to begin.
    ///   - ownRedis: a server that the test may stop and flush.
    ///   - migrated: whether the schema is there.
    ///   - postgres: another server than that of the run, as a connection string.
    @discardableResult
    package static func run<Value: Sendable>(
        by turnstile: Turnstile = .ofTests, ownRedis: Bool = false, migrated: Bool = true, postgres: String? = nil,
        _ body: @Sendable (TestStores) async throws -> Value
    ) async throws -> Value {
        await turnstile.enter()
        defer { turnstile.leave() }
        let loop = try EventLoop.start(name: "test")
        let value: Value
        do {
            let stores = try await TestStores(
                loop: loop, ownRedis: ownRedis, migrated: migrated, postgres: postgres)
            do {
                value = try await body(stores)
            } catch {
                await stores.end()
                throw error
            }
            await stores.end()
        } catch {
            await loop.stop()
            throw error
        }
        await loop.stop()
        return value
    }

    private init(loop: EventLoop, ownRedis: Bool, migrated: Bool, postgres: String?) async throws {
        self.loop = loop
        folder = try TestFolder()
        redis = ownRedis ? try await .own(on: loop) : try .shared(on: loop)
        database = try await .create(on: loop, migrated: migrated, server: postgres)
        tokens = try TestTokens(in: folder, issuer: "test-\(UInt64.random(in: 0...UInt64.max))")
        client = HTTPClient(loop: loop)
    }

    private func end() async {
        try? await database.drop()
        redis.end()
    }

    /// The settings of a service that uses these stores.
    package func environment(_ changes: [String: String] = [:]) -> [String: String] {
        [
            "STRIDE_POSTGRES_URL": database.url, "STRIDE_REDIS_URL": redis.url,
            "STRIDE_TOKEN_SECRET_FILE": tokens.file, "STRIDE_TOKEN_ISSUER": tokens.issuer,
            "STRIDE_TOKEN_AUDIENCE": tokens.audience, "STRIDE_LOOPS": "1",
            "STRIDE_INGEST_PORT": "0", "STRIDE_INGEST_ADMIN_PORT": "0", "STRIDE_PLAN_PORT": "0",
            "STRIDE_PLAN_ADMIN_PORT": "0", "STRIDE_PROGRESS_PORT": "0", "STRIDE_PROGRESS_ADMIN_PORT": "0",
            // Far above what a test sends; tests about budgets set their own.
            "STRIDE_POSTGRES_QUEUE_MS": "60000", "STRIDE_INGEST_REDIS_MS": "1000",
            "STRIDE_USER_RATE_PER_MINUTE": "6000000", "STRIDE_USER_BURST": "1000000",
            "STRIDE_PLAN_RATE_PER_MINUTE": "6000000", "STRIDE_PLAN_BURST": "1000000",
        ].merging(changes) { _, own in own }
    }

    /// A user with a token.
    package func phone(_ name: String, ports: [UInt16]) throws -> Phone {
        Phone(user: try tokens.user(name), token: try tokens.token(for: name), ports: ports, client: client)
    }
}
