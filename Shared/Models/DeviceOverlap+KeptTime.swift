extension DeviceOverlap {
    /// The time in which one device counts.
    struct KeptTime {
        /// In order of time, apart from each other; `before` is the length of all earlier ones.
        private var stretches: [(from: Timestamp, to: Timestamp, before: Int64)] = []

        /// Adds a stretch that starts no earlier than the last one ends.
        mutating func append(from: Timestamp, to: Timestamp) {
            guard let last = stretches.last else {
                stretches.append((from, to, 0))
                return
            }
            if last.to == from {
                stretches[stretches.count - 1].to = to
            } else {
                let before = last.before + (last.to.milliseconds - last.from.milliseconds)
                stretches.append((from, to, before))
            }
        }

        /// How many milliseconds of a span count.
        func milliseconds(from: Timestamp, to: Timestamp) -> Int64 {
            milliseconds(before: to) - milliseconds(before: from)
        }

        /// How many milliseconds count before an instant.
        private func milliseconds(before instant: Timestamp) -> Int64 {
            var (low, high) = (0, stretches.count)
            while low < high {
                let middle = (low + high) / 2
                if stretches[middle].from < instant { low = middle + 1 } else { high = middle }
            }
            guard low > 0 else { return 0 }
            let last = stretches[low - 1]
            return last.before + (min(last.to, instant).milliseconds - last.from.milliseconds)
        }
    }
}
