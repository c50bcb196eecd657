import ClientCore
import StrideTestSupport
import Testing

/// What a server that asks to wait may bring about, and what may not.
struct WaitTests {
    private static func retry(_ rig: Rig) -> Int? {
        (rig.screens["settings"]?["queue"]["retry_at"].int).map { $0 - rig.now }
    }

    /// A device whose one workout was answered with a wait.
    private static func refused(_ wait: JSON) -> Rig {
        var rig = Rig()
        rig.add(minutesAgo: 100)
        rig.send("open", ["view": "settings"])
        rig.send("online", ["online": true])
        rig.answer(503, ["code": "TRY_AGAIN_LATER", "retry_after_ms": wait])
        return rig
    }

    @Test(
        "a server that says to come at once is asked after 1, 2, 4 … 256, 300 s and up to a tenth more",
        arguments: [0, -1, Int.min] as [Int])
    func hammering(told: Int) throws {
        var rig = Self.refused(.int(told))
        for least in [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000] {
            let wait = try #require(Self.retry(rig))
            #expect((least...least + least / 10).contains(wait))
            rig.now += wait - 1
            rig.send("tick")
            rig.read()
            #expect(rig.batch.isEmpty)
            rig.now += 1
            rig.send("tick")
            rig.read()
            #expect(rig.batch.count == 1)
            rig.answer(503, ["code": "TRY_AGAIN_LATER", "retry_after_ms": .int(told)])
        }
    }

    @Test("an item that is always to come again at once waits twice as long each time, too") func item() throws {
        var rig = Rig()
        rig.add(minutesAgo: 100)
        rig.send("open", ["view": "settings"])
        rig.send("online", ["online": true])
        for least in [1000, 2000, 4000, 8000] {
            rig.answer(
                200,
                DeliveryTests.results(
                    rig.batch, ["result": "rejected", "code": "TRY_AGAIN_LATER", "retry_after_ms": 0]))
            let wait = try #require(Self.retry(rig))
            #expect((least...least + least / 10).contains(wait))
            rig.now += wait
            rig.send("tick")
            rig.read()
        }
        rig.answer(200, DeliveryTests.results(rig.batch, ["result": "created", "workout_id": 1]))
        #expect(rig.queue == (0, 0, 1))
    }

    @Test("a wait of ten minutes outlives the process, and ends when it should") func restart() throws {
        var rig = Self.refused(600_000)
        let wait = try #require(Self.retry(rig))
        #expect((600_000...660_000).contains(wait))
        rig.now += 1000
        rig.restart(online: true)
        rig.read()
        #expect(rig.request == nil)
        rig.now += wait - 1001
        rig.restart(online: true)
        rig.read()
        #expect(rig.request == nil)
        rig.now += 1
        rig.send("tick")
        rig.read()
        #expect(rig.batch.count == 1)
        rig.answer(200, DeliveryTests.results(rig.batch, ["result": "created", "workout_id": 1]))
        #expect(rig.stored("state")["waits"] == nil)
    }

    @Test("a stored wait locks nobody out: not when the clock was put back, not for more than 66 minutes")
    func bounded() {
        var rig = Self.refused(600_000)
        rig.now -= 86_400_000
        rig.restart(online: true)
        rig.read()
        #expect(rig.batch.count == 1, "a clock that was put back locks out")

        var records = Self.refused(600_000).records
        let damaged = #"{"lanes":[[\#(Rig.zero),\#(Rig.zero + 999_999_999_999),1],[],[],[]]}"#
        records["state/waits"] = RecordChange(store: "state", key: "waits", value: Array(damaged.utf8))
        rig = Rig(online: true, records: records)
        rig.read()
        #expect(rig.request == nil)
        rig.now += 3_960_000
        rig.send("tick")
        rig.read()
        #expect(rig.batch.count == 1, "a record locks out")
    }

    @Test("the notice of a wrong clock follows the last answer that had a date") func clock() {
        var rig = Rig()
        rig.add(minutesAgo: 100)
        rig.send("open", ["view": "settings"])
        rig.send("online", ["online": true])
        func told() -> Int? {
            rig.screens["settings"]?["notices"].elements.first { $0["code"] == "clock" }?["milliseconds"].int
        }
        rig.answer(
            200,
            DeliveryTests.results(
                rig.batch,
                ["result": "rejected", "code": "INVALID_REQUEST", "serverTime": .int(rig.now - 172_800_000)]))
        #expect(told() == 172_800_000)
        rig.read()
        rig.now -= 172_800_000  // It is set right.
        rig.send("tick")
        for (seconds, shown) in [(0, nil), (119, nil), (-120, -120_000), (7200, 7_200_000), (1, nil)] as [(Int, Int?)] {
            rig.send("refresh")
            let id = rig.request?["id"] ?? nil
            let body: JSON = ["workouts": [], "nextCursor": "c1", "more": false]
            rig.send("answer", ["id": id, "status": 200, "body": body, "date": .int(rig.now - seconds * 1000)])
            #expect(told() == shown, "\(seconds) s")
            rig.read()
        }
    }
}
