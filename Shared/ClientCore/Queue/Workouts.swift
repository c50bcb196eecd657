import Models

/// All workouts of this device in order of their start, each once.
struct Workouts {
    private(set) var items: [Workout] = []
    /// Grows with every change, so that what was computed from them can be kept.
    private(set) var revision: Int64 = 0

    /// The place of a workout; the latest are looked at first.
    func index(of id: UUIDValue) -> Int? { items.lastIndex { $0.id == id } }

    /// The workout of an id.
    subscript(id: UUIDValue) -> Workout? { index(of: id).map { items[$0] } }

    /// Puts a workout in the place of the one with its id, or where it belongs.
    mutating func put(_ workout: Workout) {
        revision &+= 1
        if let index = index(of: workout.id) {
            if items[index].start == workout.start {
                items[index] = workout
                return
            }
            items.remove(at: index)
        }
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            let other = items[middle]
            if other.start < workout.start || (other.start == workout.start && other.id < workout.id) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        items.insert(workout, at: low)
    }

    /// Changes a workout; nothing if there is none of this id.
    mutating func update(_ id: UUIDValue, _ change: (inout Workout) -> Void) {
        guard let index = index(of: id) else { return }
        revision &+= 1
        change(&items[index])
    }

    /// Forgets a workout.
    mutating func remove(_ id: UUIDValue) {
        guard let index = index(of: id) else { return }
        revision &+= 1
        items.remove(at: index)
    }

    /// Forgets all.
    mutating func removeAll() {
        revision &+= 1
        items.removeAll()
    }

    /// Zones became known: days are cut anew.
    mutating func touch() { revision &+= 1 }

    /// How many wait, were refused, are to be deleted.
    var counts: (waiting: Int64, refused: Int64, deleting: Int64) {
        var counts: (waiting: Int64, refused: Int64, deleting: Int64) = (0, 0, 0)
        for item in items {
            if item.isWaiting { counts.waiting += 1 }
            if item.state == .refused { counts.refused += 1 }
            if item.state == .deleting { counts.deleting += 1 }
        }
        return counts
    }
}
