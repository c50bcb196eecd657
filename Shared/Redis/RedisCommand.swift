/// One command: its name and arguments, or a call of a script.
///
/// A value that can be built anywhere and sent any number of times. Arguments are bytes; text is sent as UTF-8,
/// numbers as decimal text.
/// Cost: one buffer, already in the form in which it is sent.
package struct RedisCommand: Equatable, Sendable {
    /// The script that is called; nil for a plain command.
    let script: RedisScript?
    /// Name and arguments; for a call of a script, what follows the script itself.
    private(set) var arguments = RedisArguments()

    /// Begins a command.
    package init(_ name: String) {
        script = nil
        arguments.append(name)
    }

    /// Begins a command with room for more arguments of so many bytes together, their frames included.
    package init(_ name: String, reserving byteCount: Int) {
        script = nil
        arguments.reserve(arguments: 2, bytes: name.utf8.count + byteCount)
        arguments.append(name)
    }

    /// A command whose arguments are text.
    package init(_ name: String, _ texts: String...) {
        self.init(name)
        for text in texts { arguments.append(text) }
    }

    /// A call of a script: `keys` are what cluster routing looks at, `values` are the rest.
    package init(_ script: RedisScript, keys: [String], values: [String] = []) {
        self.init(script, keys: keys) { for value in values { $0.append(value) } }
    }

    /// A call of a script whose other arguments are appended by `values`.
    package init(_ script: RedisScript, keys: [String], values: (inout RedisCommand) -> Void) {
        self.script = script
        // Room for the few short values of the usual call, so that the buffer is not moved while they are appended.
        arguments.reserve(arguments: keys.count + 8, bytes: keys.reduce(64) { $0 + $1.utf8.count })
        arguments.append(Int64(keys.count))
        for key in keys { arguments.append(key) }
        values(&self)
    }

    /// Appends text as UTF-8.
    package mutating func append(_ text: String) { arguments.append(text) }

    /// Appends bytes as they are.
    package mutating func append(_ bytes: [UInt8]) { arguments.append(bytes) }

    /// Appends a number as decimal text.
    package mutating func append(_ number: Int64) { arguments.append(number) }

    /// Appends a number as decimal text.
    package mutating func append(_ number: Int) { arguments.append(Int64(number)) }

    /// Appends a number of another type as decimal text.
    package mutating func append(_ number: some BinaryInteger) {
        if let number = Int64(exactly: number) { arguments.append(number) } else { arguments.append(String(number)) }
    }

    /// Appends arguments that were put together beforehand: one copy.
    package mutating func append(_ more: RedisArguments) { arguments.append(more) }

    /// Makes room, where many arguments are known to come.
    package mutating func reserve(arguments count: Int, bytes: Int) {
        arguments.reserve(arguments: count, bytes: bytes)
    }
}

extension RedisCommand: CustomStringConvertible {
    /// The number of arguments only: keys and values of users stay out of logs.
    package var description: String { "Redis command with \(arguments.count) arguments" }
}
