import Models
import Redis
import Telemetry
import Testing

@testable import ServiceKit
@testable import StrideTool

@Suite("The fleet on a screen")
struct TopScreenTests {
    private static func record(_ values: KeyValuePairs<StatisticsField, Int64>) -> StatisticsRecord {
        var record = StatisticsRecord()
        for (field, value) in values { record[field] = value }
        return record
    }

    /// 14:03:22 on some day.
    private static let now = Timestamp(milliseconds: 20_000 * 86_400_000 + (14 * 3600 + 3 * 60 + 22) * 1000)

    private static func instance(
        _ service: String, _ name: String, _ values: KeyValuePairs<StatisticsField, Int64>, ageSeconds: Int64 = 90
    ) -> FleetView.Instance {
        var users = DistinctSketch()
        users.insert(0x1234_5678_9ABC)
        return FleetView.Instance(
            service: service, name: name, seen: now,
            started: Timestamp(milliseconds: now.milliseconds - ageSeconds * 1000), now: record(values), users: users)
    }

    private static let fleet = FleetView(
        at: now,
        instances: [
            instance(
                "ingest", "a:8081",
                [
                    .span: 1000, .requests: 1200, .accepted: 1500, .duplicates: 3, .refusedUserRate: 0,
                    .refusedOverload: 0, .requestMedian: 4_250, .requestHigh: 21_900, .batches: 10, .batchSize: 150,
                    .queued: 12, .queueHigh: 3_000, .commitHigh: 9_000, .loops: 2, .redisConnected: 2,
                    .redisHigh: 900, .postgresHigh: 12_000, .postgresConnections: 8, .postgresWaiting: 0,
                ]),
            instance(
                "ingest", "b:8081",
                [
                    .span: 2000, .requests: 600, .accepted: 600, .refusedOverload: 40, .requestMedian: 8_000,
                    .requestHigh: 1_500_000, .batches: 10, .batchSize: 50, .queueHigh: 200_000, .loops: 2,
                    .redisConnected: 0, .redisHigh: 100_000, .postgresHigh: 2_000, .postgresConnections: 8,
                ], ageSeconds: 7200),
            instance(
                "progress", "a:8083",
                [
                    .span: 1000, .requests: 9000, .accepted: 9000, .requestMedian: 400, .requestHigh: 2_000,
                    .cacheHits: 97, .cacheMisses: 3, .loops: 2, .redisConnected: 2, .redisHigh: 1_000,
                ]),
        ],
        minutes: [
            "ingest": [
                Timestamp(milliseconds: 0): record([.accepted: 0]),
                Timestamp(milliseconds: 60_000): record([.accepted: 60_000]),
                Timestamp(milliseconds: 120_000): record([.accepted: 30_000]),
            ]
        ])

    private static let plain = ChartStyle(columns: 80, hasColours: false, hasBlocks: false)

    @Test("At 80 by 24: services, refusals, the slowest store and where, who is away, the busiest instances first")
    func wholeScreen() {
        let expected = [
            "stride" + String(repeating: " ", count: 30) + "3 instances - 1 user a minute - 14:03:22 UTC",
            "",
            "service       calls/s    ok/s refused failed     p50     p99  calls/s",
            "ingest          1 500   1 800      20      0  8.0 ms   1.5 s  _#+",
        ]
        let screen = TopScreen(view: Self.fleet, past: ["ingest": [0, 10, 8]], style: Self.plain, rows: 24)
        let lines = screen.lines
        #expect(lines.count <= 24)
        #expect(lines.allSatisfy { ScreenText.width($0) <= 80 }, "\(lines.filter { ScreenText.width($0) > 80 })")
        #expect(Array(lines.prefix(4)) == expected)
        #expect(lines[4] == "plan         no instance")
        #expect(lines[5].hasPrefix("progress        9 000   9 000       0      0  0.4 ms  2.0 ms"))
        #expect(lines[6] == "leaderboard  no instance")
        #expect(lines.contains { $0.hasPrefix("last hour _#=  at most 60 000 a minute") })
        #expect(lines.contains { $0.hasPrefix("slowest   Redis 100 ms at ingest b:8081, PostgreSQL 12 ms") })
        #expect(lines.contains("away      Redis, for 1 of 3 instances"))
        #expect(lines.contains("cache     97 % hit"))
        let rows = lines.suffix(3).map { String($0.prefix(16)) }
        #expect(rows[0].hasPrefix("progress a:8083") && rows[1].hasPrefix("ingest a:8081"))
        #expect(lines.last?.hasSuffix("2h") == true)
    }

    @Test("Much that is refused, and budgets that loops decide alone, fit the width")
    func refusals() {
        let busy = FleetView(
            at: Self.now,
            instances: [
                Self.instance(
                    "ingest", "a:8081",
                    [
                        .span: 1000, .requests: 40_000, .refusedUserRate: 12_345, .refusedOverload: 23_456,
                        .refusedStore: 34_567, .refusedDraining: 0, .cacheHits: 100, .localDecisions: 7,
                    ])
            ], minutes: [:])
        let lines = TopScreen(view: busy, style: Self.plain, rows: 24).lines
        #expect(lines.contains("refused/s user rate 12 345  overload 23 456  store away 34 567  draining 0"))
        #expect(lines.contains("cache     100 % hit  budgets by loops alone"))
        #expect(lines.allSatisfy { ScreenText.width($0) <= 80 }, "\(lines)")
    }

    @Test("Rates are those of a second, whatever the time was in which they were counted")
    func rates() {
        #expect(TopScreen.rate(40, Self.record([.span: 2000])) == "20")
        #expect(TopScreen.rate(90_000, Self.record([.span: 60_000])) == "1 500")
        #expect(TopScreen.rate(7, StatisticsRecord()) == "7")
        #expect(TopScreen.rate(7, Self.record([.span: 0])) == "7")
    }

    @Test("Times and ages have the unit that somebody would use")
    func units() {
        let times: [(Int64?, String)] = [
            (nil, "-"), (0, "0.0 ms"), (450, "0.4 ms"), (9_999, "9.9 ms"), (10_000, "10 ms"), (999_999, "999 ms"),
            (1_500_000, "1.5 s"), (10_000_000, "10.0 s"),
        ]
        for (time, text) in times { #expect(TopScreen.time(time) == text) }
        let ages: [(Int64, String)] = [
            (-5, "0s"), (59_000, "59s"), (60_000, "1m"), (3_600_000, "1h"), (86_400_000, "1d"),
        ]
        for (age, text) in ages { #expect(TopScreen.age(age) == text) }
    }

    @Test(
        "A small screen keeps the services and counts the instances that it has no room for", arguments: [4, 8, 15, 18])
    func small(rows: Int) {
        let many = FleetView(
            at: Self.now,
            instances: (0..<50).map { Self.instance("plan", "pod-\($0):8082", [.span: 1000, .requests: Int64($0)]) },
            minutes: [:])
        let lines = TopScreen(view: many, style: Self.plain, rows: rows).lines
        #expect(lines.count <= rows)
        #expect(lines[0].contains("50 instances"))
        if rows == 18 { #expect(lines.last?.hasPrefix("and 4") == true) }
    }

    @Test("An empty fleet is no fault, and colours add nothing but escape sequences")
    func emptyAndColours() {
        let empty = FleetView(at: Self.now, instances: [], minutes: [:])
        #expect(TopScreen(view: empty, style: Self.plain, rows: 24).lines[0].contains("0 instances"))
        var style = Self.plain
        let plain = TopScreen(view: Self.fleet, style: style, rows: 24).lines
        style.hasColours = true
        let coloured = TopScreen(view: Self.fleet, style: style, rows: 24).lines
        #expect(coloured != plain)
        #expect(coloured.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") } == plain)
    }

    @Test("Bars go from nothing to the largest; something is never drawn as nothing; the newest are kept")
    func sparkline() {
        #expect(Sparkline.draw([0, 1, 50, 100], columns: 10, Self.plain) == "_.=#")
        #expect(Sparkline.draw([9, 9, 0, 4], columns: 2, Self.plain) == "_#")
        #expect(Sparkline.draw([0, 0], columns: 5, Self.plain) == "__")
        #expect(Sparkline.draw([], columns: 5, Self.plain).isEmpty)
        #expect(Sparkline.draw([1], columns: -3, Self.plain).isEmpty)
        var style = Self.plain
        style.hasBlocks = true
        #expect(Sparkline.draw([0, 100], columns: 5, style) == "▁█")
    }

    @Test("What a script gets: numbers by service and by instance, minutes oldest first")
    func document() throws {
        let document = try JSONValue.parse(Self.fleet.encode())
        guard case .array(let services)? = document[member: "services"], services.count == 2,
            case .array(let minutes)? = services[0][member: "minutes"],
            case .array(let instances)? = document[member: "instances"]
        else {
            Issue.record("not the document that is documented")
            return
        }
        #expect(services[0][member: "service"] == .string("ingest"))
        // 10 batches of 150 in a second, and 10 of 50 in two.
        #expect(services[0][member: "now"]?[member: "batch_size"]?.whole == 117)
        #expect(services[0][member: "now"]?[member: "users"]?.whole == 1)
        #expect(minutes.map { $0[member: "begin"]?.whole } == [0, 60_000, 120_000])
        #expect(instances.count == 3)
        #expect(document[member: "users"]?.whole == 1)
    }
}

extension JSONValue {
    fileprivate var whole: Int64? {
        if case .number(let number) = self { number.exactInteger } else { nil }
    }
}
