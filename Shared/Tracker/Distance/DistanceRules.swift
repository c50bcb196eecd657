/// Every limit of the distance estimator that was chosen by measuring; docs/tracker.md says on what.
package struct DistanceRules: Sendable {
    /// A fix less accurate than this, in metres, says nothing.
    package var worstAccuracy = 20.0
    /// How much of the stated accuracy the noise of a fix is.
    package var noiseShare = 0.5
    /// The noise of a fix without stated accuracy, in metres.
    package var usualNoise = 3.0
    /// The least and the most noise believed in, in metres.
    package var leastNoise = 1.5
    package var mostNoise = 30.0
    /// The fastest that anybody moves, in metres a second.
    package var fastest = 20.0
    /// How many noises a fix may lie off what that allows.
    package var spikeNoises = 3.0
    /// A longer silence, in seconds, is a gap.
    package var longestSilence = 20.0
    /// How fast speed changes, in m/s² for the root of a second.
    package var acceleration = 0.4
    /// Standing: the length of a block in seconds, and how many are looked at.
    package var blockSeconds = 4.0
    package var blocks = 5.0
    /// Standing: the radius in noises, and at least in metres.
    package var standingNoises = 3.0
    package var standingRadius = 4.0
    /// Standing begins within this part of the radius.
    package var standingShare = 0.8
    /// Standing ends this many radii away: farther than where it begins, for noise that lasts wanders too.
    package var leaveShare = 1.3
    /// The same while it is not known for long enough where somebody stands.
    package var startShare = 2.0
    /// A leg counts from this length in metres, and so many noises more.
    package var leg = 2.0
    package var legNoises = 1.0

    /// The chosen values.
    package init() {}
}
