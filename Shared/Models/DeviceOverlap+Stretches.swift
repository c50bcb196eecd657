extension DeviceOverlap {
    /// The place of each workout's device in the order of all device ids; nil without a device.
    ///
    /// Ids are compared by their bytes, not as text: two spellings of one accented letter are two devices.
    static func deviceRanks(of workouts: [StoredWorkout]) -> [Int?] {
        var devices: [(id: String, index: Int)] = []
        for (index, workout) in workouts.enumerated() {
            if let id = workout.deviceID { devices.append((id, index)) }
        }
        devices.sort { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        var ranks = [Int?](repeating: nil, count: workouts.count)
        var rank = 0
        for (place, device) in devices.enumerated() {
            if place > 0, !devices[place - 1].id.utf8.elementsEqual(device.id.utf8) { rank += 1 }
            ranks[device.index] = rank
        }
        return ranks
    }

    /// For each rank, the stretches of time in which that device's workouts count.
    static func keptTimes(of workouts: [StoredWorkout], ranks: [Int?]) -> [KeptTime] {
        var boundaries: [Boundary] = []
        var kept: [KeptTime] = []
        for (workout, rank) in zip(workouts, ranks) {
            guard let rank else { continue }
            let rate = rate(of: workout)
            boundaries.append(Boundary(at: workout.start, rank: rank, rate: rate, isStart: true))
            boundaries.append(Boundary(at: workout.end, rank: rank, rate: rate, isStart: false))
            while kept.count <= rank { kept.append(KeptTime()) }
        }
        boundaries.sort { $0.at < $1.at }
        var present = PresentDevices()
        var from = Timestamp(milliseconds: 0)
        for boundary in boundaries {
            if from < boundary.at, let winner = present.winner {
                kept[winner].append(from: from, to: boundary.at)
            }
            from = boundary.at
            present.apply(boundary)
        }
        return kept
    }

    /// Steps per millisecond as a fixed-point number with 88 binary places, rounded down.
    ///
    /// Sums of integers do not depend on their order, which floating-point sums do. A sum of k rates is less than k units too
    /// small, so truly equal sums differ by less than the number of workouts in the stretch: such a difference is a tie.
    /// Where up to three workouts meet, different sums are never taken for a tie: they differ by a multiple of one over the
    /// product of the durations, at least 172 800 000^-3 > 2^-83, which is 32 units. Where more meet, sums may be called equal
    /// that differ by as many units as there are workouts, for every order alike: far below what a count of steps can show.
    ///
    /// 500 000 steps in one millisecond are below 2^107: two million such workouts at one moment fit. Beyond that the sum
    /// wraps round, again the same for every order.
    private static func rate(of workout: StoredWorkout) -> UInt128 {
        let duration = UInt64(truncatingIfNeeded: workout.milliseconds)
        var (whole, rest) = UInt64(truncatingIfNeeded: workout.steps).quotientAndRemainder(dividingBy: duration)
        var rate = UInt128(whole)
        // By long division, 22 places at a time: a division of 128 bits calls a function that WebAssembly does not bring.
        for _ in 0..<4 {
            (whole, rest) = (rest << 22).quotientAndRemainder(dividingBy: duration)
            rate = rate << 22 | UInt128(whole)
        }
        return rate
    }

    /// The start or the end of a workout that has a device.
    struct Boundary {
        var at: Timestamp
        var rank: Int
        var rate: UInt128
        var isStart: Bool
    }
}
