extension MemberReader {
    /// A required instant that lies neither in seconds nor before the year 2000; the number even if it lies before, nil if unreadable.
    mutating func instant(_ name: String) -> Timestamp? {
        guard let number = number(name, expected: "an integer, milliseconds since 1970-01-01T00:00:00Z") else {
            return nil
        }
        guard let value = number.exactInteger else {
            return fault(name, "must be an integer, milliseconds since 1970-01-01T00:00:00Z, that fits into 64 bits")
        }
        if (1...WorkoutLimits.largestSeconds).contains(value) {
            return fault(name, "looks like seconds; instants are milliseconds since 1970-01-01T00:00:00Z")
        }
        let instant = Timestamp(milliseconds: value)
        if instant < WorkoutLimits.earliest { faults.add("/\(name)", "must not be before 2000-01-01T00:00:00Z") }
        return instant
    }

    /// The rules that hold between the two instants and the server's clock; says whether the end is too far ahead of it.
    ///
    /// Only what could be read is compared, so that a missing start is not also called a wrong order.
    mutating func checkSpan(start: Timestamp?, end: Timestamp?, now: Timestamp) -> Bool {
        guard let end else { return false }
        if let start {
            let (span, overflow) = end.milliseconds.subtractingReportingOverflow(start.milliseconds)
            if end <= start {
                faults.add("/end_time", "must be after start_time")
            } else if overflow || span > WorkoutLimits.spanMilliseconds {
                faults.add("/end_time", "must be at most 48 hours after start_time")
            }
        }
        let (ahead, overflow) = end.milliseconds.subtractingReportingOverflow(now.milliseconds)
        let isAhead = overflow ? end > now : ahead > WorkoutLimits.aheadMilliseconds
        if isAhead {
            faults.add(
                "/end_time", "must be at most 24 hours after the server's clock; the device's clock may be wrong")
        }
        return isAhead
    }
}
