import StrideTestSupport
import Testing

/// What the server may answer to a batch, and what has to become of the queue: worked out by hand.
struct DeliveryTests {
    /// A row of the table.
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// How many workouts are in the batch.
        var count = 2
        var status: Int
        /// The body, made from the requestIds of the batch.
        var body: @Sendable ([String]) -> JSON = { _ in nil }
        /// How many wait, are refused and are delivered afterwards.
        var queue: [Int]
        /// How long the queue waits, in milliseconds; nil: not at all.
        var wait: ClosedRange<Int>?
        /// Whether the next request is another batch at once, and of how many.
        var next: Int?
        var asksToSignIn = false
    }

    static func results(_ ids: [String], _ first: JSON) -> JSON {
        [
            "results": .array(
                ids.enumerated().map { place, id in
                    let fine: JSON = ["result": "created", "workout_id": .int(place + 1)]
                    return (place == 0 ? first : fine).with(["requestId": .string(id)])
                })
        ]
    }

    static let rows = [
        Row(
            testDescription: "all are new", status: 200, body: { results($0, ["result": "created", "workout_id": 1]) },
            queue: [0, 0, 2]),
        Row(
            testDescription: "one was there", status: 200,
            body: { results($0, ["result": "duplicate", "workout_id": 1]) }, queue: [0, 0, 2]),
        Row(
            testDescription: "one has grown", status: 200,
            body: { results($0, ["result": "updated", "workout_id": 1]) }, queue: [0, 0, 2]),
        Row(
            testDescription: "one is invalid", status: 200,
            body: { results($0, ["result": "rejected", "code": "INVALID_REQUEST", "detail": "no"]) }, queue: [0, 1, 1]),
        Row(
            testDescription: "one means something else", status: 200,
            body: { results($0, ["result": "rejected", "code": "IDEMPOTENCY_KEY_REUSED"]) }, queue: [0, 1, 1]),
        Row(
            testDescription: "one is beyond the budget", status: 200,
            body: { results($0, ["result": "rejected", "code": "TRY_AGAIN_LATER", "retry_after_ms": 5000]) },
            queue: [1, 0, 1], wait: 5000...5500),
        Row(
            testDescription: "one met a mistake of the server", status: 200,
            body: { results($0, ["result": "rejected", "code": "INTERNAL"]) }, queue: [1, 0, 1], wait: 1000...2000),
        Row(
            testDescription: "one is not signed in", status: 200,
            body: { results($0, ["result": "rejected", "code": "UNAUTHENTICATED"]) }, queue: [1, 0, 1],
            asksToSignIn: true),
        Row(
            testDescription: "an item has no result", status: 200,
            body: {
                [
                    "results": .array(
                        Array(results($0, ["result": "created", "workout_id": 1])["results"].elements.prefix(1)))
                ]
            }, queue: [1, 0, 1], wait: 1000...2000),
        Row(
            testDescription: "a result is for another", status: 200,
            body: { results([newRequestID()] + $0.dropFirst(), ["result": "created"]) }, queue: [1, 0, 1],
            wait: 1000...2000),
        Row(testDescription: "the answer is no JSON", status: 200, queue: [2, 0, 0], wait: 1000...2000),
        Row(testDescription: "no answer", status: 0, queue: [2, 0, 0], wait: 1000...2000),
        Row(
            testDescription: "500", status: 500, body: { _ in ["code": "INTERNAL"] }, queue: [2, 0, 0],
            wait: 1000...2000),
        Row(testDescription: "502 of somebody between", status: 502, queue: [2, 0, 0], wait: 1000...2000),
        Row(
            testDescription: "503 with a time", status: 503,
            body: { _ in ["code": "TRY_AGAIN_LATER", "retry_after_ms": 7000] }, queue: [2, 0, 0], wait: 7000...7700),
        Row(testDescription: "503 without a time", status: 503, queue: [2, 0, 0], wait: 1000...2000),
        Row(
            testDescription: "429 with a short time", status: 429,
            body: { _ in ["code": "TRY_AGAIN_LATER", "retry_after_ms": 40] }, queue: [2, 0, 0], wait: 1000...1100),
        Row(
            testDescription: "503 with no time at all", status: 503,
            body: { _ in ["code": "TRY_AGAIN_LATER", "retry_after_ms": 0] }, queue: [2, 0, 0], wait: 1000...1100),
        Row(
            testDescription: "503 with a time before now", status: 503,
            body: { _ in ["code": "TRY_AGAIN_LATER", "retry_after_ms": .int(.min)] }, queue: [2, 0, 0],
            wait: 1000...1100),
        Row(
            testDescription: "one is to come again at once", status: 200,
            body: { results($0, ["result": "rejected", "code": "TRY_AGAIN_LATER", "retry_after_ms": 0]) },
            queue: [1, 0, 1], wait: 1000...1100),
        Row(
            testDescription: "one is to come again before now", status: 200,
            body: { results($0, ["result": "rejected", "code": "TRY_AGAIN_LATER", "retry_after_ms": -5]) },
            queue: [1, 0, 1], wait: 1000...1100),
        Row(
            testDescription: "429 with an absurd time", status: 429, body: { _ in ["retry_after_ms": .int(Int.max)] },
            queue: [2, 0, 0], wait: 3_600_000...3_960_000),
        Row(
            testDescription: "401", status: 401, body: { _ in ["code": "UNAUTHENTICATED"] }, queue: [2, 0, 0],
            asksToSignIn: true),
        Row(
            testDescription: "403", status: 403, body: { _ in ["code": "FORBIDDEN"] }, queue: [2, 0, 0],
            asksToSignIn: true),
        Row(testDescription: "404 of a wrong address", status: 404, queue: [2, 0, 0], wait: 1000...2000),
        Row(testDescription: "413 for two", status: 413, queue: [2, 0, 0], next: 1),
        Row(testDescription: "413 for one", count: 1, status: 413, queue: [0, 1, 0]),
        Row(
            testDescription: "400 for two", status: 400, body: { _ in ["code": "INVALID_REQUEST"] }, queue: [2, 0, 0],
            next: 1),
        Row(
            testDescription: "400 for one", count: 1, status: 400, body: { _ in ["code": "INVALID_REQUEST"] },
            queue: [0, 1, 0]),
        Row(testDescription: "422 for one", count: 1, status: 422, queue: [0, 1, 0]),
    ]

    @Test("each answer leaves the queue as it should be", arguments: rows) func table(row: Row) throws {
        var rig = Rig()
        for place in 0..<row.count { rig.add(minutesAgo: 100 - place) }
        rig.send("open", ["view": "settings"])
        rig.send("online", ["online": true])
        let ids = rig.batch
        #expect(ids.count == row.count)
        rig.answer(row.status, row.body(ids))

        #expect([rig.queue.waiting, rig.queue.refused, rig.queue.delivered] == row.queue)
        #expect(rig.signIns == (row.asksToSignIn ? 1 : 0))
        if let next = row.next {
            #expect(rig.batch.count == next)
            return
        }
        #expect(rig.batch.isEmpty)
        let retry = rig.screens["settings"]?["queue"]["retry_at"].int
        if let wait = row.wait {
            #expect(wait.contains(try #require(retry) - rig.now), "\(String(describing: retry))")
            rig.read()
            rig.now += wait.lowerBound - 1
            rig.send("tick")
            rig.read()
            #expect(rig.batch.isEmpty, "it came back too early")
            rig.now += wait.upperBound - wait.lowerBound + 1
            rig.send("tick")
            rig.read()
            #expect(rig.batch.count == row.queue[0], "it did not come back")
        } else {
            #expect(retry == nil)
        }
        if row.asksToSignIn {
            #expect(rig.request == nil)
            rig.now += 86_400_000
            rig.send("tick")
            #expect(rig.request == nil, "something went out without a token")
            rig.send("signed_in")
            #expect(rig.batch.count == row.queue[0])
        }
    }
}
