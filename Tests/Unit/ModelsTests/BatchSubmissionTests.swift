import Models
import Testing

@Suite struct BatchSubmissionTests {
    private static func decode(_ json: String) throws -> BatchSubmission.Decoded {
        BatchSubmission.decode(try JSONValue.parse(Array(json.utf8)), now: WorkoutSubmissionTests.now) {
            WorkoutSubmissionTests.zones.contains($0)
        }
    }

    private static func batch(_ items: [String]) throws -> BatchSubmission.Decoded {
        try decode("{\"more\":1,\"workouts\":[" + items.joined(separator: ",") + "]}")
    }

    @Test("Items are decoded each for itself and stay in order, with pointers relative to the item")
    func items() throws {
        let valid = WorkoutSubmissionTests.json()
        let faulty = WorkoutSubmissionTests.json(["steps": "-1"])
        guard case .batch(let batch) = try Self.batch([valid, faulty, "null", "{\"requestId\":5}", valid]) else {
            Issue.record("no batch")
            return
        }
        let expected = try [valid, faulty, "null", "{\"requestId\":5}", valid].map(WorkoutSubmissionTests.decode)
        #expect(batch.items == expected)
        guard case .rejected(let rejection) = batch.items[1] else {
            Issue.record("the faulty item was accepted")
            return
        }
        #expect(rejection.faults.map(\.pointer) == ["/steps"])
        #expect(rejection.requestIDText == "7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f")
    }

    @Test("A batch has 1 to 500 items", arguments: [(0, false), (1, true), (500, true), (501, false)])
    func size(count: Int, isBatch: Bool) throws {
        switch try Self.batch(Array(repeating: WorkoutSubmissionTests.json(), count: count)) {
        case .batch(let batch): #expect(isBatch && batch.items.count == count)
        case .rejected(let faults): #expect(!isBatch && faults.map(\.pointer) == ["/workouts"])
        }
    }

    @Test(
        "What is no batch is one fault of the whole",
        arguments: [
            ("[]", ""), ("null", ""), ("1", ""), ("{}", "/workouts"), ("{\"workouts\":null}", "/workouts"),
            ("{\"workouts\":{}}", "/workouts"), ("{\"workouts\":\"x\"}", "/workouts"),
        ])
    func noBatch(json: String, pointer: String) throws {
        guard case .rejected(let faults) = try Self.decode(json) else {
            Issue.record("accepted as a batch")
            return
        }
        #expect(faults.map(\.pointer) == [pointer])
    }
}
