import StrideTestSupport

/// What must hold when everything is up again: rows, totals, cache and answers agree with what was acknowledged.
struct Judgement: Sendable {
    let fleet: FaultFleet
    let members: [Crowd.Member]

    func findings() async throws -> [String] {
        // The promise is five seconds, without further traffic.
        try await Task.sleep(for: .seconds(5))
        var findings = try await verification()
        let deadlocks = try await fleet.stores.database.number(
            "select deadlocks from pg_stat_database where datname = current_database()")
        if deadlocks > 0 { findings.append("\(deadlocks) deadlocks") }
        for member in members {
            let stored = try await fleet.stores.database.stored(of: member.phone.user)
            findings += Checker(settled: member.book.page).finalFindings(in: stored)
            findings += try await answers(to: member, stored)
        }
        return findings
    }

    /// `stride verify --all`.
    private func verification() async throws -> [String] {
        let tool = try ChildProcess(
            TestRun.executable("stride"), ["verify", "--all"], environment: fleet.stores.environment(),
            log: "\(fleet.stores.folder.path)/verify")
        let ending = try await tool.wait(within: .seconds(120))
        return ending == .exited(0) ? [] : ["stride verify: \(tool.log)"]
    }

    /// The days as progress answers them.
    private func answers(to member: Crowd.Member, _ stored: StoredUser) async throws -> [String] {
        let call = member.phone.call("GET", "/v1/days?from=2025-06-10&to=2025-07-10")
        let answer = try await fleet.stores.client.send(call, to: fleet[.progress].port)
        guard answer.status == 200 else { return ["\(member.book.page.user): days are answered by \(answer)"] }
        var findings: [String] = []
        let folded = stored.foldedDays
        for day in answer.json["days"].elements {
            guard let name = day["day"].string else { continue }
            let expected = folded[name] ?? DayFigures(0, 0, 0)
            if day["steps"].int != expected.steps || day["workouts"].int != expected.workouts {
                findings.append("\(member.book.page.user): progress answers \(day.text), the rows say \(expected)")
            }
        }
        return findings
    }
}
