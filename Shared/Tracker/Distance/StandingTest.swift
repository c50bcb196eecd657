/// Whether the fixes of the last seconds are scattered about one place.
///
/// The means of blocks of a few seconds wander much less than fixes do; as long as no two of them are far apart, nobody
/// has gone anywhere.
struct StandingTest: Sendable {
    private let seconds: Double
    private let count: Int
    private var means: [GroundPoint] = []
    private var sum = GroundPoint()
    private var fixes = 0.0
    private var start = 0.0

    init(seconds: Double, count: Int) {
        self.seconds = seconds
        self.count = count
        means.reserveCapacity(count + 1)
    }

    mutating func removeAll() {
        means.removeAll(keepingCapacity: true)
        fixes = 0
    }

    /// Moves the plane's zero.
    mutating func shift(by way: GroundPoint) {
        for place in means.indices { means[place] = means[place] + way }
        sum = sum + way.scaled(by: fixes)
    }

    mutating func append(_ point: GroundPoint, at time: Double) {
        if fixes > 0, time - start >= seconds {
            means.append(sum.scaled(by: 1 / fixes))
            if means.count > count { means.removeFirst() }
            fixes = 0
        }
        if fixes == 0 {
            start = time
            sum = GroundPoint()
        }
        sum = sum + point
        fixes += 1
    }

    /// Whether there are enough blocks to tell.
    var isComplete: Bool { means.count == count }

    /// The middle of all blocks if there are enough of them and no two lie farther apart; nil otherwise.
    func centre(within radius: Double) -> GroundPoint? {
        guard means.count == count else { return nil }
        var total = GroundPoint()
        for place in means.indices {
            total = total + means[place]
            for other in means.indices where other > place && means[place].distance(to: means[other]) >= radius {
                return nil
            }
        }
        return total.scaled(by: 1 / Double(count))
    }
}
