import Glibc
import StrideTestSupport

extension FaultFleet {
    /// Lets one thing go wrong and be right again.
    func suffer(_ step: Schedule.Step) async throws {
        let wait = Duration.milliseconds(step.lasting)
        switch step.fault {
        case .kill(let service):
            hold(service, down: true)
            self[service].kill()
            try await Task.sleep(for: wait)
            try await self[service].start(untilReady: false)
            hold(service, down: false)
        case .pause(let service):
            self[service].signal(SIGSTOP)
            try await Task.sleep(for: wait)
            self[service].signal(SIGCONT)
        case .restart(let service):
            hold(service, down: true)
            // With nothing going wrong it would end with 0; here it may die on the way, but not hang.
            _ = try await self[service].terminate(within: .seconds(40))
            try await self[service].start(untilReady: false)
            hold(service, down: false)
        case .weather(let way, let weather):
            for relay in relays(of: way) { try await relay.turn(weather) }
            try await Task.sleep(for: wait)
            for relay in relays(of: way) { try await relay.turn(.clear) }
        case .cut(let way): for relay in relays(of: way) { try await relay.cut() }
        case .away(let way):
            for relay in relays(of: way) { try await relay.goAway() }
            try await Task.sleep(for: wait)
            for relay in relays(of: way) { try await relay.comeBack() }
        case .halfClose(let way, let towardsStore):
            for relay in relays(of: way) { try await relay.halfClose(towardsServer: towardsStore) }
        case .pauseRedis:
            stores.redis.signal(SIGSTOP)
            try await Task.sleep(for: wait)
            stores.redis.signal(SIGCONT)
        case .flushRedis: try await stores.redis.send("FLUSHALL")
        case .killRedis(let keepsSnapshot):
            stores.redis.kill()
            if !keepsSnapshot { stores.redis.forget() }
            try await Task.sleep(for: wait)
            try await stores.redis.start()
        case .snapshotRedis: try await stores.redis.send("SAVE")
        case .pausePrimary:
            let primary = pair.primary
            primary.signalAll(SIGSTOP)
            try await Task.sleep(for: wait)
            primary.signalAll(SIGCONT)
        case .pauseStandby:
            let standby = pair.standby
            standby.signalAll(SIGSTOP)
            try await Task.sleep(for: wait)
            standby.signalAll(SIGCONT)
        case .killPrimary: try await pair.restartPrimary(after: wait)
        case .promote: try await pair.promote(after: wait)
        }
    }

    /// Everything is as it should be: clear ways, all processes up and ready.
    func heal() async throws {
        unlink(stores.folder.path + "/faults")
        for relay in allRelays {
            try await relay.turn(.clear)
            try await relay.comeBack()
        }
        for service in Fault.Service.allCases {
            self[service].signal(SIGCONT)
            try await eventually("\(service) is ready again", within: .seconds(60)) {
                await self[service].isReady()
            }
        }
    }
}
