/// Brings samples of any rate, uneven or with some missing, to a steady 50 Hz by straight lines.
struct SampleGrid: Sendable {
    /// The distance of two points of the grid in seconds.
    static let step = 0.02
    /// A longer silence between two samples, in seconds, ends everything: no step is made up in it.
    static let longestGap = 1.0
    /// A silence that may hide a step, in seconds.
    static let hole = 0.25

    private var previous: Motion?
    private var origin = 0.0
    private var count = 0.0
    /// The usual distance of two samples in seconds, a mean over about fifty.
    private(set) var interval = SampleGrid.step

    /// What a sample means for the grid.
    enum Arrival {
        /// Not finite, or not later than the last: as if it had not come.
        case ignored
        /// The first, too long after the last, or from a clock that was put back: what went before is over. Not yet taken;
        /// `begin` does that.
        case anew
        /// `next` yields the points up to this sample.
        case accepted(from: Motion)
    }

    /// The time of the grid's point with this number, the first being 0.
    func time(of point: Double) -> Double { origin + point * Self.step }

    /// Takes a sample.
    mutating func push(_ sample: Motion) -> Arrival {
        guard sample.isPlausible else { return .ignored }
        guard let last = previous else { return .anew }
        let elapsed = sample.time - last.time
        // A late sample is worth nothing; a whole second back is another clock.
        if elapsed <= 0, elapsed > -Self.longestGap { return .ignored }
        guard elapsed > 0, elapsed <= Self.longestGap else { return .anew }
        previous = sample
        interval += 0.02 * (elapsed - interval)
        return .accepted(from: last)
    }

    /// The next point of the grid on the line between two samples, nil behind its end.
    mutating func next(from last: Motion, to sample: Motion) -> Vector? {
        let time = time(of: count)
        guard time <= sample.time else { return nil }
        count += 1
        let part = (time - last.time) / (sample.time - last.time)
        return Vector(
            x: last.x + (sample.x - last.x) * part, y: last.y + (sample.y - last.y) * part,
            z: last.z + (sample.z - last.z) * part)
    }

    /// Begins a new grid, whose point 0 is this sample.
    mutating func begin(with sample: Motion) {
        previous = sample
        origin = sample.time
        count = 1
        interval = Self.step
    }
}
