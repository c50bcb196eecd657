import Redis
import ServiceKit
import Testing

/// What a service reads from its environment and from files.
@Suite struct ServiceConfigurationTests {
    private static let files = [
        "/s/postgres": "postgresql://stride:secret@db/stride", "/s/redis": "redis://cache:6379",
        "/s/budgets": "redis://budgets:6380",
    ]
    private static let environment = [
        "STRIDE_POSTGRES_URL_FILE": "/s/postgres", "STRIDE_REDIS_URL_FILE": "/s/redis",
        "STRIDE_TOKEN_SECRET_FILE": "/s/tokens", "STRIDE_TOKEN_ISSUER": "issuer", "STRIDE_TOKEN_AUDIENCE": "stride",
    ]

    private func read(_ more: [String: String]) throws -> ServiceConfiguration {
        var settings = Settings(Self.environment.merging(more) { $1 }) { Self.files[$0] }
        return try ServiceConfiguration(name: "ingest", defaultPort: 8081, from: &settings, cores: 1)
    }

    @Test("S5: every address of a store may come from a file, that of the budgets too")
    func files() throws {
        let configuration = try read(["STRIDE_BUDGET_REDIS_URL_FILE": "/s/budgets"])
        #expect(configuration.redis.host == "cache")
        #expect(configuration.budgetRedis?.host == "budgets" && configuration.budgetRedis?.port == 6380)
        #expect(try read([:]).budgetRedis == nil)
        #expect(try read(["STRIDE_BUDGET_REDIS_URL": "redis://other:6381"]).budgetRedis?.host == "other")
    }

    @Test("A file that is named and not there is a fault, also for a setting that may be left out")
    func missingFile() {
        #expect {
            try read(["STRIDE_BUDGET_REDIS_URL_FILE": "/s/none"])
        } throws: { error in
            (error as? Settings.Fault)?.faults == ["STRIDE_BUDGET_REDIS_URL_FILE: the file cannot be read or is empty"]
        }
    }
}
