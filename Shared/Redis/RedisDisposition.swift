import TLS

/// What a caller does about an error of Redis.
package enum RedisDisposition: Equatable, Sendable {
    /// Redis cannot serve this now: do without it, try again later.
    case unavailable
    /// Another node has the key: a client that knows the cluster asks there, everybody else does without.
    case redirected
    /// Redis cannot serve until an operator changes its or our settings: do without, and say so.
    case misconfigured
    /// The caller went away; nobody needs an answer.
    case abandoned
    /// Our own mistake, such as a wrong type or an unknown command: do without, and count it as a bug.
    case defect
}

extension RedisError {
    /// What the caller does about it.
    package var disposition: RedisDisposition {
        switch self {
        case .notConnected, .connectionLost, .timedOut, .overloaded, .protocolViolation: .unavailable
        case .cancelled: .abandoned
        case .insecure(let error): error.needsOperator ? .misconfigured : .unavailable
        case .server(let kind): kind.disposition
        }
    }
}

extension TLSError {
    /// Whether nothing changes until somebody changes a certificate or a setting.
    fileprivate var needsOperator: Bool {
        switch self {
        case .untrusted, .noClientCertificate, .noCommonVersion, .notTLS, .refused, .file: true
        case .violation, .truncated, .timedOut, .stream, .library: false
        }
    }
}

extension RedisServerError {
    /// What the caller does about it.
    package var disposition: RedisDisposition { kind.disposition }
}

extension RedisServerError.Kind {
    /// What the caller does about it; a missing script counts as unavailable, because the call was not run.
    package var disposition: RedisDisposition {
        switch self {
        case .loading, .oom, .readOnly, .misconf, .masterDown, .noReplicas, .noScript, .busy, .tooManyClients,
            .clusterDown, .tryAgain:
            .unavailable
        case .moved, .ask: .redirected
        case .noAuth, .wrongPass, .noPerm: .misconfigured
        case .crossSlot, .wrongType, .other: .defect
        }
    }
}
