package import EventLoops

extension RedisPipelineState {
    /// What follows a reply.
    package enum ReplyAction {
        /// More replies of the exchange are to come.
        case wait
        /// The exchange is complete: answer its caller.
        case complete(Waiter, [RESPValue])
        /// The reply belongs to a caller that gave up, and is dropped.
        case discard
        /// Nothing was asked: the stream cannot be trusted any more, call `lost`.
        case violation
    }

    /// The next reply of the connection.
    package mutating func received(_ reply: RESPValue, now: MonotonicInstant) -> ReplyAction {
        guard !isLost, flushedCount > 0 else { return .violation }
        lastProgress = now
        pendingCommands -= 1
        guard let taken = exchanges.update(0, { (isAwaited: $0.take(reply), isComplete: $0.isComplete) }) else {
            return .discard
        }
        guard taken.isComplete, let exchange = exchanges.popFirst() else { return taken.isAwaited ? .wait : .discard }
        frontID += 1
        flushedCount -= 1
        pendingBytes -= exchange.byteCount
        return exchange.waiter.map { .complete($0, exchange.replies) } ?? .discard
    }

    /// What follows a wake-up.
    package enum WakeAction {
        /// Answer these with `timedOut`; the next wake-up is at `next`, none if that is nil.
        case expire([Waiter], next: MonotonicInstant?)
        /// The server shows no life: answer these with `timedOut`, then call `lost` and close.
        case stalled([Waiter])
    }

    /// The clock reached the wake-up, or went past it.
    package mutating func woke(now: MonotonicInstant) -> WakeAction {
        wakeAt = nil
        var expired: [Waiter] = []
        guard !isLost, !exchanges.isEmpty else { return .expire(expired, next: nil) }
        let stallsAt = lastProgress.advanced(by: stallTimeout)
        var next = stallsAt
        for offset in 0..<exchanges.count {
            switch exchanges.update(offset, { $0.expire(now: now) }) {
            case .gone, nil: break
            case .expired(let waiter): expired.append(waiter)
            case .waits(let deadline): next = min(next, deadline)
            }
        }
        guard stallsAt > now else { return .stalled(expired) }
        wakeAt = next
        return .expire(expired, next: next)
    }

    /// The caller of an exchange was cancelled: hands back its waiter, nil if it has been answered already.
    package mutating func cancelled(_ id: ExchangeID) -> Waiter? {
        guard id >= frontID, id < nextID else { return nil }
        return exchanges.update(Int(id - frontID)) { $0.abandon() } ?? nil
    }

    /// One caller whose connection is gone.
    package struct Loss {
        /// Who waits.
        package let waiter: Waiter
        /// Whether the server may have run the commands.
        package let outcomeUnknown: Bool
    }

    /// The connection ended: hands back everybody who still waits, and refuses everything from now on.
    package mutating func lost() -> [Loss] {
        var losses: [Loss] = []
        var offset = 0
        while let exchange = exchanges.popFirst() {
            if let waiter = exchange.waiter {
                losses.append(Loss(waiter: waiter, outcomeUnknown: offset < flushedCount))
            }
            offset += 1
        }
        frontID += UInt64(offset)
        isLost = true
        (pendingBytes, pendingCommands, flushedCount, wakeAt) = (0, 0, 0, nil)
        return losses
    }
}

extension RedisPipelineState.Exchange {
    enum Expiry {
        case gone
        case expired(Waiter)
        case waits(until: MonotonicInstant)
    }

    /// Counts a reply and keeps it for a caller; false if the caller has gone.
    mutating func take(_ reply: RESPValue) -> Bool {
        replyCount += 1
        guard waiter != nil else { return false }
        if replies.isEmpty { replies.reserveCapacity(commandCount) }
        replies.append(reply)
        return true
    }

    /// Takes the caller out and leaves its slots.
    mutating func abandon() -> Waiter? {
        replies = []
        return waiter.take()
    }

    /// Takes the caller out if its time is over.
    mutating func expire(now: MonotonicInstant) -> Expiry {
        guard waiter != nil else { return .gone }
        guard deadline <= now, let waiter = abandon() else { return .waits(until: deadline) }
        return .expired(waiter)
    }
}
