/// A Lua script that the server keeps and runs as one step.
///
/// Made once per script and used by reference: its address is its identity, so that no call hashes the text. A client
/// that was made with the script loads it on every connect and calls it by the digest that the server returned; any
/// other script travels in full with each call.
package final class RedisScript: Equatable, Sendable {
    /// The Lua text.
    package let source: String

    /// A script with this text; nothing is sent.
    package init(_ source: String) { self.source = source }

    /// Whether it is the same object.
    package static func == (left: RedisScript, right: RedisScript) -> Bool { left === right }
}

/// How the scripts of one client are called over its current connection.
///
/// A linear search: clients have a handful of scripts, and comparing addresses costs less than hashing them.
struct RedisScriptTable {
    private struct Entry {
        let script: RedisScript
        var bySHA: RedisArguments?
    }

    private var entries: [Entry]

    init(_ scripts: [RedisScript]) {
        entries = scripts.map { Entry(script: $0, bySHA: nil) }
    }

    /// What is sent on connect, in the order in which `loaded` wants the replies.
    var loadCommands: [RedisCommand] { entries.map { RedisCommand("SCRIPT", "LOAD", $0.script.source) } }

    /// Keeps the digests; a script that did not load is sent in full from now on.
    mutating func loaded(_ replies: some Collection<RESPValue>) {
        for (index, reply) in zip(entries.indices, replies) {
            entries[index].bySHA = reply.error == nil ? reply.bytes.map { Self.head("EVALSHA", Array($0)) } : nil
        }
    }

    /// The two arguments in front of a call: `EVALSHA` with the digest, or `EVAL` with the text.
    func head(for script: RedisScript) -> RedisArguments {
        for entry in entries where entry.script === script {
            if let bySHA = entry.bySHA { return bySHA }
        }
        return Self.inFull(script)
    }

    /// `EVAL` with the text, which every server can run and which also loads it.
    static func inFull(_ script: RedisScript) -> RedisArguments { head("EVAL", Array(script.source.utf8)) }

    private static func head(_ name: String, _ argument: [UInt8]) -> RedisArguments {
        var arguments = RedisArguments()
        arguments.append(name)
        arguments.append(argument)
        return arguments
    }
}
