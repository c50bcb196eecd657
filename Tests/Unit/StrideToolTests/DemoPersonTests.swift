import Models
import ServiceKit
import Testing

@testable import StrideTool

@Suite("A made-up fortnight")
struct DemoPersonTests {
    private func person(_ subject: String = "demo", zone: String = "Europe/Berlin") throws -> DemoPerson {
        DemoPerson(subject: subject, zone: zone, clock: try #require(ZoneCatalogue().clock(of: zone)))
    }

    /// 2026-11-30T16:00:00Z, 17:00 in Berlin.
    private let now = Timestamp(milliseconds: 1_796_054_400_000)

    @Test("The same moment gives the same walks; a later one adds to them and changes none")
    func stable() throws {
        let first = try person().walks(until: now)
        #expect(try person().walks(until: now) == first)
        let evening = try person().walks(until: Timestamp(milliseconds: now.milliseconds + 6 * 3_600_000))
        #expect(evening.starts(with: first) && evening.count > first.count)
        let tomorrow = try person().walks(until: Timestamp(milliseconds: now.milliseconds + 86_400_000))
        let known = Dictionary(uniqueKeysWithValues: tomorrow.map { ($0.requestID, $0) })
        #expect(first.allSatisfy { known[$0.requestID] == nil || known[$0.requestID] == $0 })
        #expect(first.count { known[$0.requestID] == nil } == (try person().walks(on: Day(number: 20_774)).count))
    }

    @Test("Fourteen days have walks, several a day, none before its time, none over another, as a person walks")
    func believable() throws {
        for (subject, zone) in [("demo", "Europe/Berlin"), ("ada", "America/New_York"), ("bo", "Pacific/Auckland")] {
            let person = try person(subject, zone: zone)
            let walks = try person.walks(until: now)
            let days = Dictionary(grouping: walks) { person.clock.day(at: $0.start) }
            let today = person.clock.day(at: now)
            #expect(days.keys.allSatisfy { (0...13).contains(today.number - $0.number) })
            for day in (1...13).map({ today.advanced(by: -$0) }) {
                let steps = days[day, default: []].reduce(0) { $0 + $1.steps }
                #expect(days[day, default: []].count >= 2 && (2000...20_000).contains(steps), "\(subject) \(day)")
            }
            #expect(Set(walks.map(\.requestID)).count == walks.count)
            #expect(walks.allSatisfy { $0.end.milliseconds <= now.milliseconds && $0.zone == zone })
            for (walk, next) in zip(walks, walks.dropFirst()) {
                #expect(walk.end.milliseconds < next.start.milliseconds)
            }
            for walk in walks {
                let minutes = (walk.end.milliseconds - walk.start.milliseconds) / 60_000
                #expect((3...85).contains(minutes))
                #expect((80...114).contains(Int64(walk.steps) / minutes))
                #expect((690...770).contains(walk.distance.count / Int64(walk.steps)))
            }
        }
    }

    @Test("Another person walks otherwise")
    func others() throws {
        let (one, other) = (try person("demo").walks(until: now), try person("ada").walks(until: now))
        #expect(Set(one.map(\.requestID)).isDisjoint(with: other.map(\.requestID)))
        #expect(one.map(\.steps) != other.map(\.steps))
    }
}
