import Glibc
import StrideTestSupport

/// `FaultHarness`: the command behind `./dev fault`.
package enum FaultCommand {
    /// Runs and ends the process: 0 when all is well, 1 when something was found, 2 when it could not run.
    package static func run(_ arguments: some Collection<String>) async -> Never {
        var (seed, seeds, minutes) = (UInt64(1), 1, 0.5)
        var (isHunt, words) = (false, Array(arguments)[...])
        while let word = words.popFirst() {
            if word == "--disk" { await fillDisk() }
            if word == "--until-found" {
                isHunt = true
                continue
            }
            switch (word, words.popFirst()) {
            case ("--seed", let value?): seed = UInt64(value) ?? seed
            case ("--seeds", let value?): seeds = Int(value) ?? seeds
            case ("--minutes", let value?): minutes = Double(value) ?? minutes
            default:
                say("usage: fault [--seed N] [--seeds COUNT] [--minutes M] [--until-found] [--disk]")
                exit(2)
            }
        }
        var failed: [UInt64] = []
        let first = seed
        for seed in seed..<(seed + UInt64(seeds)) {
            do {
                let outcome = try await run(seed: seed, minutes: minutes)
                if !outcome.findings.isEmpty { failed.append(seed) }
                if isHunt, !outcome.findings.isEmpty { break }
            } catch {
                say("seed \(seed): could not be run: \(error)")
                exit(2)
            }
        }
        if isHunt, let seed = failed.first {
            say("fault: found by seed \(seed), the \(seed - first + 1). that was tried")
        }
        say(failed.isEmpty ? "fault: all is well" : "fault: something is wrong with the seeds \(failed)")
        exit(failed.isEmpty ? 0 : 1)
    }

    /// F3 alone.
    private static func fillDisk() async -> Never {
        do {
            guard try await TestPostgres.canHaveSmallDisk() else {
                say("fault: this account may not mount a small disk; skipped")
                exit(0)
            }
            let outcome = try await FullDisk.run { say($0) }
            for finding in outcome.findings { say("FOUND  \(finding)") }
            say("full disk: \(outcome.acknowledged) workouts acknowledged, accepted again after \(outcome.recoveries)")
            exit(outcome.findings.isEmpty ? 0 : 1)
        } catch {
            say("full disk: could not be run: \(error)")
            exit(2)
        }
    }

    private static func run(seed: UInt64, minutes: Double) async throws -> FaultRun.Outcome {
        let clock = ContinuousClock()
        let begin = clock.now
        let outcome = try await FaultRun(seed: seed, milliseconds: Int(minutes * 60_000)) { line in
            let time = (clock.now - begin).components
            say("\(time.seconds).\(time.attoseconds / 100_000_000_000_000_000)  \(line)")
        }.run()
        for finding in outcome.findings.prefix(40) { say("FOUND  \(finding)") }
        say(
            """
            seed \(seed): \(outcome.findings.isEmpty ? "ok" : "\(outcome.findings.count) findings"), \
            \(outcome.users) users, \(outcome.acknowledged) workouts acknowledged, \(outcome.duplicates) as known, \
            \(outcome.deletions) deleted, \(outcome.safetyReads) safety reads, \(outcome.unexpectedEnds) own ends, \
            queues empty in \(outcome.emptying)
            """)
        return outcome
    }
}

/// Prints a line at once, also into a file.
private func say(_ line: String) {
    print(line)
    fflush(nil)
}
