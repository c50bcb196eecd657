package import Models
internal import Postgres

/// One erasure: its receipt, and how far it has come.
package struct Erasure: Hashable, Sendable {
    /// Whose data it is.
    package let user: UserID
    /// The name of the receipt.
    package let receiptID: UUIDValue
    /// What was there before this moment goes; tokens issued until then count no more.
    package let erasedAt: Timestamp
    /// Workouts that were erased, without those that the user had deleted before.
    package let workouts: Int64
    /// Plans that were erased, earlier ones too.
    package let plans: Int64
    /// The user's own entries on leaderboards that were erased.
    package let athletes: Int64
    /// Grows with each step, so that one that nobody works on is told apart.
    package let steps: Int64
    /// Whether nothing is left.
    package let isFinished: Bool

    /// The columns, in the order in which `init` reads them.
    static let columns = "user_id, receipt_id, erased_ms, workouts, plans, athletes, steps, is_finished"

    init(_ result: PostgresResult, row: Int) throws(PostgresError) {
        user = UserID(try result.uuid(row, 0))
        let id = try result.uuid(row, 1)
        receiptID = UUIDValue(high: id.high, low: id.low)
        erasedAt = Timestamp(milliseconds: try result.int64(row, 2))
        workouts = try result.int64(row, 3)
        plans = try result.int64(row, 4)
        athletes = try result.int64(row, 5)
        steps = try result.int64(row, 6)
        isFinished = try result.bool(row, 7)
    }

    /// An erasure that begins.
    init(user: UserID, receiptID: UUIDValue, erasedAt: Timestamp) {
        self.user = user
        self.receiptID = receiptID
        self.erasedAt = erasedAt
        (workouts, plans, athletes, steps, isFinished) = (0, 0, 0, 0, false)
    }

    static func all(_ result: PostgresResult) throws(PostgresError) -> [Erasure] {
        var erasures: [Erasure] = []
        erasures.reserveCapacity(result.rowCount)
        for row in 0..<result.rowCount { erasures.append(try Erasure(result, row: row)) }
        return erasures
    }

    /// What the caller is told.
    package var receipt: ErasureReceipt {
        ErasureReceipt(
            receiptID: receiptID.description, erasedAt: erasedAt, workouts: workouts, plans: plans, athletes: athletes)
    }
}
