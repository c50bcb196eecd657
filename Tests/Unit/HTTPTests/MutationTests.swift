import EventLoops
import Glibc
import Testing

@testable import HTTP

/// Seeded mutations of the wire cases, fed to whole connections: the same bytes mean the same, whatever pieces they come in,
/// whenever handlers run and answers leave; and nothing runs behind a refusal.
///
/// `STRIDE_FUZZ_SECONDS` lets it run for that long, `STRIDE_FUZZ_SEED` begins elsewhere.
@Suite("Mutations")
struct MutationTests {
    private static let seeds =
        WireCase.all.map(\.bytes)
        + (FramingTests.badLengths + FramingTests.badCodings + FramingTests.badChunks + HeadTests.badHeaders
        + HeadTests.badLines).map { Array($0.bytes.utf8) }.filter { $0.count < 1000 }

    private static let tokens: [[UInt8]] = [
        "\r\n", "\n", "\r", " ", "\t", ":", "\0", "\u{B}", "\r\n ", "\r\n\r\n", "Content-Length: 5\r\n",
        "Content-Length: 0\r\n", "Transfer-Encoding: chunked\r\n", "Connection: close\r\n", "Expect: 100-continue\r\n",
        "chunked", "Host: c\r\n", "0\r\n\r\n", "5\r\n", "HTTP/1.0", ";", ",", "\"", "%", "FFFFFFFFFFFFFFFF", "-", "+",
        "0x",
        "Content-Type: application/json\r\n",
    ].map { Array($0.utf8) }

    private static func setting(_ name: String) -> UInt64? {
        getenv(name).flatMap { UInt64(String(cString: $0)) }
    }

    @Test("H1, H2, H8: mutated bytes have one outcome in all pieces, and nothing runs behind a refusal")
    func haveOneOutcome() async throws {
        let loop = try EventLoop.start(name: "mutations")
        let clock = ContinuousClock()
        let end = Self.setting("STRIDE_FUZZ_SECONDS").map { clock.now + .seconds(Int($0)) }
        let first = Self.setting("STRIDE_FUZZ_SEED") ?? 1
        let rounds = try await loop.run {
            let driver = try ConnectionDriver(loop: loop)
            var (round, faults) = (UInt64(0), 0)
            while end.map({ clock.now < $0 }) ?? (round < 600), faults < 10 {
                if let fault = await Self.fault(seed: first &+ round, driver) {
                    faults += 1
                    Issue.record("seed \(first &+ round): \(fault)")
                }
                round += 1
            }
            await driver.drain()
            return round
        }
        await loop.stop()
        print("mutations: \(rounds) rounds from seed \(first)")
        #expect(rounds >= (end == nil ? 600 : 1))
    }

    /// What is wrong with the outcomes of one mutation, or nil.
    private static func fault(seed: UInt64, _ driver: ConnectionDriver) async -> String? {
        var random = FuzzTests.Random(state: seed)
        let bytes = mutation(&random) + WireCase.behind
        let whole = await driver.outcome(of: bytes, pieces: [bytes.count], &random)
        let text = "\(String(decoding: bytes, as: UTF8.self).debugDescription) gives \(whole)"
        guard whole.hasEnded else { return "hangs: \(text)" }
        // A request that began is answered or refused; what no answer belongs to has not run.
        let final = whole.answers.filter { !$0.hasPrefix("100 ") }
        guard final.filter({ $0.hasPrefix("200 ") }).count == whole.calls.count else { return "unanswered: \(text)" }
        guard !final.dropLast().contains(where: { $0.contains(" close ") }) else { return "answered on: \(text)" }
        // The parser alone says which requests are complete before the first refusal.
        let lines = ParserDriver.transcript(bytes, pieces: [])
        guard whole.calls.count <= lines.count(where: { $0.hasPrefix("body") }) else { return "ran too much: \(text)" }
        if lines.last?.hasPrefix("refused") == true, !lines.contains(where: { $0.contains("behind") }) {
            guard !whole.calls.contains(where: { $0.contains("behind") }) else { return "ran behind: \(text)" }
        }
        let cuts = (0..<12).map { _ in Int.random(in: 1...60, using: &random) }
        for pieces in [[Int.random(in: 1...bytes.count, using: &random), bytes.count], cuts, [1]] {
            let other = await driver.outcome(of: bytes, pieces: pieces, &random)
            guard other == whole else { return "pieces \(pieces): \(other), but \(text)" }
        }
        return nil
    }

    /// One or two cases one behind the other, with up to four changes.
    private static func mutation(_ random: inout FuzzTests.Random) -> [UInt8] {
        var bytes = seeds.randomElement(using: &random) ?? []
        if Bool.random(using: &random) {
            let other = seeds.randomElement(using: &random) ?? []
            if Bool.random(using: &random) { bytes.removeSubrange(Int.random(in: 0...bytes.count, using: &random)...) }
            bytes += other
        }
        for _ in 0..<Int.random(in: 0...4, using: &random) where !bytes.isEmpty {
            let index = bytes.indices.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(contentsOf: tokens.randomElement(using: &random) ?? [], at: index)
            case 3: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            default: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 0...12, using: &random)))
            }
        }
        return bytes
    }
}
