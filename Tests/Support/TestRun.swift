import Glibc
import Synchronization

/// What the test command has prepared: a missing server fails the run, it never skips a test.
package enum TestRun {
    /// Something that the test command should have set is not there.
    package struct Missing: Error, CustomStringConvertible {
        /// What is missing.
        package let description: String
    }

    /// A PostgreSQL with a role that may create databases.
    package static func postgresURL() throws -> String { try value("STRIDE_TEST_POSTGRES_URL") }

    /// The port of a Redis.
    package static func redisPort() throws -> UInt16 {
        let text = try value("STRIDE_TEST_REDIS_PORT")
        guard let port = UInt16(text) else { throw Missing(description: "STRIDE_TEST_REDIS_PORT is no port: \(text)") }
        return port
    }

    /// The path of an executable that was built with the tests.
    package static func executable(_ name: String) throws -> String {
        let path = try value("STRIDE_TEST_BIN") + "/" + name
        guard access(path, X_OK) == 0 else { throw Missing(description: "there is no executable \(path)") }
        return path
    }

    /// A Python that has what `Tests/Contract/requirements.txt` names, and the folder of its commands.
    package static func pythonFolder() throws -> String { try value("STRIDE_TEST_PYTHON") }

    /// Whether services are to run in pairs behind the gateway.
    package static var wantsPairs: Bool { getenv("STRIDE_TEST_PAIRS").map { String(cString: $0) } == "1" }

    private static func value(_ name: String) throws -> String {
        guard let text = getenv(name).map({ String(cString: $0) }), !text.isEmpty else {
            throw Missing(description: "\(name) is not set: run the tests with ./dev test")
        }
        return text
    }
}

/// Something did not happen in time.
package struct Late: Error, CustomStringConvertible {
    /// What.
    package let description: String
    /// Names it.
    package init(_ description: String) { self.description = description }
}

/// Waits until something holds: a bound against hanging, not a measurement.
package func eventually(
    _ what: String, within patience: Duration = .seconds(30), every pause: Duration = .milliseconds(20),
    _ holds: () async throws -> Bool
) async throws {
    let clock = ContinuousClock()
    let deadline = clock.now + patience
    while try await !holds() {
        guard clock.now < deadline else { throw Late("not within \(patience): \(what)") }
        try await Task.sleep(for: pause)
    }
}

/// A wish to stop, from one task to others.
package final class StopFlag: Sendable {
    private let flag = Atomic(false)

    /// Nobody wishes it yet.
    package init() {}

    /// Wishes it.
    package func set() { flag.store(true, ordering: .relaxed) }

    /// Whether somebody does.
    package var isSet: Bool { flag.load(ordering: .relaxed) }
}

/// Random numbers that are the same in every run (SplitMix64), so that a failure can be repeated.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The same seed gives the same numbers.
    package init(seed: UInt64) { state = seed }

    /// The next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
