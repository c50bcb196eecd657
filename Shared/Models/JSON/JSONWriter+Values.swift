extension JSONWriter {
    /// Appends a value as it was read, to pass on what one does not interpret.
    ///
    /// A number keeps its value up to 19 digits; what stood behind them is lost.
    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let flag): bool(flag)
        case .string(let text): string(text)
        case .number(let number): raw(number.text)
        case .array(let items):
            beginArray()
            for item in items { self.value(item) }
            endArray()
        case .object(let members):
            beginObject()
            for member in members {
                foreignName(member.name)
                self.value(member.value)
            }
            endObject()
        }
    }
}

extension JSONNumber {
    /// The number as JSON: plain digits where they are few, else with an exponent.
    var text: [UInt8] {
        var text: [UInt8] = []
        var rest = digits
        repeat {
            text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        text.reverse()
        if exponent < 0, exponent >= -20 {
            let places = Int(-exponent)
            while text.count <= places { text.insert(UInt8(ascii: "0"), at: 0) }
            text.insert(UInt8(ascii: "."), at: text.count - places)
        } else if exponent != 0 {
            var power = JSONWriter(reserving: 16)
            power.integer(Int64(exponent))
            text.append(UInt8(ascii: "e"))
            text.append(contentsOf: power.bytes)
        }
        return hasMinus ? [UInt8(ascii: "-")] + text : text
    }
}
