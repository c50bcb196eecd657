extension JSONWriter {
    /// Writes a member whose value is a string.
    public mutating func member(_ name: MemberName, _ value: String) {
        self.name(name)
        string(value)
    }

    /// Writes a member whose value is a whole number.
    public mutating func member(_ name: MemberName, _ value: Int64) {
        self.name(name)
        integer(value)
    }

    /// Writes a member whose value is a boolean.
    public mutating func member(_ name: MemberName, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    /// Writes a member whose value is a distance, in metres.
    public mutating func member(_ name: MemberName, _ value: Millimetres) {
        self.name(name)
        metres(value)
    }

    /// Writes a member whose value is an instant, in milliseconds since 1970.
    public mutating func member(_ name: MemberName, _ value: Timestamp) { member(name, value.milliseconds) }

    /// Writes a member whose value is a day, as `YYYY-MM-DD`.
    public mutating func member(_ name: MemberName, _ value: Day) {
        self.name(name)
        day(value)
    }

    /// Writes a member whose value is `null`.
    public mutating func nullMember(_ name: MemberName) {
        self.name(name)
        null()
    }
}
