/// What is sent on every connect, and whether the replies make a connection that may be used.
///
/// Everything travels in one pipeline: signing in, the database, the name, the scripts.
struct RedisHandshake {
    private enum Step { case signIn, select, role, name, script }

    private var steps: [Step] = []
    /// In the order in which they are sent.
    private(set) var commands: [RedisCommand] = []

    init(configuration: RedisConfiguration, scripts: RedisScriptTable) {
        if let password = configuration.password {
            var command = RedisCommand("AUTH")
            if let user = configuration.user { command.append(user) }
            command.append(password.value)
            add(.signIn, command)
        }
        if configuration.database != 0 { add(.select, RedisCommand("SELECT", String(configuration.database))) }
        if case .sentinel = configuration.topology { add(.role, RedisCommand("ROLE")) }
        add(.name, RedisCommand("CLIENT", "SETNAME", Self.printable(configuration.clientName)))
        for command in scripts.loadCommands { add(.script, command) }
    }

    /// Why the connection is of no use; nil if it is.
    ///
    /// The name is a convenience, and a script that does not load is sent in full with each call: a user who lacks
    /// the right to either, or an older server, is no reason to stay away.
    func failure(in replies: [RESPValue]) -> RedisError? {
        for (step, reply) in zip(steps, replies) {
            guard let kind = reply.error?.kind else {
                // The sentinels have named it, and it knows better.
                if step == .role, reply.elements?.first?.text != "master" { return .server(.readOnly) }
                continue
            }
            switch (step, kind) {
            case (.name, .noPerm), (.name, .other), (.script, .noPerm), (.script, .other), (.role, .noPerm): continue
            case (.signIn, _), (.select, _), (.role, _), (.name, _), (.script, _): return .server(kind)
            }
        }
        return nil
    }

    /// The replies of the scripts.
    func scriptReplies(in replies: [RESPValue]) -> [RESPValue] {
        zip(steps, replies).filter { $0.0 == .script }.map(\.1)
    }

    private mutating func add(_ step: Step, _ command: RedisCommand) {
        steps.append(step)
        commands.append(command)
    }

    /// `CLIENT SETNAME` refuses spaces and everything that is not printable ASCII.
    private static func printable(_ name: String) -> String {
        String(decoding: name.utf8.map { (0x21...0x7E).contains($0) ? $0 : 0x2D }, as: UTF8.self)
    }
}
