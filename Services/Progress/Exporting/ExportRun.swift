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

/// How many exports there are at once.
///
/// A seat is given back when the last who knows it lets it go: also when a client leaves half-way. That may happen on any
/// thread, hence an atomic number.
final class ExportSeats: Sendable {
    private let limit: Int
    private let taken = Atomic(0)

    init(limit: Int) { self.limit = limit }

    /// A seat; nil when all are taken.
    func take() -> Seat? {
        guard taken.add(1, ordering: .relaxed).newValue <= limit else {
            taken.subtract(1, ordering: .relaxed)
            return nil
        }
        return Seat(seats: self)
    }

    /// One place among them.
    final class Seat: Sendable {
        private let seats: ExportSeats

        fileprivate init(seats: ExportSeats) { self.seats = seats }

        deinit { seats.taken.subtract(1, ordering: .relaxed) }
    }
}
