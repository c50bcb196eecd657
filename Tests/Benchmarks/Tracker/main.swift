// How well steps and metres are measured on recordings with known truth: `./dev bench tracker [FOLDER]`.
//
// FOLDER holds `accelerometer/SET/truth.csv` and `gps/SET/truth.csv` with their recordings. `--limits` after it also measures
// what each limit of the step detector is worth, `--brief` leaves out the changed recordings.

import Glibc
import Tracker

let arguments = Array(CommandLine.arguments.dropFirst())
guard let folder = arguments.first else {
    print("usage: TrackerBenchmark FOLDER [--limits] [--brief]")
    exit(2)
}
let motion = recordings(in: folder + "/accelerometer")
let ways = tracks(in: folder + "/gps")
guard !motion.isEmpty || !ways.isEmpty else {
    print("no recordings in \(folder)")
    exit(1)
}
if !motion.isEmpty {
    reportSteps(motion)
    if !arguments.contains("--brief") { reportChanges(motion) }
    if arguments.contains("--limits") { reportLimits(motion) }
    reportCost(motion)
}
if !ways.isEmpty {
    reportTracks(ways)
    reportSpoiltTracks(ways)
}
