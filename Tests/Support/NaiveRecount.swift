/// The rule of several devices, by whole minutes and exact fractions: slow, short, and nothing of the product in it.
///
/// Spans begin and end on full minutes, days are those of UTC.
package enum NaiveRecount {
    /// A workout in minutes since 2025-06-10T00:00:00Z.
    package struct Span: Hashable, Sendable {
        /// Its start, in minutes.
        package var from: Int
        /// Its end, likewise.
        package var to: Int
        /// Steps.
        package var steps: Int
        /// Metres, in thousandths.
        package var millimetres: Int
        /// Who counted; nil: unknown.
        package var device: String?

        /// Puts a span together.
        package init(from: Int, to: Int, steps: Int, millimetres: Int, device: String?) {
            self.from = from
            self.to = to
            self.steps = steps
            self.millimetres = millimetres
            self.device = device
        }

        /// One of those that overlap over two midnights.
        package static func random(_ generator: inout SeededGenerator) -> Span {
            // Around the two midnights in question, so that nearly all overlap.
            let from = Int.random(in: 1200..<3000, using: &generator)
            let length = [6, 30, 60, 240, 1500, 2880].randomElement(using: &generator) ?? 1
            return Span(
                from: from, to: from + length, steps: Int.random(in: 0...20_000, using: &generator),
                millimetres: Int.random(in: 0...9_999_999, using: &generator),
                device: ["phone", "watch", "band", nil].randomElement(using: &generator) ?? nil)
        }

        /// The workout as a phone sends it.
        package var body: JSON { body(newRequestID()) }

        /// The workout as a phone sends it, under a name.
        package func body(_ request: String) -> JSON {
            let zero = instant("2025-06-10T00:00:00Z")
            return workout(
                request, from: "", to: "", steps: steps,
                metres: .raw("\(millimetres / 1000).\(String(1000 + millimetres % 1000).dropFirst())"), device: device
            ).with(["start_time": .int(zero + from * 60_000), "end_time": .int(zero + to * 60_000)])
        }
    }

    /// The figures of every day.
    package static func days(of spans: [Span]) -> [String: DayFigures] {
        let first = spans.map(\.from).min() ?? 0
        let winners = winners(spans, from: first)
        var days: [Int: DayFigures] = [:]
        for span in spans {
            var (all, kept): ([Int: Int], [Int: Int]) = ([:], [:])
            for day in (span.from / 1440)...((span.to - 1) / 1440) {
                let minutes = max(span.from, day * 1440)..<min(span.to, (day + 1) * 1440)
                all[day] = minutes.count
                kept[day] = span.device == nil ? minutes.count : minutes.count { winners[$0 - first] == span.device }
            }
            let steps = share(span.steps, all, kept)
            let distance = share(span.millimetres, all, kept)
            for day in all.keys {
                var figures = days[day] ?? DayFigures(0, 0, 0)
                figures.steps += steps[day] ?? 0
                figures.millimetres += distance[day] ?? 0
                figures.workouts += 1
                days[day] = figures
            }
        }
        return Dictionary(uniqueKeysWithValues: days.map { (name(of: $0), $1) })
    }

    /// The day of a number, from 2025-06-10 until the end of July.
    private static func name(of number: Int) -> String {
        number < 21 ? "2025-06-\(10 + number)" : "2025-07-\(String(100 + number - 20).dropFirst())"
    }

    /// The device that counts in each minute; minutes between two starts or ends are alike.
    private static func winners(_ spans: [Span], from first: Int) -> [String?] {
        var winners: [String?] = []
        let edges = Set(spans.flatMap { [$0.from, $0.to] }).sorted()
        for (edge, next) in zip(edges, edges.dropFirst()) {
            winners += Array(repeating: winner(at: edge, spans), count: next - edge)
        }
        return winners
    }

    /// The device with the highest sum of rates in one minute, the smaller id among equals; nil when there is none.
    private static func winner(at minute: Int, _ spans: [Span]) -> String? {
        var rates: [String: Fraction] = [:]
        for span in spans where span.from <= minute && minute < span.to {
            guard let device = span.device else { continue }
            rates[device] = (rates[device] ?? Fraction(0, 1)) + Fraction(span.steps, span.to - span.from)
        }
        var best: (device: String, rate: Fraction)?
        for (device, rate) in rates.sorted(by: { $0.key < $1.key }) {
            if let best, !(best.rate < rate) { continue }
            best = (device, rate)
        }
        return best?.device
    }

    /// Whole: the largest remainders, ties to the earlier day.
    ///
    /// Otherwise each day's share, rounded half up.
    private static func share(_ value: Int, _ minutes: [Int: Int], _ kept: [Int: Int]) -> [Int: Int] {
        let whole = minutes.values.reduce(0, +)
        guard kept == minutes else { return kept.mapValues { (2 * value * $0 + whole) / (2 * whole) } }
        var parts = minutes.mapValues { value * $0 / whole }
        let missing = value - parts.values.reduce(0, +)
        let byRemainder = minutes.sorted { one, other in
            let (left, right) = (value * one.value % whole, value * other.value % whole)
            return left == right ? one.key < other.key : left > right
        }
        for (day, _) in byRemainder.prefix(missing) { parts[day, default: 0] += 1 }
        return parts
    }

    /// An exact sum of rates; the denominators are few, so nothing overflows.
    private struct Fraction: Comparable {
        let top: Int
        let bottom: Int

        init(_ top: Int, _ bottom: Int) {
            func divisor(_ one: Int, _ other: Int) -> Int { other == 0 ? max(one, 1) : divisor(other, one % other) }
            let common = divisor(top, bottom)
            self.top = top / common
            self.bottom = bottom / common
        }

        static func + (left: Fraction, right: Fraction) -> Fraction {
            Fraction(left.top * right.bottom + right.top * left.bottom, left.bottom * right.bottom)
        }
        static func < (left: Fraction, right: Fraction) -> Bool { left.top * right.bottom < right.top * left.bottom }
    }
}
