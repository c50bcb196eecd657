extension DistanceEstimator {
    /// Takes a fix; one that is late, doubled, impossible or inaccurate is left out.
    public mutating func push(_ fix: Fix) {
        guard fix.isPlausible else { return }
        if let accuracy = fix.accuracy, !(accuracy >= 0 && accuracy <= rules.worstAccuracy) { return }
        guard let plane, let last else { return begin(with: fix) }
        let elapsed = fix.time - last.time
        // A clock put back by a minute or more is another clock; anything less is a late fix.
        if elapsed < -60 { return begin(with: fix) }
        guard elapsed >= 0.05 else { return }

        let point = plane.point(of: fix)
        let noise = noise(of: fix)
        let reach = rules.fastest * elapsed + rules.spikeNoises * noise
        guard point.distance(to: last.point) <= reach else { return reject(point, fix, noise: noise) }
        outliers.removeAll(keepingCapacity: true)
        if elapsed > rules.longestSilence {
            bridge(to: point, fix, noise: noise)
        } else {
            follow(point, elapsed: elapsed, fix, noise: noise)
        }
    }

    /// The noise of a fix in metres: what it says, but no less than the surprises of late tell.
    private func noise(of fix: Fix) -> Double {
        let stated = max(rules.leastNoise, fix.accuracy.map { $0 * rules.noiseShare } ?? rules.usualNoise)
        return min(rules.mostNoise, max(stated, 0.8 * surprise.squareRoot()))
    }

    private mutating func begin(with fix: Fix) {
        closeLeg()
        counted += steps.take()
        plane = LocalPlane(at: fix)
        restart(at: GroundPoint(), fix, noise: noise(of: fix))
    }

    /// Begins to follow anew at a point: standing, until it is clear that somebody moves.
    private mutating func restart(at point: GroundPoint, _ fix: Fix, noise: Double) {
        last = (point, fix.time)
        filter = (AxisFilter(position: point.east, noise: noise), AxisFilter(position: point.north, noise: noise))
        standing.removeAll()
        standing.append(point, at: fix.time)
        outliers.removeAll(keepingCapacity: true)
        isStanding = true
        anchor = point
    }

    /// A fix where nobody can be: unless three of them agree, it is forgotten.
    private mutating func reject(_ point: GroundPoint, _ fix: Fix, noise: Double) {
        if let other = outliers.last {
            let elapsed = fix.time - other.time
            guard elapsed >= 0.05 else { return }
            if point.distance(to: other.point) > rules.fastest * elapsed + rules.spikeNoises * noise {
                outliers.removeAll(keepingCapacity: true)
            }
        }
        outliers.append((point, fix.time))
        guard outliers.count >= 3 else { return }
        // The receiver was wrong before, or somebody was carried: the jump is no way.
        closeLeg()
        counted += steps.take()
        plane = LocalPlane(at: fix)
        restart(at: GroundPoint(), fix, noise: noise)
    }

    /// The first fix after a silence: the straight way, or that of the steps if it is longer.
    private mutating func bridge(to point: GroundPoint, _ fix: Fix, noise: Double) {
        let from = isStanding ? anchor : filtered ?? anchor
        closeLeg()
        let straight = point.distance(to: from)
        let walked = steps.take()
        let isWay = straight >= max(5, 2 * noise)
        counted += max(walked, isWay ? straight : 0)
        plane = LocalPlane(at: fix)
        restart(at: GroundPoint(), fix, noise: noise)
    }

    private mutating func follow(_ point: GroundPoint, elapsed: Double, _ fix: Fix, noise: Double) {
        let walked = steps.take()
        guard var filter else { return }
        filter.east.predict(seconds: elapsed, acceleration: rules.acceleration)
        filter.north.predict(seconds: elapsed, acceleration: rules.acceleration)
        let east = filter.east.update(point.east, noise: noise)
        let north = filter.north.update(point.north, noise: noise)
        self.filter = filter
        last = (point, fix.time)
        let limit = 9 * noise * noise
        surprise += 0.05 * (min((east * east + north * north) / 2, limit) - surprise)

        standing.append(point, at: fix.time)
        let radius = max(rules.standingRadius, rules.standingNoises * noise)
        let here = GroundPoint(east: filter.east.position, north: filter.north.position)
        if walked > 0 {
            // Steps told of a silence that was none, by another clock: they count, and not also the way to here.
            counted += walked
            anchor = here
        }
        if let centre = standing.centre(within: rules.standingShare * radius) {
            if !isStanding { isStanding = true }
            anchor = centre
        } else {
            let leg = rules.leg + rules.legNoises * noise
            let way = here.distance(to: anchor)
            let escape = radius * (standing.isComplete ? rules.leaveShare : rules.startShare)
            if way >= (isStanding ? max(leg, escape) : leg) {
                count(way, to: here)
            }
        }
        if point.distance(to: GroundPoint()) > 3000 { movePlane(to: fix) }
    }

    private mutating func count(_ way: Double, to here: GroundPoint) {
        isStanding = false
        counted += way
        steps.learn(leg: way)
        anchor = here
    }

    var filtered: GroundPoint? { filter.map { GroundPoint(east: $0.east.position, north: $0.north.position) } }

    /// Counts the piece of way that was still too short to be a leg.
    mutating func closeLeg() {
        guard !isStanding, let here = filtered else { return }
        counted += here.distance(to: anchor)
        anchor = here
    }

    /// Touches the earth at the latest fix, so that lengths stay right.
    private mutating func movePlane(to fix: Fix) {
        guard let old = plane else { return }
        let way = GroundPoint() - old.point(of: fix)
        plane = LocalPlane(at: fix)
        last?.point = GroundPoint()
        filter?.east.shift(by: way.east)
        filter?.north.shift(by: way.north)
        standing.shift(by: way)
        anchor = anchor + way
    }
}
