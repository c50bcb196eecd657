public import Models

/// What a Stride app thinks with: events in, effects out.
///
/// It decides and performs no I/O. Clock, random numbers and time zones come in with events, so that the same events give the
/// same effects on every platform. Nothing that comes in ends the process: what makes no sense is answered by a report.
///
/// A class, since it is large and there is one of it. Not shared between threads: one owner hands it one event after the other. docs/client.md describes events, effects,
/// records and view models.
public final class Client {
    var isStarted = false
    var now: Int64 = 0
    var random = SeededRandom(UUIDValue(high: 0, low: 0))
    var device = Device()
    var zones = Zones()
    var link = Link()
    var workouts = Workouts()
    var deltas = Deltas()
    var days = Days()
    var sync = SyncState()
    var plans = PlanRoom()
    var boards: [Board] = []
    var session = TrackerSession()
    var views = Views()
    var isErasing = false
    /// How far the device's clock was ahead of the server's when they were last compared; nil: not yet.
    var clockError: Int64?
    var dirty = DirtyList()
    /// Effects beside records and screens, in the order in which they came up.
    var effects: [Effect] = []
    var told = Told()

    /// What the host was told already, so as not to say it again.
    struct Told {
        var wake: Int64?
        var wantsSignIn = false
        /// The waits that the database knows of.
        var waits = [Gate](repeating: Gate(), count: Link.Lane.allCases.count)
    }

    /// A core that knows nothing; `restore` and `start` come first.
    public init() {}

    /// Handles an event and says what to do.
    ///
    /// - Parameter event: a JSON object.
    public func handle(_ event: [UInt8]) -> [Effect] {
        let value: JSONValue
        do throws(JSONError) { value = try JSONValue.parse(event) } catch {
            return [.report(code: "malformed", detail: error.description)]
        }
        return handle(value)
    }

    /// Handles an event that was parsed already.
    public func handle(_ event: JSONValue) -> [Effect] {
        guard let name = event.text("type"), let kind = EventKind(name) else {
            return [.report(code: "unknown_event", detail: event.text("type") ?? "no type")]
        }
        guard let time = event.integer("now"), Clock.contains(time) else {
            return [.report(code: "no_time", detail: name)]
        }
        guard isStarted || kind == .restore || kind == .start else {
            return [.report(code: "not_started", detail: name)]
        }
        now = time
        if !apply(kind, event) { report("refused_event", name) }
        if isStarted { decide() }
        return finish()
    }

    /// An accelerometer sample: milliseconds since 1970, acceleration in g with gravity.
    ///
    /// - Returns: whether a `tick` is wanted now.
    public func motion(at milliseconds: Double, x: Double, y: Double, z: Double) -> Bool {
        session.motion(at: milliseconds, x: x, y: y, z: z)
    }

    /// A position: milliseconds since 1970, degrees, metres of accuracy, below zero if it is not said.
    ///
    /// It is used for the way and forgotten.
    ///
    /// - Returns: whether a `tick` is wanted now.
    public func fix(at milliseconds: Double, latitude: Double, longitude: Double, accuracy: Double) -> Bool {
        session.fix(at: milliseconds, latitude: latitude, longitude: longitude, accuracy: accuracy)
    }

    /// Says that something made no sense.
    func report(_ code: String, _ detail: String) { effects.append(.report(code: code, detail: detail)) }
}

/// The times that are believed: the years 2000 to 2200.
enum Clock {
    static func contains(_ milliseconds: Int64) -> Bool {
        milliseconds >= 946_684_800_000 && milliseconds <= 7_258_118_400_000
    }
}

/// Who this device is to the server, and what it has learned of its owner.
struct Device {
    /// Names the device among those of the user; empty before the first start.
    var id = ""
    /// The length of a step in metres as the tracker knows it, in thousandths.
    var strideMillimetres: Int64 = 740

    var record: [UInt8] {
        jsonObject { writer in
            writer.member("device_id", id)
            writer.member("stride_mm", strideMillimetres)
        }
    }
}
