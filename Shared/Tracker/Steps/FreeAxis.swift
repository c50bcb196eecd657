/// Finds the direction of the steps in acceleration from which gravity has been taken out.
///
/// The two feet do the same one step apart along the vertical, and the opposite across and, in a pocket, along the swing of
/// the leg. So the motion is added to itself one step earlier: what the feet share doubles, what they do by turns goes. The
/// main axis of the sum, by one step of the power iteration for each point, is where steps show. Source: the symmetry of
/// odd and even harmonics in R. Moe-Nilssen and J. Helbostad, "Estimation of gait cycle characteristics by trunk
/// accelerometry", Journal of Biomechanics 37 (2004); the comb and the axis are this project's.
struct FreeAxis: Sendable {
    /// How long motion counts for the axis, in seconds.
    private static let memory = 2.0
    private static let capacity = 64

    /// The time of one step in points of the grid; at first that of 111 steps a minute.
    private var delay = 27
    private var bands = (StepBand(), StepBand(), StepBand())
    private var past = [Vector](repeating: Vector(), count: FreeAxis.capacity)
    private var place = 0
    private var axis = Vector(x: 0.577, y: 0.577, z: 0.577)
    private var xx = 0.0, xy = 0.0, xz = 0.0, yy = 0.0, yz = 0.0, zz = 0.0

    /// Learns the time of one step, in points of the grid.
    mutating func learn(delay: Double) { self.delay = Int(max(1, min(delay, Double(Self.capacity - 1)))) }

    /// The next point's share along the axis.
    mutating func project(_ motion: Vector) -> Double {
        let now = Vector(
            x: bands.0.filter(motion.x), y: bands.1.filter(motion.y), z: bands.2.filter(motion.z))
        let both = now + past[(place + Self.capacity - delay) % Self.capacity]
        past[place] = now
        place = (place + 1) % Self.capacity

        let share = SampleGrid.step / Self.memory
        xx += share * (both.x * both.x - xx)
        xy += share * (both.x * both.y - xy)
        xz += share * (both.x * both.z - xz)
        yy += share * (both.y * both.y - yy)
        yz += share * (both.y * both.z - yz)
        zz += share * (both.z * both.z - zz)
        let turned = Vector(
            x: xx * axis.x + xy * axis.y + xz * axis.z, y: xy * axis.x + yy * axis.y + yz * axis.z,
            z: xz * axis.x + yz * axis.y + zz * axis.z)
        let length = turned.length
        if length > 1e-12 { axis = turned.scaled(by: 1 / length) }
        return motion.dot(axis)
    }
}
