import Tracker

/// A recording of an accelerometer with the true number of steps.
struct Recording {
    let set: String
    let name: String
    let samples: [Motion]
    let truth: Int
    /// When the first true step was made, if that is known.
    let firstStep: Double?

    var minutes: Double { ((samples.last?.time ?? 0) - (samples.first?.time ?? 0)) / 60 }

    /// How far a count is off, in percent.
    func error(_ steps: Int) -> Double { Double(steps - truth) / Double(truth) * 100 }
}

/// The recordings of a folder: `SET/truth.csv` names files and steps, `SET/FILE.csv` holds `t_s,x_g,y_g,z_g`.
func recordings(in folder: String) -> [Recording] {
    var all: [Recording] = []
    for set in names(in: folder) {
        let truth = table("\(folder)/\(set)/truth.csv")
        guard let header = truth.first, let file = header.firstIndex(of: "file"),
            let steps = header.firstIndex(of: "truth_steps")
        else { continue }
        for row in truth.dropFirst() where row.count > max(file, steps) {
            let samples = table("\(folder)/\(set)/\(row[file])").compactMap { fields -> Motion? in
                guard fields.count >= 4, let time = Double(fields[0]), let x = Double(fields[1]),
                    let y = Double(fields[2]), let z = Double(fields[3])
                else { return nil }
                return Motion(time: time, x: x, y: y, z: z)
            }
            guard let count = Int(row[steps]), !samples.isEmpty else {
                print("left out: \(set)/\(row[file])")
                continue
            }
            let name = row[file].hasSuffix(".csv") ? String(row[file].dropLast(4)) : row[file]
            let times = table("\(folder)/\(set)/\(name).steps.csv").compactMap { $0.first.flatMap(Double.init) }
            all.append(
                Recording(set: set, name: name, samples: samples, truth: count, firstStep: times.first))
        }
    }
    return all
}

/// What the detector made of a recording, and how promptly.
struct Count {
    var steps = 0
    /// When the first steps became certain, and how many at once.
    var first: Double?
    var mostAtOnce = 0
    /// How long after they were made steps became certain that came while walking, not at once as the first five after a rest.
    var delays: [Double] = []

    init(_ samples: [Motion]) {
        var detector = StepDetector()
        var last = 0.0
        for sample in samples {
            let count = detector.push(sample)
            guard count > 0 else { continue }
            if first == nil { first = sample.time }
            mostAtOnce = max(mostAtOnce, count)
            let oldest = detector.confirmed[0]
            if steps > 0, count < 5 || oldest - last < 1.5 { delays.append(sample.time - oldest) }
            last = detector.confirmed[count - 1]
            steps += count
        }
        steps += detector.finish()
    }
}
