import ServiceKit
import StrideTestSupport
import Telemetry
import Testing

@testable import IngestService

/// Stores and a running ingest that all tests of a suite share; their users differ.
struct Stand: Sendable {
    let stores: TestStores
    let ingest: InProcessIngest

    @TaskLocal static var current: Stand?

    /// The stand of the suite that runs.
    static func ofSuite() throws -> Stand { try #require(current, "the suite has no stand") }

    /// Runs a body with a stand of its own, which ends with it.
    static func run(
        by turnstile: Turnstile = .ofTests, settings: [String: String] = [:], ownRedis: Bool = false,
        logger: Logger = .discarding, tune: @escaping @Sendable (inout IngestConfiguration) -> Void = { _ in },
        _ body: @Sendable (Stand) async throws -> Void
    ) async throws {
        try await TestStores.run(by: turnstile, ownRedis: ownRedis) { stores in
            let ingest = try await InProcessIngest.start(
                stores, settings: settings, logger: logger, tune: tune)
            let stand = Stand(stores: stores, ingest: ingest)
            do {
                try await eventually("ingest is ready, so its days are shown from the first on") {
                    let line = try await HTTPLine.open(ingest.adminPort, on: stores.loop)
                    defer { line.close() }
                    return try await line.exchange(HTTPCall("GET", "/readyz"), within: .seconds(20)).status == 200
                }
                try await ingest.awaitRedis(stand.phone("first-caller"))
                try await body(stand)
            } catch {
                await stand.end()
                throw error
            }
            await stand.end()
        }
    }

    private func end() async {
        await stores.client.closeIdle()
        await ingest.service.drain()
    }

    /// A phone of a user; without a name one whom nobody else is.
    func phone(_ name: String = newRequestID()) throws -> Phone { try stores.phone(name, ports: [ingest.port]) }

    /// A user's days in PostgreSQL, after a check that Redis shows the same with the same revisions.
    func days(
        of phone: Phone, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [String: DayFigures] {
        let stored = try await stores.database.revisedDays(of: phone.user)
        let shown = try await stores.redis.revisedDays(of: phone.user)
        #expect(shown == stored, "Redis and PostgreSQL differ", sourceLocation: sourceLocation)
        return stored.mapValues(\.figures).filter { $0.value != DayFigures(0, 0, 0) }
    }
}

/// Gives a suite a stand for the time in which its tests run.
struct StandTrait: SuiteTrait, TestScoping {
    var settings: [String: String] = [:]

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await Stand.run(by: .ofSuites, settings: settings) { stand in
            try await Stand.$current.withValue(stand) { try await function() }
        }
    }
}

extension Trait where Self == StandTrait {
    /// A stand for the suite, with settings of its own.
    static func stand(_ settings: [String: String] = [:]) -> StandTrait { StandTrait(settings: settings) }
}
