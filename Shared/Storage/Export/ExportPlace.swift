internal import Models
package import Postgres

/// Where an export stands: which part comes next, and behind which key of it.
package enum ExportPlace: Hashable, Sendable {
    /// The head, the profile and the goal.
    case beginning
    /// Plans behind an id.
    case plans(after: PostgresUUID)
    /// Own entries behind the name of a challenge.
    case athletes(after: String)
    /// Recorded results behind a challenge, a revision and an athlete.
    case results(after: String, Int64, Int64)
    /// Days behind one.
    case days(after: Int32)
    /// Workouts behind a start and a request id.
    case workouts(after: Int64, PostgresUUID)

    static let firstPlan = ExportPlace.plans(after: PostgresUUID(high: 0, low: 0))
    static let firstAthlete = ExportPlace.athletes(after: "")
    static let firstResult = ExportPlace.results(after: "", .min, .min)
    /// Before every day that a workout may have.
    static let firstDay = ExportPlace.days(after: -1_000_000)
    static let firstWorkout = ExportPlace.workouts(after: .min, PostgresUUID(high: 0, low: 0))

    /// The part behind this one; nil after the last.
    var nextPart: ExportPlace? {
        switch self {
        case .beginning: .firstPlan
        case .plans: .firstAthlete
        case .athletes: .firstResult
        case .results: .firstDay
        case .days: .firstWorkout
        case .workouts: nil
        }
    }

    /// The most rows of one piece; a plan has up to 104 weeks, the others are about 250 bytes.
    var limit: Int {
        switch self {
        case .plans: 20
        case .beginning, .athletes, .results, .days, .workouts: 500
        }
    }
}
