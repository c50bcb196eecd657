import Models
import Storage
import Synchronization

/// One export: where it stands, and the lines that have not been sent yet.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class ExportRun: @unchecked Sendable {
    let writer: Writer
    /// Where the next piece begins; nil after the last.
    private(set) var place: ExportPlace? = .beginning
    var lines = ExportLines()
    private var sent = 0
    private let seat: ExportSeats.Seat

    init(writer: Writer, seat: ExportSeats.Seat) {
        self.writer = writer
        self.seat = seat
    }

    /// A piece was read; behind the last comes the line that says so.
    func add(_ items: [ExportItem], next: ExportPlace?) {
        for item in items { lines.add(item) }
        place = next
        if next == nil { lines.add(.end(lines: sent + lines.count)) }
    }

    /// Takes what is to be sent.
    func take() -> [UInt8] {
        let taken = lines
        sent += taken.count
        lines = ExportLines()
        return taken.bytes
    }
}

/// How many exports there are at once, of all and of one user.
///
/// A seat is given back when the last who knows it lets it go: also when a client leaves half-way. That may happen on any
/// thread, hence the lock.
final class ExportSeats: Sendable {
    /// One who reads on two devices; more would take the seats of others.
    private static let limitOfUser = 2

    private let limit: Int
    private let taken = Mutex<(all: Int, users: [UserID: Int])>((0, [:]))

    init(limit: Int) { self.limit = limit }

    /// A seat; nil when all are taken, or as many as one user may take.
    func take(for user: UserID) -> Seat? {
        taken.withLock { taken in
            let own = taken.users[user] ?? 0
            guard taken.all < limit, own < Self.limitOfUser else { return nil }
            taken.all += 1
            taken.users[user] = own + 1
            return Seat(user: user, seats: self)
        }
    }

    private func giveBack(_ user: UserID) {
        taken.withLock { taken in
            taken.all -= 1
            let own = (taken.users[user] ?? 0) - 1
            taken.users[user] = own > 0 ? own : nil
        }
    }

    /// One place among them.
    final class Seat: Sendable {
        private let user: UserID
        private let seats: ExportSeats

        fileprivate init(user: UserID, seats: ExportSeats) {
            self.user = user
            self.seats = seats
        }

        deinit { seats.giveBack(user) }
    }
}
