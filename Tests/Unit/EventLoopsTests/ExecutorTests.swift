import EventLoops
import Synchronization
import Testing

/// What the rest of the project relies on: code of a task that prefers a loop never leaves the loop's thread.
@Suite struct ExecutorTests {
    @Test("Code after every kind of await is back on the loop's thread")
    func staysOnLoop() async throws {
        let loop = try EventLoop.start(name: "test")
        let places = try await loop.run {
            var places = [loop.isInLoop]
            await Task.yield()
            places.append(loop.isInLoop)
            try await Task.sleep(for: .milliseconds(2))
            places.append(loop.isInLoop)
            try await loop.sleep(for: .milliseconds(2))
            places.append(loop.isInLoop)
            await withCheckedContinuation { continuation in
                Task.detached { continuation.resume() }
            }
            places.append(loop.isInLoop)
            async let child = isRunning(on: loop)
            places.append(await child)
            places.append(
                await withTaskGroup(of: Bool.self) { group in
                    group.addTask { loop.isInLoop }
                    return await group.next() ?? false
                })
            let resident = Resident(loop: loop)
            places.append(await resident.isAtHome())
            places.append(loop.isInLoop)
            return places
        }
        #expect(places == Array(repeating: true, count: 9))
        #expect(!loop.isInLoop)
        await loop.stop()
    }

    @Test("Jobs from another thread run in the order in which they were sent")
    func keepsOrder() async throws {
        let loop = try EventLoop.start(name: "test")
        let seen = Mutex<[Int]>([])
        for number in 0..<10_000 { loop.execute { seen.withLock { $0.append(number) } } }
        try await loop.run {}
        #expect(seen.withLock { $0 } == Array(0..<10_000))
        await loop.stop()
    }

    @Test("A hook runs once, after all jobs of its turn, also those that jobs made")
    func hookAtEndOfTurn() async throws {
        let loop = try EventLoop.start(name: "test")
        let log = try await loop.run {
            let hook = RecordingHook()
            loop.atEndOfTurn(hook)
            loop.submit {
                hook.note("first")
                loop.submit { hook.note("second") }
            }
            while !hook.hasEnded { await Task.yield() }
            return hook.log.withLock { $0 }
        }
        #expect(log == ["first", "second", "end"])
        await loop.stop()
    }

    @Test("A sleep that is cancelled ends at once with an error")
    func sleepIsCancelled() async throws {
        let loop = try EventLoop.start(name: "test")
        let sleeper = Task { try await loop.run { try await loop.sleep(for: .seconds(600)) } }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        await loop.stop()
    }

    @Test("Work that comes to a loop that has ended, or is ending, still comes to its end")
    func workAfterTheEnd() async throws {
        for _ in 0..<50 {
            let loop = try EventLoop.start(name: "test")
            async let stopped: Void = loop.stop()
            let results = await withTaskGroup(of: Int.self) { group in
                for number in 0..<20 { group.addTask { (try? await loop.run { number }) ?? -1 } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            await stopped
            #expect(results.sorted() == Array(0..<20))
            #expect(try await loop.run { 7 } == 7)
        }
    }

    @Test("Stopping twice is stopping once, and the thread ends")
    func stopsTwice() async throws {
        let loop = try EventLoop.start(name: "test")
        async let first: Void = loop.stop()
        async let second: Void = loop.stop()
        _ = await (first, second)
        await loop.stop()
    }
}

private func isRunning(on loop: EventLoop) async -> Bool { loop.isInLoop }

private actor Resident {
    let loop: EventLoop
    init(loop: EventLoop) { self.loop = loop }
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    func isAtHome() -> Bool { loop.isInLoop }
}

private final class RecordingHook: EndOfTurn, Sendable {
    let log = Mutex<[String]>([])
    var hasEnded: Bool { log.withLock { $0.contains("end") } }
    func note(_ text: String) { log.withLock { if !$0.contains("end") { $0.append(text) } } }
    func turnEnded() { log.withLock { $0.append("end") } }
}
