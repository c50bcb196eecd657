/// What the clients of one user have sent and been told: a pure fold, against which rows are judged.
package struct Ledger: Sendable {
    /// What is known of one requestId.
    package struct Claim: Hashable, Sendable {
        /// What was sent, in the order of the workout's life; the last is the greatest.
        package fileprivate(set) var versions: [WorkoutVersion]
        /// The greatest version that was acknowledged; nil: none yet.
        package fileprivate(set) var acknowledged: Int?
        /// The id that was told.
        package fileprivate(set) var workoutID: Int?
        /// Whether a deletion was sent.
        package fileprivate(set) var isDeletionAsked = false
        /// Whether it was acknowledged.
        package fileprivate(set) var isDeleted = false
        fileprivate var wasCreated = false

        /// Whether everything that was sent has been acknowledged.
        package var isSettled: Bool { acknowledged == versions.count - 1 && isDeletionAsked == isDeleted }
    }

    /// What a service says of an item that it has taken.
    package enum Receipt: String, Sendable {
        /// It was new.
        case created
        /// It was known.
        case duplicate
        /// It has replaced an older version.
        case updated
    }

    /// The user, for messages.
    package let user: String
    /// By requestId.
    package private(set) var claims: [String: Claim] = [:]
    /// Answers that no contract allows.
    package private(set) var violations: [String] = []
    /// How many items were acknowledged as known: repeats whose first answer was lost, or late versions.
    package private(set) var duplicates = 0

    /// Nothing was sent yet.
    package init(user: String) { self.user = user }

    /// A version is about to be sent for the first time; later versions of one workout come later.
    package mutating func willSend(_ version: WorkoutVersion, as request: String) {
        claims[request, default: Claim(versions: [])].versions.append(version)
    }

    /// A deletion is about to be sent.
    package mutating func willDelete(_ request: String) { claims[request]?.isDeletionAsked = true }

    /// A version was acknowledged.
    package mutating func acknowledged(
        _ version: WorkoutVersion, as request: String, id: Int?, _ receipt: Receipt
    ) {
        guard var claim = claims[request], let place = claim.versions.firstIndex(of: version) else {
            return violated("\(request) was acknowledged and never sent")
        }
        guard let id else { return violated("\(request) was acknowledged without an id") }
        if let known = claim.workoutID, known != id {
            violated("\(request) is workout \(known) and then \(id)")
        }
        if receipt == .created, claim.wasCreated { violated("\(request) was created twice") }
        if receipt == .duplicate { duplicates += 1 }
        claim.wasCreated = claim.wasCreated || receipt == .created
        claim.workoutID = id
        claim.acknowledged = max(claim.acknowledged ?? 0, place)
        claims[request] = claim
    }

    /// A deletion was acknowledged.
    package mutating func acknowledgedDeletion(of request: String) { claims[request]?.isDeleted = true }

    /// Something came that no contract allows.
    package mutating func violated(_ text: String) { violations.append("\(user): \(text)") }

    /// Items that were acknowledged.
    package var acknowledgedCount: Int { claims.values.count { $0.acknowledged != nil } }
}
