/// The newest values of a signal, side by side in memory.
///
/// Twice the length is kept and moved to the front when it is full: a value costs one move on average, and a window is
/// a plain stretch of the array.
struct SlidingBuffer: Sendable {
    /// How many values a window has.
    let length: Int
    private var values: [Double]
    private var end = 0

    init(length: Int) {
        self.length = length
        values = [Double](repeating: 0, count: 2 * length)
    }

    /// Whether there are enough values for a window.
    var isFull: Bool { end >= length }

    mutating func append(_ value: Double) {
        if end == values.count {
            for place in 0..<length { values[place] = values[place + length] }
            end = length
        }
        values[end] = value
        end += 1
    }

    mutating func removeAll() { end = 0 }

    /// The value that is so many places after the window's first; only while `isFull`.
    subscript(place: Int) -> Double { values[end - length + place] }

    /// The mean of the window.
    var mean: Double {
        var sum = 0.0
        for place in 0..<length { sum += self[place] }
        return sum / Double(length)
    }

    /// The mean square of the window about a value.
    func spread(about centre: Double) -> Double {
        var sum = 0.0
        for place in 0..<length {
            let distance = self[place] - centre
            sum += distance * distance
        }
        return sum / Double(length)
    }
}
