/// A Swift type that can be an element of a `PostgresArray`.
///
/// It exists for the short way of writing arrays in reads and tests; a batch fills `PostgresArray` itself.
package protocol PostgresElement {
    /// The element's type on the wire.
    static var postgresType: PostgresType { get }
    /// Appends this value to an array of its type.
    func append(to array: inout PostgresArray)
}

extension PostgresArray {
    /// An array of the given elements.
    @inlinable package init<Element: PostgresElement>(_ elements: [Element]) {
        self.init(of: Element.postgresType, capacity: elements.count)
        for index in elements.indices { elements[index].append(to: &self) }
    }

    /// An array of elements, some of which are null.
    @inlinable package init<Element: PostgresElement>(_ elements: [Element?]) {
        self.init(of: Element.postgresType, capacity: elements.count)
        for index in elements.indices {
            if let element = elements[index] { element.append(to: &self) } else { appendNull() }
        }
    }
}

extension Int16: PostgresElement {
    /// `int2`.
    package static var postgresType: PostgresType { .int2 }
    /// Appends it.
    package func append(to array: inout PostgresArray) { array.append(self) }
}

extension Int32: PostgresElement {
    /// `int4`.
    package static var postgresType: PostgresType { .int4 }
    /// Appends it.
    package func append(to array: inout PostgresArray) { array.append(self) }
}

extension Int64: PostgresElement {
    /// `int8`.
    package static var postgresType: PostgresType { .int8 }
    /// Appends it.
    package func append(to array: inout PostgresArray) { array.append(self) }
}

extension Bool: PostgresElement {
    /// `bool`.
    package static var postgresType: PostgresType { .bool }
    /// Appends it.
    package func append(to array: inout PostgresArray) { array.append(self) }
}

extension String: PostgresElement {
    /// `text`.
    package static var postgresType: PostgresType { .text }
    /// Appends it.
    package func append(to array: inout PostgresArray) { array.append(self) }
}

extension PostgresUUID: PostgresElement {
    /// `uuid`.
    package static var postgresType: PostgresType { .uuid }
    /// Appends it.
    package func append(to array: inout PostgresArray) { array.append(self) }
}

extension PostgresDate: PostgresElement {
    /// `date`.
    package static var postgresType: PostgresType { .date }
    /// Appends it.
    package func append(to array: inout PostgresArray) { array.append(self) }
}
