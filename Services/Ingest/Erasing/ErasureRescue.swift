import EventLoops
import Models
import ServiceKit
import Storage

/// Goes on with erasures that nobody works on any more, because a process has died, was stopped, or had lost PostgreSQL.
///
/// Each loop looks at those that its book knows to be under way; one that has made no step for some seconds is taken up. Two who
/// take it up together do no harm: each step locks the erasure. Confined to its loop, hence `@unchecked Sendable`.
final class ErasureRescue: @unchecked Sendable {
    private let loop: EventLoop
    private let book: ErasureBook
    private let work: ErasureWork
    private var seen: [UUIDValue: (steps: Int64, since: MonotonicInstant)] = [:]

    /// An erasure makes a step a second at least; loops differ, so that not all take it up at once.
    private let patience = Duration.milliseconds(Int.random(in: 3000...5000))

    init(_ resources: LoopResources, work: ErasureWork) {
        loop = resources.loop
        book = resources.erasures
        self.work = work
    }

    /// Looks until the task is cancelled.
    func watch() async {
        while !Task.isCancelled {
            look()
            do { try await loop.sleep(for: .seconds(1)) } catch { return }
        }
    }

    private func look() {
        var now: [UUIDValue: (steps: Int64, since: MonotonicInstant)] = [:]
        for erasure in book.underWay.values {
            let before = seen[erasure.receiptID]
            let since = before?.steps == erasure.steps ? before?.since ?? loop.now : loop.now
            now[erasure.receiptID] = (erasure.steps, since)
            if since.duration(to: loop.now) >= patience { work.start(erasure, isNew: false) }
        }
        seen = now
    }
}
