extension WorkoutSubmission {
    /// What became of a workout that was sent.
    public enum Decoded: Equatable, Sendable {
        /// It keeps every rule.
        case submission(WorkoutSubmission)
        /// It breaks rules: all of them are listed.
        case rejected(Rejection)
    }

    /// Why a workout was refused.
    public struct Rejection: Equatable, Sendable {
        /// Every fault, at least one, in the order of the members.
        public var faults: [Fault]
        /// Whether the end lies too far ahead: the client's clock may be wrong, so the problem should carry `serverTime`.
        public var isClockFault: Bool
        /// The requestId as sent, if there was a string of that name; not checked.
        public var requestIDText: String?

        /// Joins the parts.
        public init(faults: [Fault], isClockFault: Bool = false, requestIDText: String? = nil) {
            self.faults = faults
            self.isClockFault = isClockFault
            self.requestIDText = requestIDText
        }
    }

    /// Checks a workout against every rule of the contract and lists all that it breaks.
    ///
    /// A member that is `null` counts as left out if it is optional. Unknown members are ignored. Never traps, whatever was sent.
    /// - Parameters:
    ///   - now: the server's clock.
    ///   - isKnownZone: whether the time-zone database has a name; asked only for printable ASCII of at most 64 characters.
    public static func decode(
        _ value: JSONValue, now: Timestamp, isKnownZone: (String) -> Bool
    ) -> Decoded {
        guard case .object = value else {
            let fault = Fault(pointer: "", detail: "must be an object that describes a workout, not \(value.kindName)")
            return .rejected(Rejection(faults: [fault]))
        }
        var reader = MemberReader(value)
        let requestID = reader.requestID("requestId")
        let start = reader.instant("start_time")
        let end = reader.instant("end_time")
        let isClockFault = reader.checkSpan(start: start, end: end, now: now)
        let steps = reader.steps("steps")
        let distance = reader.distance("distance")
        let timeZone = reader.timeZone("time_zone", isKnownZone: isKnownZone)
        let status = reader.status("status")
        let source = reader.source("source")
        let deviceID = reader.deviceID("device_id")

        guard reader.faults.isEmpty, let requestID, let start, let end, let steps, let distance else {
            return .rejected(
                Rejection(
                    faults: reader.faults.faults, isClockFault: isClockFault,
                    requestIDText: reader.text(at: "requestId")))
        }
        return .submission(
            WorkoutSubmission(
                requestID: requestID.id, requestIDText: requestID.text, start: start, end: end, steps: steps,
                distance: distance, timeZone: timeZone, status: status ?? .complete, source: source ?? .auto,
                deviceID: deviceID))
    }
}

/// The rules of a workout's members; each answers nil for what is faulty or left out.
extension MemberReader {
    fileprivate mutating func requestID(_ name: String) -> (id: RequestID, text: String)? {
        guard let text = string(name, isRequired: true, expected: "a UUID in a string") else { return nil }
        guard let value = UUIDValue(parsing: text) else {
            return fault(name, "must be a UUID of the form 8-4-4-4-12 hexadecimal digits")
        }
        return (RequestID(value), text)
    }

    fileprivate mutating func steps(_ name: String) -> Int32? {
        guard let number = number(name, expected: "an integer") else { return nil }
        guard let value = number.exactInteger, value >= 0, value <= WorkoutLimits.steps else {
            let isOutside = number.isNegative || number.exceeds(500_000)
            return fault(name, isOutside ? "must be from 0 to 500000" : "must be an integer, without a fraction")
        }
        return Int32(value)
    }

    fileprivate mutating func distance(_ name: String) -> Millimetres? {
        guard let number = number(name, expected: "a number of metres") else { return nil }
        guard !number.isNegative, !number.exceeds(WorkoutLimits.metres), let count = number.thousandths() else {
            return fault(name, "must be from 0 to 500000 metres")
        }
        return Millimetres(count)
    }

    fileprivate mutating func timeZone(_ name: String, isKnownZone: (String) -> Bool) -> String? {
        let expected = "the IANA name of a time zone in a string"
        guard let text = string(name, isRequired: false, expected: expected) else { return nil }
        guard isPrintableASCII(text, upTo: 64), isKnownZone(text) else {
            return fault(name, "is not the name of a time zone in the IANA database, such as Europe/Berlin")
        }
        return text
    }

    fileprivate mutating func status(_ name: String) -> WorkoutStatus? {
        let expected = "COMPLETE or IN_PROGRESS in a string"
        guard let text = string(name, isRequired: false, expected: expected) else { return nil }
        return WorkoutStatus(word: text) ?? fault(name, "must be COMPLETE or IN_PROGRESS")
    }

    fileprivate mutating func source(_ name: String) -> WorkoutSource? {
        guard let text = string(name, isRequired: false, expected: "auto or manual in a string") else { return nil }
        return WorkoutSource(word: text) ?? fault(name, "must be auto or manual")
    }

    fileprivate mutating func deviceID(_ name: String) -> String? {
        guard let text = string(name, isRequired: false, expected: "a string") else { return nil }
        guard isPrintableASCII(text, upTo: WorkoutLimits.deviceIDLength) else {
            return fault(name, "must have 1 to 64 characters of printable ASCII")
        }
        return text
    }
}

/// Whether a text has at least one character and no others than U+0020 … U+007E.
func isPrintableASCII(_ text: String, upTo length: Int) -> Bool {
    let bytes = text.utf8
    return !bytes.isEmpty && bytes.count <= length && bytes.allSatisfy { (0x20...0x7E).contains($0) }
}
