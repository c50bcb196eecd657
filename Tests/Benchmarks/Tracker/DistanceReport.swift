import Glibc
import Tracker

/// Prints how long each track is said to be.
func reportTracks(_ all: [Track]) {
    print("\n" + left("track", 64) + pad("metres", 10) + pad("truth", 10) + pad("error", 9))
    var errors: [(measured: Bool, percent: Double)] = []
    for track in all {
        let metres = track.measured
        // In a track of a few metres the fixes say nothing; standing tracks have no percentage either.
        let counts = track.metres > 50
        if counts { errors.append((track.isMeasured, (metres / track.metres - 1) * 100)) }
        print(
            left("\(track.set)/\(track.name)", 64) + number(metres, width: 10) + number(track.metres, width: 10)
                + (counts ? number(errors[errors.count - 1].percent, 2, width: 7) + " %" : pad("-", 9)))
    }
    for (isMeasured, name) in [(true, "length from a device"), (false, "length is the sum of the points")] {
        let percents = errors.filter { $0.measured == isMeasured }.map(\.percent)
        guard !percents.isEmpty else { continue }
        print(
            "\(name): mean \(number(mean(percents.map(\.magnitude)), 2)) %, "
                + "worst \(number(percents.map(\.magnitude).max() ?? 0, 2)) %, bias \(number(mean(percents), 2)) %")
    }
}

/// Prints what becomes of somebody who stands, and of a track that is spoilt as receivers spoil them.
func reportSpoiltTracks(_ all: [Track]) {
    print("\nstanding for ten minutes, metres (mean, 95th percentile and worst of 400)")
    let still = (0..<600).map { Fix(time: Double($0), latitude: 58.9592, longitude: 5.7288) }
    for (name, memory, accuracy) in [
        ("noise of 4 m, white", 0.0, nil), ("correlated over 30 s", 30, nil), ("white, 6 m stated", 0, 6),
        ("correlated, 6 m stated", 30, 6),
    ] as [(String, Double, Double?)] {
        let metres = (1...400).map { seed in
            Track.measure([
                noisy(still, 4, memory, Dice(seed)).map {
                    Fix(time: $0.time, latitude: $0.latitude, longitude: $0.longitude, accuracy: accuracy)
                }
            ])
        }.sorted()
        print(
            "  " + left(name, 26) + number(mean(metres), width: 8) + number(metres[metres.count * 95 / 100], width: 8)
                + number(metres[metres.count - 1], width: 8))
    }
    // Not one that is spoilt already.
    func isClean(_ fixes: [Fix]) -> Bool { !zip(fixes, fixes.dropFirst()).contains { $0.time >= $1.time } }
    let clean = all.filter { $0.metres > 50 && $0.pieces.count == 1 && isClean($0.pieces[0]) }
    guard let track = clean.max(by: { $0.pieces[0].count < $1.pieces[0].count }), let base = track.pieces.first else {
        return
    }
    print("\n\(track.set)/\(track.name), spoilt: how far off its own length, \(number(track.measured)) m")
    for (name, fixes) in spoilt(base) {
        let change = (Track.measure([fixes]) / track.measured - 1) * 100
        print("  " + left(name, 40) + number(change, 2, width: 8) + " %")
    }
}

private func spoilt(_ base: [Fix]) -> [(String, [Fix])] {
    func moved(_ places: [Int], north metres: Double) -> [Fix] {
        var fixes = base
        for place in places where place < fixes.count { fixes[place].latitude += metres / 111_200 }
        return fixes
    }
    let some = Array(stride(from: base.count / 9, to: base.count, by: base.count / 3))
    let start = base.first?.time ?? 0
    let turn = 179.995 - (base.first?.longitude ?? 0)
    var swapped = base
    for place in stride(from: 60, to: base.count - 1, by: 60) { swapped.swapAt(place, place + 1) }
    return [
        ("3 spikes of 300 m", moved(some, north: 300)), ("3 spikes of 80 m", moved(some, north: 80)),
        ("3 excursions of four fixes, 200 m", moved(some.flatMap { Array($0..<$0 + 4) }, north: 200)),
        (
            "every fifth fix twice",
            base.enumerated().flatMap { $0.offset % 5 == 0 ? [$0.element, $0.element] : [$0.element] }
        ),
        ("every sixtieth pair swapped", swapped),
        (
            "across the antimeridian",
            base.map {
                let longitude = $0.longitude + turn
                return Fix(
                    time: $0.time, latitude: $0.latitude, longitude: longitude > 180 ? longitude - 360 : longitude)
            }
        ),
        (
            "clock back by an hour half-way (DST)",
            base.map {
                Fix(time: $0.time - ($0.time - start > 1200 ? 3600 : 0), latitude: $0.latitude, longitude: $0.longitude)
            }
        ),
        ("every second fix", base.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)),
        ("every fifth fix", base.enumerated().filter { $0.offset % 5 == 0 }.map(\.element)),
        (
            "30 s without fixes, every 15 minutes",
            base.filter { !(450..<480).contains(($0.time - start).truncatingRemainder(dividingBy: 900)) }
        ),
        ("noise of 2 m, white", noisy(base, 2, 0, Dice(5))),
        ("noise of 3 m, correlated over 30 s", noisy(base, 3, 30, Dice(5))),
    ]
}

/// The fixes with an error north and east that forgets itself in so many seconds.
private func noisy(_ fixes: [Fix], _ metres: Double, _ memory: Double, _ dice: Dice) -> [Fix] {
    var dice = dice
    var (east, north) = (metres * dice.normal(), metres * dice.normal())
    var last = fixes.first?.time ?? 0
    return fixes.map { fix in
        let keep = memory > 0 ? exp(-(fix.time - last) / memory) : 0
        last = fix.time
        let fresh = metres * (1 - keep * keep).squareRoot()
        east = keep * east + fresh * dice.normal()
        north = keep * north + fresh * dice.normal()
        return Fix(
            time: fix.time, latitude: fix.latitude + north / 111_200,
            longitude: fix.longitude + east / 111_320 / cos(fix.latitude * .pi / 180))
    }
}
