import StrideTestSupport

/// One run: faults and safety, then healing and liveness.
package struct FaultRun: Sendable {
    /// What decides everything that can be decided.
    package var seed: UInt64
    /// How long things go wrong, in milliseconds.
    package var milliseconds: Int
    /// Takes lines while it runs.
    package var report: @Sendable (String) -> Void
    /// How long queues may take to empty once everything is up.
    package var patience = Duration.seconds(60)
    /// Users at a time.
    package var places = 5

    /// A run.
    package init(seed: UInt64, milliseconds: Int, report: @escaping @Sendable (String) -> Void) {
        self.seed = seed
        self.milliseconds = milliseconds
        self.report = report
    }

    /// What a run has shown.
    package struct Outcome: Sendable {
        /// What is wrong; empty when all is well.
        package var findings: [String] = []
        /// Users over the run.
        package var users = 0
        /// Items that were acknowledged.
        package var acknowledged = 0
        /// Of them, as known before.
        package var duplicates = 0
        /// Deletions that were acknowledged.
        package var deletions = 0
        /// Reads of the database while things went wrong.
        package var safetyReads = 0
        /// How long queues took to empty.
        package var emptying = Duration.zero
        /// How often a service ended by itself.
        package var unexpectedEnds = 0
    }

    /// Runs it.
    package func run() async throws -> Outcome {
        let schedule = Schedule(seed: seed, milliseconds: milliseconds)
        report("seed \(seed): \(schedule.steps.count) faults in \(milliseconds) ms")
        for (service, points) in zip(Fault.Service.allCases, schedule.points) { report("\(service): \(points)") }
        return try await FaultFleet.run(points: schedule.points) { fleet in
            let crowd = Crowd(
                fleet.stores, ingest: fleet.services[0..<2].map(\.port), progress: fleet.services[2].port,
                places: places, seed: seed)
            return try await run(schedule, crowd, on: fleet)
        }
    }

    private func run(_ schedule: Schedule, _ crowd: Crowd, on fleet: FaultFleet) async throws -> Outcome {
        var outcome = Outcome()
        let clock = ContinuousClock()
        async let life: Void = crowd.run()
        let isOver = StopFlag()
        async let safety = watchSafety(of: crowd, on: fleet, until: isOver)
        do {
            try await suffer(schedule, on: fleet)
            report("healing")
            try await fleet.heal()
            try await race(schedule.race, crowd, on: fleet)
        } catch {
            outcome.findings.append("the faults could not be gone through: \(error)")
            try? await fleet.heal()
        }
        isOver.set()
        let (findings, reads) = await safety
        outcome.findings += findings
        outcome.safetyReads = reads
        crowd.end()
        let begin = clock.now
        let patience = patience
        let limit = Task {
            try await Task.sleep(for: patience)
            crowd.giveUp()
        }
        try await life
        limit.cancel()
        outcome.emptying = clock.now - begin
        for relay in fleet.allRelays { try await relay.turn(.clear) }
        report("queues empty after \(outcome.emptying)")
        outcome.findings += try await Judgement(fleet: fleet, members: crowd.members).findings()
        for member in crowd.members {
            let page = member.book.page
            outcome.findings += page.violations
            outcome.users += 1
            outcome.acknowledged += page.acknowledgedCount
            outcome.duplicates += page.duplicates
            outcome.deletions += page.claims.values.count { $0.isDeleted }
        }
        report("judged")
        outcome.unexpectedEnds = fleet.unexpectedEnds
        return outcome
    }

    /// Nobody dies any more, but one process writes the cache later than the other until all queues are empty: nothing may
    /// depend on who comes first.
    ///
    /// What the dead have left behind makes the others drop much of the cache, and with it what was wrong there; so that
    /// is waited for, and whoever was told to wait comes back too.
    private func race(_ race: Schedule.Race, _ crowd: Crowd, on fleet: FaultFleet) async throws {
        try await Task.sleep(for: .seconds(3))
        report("nobody dies any more; \(race)")
        let relays = fleet.relays(of: race.way)
        for relay in relays { try await relay.turn(.late(milliseconds: race.by)) }
        crowd.race()
        for _ in 0..<5 {
            try await Task.sleep(for: .milliseconds(800))
            if race.isCut { for relay in relays { try await relay.cut() } }
        }
    }

    /// Goes through the schedule; what needs the same thing waits for its turn.
    private func suffer(_ schedule: Schedule, on fleet: FaultFleet) async throws {
        let clock = ContinuousClock()
        let begin = clock.now
        let end = begin + .milliseconds(milliseconds)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in schedule.lanes {
                group.addTask {
                    for step in lane {
                        let due = begin + .milliseconds(step.at)
                        if clock.now < due { try await Task.sleep(until: due, clock: clock) }
                        guard clock.now < end else { return }
                        self.report("\(step)")
                        do { try await fleet.suffer(step) } catch { throw Late("\(step): \(error)") }
                    }
                }
            }
            group.addTask { try await Task.sleep(until: end, clock: clock) }
            try await group.waitForAll()
        }
    }

    /// Reads the database again and again: what was acknowledged must be there at any moment at which it answers.
    private func watchSafety(
        of crowd: Crowd, on fleet: FaultFleet, until isOver: StopFlag
    ) async -> (findings: [String], reads: Int) {
        var reads = 0
        while !isOver.isSet {
            for member in crowd.members.suffix(places * 2) {
                let before = member.book.page
                guard let stored = try? await fleet.stores.database.stored(of: member.phone.user) else { continue }
                reads += 1
                let findings = Checker(before: before, after: member.book.page).findings(in: stored)
                if !findings.isEmpty { return (findings.map { "while things went wrong: \($0)" }, reads) }
            }
            try? await Task.sleep(for: .milliseconds(300))
        }
        return ([], reads)
    }
}
