import EventLoops
import Models
import Postgres

/// Gathers changes of one board while a transaction of it is under way, so that a flood of results shares its commits.
///
/// All changes of a board wait for one lock anyway; here they wait in memory and are written together, 1000 at most. A lone change
/// waits for nobody. Confined to its loop, hence `@unchecked Sendable`.
final class ChangeQueue: @unchecked Sendable {
    /// Records changes of one challenge in one transaction; nil if there is no such challenge.
    typealias Record =
        @Sendable (_ changes: [AthleteChange], _ issued: [Timestamp?], _ challenge: ChallengeName)
        async throws(PostgresError) -> [AthleteOutcome]?

    private typealias Answer = Result<[AthleteOutcome]?, PostgresError>

    private struct Entry {
        let changes: [AthleteChange]
        let issuedAt: Timestamp?
        let arrival: MonotonicInstant
        let continuation: CheckedContinuation<Answer, Never>
    }

    private let loop: EventLoop
    private let limit: Int
    private var admission: QueueAdmission
    private let record: Record
    private var lanes: [ChallengeName: [Entry]] = [:]
    private var waiting = 0

    /// The most changes of one transaction.
    private static let batch = LeaderboardLimits.batch

    init(loop: EventLoop, limit: Int, patience: Duration, record: @escaping Record) {
        self.loop = loop
        self.limit = limit
        admission = QueueAdmission(patience: patience, width: Self.batch)
        self.record = record
    }

    /// Records changes of one call, all or none of them; nil if there is no such challenge.
    ///
    /// - Parameter issuedAt: when the token of the call was issued.
    func record(
        _ changes: [AthleteChange], issuedAt: Timestamp?, of challenge: ChallengeName
    ) async throws(PostgresError) -> [AthleteOutcome]? {
        guard waiting + changes.count <= limit,
            admission.admits(.live, waiting: waiting, oldest: lanes[challenge]?.first?.arrival, at: loop.now)
        else { throw .overload }
        let answer = await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
            let entry = Entry(
                changes: changes, issuedAt: issuedAt, arrival: loop.now, continuation: continuation)
            waiting += changes.count
            if lanes[challenge] == nil {
                lanes[challenge] = [entry]
                loop.submit { await self.run(challenge) }
            } else {
                lanes[challenge]?.append(entry)
            }
        }
        return try answer.get()
    }

    /// Writes what has gathered until nothing is left.
    private func run(_ challenge: ChallengeName) async {
        while let entries = take(challenge) {
            let begin = loop.now
            let answer: Answer
            do throws(PostgresError) {
                let issued = entries.flatMap { Array(repeating: $0.issuedAt, count: $0.changes.count) }
                answer = .success(try await record(entries.flatMap(\.changes), issued, challenge))
            } catch {
                answer = .failure(error)
            }
            admission.served(in: begin.duration(to: loop.now))
            var first = 0
            for entry in entries {
                let range = first..<(first + entry.changes.count)
                first = range.upperBound
                entry.continuation.resume(returning: answer.map { $0.map { Array($0[range]) } })
            }
        }
        lanes[challenge] = nil
    }

    /// The entries of the next transaction; who has waited too long is sent away.
    private func take(_ challenge: ChallengeName) -> [Entry]? {
        guard var lane = lanes[challenge] else { return nil }
        var (taken, count, used) = ([Entry](), 0, 0)
        for entry in lane {
            guard count == 0 || count + entry.changes.count <= Self.batch else { break }
            used += 1
            waiting -= entry.changes.count
            if admission.expiry(of: entry.arrival) <= loop.now {
                entry.continuation.resume(returning: .failure(.overload))
                continue
            }
            taken.append(entry)
            count += entry.changes.count
        }
        lane.removeFirst(used)
        lanes[challenge] = lane
        return taken.isEmpty && lane.isEmpty ? nil : taken
    }
}
