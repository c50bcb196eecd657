/// What a caller does about an error; decided here once, so that no service invents its own list of codes.
package enum PostgresDisposition: Hashable, Sendable {
    /// Nothing was written: run the whole transaction again, after a short random wait, a few times at most.
    case retry
    /// Nothing was written: run the whole transaction again on a new session, which may lead to another server.
    case reconnect
    /// The database cannot do this now, or nobody knows whether it did: answer "try again later", do not repeat here.
    case shed
    /// Repeating cannot help.
    case fail
}

extension PostgresError {
    /// What to do about this error.
    ///
    /// An unknown outcome is always `shed`: the peer that holds the idempotency key repeats, and the repeat finds out.
    package var disposition: PostgresDisposition {
        if isOutcomeUnknown { return .shed }
        switch code {
        case .server(let state): return needsNewSession ? state.dispositionInLostSession : state.disposition
        case .connectionLost: return .reconnect
        case .connectFailed, .insecure, .timedOut, .poolExhausted, .unavailable, .closed: return .shed
        case .cancelled, .rolledBack, .protocolViolation, .configuration, .unexpectedResult, .misuse: return .fail
        }
    }
}

extension SQLState {
    /// What to do about a statement that ended with this state.
    ///
    /// Source: PostgreSQL documentation, appendix A. Codes that stand out of their class come first.
    package var disposition: PostgresDisposition {
        switch rawValue {
        // Integrity and "completion unknown" are in class 40 but a repeat meets the same rows or an open question.
        case "40002", "40003": .fail
        // A lock or a statement timeout says that the database is busy: another try at once adds to it.
        case "55P03", "57014": .shed
        // The database itself was dropped.
        case "57P04": .fail
        // A standby, a session that lost its prepared statements, a session ended for idling in a transaction.
        case "25006", "26000", "25P03": .reconnect
        // The snapshot is gone; a new transaction has a new one.
        case "72000": .retry
        // An I/O error of the server's disk; whether it passes is for time to tell.
        case "58030", "58000": .shed
        default: dispositionOfClass
        }
    }

    /// The same for a state that came with the end of the session or needs a new one.
    var dispositionInLostSession: PostgresDisposition {
        switch disposition {
        case .retry, .reconnect: .reconnect
        case .fail where self == .featureNotSupported: .reconnect
        case .shed: .shed
        case .fail: .fail
        }
    }

    private var dispositionOfClass: PostgresDisposition {
        switch conditionClass {
        case "40": .retry
        case "08", "57": .reconnect
        case "53": .shed
        default: .fail
        }
    }
}
