import EventLoops
import HTTP
import Models
import Postgres
import Storage
import Synchronization

/// Everything of a user as a stream of lines; always from PostgreSQL.
///
/// A bounded number at a time; each holds one piece, about 150 KB, and a connection only while a piece is read. Confined to its
/// loop, hence `@unchecked Sendable`.
final class ExportEverything: @unchecked Sendable {
    private let loop: EventLoop
    private let store: StoreReads
    private let reader: ExportReader
    private let clock: @Sendable () -> Timestamp
    private let places: ExportSeats

    init(
        loop: EventLoop, store: StoreReads, reader: ExportReader, limit: Int, clock: @escaping @Sendable () -> Timestamp
    ) {
        self.loop = loop
        self.store = store
        self.reader = reader
        self.clock = clock
        places = ExportSeats(limit: limit)
    }

    /// What becomes of the wish.
    enum Outcome {
        /// The body.
        case stream(HTTPBodyStream)
        /// The user was erased, and the token does not count, or not yet.
        case refused(ErasureStanding)
    }

    /// Begins: the first piece is read before the answer, so that whatever speaks against it is told.
    func begin(for writer: Writer) async throws(PostgresError) -> Outcome {
        guard let seat = places.take(for: writer.user) else { throw .overload }
        let run = ExportRun(writer: writer, seat: seat)
        run.lines.add(.begin(at: clock()))
        if let standing = try await read(run) { return .refused(standing) }
        return .stream(HTTPBodyStream { await self.next(run) })
    }

    /// The piece that was read, and then one that is read now.
    private func next(_ run: ExportRun) async -> HTTPBodyStream.Piece {
        if run.lines.bytes.isEmpty {
            guard run.place != nil else { return .end }
            guard await readPatiently(run) else { return .failure }
        }
        return .bytes(run.take())
    }

    /// Times that a piece is tried while the database is busy or away, half a second apart: less than a gateway waits.
    private static let tries = 20

    private func readPatiently(_ run: ExportRun) async -> Bool {
        for _ in 0..<Self.tries {
            do throws(PostgresError) {
                return try await read(run) == nil
            } catch {
                guard !error.isFault, error.code != .closed else { return false }
                try? await loop.sleep(for: .milliseconds(500))
            }
        }
        return false
    }

    /// Reads pieces until there is a line to send; what speaks against going on.
    private func read(_ run: ExportRun) async throws(PostgresError) -> ErasureStanding? {
        repeat {
            guard let place = run.place else { return nil }
            let piece = try await store.read(.export, of: run.writer.user) { connection throws(PostgresError) in
                try await reader.piece(place, for: run.writer, on: connection)
            }
            switch piece {
            case .refused(let standing): return standing
            case .items(let items, let next): run.add(items, next: next)
            }
        } while run.lines.bytes.isEmpty
        return nil
    }
}
