import EventLoops

extension RedisCluster {
    /// Sends commands to the servers of their keys, all at once, and puts the replies in order.
    ///
    /// Commands for one server travel in one piece and in their order. When one server fails, the exchange fails after
    /// all others have answered.
    func send(_ commands: [RedisCommand], deadline: MonotonicInstant) async throws(RedisError) -> [RESPValue] {
        guard map != nil else { throw .notConnected }
        var replies = [RESPValue](repeating: .null, count: commands.count)
        var open: [RedisErrand] = []
        for (index, command) in commands.enumerated() {
            switch command.home {
            case .slot(let slot): open.append(RedisErrand(index: index, slot: slot))
            case .anywhere: open.append(RedisErrand(index: index, slot: nil))
            case .split: replies[index] = .refusal("CROSSSLOT Keys in request don't hash to the same slot")
            }
        }
        var hasSent = false
        while true {
            let parts = split(open, commands, &replies)
            let (failure, next, pause) = take(await run(parts, deadline: deadline), of: parts, into: &replies)
            if let failure { throw hasSent || parts.count > 1 ? failure.ofPart : failure }
            hasSent = true
            guard !next.isEmpty else { return replies }
            open = next
            guard pause > .zero else { continue }
            guard loop.now.advanced(by: pause) < deadline else { return replies }
            do { try await loop.sleep(for: pause) } catch { throw .cancelled }
        }
    }

    /// Sends the same commands to every master of a complete map, and names each.
    func sendToEach(
        _ commands: [RedisCommand], deadline: MonotonicInstant
    ) async throws(RedisError) -> [[RESPValue]] {
        guard let map else { throw .notConnected }
        guard map.isComplete else { throw .server(.clusterDown) }
        let parts = map.masters.compactMap { place in
            node(at: place).map { Part(place: place, node: $0, all: commands) }
        }
        guard parts.count == map.masters.count else { throw .notConnected }
        var replies: [[RESPValue]] = []
        for outcome in await run(parts, deadline: deadline) { replies.append(try outcome.get()) }
        return replies
    }
}

extension RedisCluster {
    /// What one server gets in one round.
    fileprivate struct Part: Sendable {
        let place: RedisPlace
        let node: RedisNode
        var errands: [RedisErrand] = []
        var commands: [RedisCommand] = []
        var asksOnce = false

        init(place: RedisPlace, node: RedisNode, all commands: [RedisCommand] = []) {
            self.place = place
            self.node = node
            self.commands = commands
        }
    }

    /// Sorts errands by server; one that no server can be named for has its reply.
    private func split(
        _ errands: [RedisErrand], _ commands: [RedisCommand], _ replies: inout [RESPValue]
    ) -> [Part] {
        var parts: [Part] = []
        var places: [RedisPlace: Int] = [:]
        for errand in errands {
            guard let place = place(of: errand.target), let node = node(at: place) else {
                replies[errand.index] = .refusal("CLUSTERDOWN Hash slot not served")
                lookSoon()
                continue
            }
            let number = places[place] ?? parts.count
            if number == parts.count {
                places[place] = number
                parts.append(Part(place: place, node: node))
            }
            if case .asking = errand.target { parts[number].asksOnce = true }
            parts[number].errands.append(errand)
            parts[number].commands.append(commands[errand.index])
        }
        return parts
    }

    private func place(of target: RedisErrand.Target) -> RedisPlace? {
        switch target {
        case .moved(let place), .asking(let place): place
        case .owner(nil): map?.masters.first
        case .owner(let slot?): map.flatMap { map in map.owner(of: slot).map { map.masters[$0] } }
        }
    }

    /// All parts at once, each on this loop.
    private func run(_ parts: [Part], deadline: MonotonicInstant) async -> [RedisConnection.Outcome] {
        if parts.count == 1 { return [await run(parts[0], deadline: deadline)] }
        return await withTaskGroup(of: (Int, RedisConnection.Outcome).self) { group in
            for (index, part) in parts.enumerated() {
                group.addTask(executorPreference: loop) { (index, await self.run(part, deadline: deadline)) }
            }
            var outcomes = [RedisConnection.Outcome](repeating: .failure(.notConnected), count: parts.count)
            for await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes
        }
    }

    private func run(_ part: Part, deadline: MonotonicInstant) async -> RedisConnection.Outcome {
        // A server that was named just now gets the time to be connected.
        if part.node.isFresh { await part.node.settle(until: deadline) }
        if Task.isCancelled { return .failure(.cancelled) }
        do throws(RedisError) {
            guard part.asksOnce else { return .success(try await part.node.send(part.commands, deadline: deadline)) }
            return .success(try await ask(part, deadline: deadline))
        } catch {
            return .failure(error)
        }
    }

    /// `ASKING` holds for the one command behind it; scripts travel in full, for they cannot be repeated without it.
    private func ask(_ part: Part, deadline: MonotonicInstant) async throws(RedisError) -> [RESPValue] {
        var wire: [RedisWireCommand] = []
        var places: [Int] = []
        for (errand, command) in zip(part.errands, part.commands) {
            if case .asking = errand.target { wire.append(RedisWireCommand(inFull: RedisCommand("ASKING"))) }
            places.append(wire.count)
            wire.append(RedisWireCommand(inFull: command))
        }
        let replies = try await part.node.send(wire: wire, deadline: deadline)
        return places.map { replies[$0] }
    }

    /// Puts replies into their places and gathers what has to be sent once more, in the order of the exchange.
    private func take(
        _ outcomes: [RedisConnection.Outcome], of parts: [Part], into replies: inout [RESPValue]
    ) -> (failure: RedisError?, next: [RedisErrand], pause: Duration) {
        var failure: RedisError?
        var next: [RedisErrand] = []
        var pause = Duration.zero
        for (part, outcome) in zip(parts, outcomes) {
            switch outcome {
            case .failure(let error): failure = failure ?? error
            case .success(let answers):
                for (errand, reply) in zip(part.errands, answers) {
                    replies[errand.index] = reply
                    switch errand.step(after: reply, from: part.place) {
                    case .done:
                        if reply.error?.kind == .clusterDown { lookSoon() }
                    case .learn(let slot, let place, let again):
                        meter.counters.movedReplies += 1
                        learn(slot, at: place)
                        next.append(again)
                    case .ask(let again):
                        meter.counters.askReplies += 1
                        next.append(again)
                    case .wait(let again, let least):
                        meter.counters.tryAgainReplies += 1
                        next.append(again)
                        pause = max(pause, least)
                    }
                }
            }
        }
        next.sort { $0.index < $1.index }
        return (failure, next, pause)
    }
}

extension RedisError {
    /// The same when other commands of the exchange may have been run.
    fileprivate var ofPart: RedisError {
        switch self {
        case .notConnected, .overloaded, .connectionLost, .insecure: .connectionLost(outcomeUnknown: true)
        case .timedOut, .cancelled, .protocolViolation, .server: self
        }
    }
}

extension RESPValue {
    /// A refusal that the client knows without asking.
    fileprivate static func refusal(_ text: String) -> RESPValue {
        .error(RedisServerError(replyText: Array(text.utf8)))
    }
}
