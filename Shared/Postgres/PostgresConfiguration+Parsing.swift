internal import CPostgres
internal import EventLoops

extension PostgresConfiguration {
    /// Reads a connection string.
    ///
    /// - Parameter url: `postgresql://user:password@host1:port1,host2:port2/database?sslmode=…`, or libpq's
    ///   `key=value` form. A host must be named: nothing is guessed from the environment.
    /// - Throws: `configuration`; the text never quotes the string, which holds the password.
    package init(url: String, applicationName: String) throws(PostgresError) {
        var parameters = try Self.parse(url)
        self.applicationName = applicationName
        password = parameters.removeValue(forKey: "password").map { PostgresPassword($0) }
        if let seconds = parameters.removeValue(forKey: "connect_timeout") {
            guard let seconds = Int64(seconds), seconds >= 0 else { throw .configuration("connect_timeout") }
            if seconds > 0 { connectTimeout = .seconds(min(seconds, 3600)) }
        }
        if let name = parameters.removeValue(forKey: "application_name") { self.applicationName = name }
        let role = parameters.removeValue(forKey: "target_session_attrs") ?? "any"
        guard let role = TargetSessionAttributes(rawValue: role) else { throw .configuration("target_session_attrs") }
        targetSessionAttributes = role
        hosts = try Self.hosts(
            names: parameters.removeValue(forKey: "host"), addresses: parameters.removeValue(forKey: "hostaddr"),
            ports: parameters.removeValue(forKey: "port"))
        self.parameters = parameters
    }

    private static func parse(_ url: String) throws(PostgresError) -> [String: String] {
        guard !url.utf8.contains(0) else { throw .configuration("the PostgreSQL connection string") }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = unsafe PQconninfoParse(url, &message) else {
            // libpq's message may quote the part with the password, so it is dropped.
            unsafe PQfreemem(message)
            throw .configuration("the PostgreSQL connection string")
        }
        defer { unsafe PQconninfoFree(options) }
        var parameters: [String: String] = [:]
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe parameters[String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe option += 1
        }
        return parameters
    }

    /// Pairs the lists of names, addresses and ports as libpq does: one port, or none, counts for all hosts.
    static func hosts(names: String?, addresses: String?, ports: String?) throws(PostgresError) -> [PostgresHost] {
        func list(_ text: String?) -> [String] {
            guard let text, !text.isEmpty else { return [] }
            return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let (names, addresses, ports) = (list(names), list(addresses), list(ports))
        let count = max(names.count, addresses.count)
        guard count > 0 else { throw .configuration("the PostgreSQL connection string names no host") }
        guard names.isEmpty || addresses.isEmpty || names.count == addresses.count,
            ports.count <= 1 || ports.count == count
        else { throw .configuration("hosts, addresses and ports do not pair") }
        var hosts: [PostgresHost] = []
        for index in 0..<count {
            let text = ports.isEmpty ? "" : ports[ports.count == 1 ? 0 : index]
            guard let port = text.isEmpty ? 5432 : UInt16(text), port > 0 else { throw .configuration("port") }
            let address = addresses.isEmpty || addresses[index].isEmpty ? nil : addresses[index]
            let name = names.isEmpty || names[index].isEmpty ? address : names[index]
            guard let name else { throw .configuration("the PostgreSQL connection string has an empty host") }
            hosts.append(PostgresHost(name: name, address: address, port: port))
        }
        return hosts
    }
}

extension PostgresConfiguration {
    /// The settings that each session starts with, as libpq's `options`; those of the connection string come last and
    /// win.
    ///
    /// Nil behind a pooler.
    var sessionOptions: String? {
        guard usesNamedStatements else { return parameters["options"] }
        var options = "-c TimeZone=UTC"
        func limit(_ name: String, _ duration: Duration?) {
            if let duration { options += " -c \(name)=\(max(1, duration.wholeMilliseconds))" }
        }
        limit("statement_timeout", statementTimeout)
        limit("lock_timeout", lockTimeout)
        limit("idle_in_transaction_session_timeout", idleInTransactionTimeout)
        if let own = parameters["options"] { options += " " + own }
        return options
    }

    /// The keywords for one attempt at one address.
    ///
    /// - Parameter address: a numeric address; nil for a unix socket.
    func keywords(
        host: PostgresHost, address: String?, role: TargetSessionAttributes
    ) -> [(keyword: String, value: String)] {
        var all = parameters
        all["host"] = host.name
        all["hostaddr"] = address
        all["port"] = String(host.port)
        all["password"] = password?.value
        all["target_session_attrs"] = role.rawValue
        all["application_name"] = applicationName
        all["options"] = sessionOptions
        all["client_encoding"] = "UTF8"
        // Looking for Kerberos tickets may ask the network, in the loop.
        all["gssencmode"] = parameters["gssencmode"] ?? "disable"
        // A peer that vanished is noticed in this time (milliseconds); it also bounds libpq's blocking cancel.
        all["tcp_user_timeout"] = parameters["tcp_user_timeout"] ?? "10000"
        return all.map { ($0.key, $0.value) }
    }
}

extension PostgresError {
    static func configuration(_ what: String) -> PostgresError {
        PostgresError(.configuration, "wrong setting: \(what)")
    }
}
