/// Every limit of the step detector that was chosen by measuring.
///
/// One set serves all phones, places and people; docs/tracker.md says what each was chosen on and how wide the plateau
/// around it is. Times are points of the 50 Hz grid, accelerations g.
package struct StepRules: Sendable {
    /// The length of the window that is judged: 2.76 s.
    package var window = 138.0
    /// The shortest time of one step: 4.5 a second.
    package var shortestLag = 11.0
    /// The longest time of one step: 0.93 a second.
    package var longestLag = 54.0
    /// Which share of the best rhythm's score a shorter one must have to be taken instead.
    package var octave = 0.55
    /// The least root mean square of the motion along gravity.
    package var leastMotion = 0.045
    /// The least sum of the likeness one step and two steps later.
    package var leastMatch = 0.61
    /// The same with which walking begins.
    package var startMatch = 0.8
    /// The most swing of gravity's direction, in degrees for each g of motion, in which walking goes on.
    package var mostSwing = 180.0
    /// Above this swing walking begins only with more evidence.
    package var startSwing = 70.0
    /// How much more for each degree of it.
    package var swingCost = 0.04
    /// The least evidence with which walking begins.
    package var startEvidence = 5.8
    /// How much evidence the likeness one step later is.
    package var likeness = 1.5
    /// How much evidence the share of the motion that goes along gravity is.
    package var share = 4.5
    /// How much evidence sharp impacts are.
    package var sharpness = 4.0
    /// The sharpness that speaks neither for nor against walking.
    package var usualSharpness = 0.45
    /// More sharpness than this is no heel but a machine.
    package var mostSharpness = 2.0
    /// How much evidence it is that the acceleration's length moves with the motion along gravity.
    package var coherence = 3.0
    /// How far back from its first certain window walking may have begun.
    package var lookBack = 150.0
    /// How far from the ends of a window a step must be.
    package var margin = 10.0
    /// How long a step waits for a window that tells its rhythm better.
    package var patience = 110.0
    /// The same where other steps wait for it to be counted.
    package var startPatience = 30.0
    /// The least height of a step, as a share of the motion's root mean square.
    package var height = 0.44
    /// Below this height a step counts only between others: no walk begins or ends with it.
    package var firmHeight = 0.55
    /// The least distance of two steps, as a share of the rhythm's period.
    package var spacing = 0.54
    /// The same where a disturbance is bridged.
    package var bridgedSpacing = 0.7
    /// The longest disturbance of a steady walk that is bridged.
    package var longestBridge = 100.0
    /// How much the period may differ before and after it.
    package var bridgedChange = 0.15
    /// The longest pause between two steps of one run, in periods.
    package var pause = 2.4
    /// From which distance of two steps on one between them is missing, in periods, where one can be lost.
    package var missing = 1.7
    /// How many steps make a run that counts.
    package var run = 5.0

    /// The chosen values.
    package init() {}
}
