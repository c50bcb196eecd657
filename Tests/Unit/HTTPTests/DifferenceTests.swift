import StrideTestSupport
import Testing

@testable import HTTP

/// The same bytes for this server and for nginx: who takes the request, who runs the one behind it.
@Suite("Differences")
struct DifferenceTests {
    /// What one server did.
    struct Outcome: Equatable, CustomStringConvertible {
        var accepts: Bool
        var runsNext: Bool

        var description: String { "\(accepts ? "accepts" : "refuses")\(runsNext ? ", runs the next" : "")" }
    }

    static let cases: [(name: String, bytes: [UInt8])] =
        WireCase.all.map { ("wire: \($0.what)", $0.bytes) }
        + FramingTests.badLengths.map { ("length: \($0.what)", Array($0.bytes.utf8)) }
        + FramingTests.badCodings.map { ("coding: \($0.what)", Array($0.bytes.utf8)) }
        + FramingTests.badChunks.map { ("chunk: \($0.what)", Array($0.bytes.utf8)) }
        + HeadTests.badHeaders.map { ("header: \($0.what)", Array($0.bytes.utf8)) }
        + HeadTests.badLines.map { ("line: \($0.what)", Array($0.bytes.utf8)) }

    @Test("H1, H2, H3: where nginx and this server judge bytes differently, the reason is written down")
    func areExplained() async throws {
        #expect(Set(Self.cases.map(\.name)).count == Self.cases.count)
        let reference = try await ReferenceServer()
        let theirs = try await Self.outcomes(port: reference.port, next: "ran GET /v1/things/behind")
        try await reference.end()
        try await TestServer.run { running async throws in
            let ours = try await Self.outcomes(port: running.port, next: "thing behind")
            var explained = 0
            for (name, own) in ours {
                let other = theirs[name]
                guard own != other else {
                    #expect(Difference.reasons[name] == nil, "no difference any more: \(name)")
                    continue
                }
                explained += 1
                #expect(
                    Difference.reasons[name] != nil,
                    "\(name): this server \(own), nginx \(other?.description ?? "-")")
            }
            #expect(ours.count == Self.cases.count && theirs.count == Self.cases.count)
            print("differences: \(explained) of \(ours.count) cases")
        }
    }

    /// What the server at a port does with every case, sixteen at a time.
    private static func outcomes(port: UInt16, next: String) async throws -> [String: Outcome] {
        try await withThrowingTaskGroup(of: [String: Outcome].self) { group in
            for lane in 0..<16 {
                group.addTask {
                    try await offLoop {
                        var outcomes: [String: Outcome] = [:]
                        for index in stride(from: lane, to: cases.count, by: 16) {
                            outcomes[cases[index].name] = try outcome(of: cases[index].bytes, port: port, next: next)
                        }
                        return outcomes
                    }
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1) { $1 } }
        }
    }

    private static func outcome(of bytes: [UInt8], port: UInt16, next: String) throws -> Outcome {
        let client = try RawClient(port: port)
        client.send(bytes + WireCase.behind)
        var received: [UInt8] = []
        while let piece = client.receive(), !piece.isEmpty { received += piece }
        let text = String(decoding: received, as: UTF8.self)
        let statuses = text.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/1.1 ") }.compactMap {
            Int($0.dropFirst(9).prefix(3))
        }
        let first = statuses.first { $0 != 100 } ?? 0
        return Outcome(accepts: (200..<300).contains(first), runsNext: text.contains(next))
    }
}
