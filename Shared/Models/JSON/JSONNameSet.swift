/// The names that an object already has, so that one that comes twice is noticed.
///
/// A workout has nine: comparing is quicker than hashing. A body made of a hundred thousand names would then take minutes, so above a limit
/// they are hashed, with the process's own seed.
struct JSONNameSet {
    /// How many names are compared one by one.
    static let linearLimit = 16

    private var hashed: Set<Name> = []

    /// Takes a name up; false if it was there.
    ///
    /// `members` are those taken up before.
    mutating func insert(_ name: String, beside members: [JSONMember]) -> Bool {
        #if hasFeature(Embedded)  // A browser's core reads what its own server and page say, and hashing is large.
            return Self.isNew(name, beside: members)
        #else
            if members.count < Self.linearLimit { return Self.isNew(name, beside: members) }
            if hashed.isEmpty {
                for member in members { hashed.insert(Name(text: member.name)) }
            }
            return hashed.insert(Name(text: name)).inserted
        #endif
    }

    private static func isNew(_ name: String, beside members: [JSONMember]) -> Bool {
        for member in members where hasSameBytes(member.name, name) { return false }
        return true
    }

    /// A name that is equal to another only when the bytes are.
    private struct Name: Hashable {
        let text: String

        static func == (left: Name, right: Name) -> Bool { hasSameBytes(left.text, right.text) }

        /// Hashes the bytes: the string's own hash is that of all its Unicode equivalents, of which a body can hold thousands.
        func hash(into hasher: inout Hasher) {
            for byte in text.utf8 { hasher.combine(byte) }
        }
    }
}
