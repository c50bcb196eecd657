import Models
import Testing

/// What a test could not go on with.
struct Missing: Error {}

func json(_ text: String) throws -> JSONValue { try JSONValue.parse(Array(text.utf8)) }

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// A day written as its date; a test's own mistake ends it.
func day(_ date: String) throws -> Day { try #require(Day(parsing: date)) }

/// A UTC date and time.
func utc(_ date: String, _ hour: Int64, _ minute: Int64 = 0, _ second: Int64 = 0) throws -> Timestamp {
    .utc(Int64(try day(date).number), hour, minute, second)
}

extension Checked {
    var value: Value? { if case .valid(let value) = self { value } else { nil } }
    var faults: [Fault] { if case .invalid(let faults) = self { faults } else { [] } }
    var pointers: [String] { faults.map(\.pointer) }
}

extension WorkoutPlan {
    /// A plan with a goal of so many steps in each week.
    static func test(start: String, steps: Int64...) throws -> WorkoutPlan {
        WorkoutPlan(
            planID: UUIDValue(high: 1, low: 2), requestID: RequestID(UUIDValue(high: 3, low: 4)), name: "P",
            startDate: try day(start), weeks: steps.map { WeeklyGoal(steps: $0) },
            createdAt: Timestamp(milliseconds: 5))
    }
}
