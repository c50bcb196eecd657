import StrideTestSupport
import Testing

/// The leaderboard: fetched, stored, then shown.
struct BoardTests {
    private static func rows(_ ids: ClosedRange<Int>, next: String?) -> JSON {
        [
            "athletes": .array(
                ids.map { ["id": .int($0), "name": .string("a\($0)"), "score": .int(500 - $0), "rank": .int($0)] }),
            "total": 150, "nextCursor": next.map { .string($0) } ?? nil,
        ]
    }

    private static func open(_ rig: inout Rig, _ rows: JSON, selfReport: Bool = true) {
        rig.send("open", ["view": "leaderboard"])
        while let path = rig.request?["path"].string {
            if path.hasPrefix("/v1/changes") || path.hasPrefix("/v1/days") {
                rig.read()
            } else if path == "/v1/challenges/open" {
                rig.answer(
                    200, ["name": "Open", "order": "desc", "description": "run", "self_report": .bool(selfReport)])
            } else if path.hasSuffix("/summary") {
                rig.answer(
                    200,
                    [
                        "participants": 150, "completed": 100, "completionRate": 0.6666666666666666,
                        "averageScore": 1.5e300, "history": [],
                    ])
            } else if path.hasSuffix("/me") {
                rig.answer(404)
            } else {
                rig.answer(200, rows)
            }
        }
    }

    @Test("rows, summary and challenge are stored and shown, also after a restart without network") func shown() {
        var rig = Rig(online: true)
        Self.open(&rig, Self.rows(1...100, next: "c2"))
        let before = rig.screens["leaderboard"] ?? nil
        #expect(before["athletes"].elements.count == 100)
        #expect(before["summary"]["completionRate"] == 0.6666666666666666)
        #expect(before["summary"]["averageScore"] == 1.5e300)
        #expect(before["name"] == "Open")
        rig.send("more", ["view": "leaderboard"])
        #expect(rig.request?["path"] == "/v1/challenges/open/athletes?limit=100&cursor=c2")
        rig.answer(200, Self.rows(101...150, next: nil))
        #expect(rig.screens["leaderboard"]?["athletes"].elements.count == 150)
        #expect(rig.screens["leaderboard"]?["more"] == false)
        rig.restart()
        rig.send("open", ["view": "leaderboard"])
        #expect(rig.screens["leaderboard"]?["athletes"].elements.count == 150)
    }

    @Test("a challenge that is not there is known to be none, and nothing more is asked of it") func none() {
        var rig = Rig(online: true)
        rig.send("open", ["view": "leaderboard", "challenge": "no-such"])
        rig.read()
        #expect(rig.request?["path"] == "/v1/challenges/no-such")
        #expect(rig.screens["leaderboard"]?["as_of"] == JSON.null)
        rig.answer(404)
        #expect(rig.screens["leaderboard"]?["name"] == JSON.null)
        #expect(rig.screens["leaderboard"]?["as_of"] == .int(rig.now))
        #expect(rig.request == nil)
    }

    @Test("old rows stay with a notice when a refresh fails") func stale() {
        var rig = Rig(online: true)
        Self.open(&rig, Self.rows(1...3, next: nil))
        rig.send("refresh")
        rig.read()
        rig.answer(503, ["retry_after_ms": 5000, "detail": "busy"])
        #expect(rig.screens["leaderboard"]?["athletes"].elements.count == 3)
        #expect(rig.screens["leaderboard"]?["notices"][0]["code"] == "stale")
    }

    @Test("the own score waits offline and is sent; a refusal does not sign out") func ownScore() {
        var rig = Rig(online: true)
        Self.open(&rig, Self.rows(1...3, next: nil))
        rig.send("online", ["online": false])
        rig.send("record_score", ["name": "Ada", "score": 240])
        rig.restart(online: true)
        rig.send("open", ["view": "leaderboard"])
        #expect(rig.screens["leaderboard"]?["change"]["score"] == 240)
        #expect(rig.request?["method"] == "PUT")
        #expect(rig.request?["path"] == "/v1/challenges/open/athletes/me")
        #expect(rig.request?["body"] == ["name": "Ada", "score": 240])
        rig.answer(403, ["code": "FORBIDDEN", "detail": "no self reports"])
        #expect(rig.signIns == 0)
        #expect(rig.screens["leaderboard"]?["change"]["state"] == "refused")
    }
}
