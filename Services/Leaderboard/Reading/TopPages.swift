import Cryptography
import EventLoops
import Models
import Postgres
import ServiceKit
import Storage

/// The first pages of boards, encoded once for each state of a board and shared by all who ask for one in the same turn of the loop.
///
/// Nothing is answered from memory alone: whoever asks in a turn shares one look into Redis, which is sent after all of them have asked and says
/// whether the board is still the one that was encoded. So a page is as fresh as if each had looked, and a loop asks Redis
/// once a turn, however many athletes open the app. Confined to its loop, hence `@unchecked Sendable`.
final class TopPages: EndOfTurn, @unchecked Sendable {
    /// A page as it goes out.
    struct Encoded: Sendable {
        let body: [UInt8]
        let tag: EntityTag
    }

    typealias Answer = Result<Lookup<Encoded>, PostgresError>

    private struct Key: Hashable {
        let challenge: ChallengeName
        let limit: Int
    }

    private let source: BoardSource
    private let loop: EventLoop
    private var kept: [Key: (version: BoardCache.Version, page: Encoded)] = [:]
    private var asking: [Key: [CheckedContinuation<Answer, Never>]] = [:]

    /// Pages of one loop that are kept; with more, all are encoded anew.
    private static let mostKept = 64

    init(source: BoardSource, loop: EventLoop) {
        self.source = source
        self.loop = loop
    }

    /// The first page of a board.
    func page(of challenge: ChallengeName, limit: Int) async -> Answer {
        let key = Key(challenge: challenge, limit: limit)
        return await withCheckedContinuation { continuation in
            if asking.isEmpty { loop.atEndOfTurn(self) }
            asking[key, default: []].append(continuation)
        }
    }

    /// Looks once for all who have asked.
    func turnEnded() {
        let all = asking
        asking = [:]
        for (key, continuations) in all {
            loop.submit {
                let answer = await self.look(key)
                for continuation in continuations { continuation.resume(returning: answer) }
            }
        }
    }

    private func look(_ key: Key) async -> Answer {
        let known = kept[key]
        do throws(PostgresError) {
            switch try await source.page(AthletesQuery(limit: key.limit), of: key.challenge, known: known?.version) {
            case .noChallenge, .noAthlete: return .success(.noChallenge)
            case .found(.asKnown, let source):
                guard let known else { return .failure(.overload) }
                return .success(.found(known.page, source))
            case .found(.page(let page, let version), let source):
                let encoded = Encoded(page.encode())
                if let version {
                    if kept.count >= Self.mostKept, kept[key] == nil { kept = [:] }
                    kept[key] = (version, encoded)
                }
                return .success(.found(encoded, source))
            }
        } catch {
            return .failure(error)
        }
    }
}

extension TopPages.Encoded {
    /// Names a body by its digest, so that the same page has the same tag whichever process or store it comes from.
    init(_ body: [UInt8]) {
        self.body = body
        guard let digest = try? SHA256.digest(of: body.span) else {
            tag = EntityTag(String(UInt64.random(in: .min ... .max), radix: 16))
            return
        }
        var text = ""
        for index in 0..<16 {
            let byte = digest.bytes[index]
            text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        tag = EntityTag(text)
    }
}
