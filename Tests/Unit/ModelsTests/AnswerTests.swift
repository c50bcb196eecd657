import Models
import Testing

@Suite struct AnswerTests {
    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(
        "A receipt says whether the call made, repeated or changed the workout",
        arguments: [
            (false, false, 201, #"{"workout_id":918273,"requestId":"7B0f","duplicate":false}"#),
            (true, false, 200, #"{"workout_id":918273,"requestId":"7B0f","duplicate":true}"#),
            (false, true, 200, #"{"workout_id":918273,"requestId":"7B0f","duplicate":false,"updated":true}"#),
        ])
    func receipt(isDuplicate: Bool, isUpdate: Bool, status: Int, json: String) {
        let receipt = WorkoutReceipt(
            workoutID: 918_273, requestID: "7B0f", isDuplicate: isDuplicate, isUpdate: isUpdate)
        #expect(receipt.status == status)
        #expect(Self.text(receipt.encode()) == json)
    }

    @Test("The results of a batch stand in the order sent, each with what it has")
    func batch() {
        let rejected = Problem.invalid([Fault(pointer: "/steps", detail: "x")], serverTime: Timestamp(milliseconds: 17))
        let waiting = Problem(.tryAgainLater, detail: "w", reason: .userRate, retryAfterMilliseconds: 250)
        let results = [
            BatchItemResult(requestID: "a", outcome: .created(workoutID: 1)),
            BatchItemResult(requestID: "b", outcome: .duplicate(workoutID: 2)),
            BatchItemResult(requestID: "c", outcome: .updated(workoutID: 3)),
            BatchItemResult(requestID: nil, outcome: .rejected(rejected)),
            BatchItemResult(requestID: "\"", outcome: .rejected(waiting)),
        ]
        #expect(
            Self.text(BatchItemResult.encode(results))
                == #"{"results":[{"requestId":"a","result":"created","workout_id":1},"#
                + #"{"requestId":"b","result":"duplicate","workout_id":2},"#
                + #"{"requestId":"c","result":"updated","workout_id":3},"#
                + #"{"result":"rejected","code":"INVALID_REQUEST","detail":"/steps x","#
                + #""errors":[{"pointer":"/steps","detail":"x"}],"serverTime":17},"#
                + #"{"requestId":"\"","result":"rejected","code":"TRY_AGAIN_LATER","detail":"w","retry_after_ms":250}]}"#
        )
    }

    @Test("The answer to an empty list is well-formed too")
    func emptyBatch() { #expect(Self.text(BatchItemResult.encode([])) == #"{"results":[]}"#) }
}
