import Tracker

/// Prints what is counted in each recording and set, and beside it what a plain peak counter counts.
func reportSteps(_ all: [Recording]) {
    print(
        "\n" + left("recording", 52) + pad("steps", 7) + pad("truth", 7) + pad("error", 9) + pad("plain", 9)
            + "   first after, at once")
    var late: [Double] = []
    var delays: [Double] = []
    var plain: [Int] = []
    var counts: [Count] = []
    for recording in all {
        let count = Count(recording.samples)
        counts.append(count)
        plain.append(plainCount(recording.samples))
        var prompt = ""
        if let first = count.first, let truth = recording.firstStep {
            late.append(first - truth)
            prompt = number(first - truth, width: 12) + " s" + pad("\(count.mostAtOnce)", 9)
        }
        if recording.truth > 0 { delays += count.delays }
        print(
            left("\(recording.set)/\(recording.name)", 52) + pad("\(count.steps)", 7) + pad("\(recording.truth)", 7)
                + measure(recording, count.steps) + measure(recording, plain[plain.count - 1]) + prompt)
    }
    print("\nset: mean, median and worst error in %, bias; or false steps a minute   (plain counter)")
    for set in sets(all) {
        let places = all.indices.filter { all[$0].set == set }
        let mine = summary(places.map { (all[$0], counts[$0].steps) })
        print("  " + left(set, 20) + left(mine, 44) + " (" + summary(places.map { (all[$0], plain[$0]) }) + ")")
    }
    guard !late.isEmpty, !delays.isEmpty else { return }
    late.sort()
    delays.sort()
    print(
        "first steps: \(late.count { $0 <= 6 }) of \(late.count) walks within 6 s of the first true step, "
            + "half within \(number(late[late.count / 2])) s, all within \(number(late[late.count - 1])) s; "
            + "at most \(counts.map(\.mostAtOnce).max() ?? 0) at once")
    print(
        "then each after \(number(delays[delays.count / 2], 2)) s (median), "
            + "\(number(delays[delays.count * 95 / 100], 2)) s (95 %), \(number(delays[delays.count - 1], 2)) s (worst), "
            + "\(delays.count { $0 > 3 }) times after more than 3 s"
    )
}

/// Prints what becomes of the sets when the recordings are changed as real ones are.
func reportChanges(_ all: [Recording]) {
    print("\nchanged recordings")
    let unchanged = all.map { ($0, Count($0.samples).steps) }
    for set in sets(all) {
        print("  " + left(set, 22) + left("unchanged", 24) + summary(unchanged.filter { $0.0.set == set }))
        for change in Change.all {
            let counted = all.enumerated().filter { $0.element.set == set }.map {
                ($0.element, Count(change.apply($0.element.samples, $0.offset)).steps)
            }
            print("  " + left("", 22) + left(change.name, 24) + summary(counted))
        }
    }
}

/// Prints what each limit is worth: the sets with it a tenth smaller and greater.
func reportLimits(_ all: [Recording]) {
    let limits: [(String, WritableKeyPath<StepRules, Double>)] = [
        ("window", \.window), ("longestLag", \.longestLag), ("octave", \.octave), ("leastMotion", \.leastMotion),
        ("leastMatch", \.leastMatch), ("mostSwing", \.mostSwing), ("startSwing", \.startSwing),
        ("swingCost", \.swingCost), ("patience", \.patience), ("startPatience", \.startPatience),
        ("startEvidence", \.startEvidence), ("likeness", \.likeness), ("share", \.share), ("sharpness", \.sharpness),
        ("usualSharpness", \.usualSharpness), ("coherence", \.coherence), ("lookBack", \.lookBack),
        ("margin", \.margin),
        ("height", \.height), ("firmHeight", \.firmHeight), ("startMatch", \.startMatch),
        ("mostSharpness", \.mostSharpness), ("spacing", \.spacing), ("bridgedSpacing", \.bridgedSpacing),
        ("longestBridge", \.longestBridge), ("bridgedChange", \.bridgedChange), ("pause", \.pause),
        ("missing", \.missing), ("run", \.run),
    ]
    print("\nlimits a tenth smaller and greater")
    for (name, path) in limits {
        for factor in [0.9, 1.1] {
            var rules = StepRules()
            let value = rules[keyPath: path] * factor
            rules[keyPath: path] = value
            if ["window", "longestLag", "run"].contains(name) {
                rules[keyPath: path] = factor < 1 ? value.rounded(.down) : value.rounded(.up)
            }
            var line = "  " + left(name, 16) + number(rules[keyPath: path], 3, width: 9)
            for set in sets(all) {
                line +=
                    "   " + left(summary(all.filter { $0.set == set }.map { ($0, steps($0, rules)) }, brief: true), 12)
            }
            print(line)
        }
    }
}

private func steps(_ recording: Recording, _ rules: StepRules) -> Int {
    var detector = StepDetector(rules: rules)
    for sample in recording.samples { _ = detector.push(sample) }
    _ = detector.finish()
    return Int(detector.total)
}

private func sets(_ all: [Recording]) -> [String] {
    var found: [String] = []
    for recording in all where !found.contains(recording.set) { found.append(recording.set) }
    return found
}

private func measure(_ recording: Recording, _ steps: Int) -> String {
    recording.truth > 0
        ? number(recording.error(steps), width: 7) + " %" : number(Double(steps) / recording.minutes, width: 5) + "/min"
}

private func summary(_ counted: [(Recording, Int)], brief: Bool = false) -> String {
    let walked = counted.filter { $0.0.truth > 0 }.map { $0.0.error($0.1) }
    let still = counted.filter { $0.0.truth == 0 }
    var parts: [String] = []
    if !walked.isEmpty {
        let sizes = walked.map(\.magnitude).sorted()
        parts.append(
            brief
                ? "\(number(mean(sizes), 2)) / \(number(sizes[sizes.count - 1], 0))"
                : "\(number(mean(sizes), 2)) / \(number(sizes[sizes.count / 2], 2)) / "
                    + "\(number(sizes[sizes.count - 1], 1)) %, bias \(number(mean(walked), 2)) %")
    }
    if !still.isEmpty {
        let rate = Double(still.map(\.1).reduce(0, +)) / still.map(\.0.minutes).reduce(0, +)
        parts.append("\(number(rate, 2))/min")
    }
    return parts.joined(separator: ", ")
}
