extension DeviceOverlap {
    /// The devices that have a workout at a moment, in order of their ids.
    struct PresentDevices {
        private var devices: [(rank: Int, rate: UInt128, workouts: Int)] = []
        private var workouts = 0

        /// The rank of the device that counts; nil when there is none.
        ///
        /// Being within the tolerance of one another does not carry over from pair to pair, so all are measured against the
        /// highest: the choice is the same however the devices came.
        var winner: Int? {
            let highest = devices.reduce(0) { max($0, $1.rate) }
            return devices.first { highest - $0.rate <= UInt128(truncatingIfNeeded: workouts) }?.rank
        }

        /// Lets a workout begin or end; an end follows its start.
        mutating func apply(_ boundary: Boundary) {
            let index = devices.firstIndex { $0.rank >= boundary.rank } ?? devices.count
            if index == devices.count || devices[index].rank != boundary.rank {
                devices.insert((boundary.rank, 0, 0), at: index)
            }
            let change = boundary.isStart ? 1 : -1
            workouts += change
            devices[index].workouts += change
            if boundary.isStart {
                devices[index].rate &+= boundary.rate
            } else {
                devices[index].rate &-= boundary.rate
            }
            if devices[index].workouts == 0 { devices.remove(at: index) }
        }
    }
}
