/// What came back, by kind of answer and by second.
struct LoadReport: Sendable {
    /// Kinds of answers.
    enum Kind: Int, CaseIterable { case accepted, refused, failed }

    private struct Second {
        var accepted = 0
        var refused = 0
        var failed = 0
        var newcomers = 0
        var newcomersRefused = 0
        var latencies: [UInt32] = []
    }

    private var latencies: [[UInt32]] = Kind.allCases.map { _ in [] }
    private var seconds: [Second] = []
    /// Calls that never got an answer.
    var unanswered = 0
    /// Calls that were due.
    var offered = 0
    /// Calls that came back after a refusal.
    var repeats = 0
    /// Calls that had not come back when it ended.
    var outstanding = 0
    /// For how long calls were due, in seconds.
    var duration = 0.0

    mutating func add(_ kind: Kind, isRepeat: Bool, microseconds: UInt64, second: Int) {
        let latency = UInt32(clamping: microseconds)
        latencies[kind.rawValue].append(latency)
        while seconds.count <= second { seconds.append(Second()) }
        if !isRepeat {
            seconds[second].newcomers += 1
            if kind != .accepted { seconds[second].newcomersRefused += 1 }
        }
        switch kind {
        case .accepted:
            seconds[second].accepted += 1
            seconds[second].latencies.append(latency)
        case .refused: seconds[second].refused += 1
        case .failed: seconds[second].failed += 1
        }
    }

    private static func quantile(_ part: Double, of sorted: [UInt32]) -> String {
        guard !sorted.isEmpty else { return "-" }
        let tenths = sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))] / 100
        return "\(tenths / 10).\(tenths % 10)"
    }

    var result: String {
        let sorted = latencies.map { $0.sorted() }
        let (accepted, refused, failed) = (sorted[0], sorted[1], sorted[2])
        return """
            RESULT offered=\(Int(Double(offered) / duration)) accepted=\(Int(Double(accepted.count) / duration)) \
            p50=\(Self.quantile(0.5, of: accepted)) p99=\(Self.quantile(0.99, of: accepted)) \
            refused=\(Int(Double(refused.count) / duration)) refused_p50=\(Self.quantile(0.5, of: refused)) \
            refused_p99=\(Self.quantile(0.99, of: refused)) failed=\(failed.count) unanswered=\(unanswered) \
            repeats=\(repeats) outstanding=\(outstanding) accepted_all=\(accepted.count) refused_all=\(refused.count)
            """
    }

    var timeline: [String] {
        seconds.enumerated().map { place, second in
            let sorted = second.latencies.sorted()
            return """
                SECOND \(place) accepted=\(second.accepted) refused=\(second.refused) failed=\(second.failed) \
                p50=\(Self.quantile(0.5, of: sorted)) p99=\(Self.quantile(0.99, of: sorted)) \
                newcomers=\(second.newcomers) newcomers_refused=\(second.newcomersRefused)
                """
        }
    }
}
