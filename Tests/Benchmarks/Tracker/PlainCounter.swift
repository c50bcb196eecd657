import Tracker

/// The counter to compare with: what a first attempt does.
///
/// The length of the acceleration, a mean over 0.2 s less one over 1 s; peaks from 0.04 g with a prominence of 0.06 g, 0.28 s
/// apart, in runs of at least eight. It looks at the whole recording at once.
func plainCount(_ samples: [Motion]) -> Int {
    let lengths = samples.map { ($0.x * $0.x + $0.y * $0.y + $0.z * $0.z).squareRoot() }
    let signal = zip(movingMean(lengths, samples, 0.1), movingMean(lengths, samples, 0.5)).map { $0 - $1 }
    var peaks: [Int] = []
    for place in signal.indices.dropFirst().dropLast()
    where signal[place] >= 0.04 && signal[place] > signal[place - 1] && signal[place] >= signal[place + 1]
        && prominence(of: place, in: signal) >= 0.06
    {
        peaks.append(place)
    }
    // The higher of two that are too near to each other stays.
    var kept: [Int] = []
    for peak in peaks.sorted(by: { signal[$0] > signal[$1] })
    where kept.allSatisfy({ abs(samples[$0].time - samples[peak].time) >= 0.28 }) { kept.append(peak) }
    kept.sort()
    var steps = 0
    var run = 0
    for (index, peak) in kept.enumerated() {
        run += 1
        let next = index + 1 < kept.count ? samples[kept[index + 1]].time : .infinity
        if next - samples[peak].time > 2 {
            if run >= 8 { steps += run }
            run = 0
        }
    }
    return steps
}

/// The mean of all values no farther than so many seconds.
private func movingMean(_ values: [Double], _ samples: [Motion], _ reach: Double) -> [Double] {
    var means: [Double] = []
    var (low, high, sum) = (0, 0, 0.0)
    for sample in samples {
        while high < samples.count, samples[high].time <= sample.time + reach {
            sum += values[high]
            high += 1
        }
        while samples[low].time < sample.time - reach {
            sum -= values[low]
            low += 1
        }
        means.append(sum / Double(high - low))
    }
    return means
}

/// How far one must go down from a peak before one gets higher than it.
private func prominence(of peak: Int, in signal: [Double]) -> Double {
    func lowest(_ places: some Sequence<Int>) -> Double {
        var least = signal[peak]
        for place in places {
            if signal[place] > signal[peak] { break }
            least = min(least, signal[place])
        }
        return least
    }
    return signal[peak] - max(lowest(stride(from: peak, through: 0, by: -1)), lowest(peak..<signal.count))
}
