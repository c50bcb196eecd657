package import HTTP
internal import Models
internal import Storage
internal import Telemetry

/// Finds out who asks, and whether what was issued to them still counts.
///
/// One for each loop, confined to it.
package final class Authenticator {
    private let verifier: TokenVerifier
    private let erasures: ErasureBook
    private let clock: WallClock
    private let logger: Logger
    private let seen: (UserID) -> Void

    /// - Parameter seen: told of each caller whose token is good.
    init(
        verifier: TokenVerifier, erasures: ErasureBook, clock: WallClock, logger: Logger,
        seen: @escaping (UserID) -> Void
    ) {
        self.seen = seen
        self.verifier = verifier
        self.erasures = erasures
        self.clock = clock
        self.logger = logger
    }

    /// The caller, or the one answer that every missing or bad token gets: the reason is for the log only.
    ///
    /// A token from before the user's erasure is a bad one; a newer one is told to come again while that is under way.
    package func caller(of head: HTTPRequestHead) -> CallerResult {
        let holder = holder(of: head)
        guard case .known(let principal) = holder else { return holder }
        let standing = erasures.standing(of: principal.userID, issuedAt: principal.issuedAt)
        return standing == .clear ? holder : .refused(.problem(.erased(standing, instance: head.id)))
    }

    /// Whose token it is, also when an erasure has made it count no more.
    package func holder(of head: HTTPRequestHead) -> CallerResult {
        guard head.headers.count(of: "Authorization") == 1, let field = head.headers.bytes(of: "Authorization"),
            let token = Self.bearerToken(field)
        else { return .refused(Self.refusal(head)) }
        switch verifier.verify(token.span, now: clock.now) {
        case .success(let principal):
            seen(principal.userID)
            return .known(principal)
        case .failure(let fault):
            logger.with(requestID: head.id).debug("token_refused", ["fault": .string(fault.rawValue)])
            return .refused(Self.refusal(head))
        }
    }

    /// Who asks, or what to answer in place of an answer.
    package enum CallerResult {
        /// The token is good.
        case known(Principal)
        /// Answer with this.
        case refused(HTTPResponse)
    }

    private static func refusal(_ head: HTTPRequestHead) -> HTTPResponse {
        .problem(.unauthenticated(instance: head.id))
    }

    /// The token of a field `Bearer …`; the scheme's case does not matter (RFC 9110 §11.1).
    private static func bearerToken(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let scheme: StaticString = "bearer "
        guard field.count > scheme.utf8CodeUnitCount else { return nil }
        for (byte, expected) in zip(field, "bearer ".utf8) {
            guard ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == expected else { return nil }
        }
        return field.dropFirst(scheme.utf8CodeUnitCount)
    }
}
