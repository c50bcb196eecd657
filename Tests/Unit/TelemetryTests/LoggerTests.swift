import Telemetry
import Testing

@Suite("Log lines")
struct LoggerTests {
    /// Logs with one sink, shuts it down and returns the lines.
    static func lines(_ level: LogLevel = .debug, _ body: (Logger) -> Void) throws -> [String] {
        let capture = LogCapture()
        let sink = try capture.sink(level)
        body(Logger(sink))
        #expect(sink.shutdown(within: .seconds(20)))
        return capture.closeAndRead()
    }

    @Test("are one JSON object each, with time, level, message, service, request and fields in that order")
    func form() throws {
        let lines = try Self.lines { log in
            log.info("service started")
            log.with(requestID: "r-1", traceID: "4bf92f3577b34da6a3ce929d0e0e4736").error(
                "commit failed",
                [
                    "sql_state": "40001", "attempts": 3, "lag_ms": 1.5, "is_retried": true, "cause": .null,
                    "rest": .number(-1),
                ])
            log.warning(
                "wait", ["time_ms": .milliseconds(.microseconds(2500)), "big": .unsigned(.max), "nan": .double(.nan)])
        }
        let start = #"{"ts":"2025-11-30T00:00:00.042Z","level":""#
        #expect(
            lines == [
                start + #"info","msg":"service started","service":"ingest"}"#,
                start + #"error","msg":"commit failed","service":"ingest","request_id":"r-1","#
                    + #""trace_id":"4bf92f3577b34da6a3ce929d0e0e4736","sql_state":"40001","attempts":3,"lag_ms":1.5,"#
                    + #""is_retried":true,"cause":null,"rest":-1}"#,
                start
                    + #"warning","msg":"wait","service":"ingest","time_ms":2.5,"big":18446744073709551615,"nan":null}"#,
            ])
    }

    @Test(
        "escape whatever could end a string, a line or the reader's terminal settings",
        arguments: [
            ("plain", "plain"), ("a\"b\\c", #"a\"b\\c"#), ("a\nb\rc\td", #"a\nb\rc\td"#),
            ("\u{0}\u{1}\u{1f}", #"\u0000\u0001\u001f"#), ("\u{1b}[31m", #"\u001b[31m"#),
            ("\u{7f}\u{80}\u{9f}", #"\u007f\u0080\u009f"#),
            ("\u{2028}\u{2029}", #"\u2028\u2029"#), ("é 走 🏃", "é 走 🏃"),
            ("\",\"level\":\"error", #"\",\"level\":\"error"#),
        ])
    func escaping(text: String, written: String) throws {
        let lines = try Self.lines { $0.with(requestID: text).info("m", ["value": .string(text)]) }
        #expect(lines.count == 1)
        #expect(lines.first?.hasSuffix(#","request_id":"\#(written)","value":"\#(written)"}"#) == true)
    }

    @Test("cut a long text between two characters")
    func longText() throws {
        let lines = try Self.lines { $0.info("m", ["value": .string("x" + String(repeating: "é", count: 10_000))]) }
        let expected = "\"value\":\"x" + String(repeating: "é", count: 2048) + "…\"}"
        #expect(lines.first?.hasSuffix(expected) == true)
    }

    @Test("keep a field from taking the name of one that every line has")
    func reservedKeys() throws {
        let lines = try Self.lines { $0.info("m", ["level": "x", "ts": 1, "request_id": "y"]) }
        #expect(
            lines.first?.hasSuffix(#""service":"ingest","field_level":"x","field_ts":1,"field_request_id":"y"}"#)
                == true)
    }

    @Test("below the configured level are not written and not even computed", arguments: LogLevel.allCases)
    func levels(minimum: LogLevel) throws {
        var computed = 0
        func fields() -> LogFields {
            computed += 1
            return [:]
        }
        let lines = try Self.lines(minimum) { log in
            log.debug("d", fields())
            log.info("i", fields())
            log.warning("w", fields())
            log.error("e", fields())
        }
        let expected: [LogLevel: Int] = [.debug: 4, .info: 3, .warning: 2, .error: 1]
        #expect(lines.count == expected[minimum])
        #expect(computed == expected[minimum])
        #expect(LogLevel(rawValue: minimum.rawValue) == minimum)
    }

    @Test("say what a value says of itself, so that a value that hides itself stays hidden")
    func describing() throws {
        struct Hidden: CustomStringConvertible, CustomDebugStringConvertible, Error {
            let password = "hunter2"
            var description: String { "***" }
            var debugDescription: String { "***" }
        }
        let lines = try Self.lines { log in
            log.info("m", ["a": .describing(Hidden()), "b": "\(Hidden())", "c": .error(Hidden())])
        }
        #expect(lines.first?.hasSuffix(#""a":"***","b":"***","c":"***"}"#) == true)
    }
}
