import Models

/// A made-up life of a device from a seed: the same events, and so the same effects, on every platform.
///
/// It checks that a build does what another one does, bit by bit, and that nothing that comes in ends the process.
public struct Rehearsal {
    /// A fingerprint of all effects.
    public private(set) var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
    /// How many rules did not hold.
    public private(set) var failures: Int32 = 0

    private var client = Client()
    private var random: SeededRandom
    private var now: Int64 = 1_764_500_000_000
    private var flight: ClientRequest?

    /// Plays so many events.
    public init(seed: UInt64, events: Int) {
        random = SeededRandom(UUIDValue(high: seed, low: ~seed))
        play(
            #"{"type":"start","seed":"00112233445566778899aabbccddeeff","online":true,"signed_in":true,"device_id":"rehearsal","#
                + #""zone":{"name":"Europe/Berlin","offsets":[[1743296400000,7200],[1761440400000,3600],[1774746000000,7200]]}"#
        )
        guard case .some = flight else {
            failures += 1
            return
        }
        for _ in 0..<max(0, events) { playNext() }
    }

    private mutating func playNext() {
        now += random.upTo(40_000)
        switch random.upTo(11) {
        case 0:
            play(
                #"{"type":"add_workout","start_time":\#(now - 3_600_000 - random.upTo(3_600_000)),"end_time":\#(now - random.upTo(3_000_000)),"steps":\#(random.upTo(5000)),"distance":\#(random.upTo(4000)).5"#
            )
        case 1: play(#"{"type":"online","online":\#(random.upTo(3) > 0 ? "true" : "false")"#)
        case 2: play(#"{"type":"\#(random.upTo(2) > 0 ? "open" : "close")","view":"\#(view)","day":"2025-11-30""#)
        case 3: play(#"{"type":"track","command":"\#(command)""#)
        case 4: walk()
        case 5: play(#"{"type":"signed_in""#)
        case 6: playNoise()
        case 7: play(#"{"type":"set_goal","steps":\#(random.upTo(90_000)),"distance":null"#)
        default: answer()
        }
        play(#"{"type":"tick""#)
    }

    /// Lets the services answer what is under way, well or badly.
    private mutating func answer() {
        guard let request = flight else { return }
        flight = nil
        switch random.upTo(5) {
        case 0: play(#"{"type":"answer","id":\#(request.id),"status":0,"body":null"#)
        case 1:
            play(#"{"type":"answer","id":\#(request.id),"status":503,"body":{"retry_after_ms":\#(random.upTo(9000))}"#)
        case 2:
            play(
                #"{"type":"answer","id":\#(request.id),"status":\#(400 + random.upTo(50)),"body":{"code":"INVALID_REQUEST","detail":"no"}"#
            )
        default: play(#"{"type":"answer","id":\#(request.id),"status":200,"body":"# + body(of: request))
        }
    }

    /// What a service that takes everything says.
    private mutating func body(of request: ClientRequest) -> String {
        let page = #"{"workouts":[],"plan":null,"weekly_goal":{"steps":35000},"nextCursor":"c1","more":false}"#
        guard let sent = request.body, let value = Client.parsed(sent), let workouts = value.list("workouts") else {
            return page
        }
        var results = ""
        for workout in workouts {
            if !results.utf8.isEmpty { results += "," }
            results +=
                #"{"requestId":"\#(workout.text("requestId") ?? "")","result":"created","workout_id":\#(random.upTo(1_000_000))}"#
        }
        return #"{"results":["# + results + "]}"
    }

    /// Some seconds of something like walking, and a position.
    private mutating func walk() {
        let start = Double(now) - 5000
        for sample in 0..<250 {
            let phase = Double(sample % 27) / 27
            let swing = phase < 0.5 ? phase * 4 - 1 : 3 - phase * 4
            _ = client.motion(at: start + Double(sample) * 20, x: 0.05 * swing, y: 0.1, z: 1 + 0.4 * swing)
        }
        _ = client.fix(
            at: Double(now), latitude: 52.5 + Double(random.upTo(1000)) / 1e6, longitude: 13.4, accuracy: 5)
    }

    /// Bytes that are no event, or one of which something was changed.
    private mutating func playNoise() {
        var bytes = Array(
            #"{"type":"add_workout","now":1764500000000,"start_time":1e999,"steps":"\ud800","distance":-0.1}"#.utf8)
        for _ in 0..<(1 + random.upTo(6)) {
            bytes[Int(random.upTo(Int64(bytes.count) - 1))] = UInt8(truncatingIfNeeded: random.next())
        }
        take(client.handle(bytes))
    }

    private mutating func play(_ event: String) { take(client.handle(Array((event + #","now":\#(now)}"#).utf8))) }

    private mutating func take(_ effects: [Effect]) {
        for effect in effects {
            if case .send(let request) = effect {
                // At most one is under way; one that was given up is told by a new one.
                flight = request
            }
        }
        for byte in Effect.encode(effects) { fingerprint = (fingerprint ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    private var view: String {
        mutating get { Views.Kind.allCases[Int(random.upTo(Int64(Views.Kind.allCases.count) - 1))].name }
    }

    private var command: String {
        mutating get {
            switch random.upTo(4) {
            case 0: "listen"
            case 1: "start"
            case 2: "pause"
            case 3: "resume"
            default: "end"
            }
        }
    }
}

extension Client {
    /// JSON that may be none.
    static func parsed(_ bytes: [UInt8]) -> JSONValue? {
        do throws(JSONError) { return try JSONValue.parse(bytes) } catch { return nil }
    }
}
