import Models

extension JSONWriter {
    /// A member that is null without a value.
    mutating func optional(_ name: MemberName, _ value: String?) {
        if let value { member(name, value) } else { nullMember(name) }
    }

    /// A member that is null without a value.
    mutating func optional(_ name: MemberName, _ value: Int64?) {
        if let value { member(name, value) } else { nullMember(name) }
    }

    /// A member that is null without a value.
    mutating func optional(_ name: MemberName, _ value: Millimetres?) {
        if let value { member(name, value) } else { nullMember(name) }
    }

    /// A member whose value is JSON already; null without one.
    mutating func optional(_ name: MemberName, raw json: [UInt8]?) {
        self.name(name)
        if let json { raw(json) } else { null() }
    }

    /// An object, written by a function.
    mutating func object(_ name: MemberName, _ write: (inout JSONWriter) -> Void) {
        self.name(name)
        beginObject()
        write(&self)
        endObject()
    }

    /// An array, each element written by a function.
    mutating func list<Element>(_ name: MemberName, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void)
    {
        self.name(name)
        beginArray()
        for element in elements { write(&self, element) }
        endArray()
    }
}

/// An object as bytes, written by a function.
func jsonObject(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    write(&writer)
    writer.endObject()
    return writer.bytes
}
