internal import Synchronization

/// Who was seen within the last minute, on one loop: eight sketches of ten seconds, used in turn.
///
/// One writer, the loop that it was made for; read by others, who may miss what comes at the same moment.
/// Cost of a sighting: a load, a comparison, rarely a store; no lock, no allocation.
/// - Note: `@unchecked Sendable`: the pointers are fixed for the object's life and everything behind them is atomic.
@safe package final class DistinctWindow: @unchecked Sendable {
    private static let pieces = 8
    /// Pieces that hold a whole minute, the one that has just begun among them.
    private static let shown: UInt64 = 7
    private static let pieceMilliseconds: UInt64 = 10_000

    private let registers: UnsafeMutablePointer<Atomic<UInt8>>
    /// The number of the ten seconds that a piece speaks of; 0: of none.
    private let numbers: UnsafeMutablePointer<Atomic<UInt64>>

    /// Nobody was seen.
    package init() {
        let count = Self.pieces * DistinctSketch.size
        unsafe registers = .allocate(capacity: count)
        for index in 0..<count { unsafe (registers + index).initialize(to: Atomic(0)) }
        unsafe numbers = .allocate(capacity: Self.pieces)
        for index in 0..<Self.pieces { unsafe (numbers + index).initialize(to: Atomic(0)) }
    }

    deinit {
        unsafe registers.deallocate()
        unsafe numbers.deallocate()
    }

    /// Somebody was seen; from the writer's thread.
    ///
    /// - Parameters:
    ///   - hash: evenly spread in its lower 62 bits.
    ///   - milliseconds: of a clock that never goes back, the same for all windows that are joined.
    package func see(_ hash: UInt64, at milliseconds: UInt64) {
        let number = milliseconds / Self.pieceMilliseconds + 1
        let piece = Int(number % UInt64(Self.pieces))
        if unsafe numbers[piece].load(ordering: .relaxed) != number { begin(piece, number) }
        let (index, rank) = DistinctSketch.place(of: hash)
        let register = unsafe registers + (piece * DistinctSketch.size + index)
        if unsafe register.pointee.load(ordering: .relaxed) < rank {
            unsafe register.pointee.store(rank, ordering: .relaxed)
        }
    }

    private func begin(_ piece: Int, _ number: UInt64) {
        for index in 0..<DistinctSketch.size {
            unsafe registers[piece * DistinctSketch.size + index].store(0, ordering: .relaxed)
        }
        unsafe numbers[piece].store(number, ordering: .releasing)
    }

    /// Adds to a sketch who was seen in the minute up to now, and up to ten seconds before it; from any thread.
    package func add(to sketch: inout DistinctSketch, at milliseconds: UInt64) {
        let number = milliseconds / Self.pieceMilliseconds + 1
        for piece in 0..<Self.pieces {
            let of = unsafe numbers[piece].load(ordering: .acquiring)
            guard of != 0, of <= number + 1, of + Self.shown > number else { continue }
            for index in 0..<DistinctSketch.size {
                let rank = unsafe registers[piece * DistinctSketch.size + index].load(ordering: .relaxed)
                sketch.raise(index, to: rank)
            }
        }
    }
}
