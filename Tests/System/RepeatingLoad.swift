import Models
import StrideTestSupport
import Testing

/// Clients that send until they are stopped, and repeat each call until it is answered for good.
struct RepeatingLoad: Sendable {
    static let users = 12
    private let stores: TestStores
    private let port: UInt16
    private let seed: UInt64
    private let stopping = StopFlag()

    /// What a client knows of a workout.
    struct Known: Sendable {
        var id: Int
        var span: NaiveRecount.Span
        var isDeleted = false
    }

    /// What became of one user.
    struct Outcome: Sendable {
        let phone: Phone
        var known: [String: Known] = [:]
        var repeats = 0
    }

    init(stores: TestStores, port: UInt16, seed: UInt64) {
        self.stores = stores
        self.port = port
        self.seed = seed
    }

    func stop() { stopping.set() }

    func run() async throws -> [Outcome] {
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for number in 0..<Self.users { group.addTask { try await self.walk(number) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func walk(_ number: Int) async throws -> Outcome {
        var outcome = Outcome(phone: try stores.phone("walker-\(number)", ports: [port]))
        var generator = SeededGenerator(seed: seed * 100 + UInt64(number))
        while !stopping.isSet {
            let spans = (0..<Int.random(in: 1...4, using: &generator)).map { _ in NaiveRecount.Span.random(&generator) }
            let bodies = spans.map(\.body)
            let phone = outcome.phone
            let answer = try await untilAnswered(&outcome) {
                bodies.count == 1 ? try await phone.post(bodies[0]) : try await phone.postBatch(bodies)
            }
            let results = bodies.count == 1 ? [answer.json] : answer.json["results"].elements
            for (span, (body, result)) in zip(spans, zip(bodies, results)) {
                guard let id = result["workout_id"].int, let request = body["requestId"].string else {
                    throw NoAnswer.unexpected(answer)
                }
                outcome.known[request] = Known(id: id, span: span)
            }
            if Int.random(in: 0..<4, using: &generator) == 0,
                let request = outcome.known.keys.sorted().randomElement(using: &generator),
                let known = outcome.known[request]
            {
                let gone = try await untilAnswered(&outcome) { try await phone.delete(known.id) }
                guard gone.status == 204 else { throw NoAnswer.unexpected(gone) }
                outcome.known[request]?.isDeleted = true
            }
        }
        return outcome
    }

    /// Repeats as a phone does: no answer, 503 and items to be tried again are sent again with the same requestIds.
    private func untilAnswered(
        _ outcome: inout Outcome, _ send: () async throws -> HTTPAnswer
    ) async throws -> HTTPAnswer {
        for _ in 0..<2000 {
            if let answer = try? await send(), answer.status < 500 {
                let isOpen = answer.json["results"].elements.contains { $0["code"] == "TRY_AGAIN_LATER" }
                if !isOpen { return answer }
            }
            outcome.repeats += 1
            try await Task.sleep(for: .milliseconds(15))
        }
        throw Late("a call was never answered")
    }
}

extension RepeatingLoad.Outcome {
    /// Exactly the acknowledged workouts are there, each once with the id that was told, and the days are their fold.
    func expectRows(in database: TestDatabase) async throws {
        let rows = try await database.rows(
            "select request_id, workout_id, is_deleted from workouts where user_id = '\(phone.user)'")
        let stored = Dictionary(grouping: rows) { $0["request_id"].string ?? "" }
        #expect(rows.count == known.count)
        for (request, workout) in known {
            #expect(stored[request]?.count == 1)
            #expect(stored[request]?.first?["workout_id"].int == workout.id)
            #expect(stored[request]?.first?["is_deleted"] == .bool(workout.isDeleted))
        }
        let spans = known.values.filter { !$0.isDeleted }.map(\.span)
        #expect(try await database.days(of: phone.user) == NaiveRecount.days(of: spans))
    }
}

extension NoAnswer {
    fileprivate static func unexpected(_ answer: HTTPAnswer) -> any Error { Late("not expected: \(answer)") }
}
