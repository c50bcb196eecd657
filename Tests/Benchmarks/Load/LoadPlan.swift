import EventLoops
import Foundation

/// What is sent, how often and for how long; from arguments `KEY=VALUE`.
struct LoadPlan: Sendable {
    /// `port`: where the service listens on this machine; several, with commas, are used by turns.
    var ports: [UInt16] = []
    /// `tokens`: a file with a token of each user, one a line.
    var tokens: [String] = []
    /// `rate`: calls a second.
    var rate = 1000.0
    /// `seconds`: how long.
    var seconds = 5.0
    /// `then`: calls a second after that.
    var rateAfter = 0.0
    /// `more`: how long that goes on, in seconds.
    var secondsAfter = 0.0
    /// `connections`: the most that are open at once.
    var connections = 1000
    /// `today`: when the workouts begin, in milliseconds since 1970.
    var today = 0
    /// `retry=1`: who is refused comes back after `retry_after_ms`, with the same workout, until it is taken.
    var retries = false
    /// `timeline=1`: one line for each second.
    var hasTimeline = false

    struct Fault: Error, CustomStringConvertible { let description: String }

    init(arguments: some Sequence<String>) throws {
        for argument in arguments {
            guard let sign = argument.firstIndex(of: "=") else { throw Fault(description: "no value: \(argument)") }
            let value = String(argument[argument.index(after: sign)...])
            switch argument[..<sign] {
            case "port": ports = value.split(separator: ",").compactMap { UInt16($0) }
            case "tokens":
                tokens = try String(contentsOfFile: value, encoding: .utf8).split(separator: "\n").map(String.init)
            case "rate": rate = Double(value) ?? 0
            case "seconds": seconds = Double(value) ?? 0
            case "then": rateAfter = Double(value) ?? 0
            case "more": secondsAfter = Double(value) ?? 0
            case "connections": connections = Int(value) ?? 0
            case "today": today = Int(value) ?? 0
            case "retry": retries = value == "1"
            case "timeline": hasTimeline = value == "1"
            default: throw Fault(description: "unknown key: \(argument)")
            }
        }
        guard !ports.isEmpty, !tokens.isEmpty, rate > 0, seconds > 0, connections > 0 else {
            throw Fault(description: "port, tokens, rate, seconds and connections are needed")
        }
    }

    /// How many calls are due when so many seconds have passed.
    func due(after passed: Double) -> Int {
        Int(min(passed, seconds) * rate + min(max(0, passed - seconds), secondsAfter) * rateAfter)
    }

    /// When a call is due, in seconds.
    func moment(of call: Int) -> Double {
        let first = seconds * rate
        return Double(call) <= first ? Double(call) / rate : seconds + (Double(call) - first) / rateAfter
    }

    /// The whole of a call: a workout that is new, of one of the users.
    func call(_ generator: inout some RandomNumberGenerator) -> [UInt8] {
        let token = tokens[Int.random(in: tokens.indices, using: &generator)]
        let start = today + Int.random(in: 0..<36_000_000, using: &generator)
        let body = """
            {"requestId":"\(UUID.random(using: &generator).uuidString)","start_time":\(start),"end_time":\(start + 600_000),\
            "steps":\(Int.random(in: 1...1200, using: &generator)),"distance":\(Int.random(in: 1...900, using: &generator)).5,\
            "time_zone":"Europe/Berlin"}
            """
        return Array(
            """
            POST /v1/workouts HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n\
            Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
            """.utf8)
    }
}
