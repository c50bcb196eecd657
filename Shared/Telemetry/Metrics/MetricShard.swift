internal import Synchronization

/// The numbers of one writer: one event loop's part of every metric.
///
/// An update is a relaxed load and a relaxed store of memory that no other thread writes, so it needs no read-modify-write
/// instruction and its cache line stays with the loop's core. A scrape reads all shards from any thread and merges them; it
/// may see one update of a histogram without the other, which the next scrape mends.
///
/// Contract: each shard has one writer thread, the event loop it was made for. Two writers would lose updates, nothing worse.
///
/// `@unchecked Sendable`: the pointer is fixed for the object's life and everything behind it is atomic.
@safe package final class MetricShard: @unchecked Sendable {
    private let slots: UnsafeMutablePointer<Atomic<UInt64>>
    private let capacity: Int

    /// All slots zero, in memory of their own cache lines.
    init(capacity: Int) {
        self.capacity = capacity
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: (capacity * MemoryLayout<Atomic<UInt64>>.stride + 127) & ~63, alignment: 64)
        unsafe slots = memory.bindMemory(to: Atomic<UInt64>.self, capacity: capacity)
        for index in 0..<capacity { unsafe (slots + index).initialize(to: Atomic(0)) }
    }

    deinit { unsafe slots.deallocate() }

    /// Traps on a slot that this registry never gave out, which is our own bug.
    @inline(__always)
    private func pointer(_ slot: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        precondition(slot >= 0 && slot < capacity, "the metric belongs to another registry")
        return unsafe slots + slot
    }

    func read(_ slot: Int) -> UInt64 { unsafe pointer(slot).pointee.load(ordering: .relaxed) }

    /// Stores a value; from the only writer, or where the last writer shall win.
    func store(_ value: UInt64, in slot: Int) { unsafe pointer(slot).pointee.store(value, ordering: .relaxed) }

    /// Adds as the only writer.
    @inline(__always)
    func add(_ amount: UInt64, to slot: Int) {
        let slot = unsafe pointer(slot)
        let sum = unsafe slot.pointee.load(ordering: .relaxed) &+ amount
        unsafe slot.pointee.store(sum, ordering: .relaxed)
    }

    /// Adds to a slot that holds the bits of a `Double`, as the only writer.
    @inline(__always)
    func add(_ amount: Double, to slot: Int) {
        let slot = unsafe pointer(slot)
        let sum = Double(bitPattern: unsafe slot.pointee.load(ordering: .relaxed)) + amount
        unsafe slot.pointee.store(sum.bitPattern, ordering: .relaxed)
    }

    /// Adds where several threads may write.
    func addAtomically(_ amount: UInt64, to slot: Int) {
        unsafe pointer(slot).pointee.wrappingAdd(amount, ordering: .relaxed)
    }

    /// Adds to a slot that holds the bits of a `Double`, where several threads may write.
    func addAtomically(_ amount: Double, to slot: Int) {
        let slot = unsafe pointer(slot)
        var current = unsafe slot.pointee.load(ordering: .relaxed)
        while true {
            let sum = (Double(bitPattern: current) + amount).bitPattern
            let outcome = unsafe slot.pointee.weakCompareExchange(
                expected: current, desired: sum, ordering: .relaxed)
            if outcome.exchanged { return }
            current = outcome.original
        }
    }
}
