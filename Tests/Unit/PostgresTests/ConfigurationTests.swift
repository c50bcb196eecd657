import Testing

@testable import Postgres

@Suite struct ConfigurationTests {
    private func parse(_ url: String) throws -> PostgresConfiguration {
        try PostgresConfiguration(url: url, applicationName: "test")
    }

    @Test("Hosts, ports, role and the rest are read by libpq's rules")
    func url() throws {
        let configuration = try parse(
            "postgresql://ann:s%40cret@db1:5433,db2:5434/stride?sslmode=require&target_session_attrs=read-write"
                + "&connect_timeout=3")
        #expect(configuration.hosts.map(\.description) == ["db1:5433", "db2:5434"])
        #expect(configuration.password == PostgresPassword("s@cret"))
        #expect(configuration.targetSessionAttributes == .readWrite)
        #expect(configuration.connectTimeout == .seconds(3))
        #expect(configuration.parameters == ["user": "ann", "dbname": "stride", "sslmode": "require"])
        #expect(configuration.applicationName == "test")
    }

    @Test("A port that is missing is 5432, one port counts for all hosts, and sockets pass through")
    func ports() throws {
        #expect(try parse("postgresql://a,b:6000/x").hosts.map(\.port) == [5432, 6000])
        #expect(try parse("host=a,b port=7000").hosts.map(\.port) == [7000, 7000])
        let socket = try parse("postgresql://%2Fvar%2Frun%2Fpg:6000/x").hosts
        #expect(socket == [PostgresHost(name: "/var/run/pg", address: nil, port: 6000)])
        #expect(socket[0].isUnixSocket)
        let addressed = try parse("host=db hostaddr=10.0.0.1").hosts
        #expect(addressed == [PostgresHost(name: "db", address: "10.0.0.1", port: 5432)])
        #expect(!addressed[0].isUnixSocket)
        #expect(try parse("hostaddr=::1").hosts == [PostgresHost(name: "::1", address: "::1", port: 5432)])
    }

    @Test(
        "What is wrong is refused without quoting it",
        arguments: [
            "postgresql://", "postgresql:///db", "postgresql://u:topsecret@h:0/db", "postgresql://u:topsecret@h:x/db",
            "postgresql://u:top%zzsecret@h/db", "host=a,b port=1,2,3 password=topsecret", "port=1",
            "postgresql://u:topsecret@h/db?nonsense=1", "postgresql://h/db?target_session_attrs=best",
            "postgresql://h/db?connect_timeout=soon", "topsecret", "postgresql://h\0topsecret/db",
            "host=a,b hostaddr=10.0.0.1 password=topsecret", "host=a,,b",
        ])
    func malformed(url: String) {
        do {
            _ = try parse(url)
            Issue.record("accepted")
        } catch let error as PostgresError {
            #expect(error.code == .configuration)
            #expect(!error.debugDescription.contains("secret"))
        } catch {
            Issue.record("another error")
        }
    }

    @Test("Nothing that is printed shows the password or the user")
    func printing() throws {
        let configuration = try parse("postgresql://ann:topsecret@db1/stride?sslpassword=alsosecret")
        var dumped = ""
        dump(configuration, to: &dumped)
        dump(configuration.password, to: &dumped)
        let texts = [
            "\(configuration)", String(reflecting: configuration), dumped, "\(configuration.password as Any)",
            String(reflecting: configuration.password),
        ]
        for text in texts {
            #expect(!text.contains("topsecret") && !text.contains("alsosecret") && !text.contains("ann"))
        }
        #expect("\(configuration)" == "postgresql://db1:5432/stride")
    }

    @Test("A session starts with UTC and the limits, in milliseconds; the string's own options come last")
    func options() throws {
        var configuration = try parse("postgresql://h/db?options=-c%20work_mem%3D8MB")
        configuration.statementTimeout = .seconds(7)
        configuration.lockTimeout = .milliseconds(250)
        configuration.idleInTransactionTimeout = nil
        #expect(
            configuration.sessionOptions
                == "-c TimeZone=UTC -c statement_timeout=7000 -c lock_timeout=250 -c work_mem=8MB")
        configuration.usesNamedStatements = false
        #expect(configuration.sessionOptions == "-c work_mem=8MB")
        #expect(try parse("postgresql://h/db").usesNamedStatements)
    }

    @Test("One attempt gets one host, its address, and what keeps libpq from blocking")
    func keywords() throws {
        let configuration = try parse("postgresql://ann:pw@db1,db2/stride")
        let keywords = Dictionary(
            uniqueKeysWithValues: configuration.keywords(
                host: configuration.hosts[1], address: "10.0.0.2", role: .readWrite
            ).map { ($0.keyword, $0.value) })
        #expect(keywords["host"] == "db2" && keywords["hostaddr"] == "10.0.0.2" && keywords["port"] == "5432")
        #expect(keywords["target_session_attrs"] == "read-write" && keywords["password"] == "pw")
        #expect(keywords["gssencmode"] == "disable" && keywords["tcp_user_timeout"] == "10000")
        #expect(keywords["client_encoding"] == "UTF8" && keywords["user"] == "ann")
        let own = try parse("postgresql://h/db?tcp_user_timeout=3000&gssencmode=prefer")
        let kept = own.keywords(host: own.hosts[0], address: nil, role: .any)
        #expect(
            kept.contains { $0 == ("tcp_user_timeout", "3000") } && kept.contains { $0 == ("gssencmode", "prefer") })
        #expect(!kept.contains { $0.keyword == "hostaddr" || $0.keyword == "password" })
    }
}
