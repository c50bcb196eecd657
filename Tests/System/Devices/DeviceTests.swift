import Foundation
import StrideTestSupport
import Testing

/// Many devices with the real core and the real services: offline spells, wrong clocks, restarts between any two effects, lost
/// requests and answers, refusals, deletions.
struct DeviceTests {
    /// `STRIDE_TEST_DEVICES` says how many; each seed is a user with two.
    static let count = Int(ProcessInfo.processInfo.environment["STRIDE_TEST_DEVICES"] ?? "") ?? 50

    @Test("every workout arrives exactly once, totals are those counted by hand, queues end empty")
    func exactlyOnce() async throws {
        try await Fleet.run(now: SimulatedDevice.serverTime) { fleet in
            let folder = fleet.stores.folder.path
            var next: UInt64 = 0
            let users = UInt64(max(1, Self.count / 2))
            await withTaskGroup(of: (UInt64, [String]).self) { group in
                func begin() {
                    guard next < users else { return }
                    let seed = next
                    next += 1
                    group.addTask {
                        do {
                            return (seed, try await SimulatedUser(fleet, folder: folder, seed: seed).run(steps: 40))
                        } catch {
                            return (seed, ["\(error)"])
                        }
                    }
                }
                for _ in 0..<8 { begin() }
                for await (seed, wrong) in group {
                    #expect(wrong.isEmpty, "seed \(seed): \(wrong.joined(separator: "\n"))")
                    begin()
                }
            }
        }
    }
}
