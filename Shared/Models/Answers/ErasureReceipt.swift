/// The answer to the erasure of a user.
public struct ErasureReceipt: Hashable, Sendable {
    /// The name of the receipt, a UUID.
    public var receiptID: String
    /// What was there before this moment is gone, and tokens issued until then count no more.
    public var erasedAt: Timestamp
    /// How many workouts are gone, without those that were deleted before.
    public var workouts: Int64
    /// How many plans are gone, earlier ones too.
    public var plans: Int64
    /// How many of the user's own entries on leaderboards are gone.
    public var athletes: Int64

    /// Joins the parts.
    public init(receiptID: String, erasedAt: Timestamp, workouts: Int64, plans: Int64, athletes: Int64) {
        self.receiptID = receiptID
        self.erasedAt = erasedAt
        self.workouts = workouts
        self.plans = plans
        self.athletes = athletes
    }

    /// The body; the same for every repeat of the call.
    public func encode() -> [UInt8] {
        var writer = JSONWriter(reserving: 144)
        writer.beginObject()
        writer.member("receiptId", receiptID)
        writer.member("erasedAt", erasedAt)
        writer.member("workouts", workouts)
        writer.member("plans", plans)
        writer.member("athletes", athletes)
        writer.endObject()
        return writer.bytes
    }
}
