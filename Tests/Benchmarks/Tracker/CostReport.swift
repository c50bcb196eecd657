import Glibc
import Tracker

/// Prints what a sample costs, and whether memory grows.
func reportCost(_ all: [Recording]) {
    guard let walk = all.filter({ $0.truth > 0 }).max(by: { $0.samples.count < $1.samples.count }),
        let end = walk.samples.last?.time, walk.samples.count > 100
    else { return }
    // The recording over and over, as one at its own rate.
    let period = end + 0.01
    func play(_ detector: inout StepDetector, _ count: Int, from start: Int) {
        for index in start..<start + count {
            var sample = walk.samples[index % walk.samples.count]
            sample.time += Double(index / walk.samples.count) * period
            _ = detector.push(sample)
        }
    }
    var detector = StepDetector()
    play(&detector, 100_000, from: 0)
    let before = residentKilobytes()
    var fastest = Double.infinity
    for round in 0..<10 {
        let start = cpuNanoseconds()
        play(&detector, 100_000, from: 100_000 * (round + 1))
        fastest = min(fastest, (cpuNanoseconds() - start) / 100_000)
    }
    let rate = Double(walk.samples.count - 1) / end
    print(
        "\ncost: \(number(fastest, 0)) ns a sample at \(number(rate, 0)) Hz, \(number(fastest * rate / 1e7, 4)) % of a core; "
            + "memory after a million samples more: \(residentKilobytes() - before) KB")
}

private func cpuNanoseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

private func residentKilobytes() -> Int {
    let fields = String(decoding: bytes(of: "/proc/self/statm") ?? [], as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024 : 0
}
