import StrideTestSupport
import Synchronization

/// The users of a run: each with one to three devices, and a screen that is looked at.
///
/// A user who has sent enough is followed by another one, so that no user grows beyond what can be recounted at any moment.
final class Crowd: Sendable {
    /// One user.
    struct Member: Sendable {
        let phone: Phone
        let book: Book
    }

    private let stores: TestStores
    private let seed: UInt64
    private let ingest: [UInt16]
    private let progress: UInt16
    private let places: Int
    private let joined = Mutex<[Member]>([])
    private let ending = StopFlag()
    private let deadline = StopFlag()
    private let raceBegin = Mutex<ContinuousClock.Instant?>(nil)
    private let reads = Mutex<[Int: Int]>([:])

    /// A crowd that will send to some ingest processes and read from one progress process.
    init(_ stores: TestStores, ingest: [UInt16], progress: UInt16, places: Int, seed: UInt64) {
        self.stores = stores
        self.ingest = ingest
        self.progress = progress
        self.places = places
        self.seed = seed
    }

    /// Everybody who was ever there.
    var members: [Member] { joined.withLock { $0 } }
    /// How often each status was read.
    var readStatuses: [Int: Int] { reads.withLock { $0 } }

    /// From now on all devices of a user turn to the same day at the same moment, every 400 ms.
    func race() { raceBegin.withLock { $0 = ContinuousClock.now } }
    private var slot: Int? {
        // Far beyond what a device reaches by itself.
        raceBegin.withLock { $0 }.map { 1000 + Int($0.duration(to: .now) / .milliseconds(400)) }
    }
    /// Lets everybody empty their queues.
    func end() { ending.set() }
    /// Lets everybody give up.
    func giveUp() { deadline.set() }

    /// Lives until the end.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for place in 0..<places { group.addTask { try await self.fill(place) } }
            try await group.waitForAll()
        }
    }

    /// The users of one place, one after the other.
    private func fill(_ place: Int) async throws {
        var number = 0
        repeat {
            let name = "walker-\(place).\(number)"
            let member = Member(phone: try stores.phone(name, ports: ingest), book: Book(user: name))
            joined.withLock { $0.append(member) }
            let isDone = StopFlag()
            let own = seed &* 10_000 &+ UInt64(place * 100 + number)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.look(member, until: isDone) }
                group.addTask {
                    try await self.send(member, seed: own)
                    isDone.set()
                }
                try await group.waitForAll()
            }
            number += 1
        } while !ending.isSet
    }

    private func send(_ member: Member, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let devices = [nil, "phone", "watch"].shuffled(using: &generator)
            .prefix([1, 2, 3, 3].randomElement(using: &generator) ?? 2)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in devices {
                let diary = Diary(device: device, seed: generator.next(), userSeed: seed)
                group.addTask {
                    var handset = Handset(
                        member.phone, book: member.book, stores: self.stores, ending: self.ending,
                        deadline: self.deadline, diary: diary, slot: { self.slot })
                    try await handset.run()
                }
            }
            try await group.waitForAll()
        }
    }

    /// Looks at the home screen again and again, which fills the cache.
    private func look(_ member: Member, until isDone: StopFlag) async throws {
        while !isDone.isSet, !deadline.isSet {
            let call = member.phone.call("GET", "/v1/progressSummary")
            if let answer = try? await stores.client.send(call, to: progress, within: .seconds(4)) {
                reads.withLock { $0[answer.status, default: 0] += 1 }
                if answer.status != 200, answer.status != 503 {
                    member.book.note { $0.violated("a read that no contract allows: \(answer)") }
                }
            }
            try await Task.sleep(for: .milliseconds(150))
        }
    }
}
