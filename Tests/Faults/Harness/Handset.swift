import StrideTestSupport

/// One device: keeps a queue, sends it in pieces, repeats what was not answered, and waits as long as it is told.
struct Handset: Sendable {
    /// Who uses it.
    let phone: Phone
    /// What this user was told.
    let book: Book
    let stores: TestStores
    /// No new errands after this.
    let ending: StopFlag
    /// The slot that all devices are busy with while they race.
    let slot: @Sendable () -> Int?
    /// Gives up after this, whatever is queued.
    let deadline: StopFlag
    var diary: Diary
    /// How many errands it makes before it only empties its queue.
    var quota = 120
    private var queue: [Diary.Errand] = []
    private var failures = 0

    init(
        _ phone: Phone, book: Book, stores: TestStores, ending: StopFlag, deadline: StopFlag, diary: Diary,
        slot: @escaping @Sendable () -> Int?
    ) {
        self.slot = slot
        self.phone = phone
        self.book = book
        self.stores = stores
        self.ending = ending
        self.deadline = deadline
        self.diary = diary
    }

    /// Lives until it is told to end, or its quota is used up, and its queue is empty.
    mutating func run() async throws {
        while !deadline.isSet {
            if !ending.isSet, quota > 0 { live() }
            guard !queue.isEmpty else {
                if ending.isSet || quota <= 0 { return }
                continue
            }
            let wait = try await send()
            try await pause(max(wait, .milliseconds(ending.isSet ? 1 : diary.choose(80))))
        }
    }

    /// Whether anything waits to be sent.
    var isEmpty: Bool { queue.isEmpty }

    private mutating func live() {
        let slot = slot()
        for _ in 0...diary.choose(3) where queue.count < (slot == nil ? 40 : 3) {
            quota -= 1
            let (request, version) = diary.next(slot: slot)
            book.note { $0.willSend(version, as: request) }
            queue.append(.post(request: request, version))
        }
        guard diary.choose(6) == 0 else { return }
        let known = book.page.claims.filter { $0.value.acknowledged != nil && !$0.value.isDeletionAsked }
        let requests = known.keys.sorted()
        guard !requests.isEmpty else { return }
        let request = requests[diary.choose(requests.count)]
        guard let id = known[request]?.workoutID else { return }
        book.note { $0.willDelete(request) }
        queue.append(.delete(request: request, id: id))
    }

    /// Waits, but not beyond the end of everything.
    private func pause(_ wait: Duration) async throws {
        let clock = ContinuousClock()
        let end = clock.now + wait
        while clock.now < end, !deadline.isSet {
            try await Task.sleep(for: min(.milliseconds(100), end - clock.now))
        }
    }

    /// Sends what stands first in the queue and takes off what was answered for good; returns how long to wait.
    private mutating func send() async throws -> Duration {
        let port = phone.ports[diary.choose(2)]
        var posts: [(request: String, WorkoutVersion)] = []
        for case .post(let request, let version) in queue.prefix(1 + diary.choose(8)) {
            posts.append((request, version))
        }
        guard case .post = queue[0] else { return await sendDeletion(to: port) }
        let bodies = posts.map { $0.1.body($0.request) }
        let call =
            bodies.count == 1
            ? phone.call("POST", "/v1/workouts", body: Array(bodies[0].text.utf8))
            : phone.call(
                "POST", "/v1/workouts/batch", body: Array(JSON.object(["workouts": .array(bodies)]).text.utf8))
        guard let answer = try? await stores.client.send(call, to: port, within: .seconds(4)) else { return backOff() }
        switch answer.status {
        case 200 where bodies.count > 1: return settle(posts, answer.json["results"].elements)
        case 200, 201:
            var result = answer.json
            let isUpdate = result["updated"] == true
            let receipt = answer.status == 201 ? "created" : isUpdate ? "updated" : "duplicate"
            result["result"] = .string(receipt)
            return settle(posts, [result])
        default: return wait(after: answer)
        }
    }

    private mutating func sendDeletion(to port: UInt16) async -> Duration {
        guard case .delete(let request, let id) = queue[0] else { return .zero }
        let call = phone.call("DELETE", "/v1/workouts/\(id)")
        guard let answer = try? await stores.client.send(call, to: port, within: .seconds(4)) else { return backOff() }
        guard answer.status == 204 else { return wait(after: answer) }
        failures = 0
        book.note { $0.acknowledgedDeletion(of: request) }
        queue.removeFirst()
        return .zero
    }

    /// Takes what was accepted off the queue; what is to be tried again stays.
    private mutating func settle(_ posts: [(request: String, WorkoutVersion)], _ results: [JSON]) -> Duration {
        failures = 0
        guard results.count == posts.count else {
            book.note { $0.violated("\(posts.count) items were answered by \(results.count) results") }
            return .seconds(1)
        }
        var wait = Duration.zero
        var settled: [(request: String, WorkoutVersion)] = []
        for (post, result) in zip(posts, results) {
            if let receipt = result["result"].string.flatMap({ Ledger.Receipt(rawValue: $0) }) {
                settled.append(post)
                book.note { $0.acknowledged(post.1, as: post.request, id: result["workout_id"].int, receipt) }
                if result["requestId"].string != post.request {
                    book.note { $0.violated("\(post.request) was answered as \(result["requestId"])") }
                }
            } else if result["code"] == "TRY_AGAIN_LATER", let told = result["retry_after_ms"].int, told > 0 {
                wait = max(wait, .milliseconds(told))
            } else {
                book.note { $0.violated("\(post.request) got \(result.text)") }
                settled.append(post)
            }
        }
        queue.removeAll { errand in
            guard case .post(let request, let version) = errand else { return false }
            return settled.contains { $0.request == request && $0.1 == version }
        }
        return wait
    }

    /// No answer: nobody knows whether it was taken.
    private mutating func backOff() -> Duration {
        failures = min(failures + 1, 6)
        return .milliseconds((20 << failures) + diary.choose(20 << failures))
    }

    /// A refusal says how long to wait; anything else was never agreed on.
    private mutating func wait(after answer: HTTPAnswer) -> Duration {
        failures = 0
        let isRefusal = answer.status == 429 || answer.status == 503
        guard isRefusal, answer.json["code"] == "TRY_AGAIN_LATER", let told = answer.json["retry_after_ms"].int,
            told > 0,
            let seconds = answer["Retry-After"].flatMap({ Int($0) }), seconds >= 1
        else {
            book.note { $0.violated("an answer that no contract allows: \(answer)") }
            return .seconds(1)
        }
        return .milliseconds(told)
    }
}
