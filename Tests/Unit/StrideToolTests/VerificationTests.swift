import EventLoops
import Models
import Postgres
import Testing

@testable import Storage
@testable import StrideTool

/// The comparison against real servers, with differences planted by hand.
@Suite struct VerificationTests {
    @Test("What was written by the rules agrees: midnights, several devices, deletions, people without anything")
    func clean() async throws {
        try await TestStores.lend { stores in
            let (first, second) = (newUser(), newUser())
            try await stores.write([
                workout(first, from: 8, to: 9, steps: 4000, device: "phone"),
                workout(first, from: 23.5, to: 25, steps: 1001, millimetres: 700_001, device: "phone"),
                workout(second, from: 1, to: 2, steps: 7),
            ])
            try await stores.write([workout(first, from: 8.25, to: 8.75, steps: 3500, device: "watch")])
            let id = try await stores.writer.query(
                .simple("select max(workout_id) from workouts where steps = 7"), timeout: .seconds(20)
            ).int64(0, 0)
            let deleted = try await stores.store.delete(id, of: second, on: stores.writer)
            #expect(deleted.outcome == .deleted)
            try await stores.cache.show(deleted.days)
            let everybody = try await stores.verify()
            #expect(everybody.lines == [])
            #expect(everybody.summary == Verification.Summary(users: 2, days: 3, differences: 0))
            let only = try await stores.verify(only: first)
            #expect(only.summary == Verification.Summary(users: 1, days: 2, differences: 0))
            #expect(try await stores.verify(only: newUser()).summary.days == 0)
        }
    }

    @Test("A changed total, a changed field and a vanished workout are found, one line each, on pages of any size")
    func planted() async throws {
        try await TestStores.lend { stores in
            let users = (0..<9).map { _ in newUser() }.sorted()
            for user in users {
                try await stores.write([
                    workout(user, from: 8, to: 9, steps: 100, millimetres: 5000),
                    workout(user, from: 32, to: 33, steps: 50),
                ])
            }
            #expect(try await stores.verify().summary == Verification.Summary(users: 9, days: 18, differences: 0))

            try await stores.writer.run(
                "update daily_totals set steps = 101 where user_id = '\(users[1])' and steps = 100")
            try await stores.plant(users[4], testDay, "1:99:5000:1")
            try await stores.writer.run("delete from workouts where user_id = '\(users[8])' and steps = 50")
            let expected = [
                "\(users[1]) 2026-11-30: rows 100 steps 5000 mm 1 workouts; totals 101 steps 5000 mm 1 workouts "
                    + "revision 1; redis 100 steps 5000 mm 1 workouts revision 1",
                "\(users[4]) 2026-11-30: rows 100 steps 5000 mm 1 workouts; totals 100 steps 5000 mm 1 workouts "
                    + "revision 1; redis 99 steps 5000 mm 1 workouts revision 1",
                "\(users[8]) 2026-12-01: rows none; totals 50 steps 0 mm 1 workouts revision 1; "
                    + "redis 50 steps 0 mm 1 workouts revision 1",
            ]
            for reader in [VerifyReader(), VerifyReader(usersPerPage: 1), VerifyReader(rowsPerPage: 11)] {
                let found = try await stores.verify(reader: reader)
                #expect(found.lines == expected)
                #expect(found.summary == Verification.Summary(users: 9, days: 18, differences: 3))
            }
            #expect(try await stores.verify(only: users[4]).lines == [expected[1]])
            #expect(try await stores.verify(only: users[5]).lines == [])
        }
    }

    @Test("Rows without their user, a day that only Redis has, a total without a workout and a damaged cut are found")
    func oddities() async throws {
        try await TestStores.lend { stores in
            let users = (0..<4).map { _ in newUser() }.sorted()
            for user in users { try await stores.write([workout(user, from: 8, to: 9, steps: 100)]) }
            try await stores.writer.run("delete from users")
            #expect(try await stores.verify().summary == Verification.Summary(users: 4, days: 4, differences: 0))
            try await stores.writer.run("delete from daily_totals where user_id = '\(users[0])'")
            try await stores.writer.run("delete from workouts where user_id = '\(users[1])'")
            try await stores.plant(users[2], testDay.advanced(by: -3), "4:8:0:1")
            try await stores.writer.run("update workouts set cut = '1@2,3' where user_id = '\(users[3])'")
            let found = try await stores.verify()
            #expect(
                found.lines == [
                    "\(users[0]) 2026-11-30: rows 100 steps 0 mm 1 workouts; totals none; "
                        + "redis 100 steps 0 mm 1 workouts revision 1",
                    "\(users[1]) 2026-11-30: rows none; totals 100 steps 0 mm 1 workouts revision 1; "
                        + "redis 100 steps 0 mm 1 workouts revision 1",
                    "\(users[2]) 2026-11-27: rows none; totals none; redis 8 steps 0 mm 1 workouts revision 4",
                    "\(users[3]) 2026-11-30: rows none; totals 100 steps 0 mm 1 workouts revision 1; "
                        + "redis 100 steps 0 mm 1 workouts revision 1",
                    "\(users[3]): 1 damaged rows in workouts, not counted",
                ])
            #expect(found.summary == Verification.Summary(users: 4, days: 5, differences: 5))
        }
    }

    @Test("In a complete hash a missing day and another plan, goal or profile are found, one line each")
    func home() async throws {
        try await TestStores.lend { stores in
            let users = (0..<5).map { _ in newUser() }.sorted()
            for user in users {
                try await stores.write([workout(user, from: 8, to: 9, steps: 100)])
                try await stores.fill(user)
            }
            #expect(try await stores.verify().lines == [])
            let empty = "\(try await stores.field(users[0], "plan") ?? "")"
            #expect(empty == "0:", "what is never set has revision 0 and no value")
            try await stores.remove(users[0], testDay.description)
            try await stores.plant(users[1], "plan", "3:")
            try await stores.plant(users[2], "goal", "0:7000:")
            try await stores.plant(users[3], "profile", "9:1:Asia/Tokyo")
            let found = try await stores.verify()
            #expect(
                found.lines == [
                    "\(users[0]): the home in Redis has another 2026-11-30 than PostgreSQL",
                    "\(users[1]): the home in Redis has another plan than PostgreSQL",
                    "\(users[2]): the home in Redis has another goal than PostgreSQL",
                    "\(users[3]): the home in Redis has another profile than PostgreSQL",
                ])
            #expect(found.summary == Verification.Summary(users: 5, days: 5, differences: 4))
            // A hash that is not complete is a miss, whatever it holds.
            for user in users { try await stores.remove(user, "complete") }
            #expect(try await stores.verify().lines == [])
        }
    }

    @Test("A cache that is behind for a moment is no difference; one that stays behind is")
    func lag() async throws {
        try await TestStores.lend { stores in
            let user = newUser()
            try await stores.write([workout(user, from: 8, to: 9, steps: 100)])
            let late = try await stores.store.write([workout(user, from: 10, to: 11, steps: 1)], on: stores.writer)
            #expect(try await stores.verify().summary.differences == 1)
            let loop = stores.connection.loop
            let healing = Task(executorPreference: loop) {
                try await loop.sleep(for: .milliseconds(200))
                try await stores.cache.show(late.days)
            }
            #expect(try await stores.verify(patience: .seconds(2)).summary.differences == 0)
            try await healing.value
        }
    }

    @Test("While a writer is at work nothing differs, and a difference beside it is still found")
    func writers() async throws {
        try await TestStores.lend { stores in
            let (busy, wrong) = (newUser(), newUser())
            try await stores.write([workout(wrong, from: 8, to: 9, steps: 100)])
            try await stores.plant(wrong, testDay, "1:99:0:1")
            let writing = Task(executorPreference: stores.connection.loop) {
                var count = 0
                while !stores.isDone {
                    let device = count % 2 == 0 ? "phone" : "watch"
                    try await stores.write([workout(busy, from: 8, to: 9, steps: 3, device: device)])
                    count += 1
                }
                return count
            }
            for _ in 0..<8 {
                let found = try await stores.verify(patience: .milliseconds(100))
                #expect(found.summary.differences == 1)
                #expect(found.lines.allSatisfy { $0.hasPrefix("\(wrong) 2026-11-30: rows 100 ") })
            }
            stores.isDone = true
            #expect(try await writing.value > 8)
            #expect(try await stores.verify().summary == Verification.Summary(users: 2, days: 2, differences: 1))
        }
    }
}
