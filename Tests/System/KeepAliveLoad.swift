import StrideTestSupport
import Testing

/// Clients that keep a connection busy; one that the server has closed before anything was sent is replaced, everything
/// else that is no acknowledgement is a failure.
struct KeepAliveLoad: Sendable {
    private let stores: TestStores
    private let ports: [UInt16]
    private let call: @Sendable (Phone) -> HTTPCall
    private let good: Int
    private let stopping = StopFlag()

    struct Outcome: Sendable {
        var acknowledged = 0
        var failures: [String] = []
    }

    /// - Parameter good: the only status that is no failure.
    init(stores: TestStores, ports: [UInt16], good: Int, call: @escaping @Sendable (Phone) -> HTTPCall) {
        self.stores = stores
        self.ports = ports
        self.good = good
        self.call = call
    }

    /// A workout for ingest, each time another.
    static func workouts(_ stores: TestStores, ports: [UInt16]) -> KeepAliveLoad {
        KeepAliveLoad(stores: stores, ports: ports, good: 201) { phone in
            let body = workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T08:01:00Z", steps: 1)
            return phone.call("POST", "/v1/workouts", body: Array(body.text.utf8))
        }
    }

    func stop() { stopping.set() }

    func run(clients: Int) async throws -> [Outcome] {
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for number in 0..<clients { group.addTask { try await self.client(number) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func client(_ number: Int) async throws -> Outcome {
        var outcome = Outcome()
        var line: HTTPLine?
        let phone = try stores.phone("walker-\(number)", ports: ports)
        var turn = number
        while !stopping.isSet {
            guard let open = try await usable(line, &turn) else { continue }
            line = open
            do {
                let answer = try await open.exchange(call(phone))
                if answer.status == good { outcome.acknowledged += 1 } else { outcome.failures.append("\(answer)") }
                if answer.isLast {
                    open.close()
                    line = nil
                }
            } catch let error as NoAnswer {
                line = nil
                if error.wasSent { outcome.failures.append("\(error)") }
            }
        }
        line?.close()
        return outcome
    }

    /// The connection, or a new one to whichever process listens.
    private func usable(_ line: HTTPLine?, _ turn: inout Int) async throws -> HTTPLine? {
        if let line, try await line.isUsable() { return line }
        line?.close()
        for _ in ports {
            turn += 1
            if let new = try? await HTTPLine.open(ports[turn % ports.count], on: stores.loop) { return new }
        }
        return nil
    }
}
