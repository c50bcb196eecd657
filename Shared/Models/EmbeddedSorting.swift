#if hasFeature(Embedded)
    extension Array {
        /// Sorts by inserting one after the other, equal ones in their order.
        ///
        /// A device sorts a few hundred times of workouts; the standard library's way takes several kilobytes for each type.
        @inline(never)
        public mutating func sort(by precedes: (Element, Element) -> Bool) {
            var sorted: [Element] = []
            sorted.reserveCapacity(count)
            for element in self {
                var (low, high) = (0, sorted.count)
                while low < high {
                    let middle = (low + high) / 2
                    if precedes(element, sorted[middle]) { high = middle } else { low = middle + 1 }
                }
                sorted.insert(element, at: low)
            }
            self = sorted
        }
    }

    extension Array where Element: Comparable {
        /// Sorts, the least first.
        public mutating func sort() { sort { $0 < $1 } }
    }
#endif
