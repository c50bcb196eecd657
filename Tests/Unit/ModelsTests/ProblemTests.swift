import Models
import Testing

@Suite struct ProblemTests {
    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(
        "Every code has the status of the contract",
        arguments: [
            ("INVALID_REQUEST", 400), ("UNAUTHENTICATED", 401), ("FORBIDDEN", 403), ("NOT_FOUND", 404),
            ("NO_PLAN", 404),
            ("METHOD_NOT_ALLOWED", 405), ("NOT_IMPLEMENTED", 501), ("NOT_ACCEPTABLE", 406),
            ("UNSUPPORTED_MEDIA_TYPE", 415), ("PLAN_CONFLICT", 409), ("PAYLOAD_TOO_LARGE", 413), ("URI_TOO_LONG", 414),
            ("HEADERS_TOO_LARGE", 431), ("IDEMPOTENCY_KEY_REUSED", 422), ("TRY_AGAIN_LATER", 503), ("INTERNAL", 500),
            ("CURSOR_EXPIRED", 410),
        ])
    func codes(word: String, status: Int) throws {
        let code = try #require(ProblemCode(rawValue: word))
        #expect(code.status == status)
        #expect(ProblemCode.allCases.count == 17)
        #expect(Set(ProblemCode.allCases.map(\.title)).count == 17)
    }

    @Test("The type is the code in lowercase with hyphens")
    func type() {
        #expect(ProblemCode.invalidRequest.type == "urn:stride:problem:invalid-request")
        #expect(ProblemCode.idempotencyKeyReused.type == "urn:stride:problem:idempotency-key-reused")
        #expect(ProblemCode.internal.type == "urn:stride:problem:internal")
    }

    @Test("A problem with everything in it, written by hand")
    func everything() {
        let problem = Problem(
            .invalidRequest, detail: "a \"b\"", instance: "r-1",
            faults: [Fault(pointer: "/steps", detail: "x"), Fault(pointer: "", detail: "y")],
            serverTime: Timestamp(milliseconds: 17))
        #expect(
            Self.text(problem.encode())
                == #"{"type":"urn:stride:problem:invalid-request","title":"The request is not valid","status":400,"#
                + #""detail":"a \"b\"","instance":"r-1","code":"INVALID_REQUEST","#
                + #""errors":[{"pointer":"/steps","detail":"x"},{"pointer":"","detail":"y"}],"serverTime":17}"#)
    }

    @Test("What is not there is left out")
    func minimal() {
        #expect(
            Self.text(Problem(.notFound, detail: "d").encode())
                == #"{"type":"urn:stride:problem:not-found","title":"Not found","status":404,"detail":"d","code":"NOT_FOUND"}"#
        )
    }

    @Test(
        "Only the user's own budget is a 429, every other reason to wait a 503",
        arguments: [
            (Problem.Reason.userRate, "user_rate", 429), (.overload, "overload", 503),
            (.storeUnavailable, "store_unavailable", 503), (.draining, "draining", 503),
        ])
    func reasons(reason: Problem.Reason, word: String, status: Int) {
        let problem = Problem(.tryAgainLater, detail: "d", reason: reason, retryAfterMilliseconds: 1500)
        #expect(problem.status == status)
        #expect(
            Self.text(problem.encode())
                == #"{"type":"urn:stride:problem:try-again-later","title":"Try again later","status":\#(status),"#
                + #""detail":"d","code":"TRY_AGAIN_LATER","reason":"\#(word)","retry_after_ms":1500}"#)
    }

    @Test(
        "Whole seconds are rounded up, at least 1, and a wait is always stated when there is one",
        arguments: [
            (nil, 1000, 1), (-5, 0, 1), (0, 0, 1), (1, 1, 1), (999, 999, 1), (1000, 1000, 1), (1001, 1001, 2),
            (2000, 2000, 2), (Int64.max, Int64.max, 9_223_372_036_854_776),
        ] as [(Int64?, Int64, Int64)])
    func retryAfter(given: Int64?, milliseconds: Int64, seconds: Int64) {
        let problem = Problem(.tryAgainLater, detail: "d", reason: .overload, retryAfterMilliseconds: given)
        #expect(problem.statedRetryAfterMilliseconds == milliseconds)
        #expect(problem.retryAfterSeconds == seconds)
        #expect(Problem(.notFound, detail: "d").retryAfterSeconds == nil)
    }

    @Test("The problem of an invalid document tells the first fault and counts the others")
    func invalid() {
        let (steps, whole) = (Fault(pointer: "/steps", detail: "must be x"), Fault(pointer: "", detail: "must be y"))
        #expect(Problem.invalid([steps]).detail == "/steps must be x")
        #expect(Problem.invalid([whole, steps, steps]).detail == "The document must be y (and 2 more, see errors)")
        #expect(Problem.invalid([whole, steps]).faults == [whole, steps])
        #expect(Problem.invalid([]).code == .invalidRequest)
    }
}
