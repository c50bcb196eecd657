import ClientCore
import StrideTestSupport
import Testing

/// Nothing that comes in ends the process.
struct NoiseTests {
    private static let seeds = [
        #"{"type":"start","now":1764500000000,"seed":"00112233445566778899aabbccddeeff","online":true,"signed_in":true,"device_id":"x","zone":{"name":"UTC","offsets":[[0,0]]}}"#,
        #"{"type":"restore","now":1764500000000,"records":[{"store":"workouts","key":"7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f","value":{"start":1764400000000,"end":1764400060000,"steps":5,"mm":700,"zone":"UTC","status":"COMPLETE","state":"kept","source":"auto","device":null,"run":1}}]}"#,
        #"{"type":"add_workout","now":1764500000000,"start_time":1764400000000,"end_time":1764400060000,"steps":5,"distance":0.7}"#,
        #"{"type":"answer","now":1764500000000,"id":1764500000000,"status":200,"body":{"results":[{"requestId":"x","result":"created"}]}}"#,
        #"{"type":"answer","now":1764500000000,"id":1764500000000,"status":200,"body":{"workouts":[{"requestId":"7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f","start_time":1764400000000,"end_time":1764400060000,"steps":500000,"distance":500000,"time_zone":"UTC","status":"COMPLETE","device_id":"w","workout_id":9223372036854775807}],"plan":{"planId":"7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f","planName":"p","startDate":"2025-11-24","weekly_goals":[{"week":0,"steps":10000000}]},"nextCursor":"c","more":false}}"#,
        #"{"type":"create_plan","now":1764500000000,"plan_name":"é","start_date":"2025-12-01","weekly_goals":[{"steps":1,"distance":null}]}"#,
        #"{"type":"open","now":1764500000000,"view":"day","day":"9999-12-31"}"#,
        #"{"type":"open","now":1764500000000,"view":"home"}"#, #"{"type":"open","now":1764500000000,"view":"plan"}"#,
        #"{"type":"open","now":7258118400000,"view":"history"}"#, #"{"type":"tick","now":946684800000}"#,
        #"{"type":"track","now":1764500000000,"command":"start"}"#,
        #"{"type":"zone","now":1764500000000,"zone":{"name":"X","offsets":[[-9223372036854775808,-86400],[9223372036854775807,86400]]},"is_device":true}"#,
        #"{"type":"record_score","now":1764500000000,"name":"\ud83d\ude00","score":-9007199254740991}"#,
    ]
    private static let pieces = [
        "1e999", "-1", "9223372036854775808", "9223372036854775807", "-9223372036854775808", "0.0000000001", "null",
        "[]",
        "{}", "\"\\ud800\"", "\"\\u0000\"", "\"\"", "true", "1764500000000", "18446744073709551615", "[[[[[[[[[[[[",
    ]

    @Test("changed bytes, changed values, any order", arguments: 0..<8) func noise(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let client = Client()
        for _ in 0..<300 {
            var text = Array((Self.seeds.randomElement(using: &random) ?? "").utf8)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: break
            case 1:
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    guard let place = text.indices.randomElement(using: &random) else { continue }
                    text[place] = UInt8.random(in: 0...255, using: &random)
                }
            case 2: text.removeLast(Int.random(in: 0...text.count, using: &random))
            default:
                // The value behind some colon becomes another.
                let colons = text.indices.filter { text[$0] == UInt8(ascii: ":") }
                guard let colon = colons.randomElement(using: &random) else { continue }
                let end =
                    text[(colon + 1)...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") } ?? text.count
                text.replaceSubrange((colon + 1)..<end, with: (Self.pieces.randomElement(using: &random) ?? "").utf8)
            }
            let effects = Effect.encode(client.handle(text))
            #expect((try? JSON(parsing: effects)) != nil, "\(String(decoding: effects, as: UTF8.self))")
        }
    }

    @Test("sensors may say anything") func sensors() {
        let client = Client()
        _ = client.handle(Array(Self.seeds[0].utf8))
        _ = client.handle(Array(Self.seeds[11].utf8))
        let values = [
            0, -1, 1, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, 1e300, 1e-300, 1_764_500_000_000.0, 1e12,
        ]
        var random = SeededGenerator(seed: 5)
        func any() -> Double { values.randomElement(using: &random) ?? 0 }
        for _ in 0..<4000 {
            _ = client.motion(at: any(), x: any(), y: any(), z: any())
            _ = client.fix(at: any(), latitude: any(), longitude: any(), accuracy: any())
        }
        let effects = client.handle(Array(#"{"type":"tick","now":1764500000000}"#.utf8))
        #expect((try? JSON(parsing: Effect.encode(effects))) != nil)
    }
}
