extension EventLoop {
    /// Takes a job: straight into the ready queue on the loop's own thread, through the inbox from another.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isInLoop { ready.append(job) } else { enqueueFromOutside(job) }
    }

    /// This loop as the executor of an actor.
    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    /// This loop as the executor that a task prefers.
    package func asUnownedTaskExecutor() -> UnownedTaskExecutor { unsafe UnownedTaskExecutor(ordinary: self) }

    /// Answers the runtime's question whether the current code may touch an actor on this loop.
    package func checkIsolated() { preconditionInLoop() }

    /// Runs everything that is ready, then the end-of-turn hooks, until both are empty.
    ///
    /// Called before and after the poll. Work that keeps making work is cut after 64 rounds, so that the hooks and the
    /// sockets get their turn; the rest goes on in the next one.
    func turn() {
        for _ in 0..<64 {
            takeInbox()
            if !ready.isEmpty {
                runReadyJobs()
            } else if !hooks.isEmpty {
                runHooks()
            } else {
                return
            }
        }
        runHooks()
        wake()
    }

    /// Runs the jobs that are ready as jobs of the task executor.
    ///
    /// Not as jobs isolated to the serial executor: code that is not isolated to an actor would then leave it at every
    /// continuation and cancellation handler, which is two more jobs and 1.5 µs for each `await` (measured with 10 000
    /// continuations that are resumed at once). Actors on the loop pay one more job for each call.
    private func runReadyJobs() {
        swap(&ready, &running)
        let executor = unsafe asUnownedTaskExecutor()
        for job in running { unsafe job.runSynchronously(on: executor) }
        running.removeAll(keepingCapacity: true)
    }

    private func runHooks() {
        swap(&hooks, &runningHooks)
        for hook in runningHooks { hook.turnEnded() }
        runningHooks.removeAll(keepingCapacity: true)
    }
}

/// Something that acts once at the end of a loop's turn, after all ready jobs have run.
///
/// This is where work of one turn is gathered: commands of many requests leave in one write, workouts of many requests
/// go into one batch.
package protocol EndOfTurn: AnyObject {
    /// Acts on what the turn has gathered.
    func turnEnded()
}

extension EventLoop {
    /// Calls `hook.turnEnded()` once at the end of this turn.
    ///
    /// In the loop only; the caller asks once a turn.
    package func atEndOfTurn(_ hook: any EndOfTurn) {
        preconditionInLoop()
        hooks.append(hook)
    }

    /// Runs a closure on the loop's thread.
    ///
    /// Callable from any thread.
    package func execute(_ body: @escaping @Sendable () -> Void) {
        Task(executorPreference: self) { body() }
    }

    /// Starts a task that runs on this loop.
    ///
    /// Cost: one task, no hop when called in the loop.
    package func submit(_ body: @escaping @Sendable () async -> Void) {
        Task(executorPreference: self) { await body() }
    }

    /// Runs an async closure on this loop and waits for it; cancelling the caller cancels the closure.
    package func run<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task(executorPreference: self) { try await body() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
