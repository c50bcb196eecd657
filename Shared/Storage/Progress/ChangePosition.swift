internal import Models
internal import Postgres

/// A place in the order of a user's changes: behind a row of a revision, or behind all of a revision.
///
/// Changes go by (revision, request id). What has no request id, the plan, the goal and the profile, stands at the end of its
/// revision.
struct ChangePosition: Comparable {
    let revision: Int64
    let requestID: RequestID

    init(revision: Int64, requestID: RequestID? = nil) {
        self.revision = revision
        self.requestID = requestID ?? Self.last
    }

    /// Without a cursor: before everything, also before rows from the time before revisions, which have revision 0.
    init(_ cursor: ChangesCursor?) {
        self.init(revision: cursor?.revision ?? -1, requestID: cursor?.requestID)
    }

    static func < (left: ChangePosition, right: ChangePosition) -> Bool {
        (left.revision, left.requestID) < (right.revision, right.requestID)
    }

    /// The same place as a client gets it.
    var cursor: ChangesCursor {
        ChangesCursor(revision: revision, requestID: requestID == Self.last ? nil : requestID)
    }

    /// The greatest UUID ("max" of RFC 9562 §5.10), behind which nothing comes.
    private static let last = RequestID(UUIDValue(high: .max, low: .max))
}
