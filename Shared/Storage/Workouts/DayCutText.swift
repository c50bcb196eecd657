import Models

/// How the cut of a workout stands in its row: `day@end,day@end`, day numbers since 1970 and milliseconds.
///
/// The cut is made once, when the workout is stored, and kept: a later time-zone database must not move history.
/// Workouts within one day, nearly all, store null and the day.
enum DayCutText {
    static func text(of segments: [DaySegment]) -> String? {
        guard segments.count > 1 else { return nil }
        return segments.map { "\($0.day.number)@\($0.to.milliseconds)" }.joined(separator: ",")
    }

    /// The segments of a row; nil when the text is damaged.
    static func segments(of text: String?, day: Day, start: Timestamp, end: Timestamp) -> [DaySegment]? {
        guard let text else { return [DaySegment(day: day, from: start, to: end)] }
        var segments: [DaySegment] = []
        var from = start
        for piece in text.split(separator: ",") {
            let parts = piece.split(separator: "@")
            guard parts.count == 2, let number = Int32(parts[0]), let to = Int64(parts[1]) else { return nil }
            segments.append(DaySegment(day: Day(number: number), from: from, to: Timestamp(milliseconds: to)))
            from = Timestamp(milliseconds: to)
        }
        return segments.last?.to == end ? segments : nil
    }
}
