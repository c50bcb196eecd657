package import ServiceKit

/// Who issues tokens elsewhere: a key pair for each algorithm, the public halves in a key set, and tokens of any shape.
package struct TestIssuer: Sendable {
    /// The keys, made once for all tests of a process.
    private static let made = Result {
        try Dictionary(
            uniqueKeysWithValues: TestKeyPair.Algorithm.allCases.map {
                ($0, (try TestKeyPair($0), try TestKeyPair($0)))
            })
    }

    private let pairs: [TestKeyPair.Algorithm: (own: TestKeyPair, foreign: TestKeyPair)]
    /// What tokens name.
    package let policy: TokenPolicy
    /// The moment of the tokens, in seconds since 1970; they are good for an hour.
    package let now: Int

    /// An issuer whose tokens are good at a moment.
    package init(policy: TokenPolicy, now: Int) throws {
        pairs = try Self.made.get()
        self.policy = policy
        self.now = now
    }

    /// The keys of an algorithm: one that is published, and one that a forger has.
    package func keys(_ algorithm: TestKeyPair.Algorithm) throws -> (own: TestKeyPair, foreign: TestKeyPair) {
        guard let keys = pairs[algorithm] else { throw TestRun.Missing(description: "no key for \(algorithm)") }
        return keys
    }

    /// The name of an algorithm's published key.
    package func name(_ algorithm: TestKeyPair.Algorithm) -> String { "key-\(algorithm.rawValue)" }

    /// A key set with the published keys of some algorithms.
    package func keySet(_ algorithms: [TestKeyPair.Algorithm] = TestKeyPair.Algorithm.allCases) throws -> String {
        let keys = try algorithms.map { try self.keys($0).own.jwk(name($0)) }
        return "{\"keys\":[" + keys.joined(separator: ",") + "]}"
    }

    /// A header with the algorithm and its key's name.
    ///
    /// - Parameter changes: members that are added or replaced by the JSON given, or left out where it is nil.
    package func header(_ algorithm: TestKeyPair.Algorithm, _ changes: [String: String?] = [:]) -> String {
        Self.object([("alg", "\"\(algorithm.rawValue)\""), ("kid", "\"\(name(algorithm))\"")], changes)
    }

    /// Claims of a user, changed likewise.
    package func claims(_ subject: String = "u1", _ changes: [String: String?] = [:]) -> String {
        Self.object(
            [
                ("iss", "\"\(policy.issuer)\""), ("aud", "\"\(policy.audience)\""), ("sub", "\"\(subject)\""),
                ("iat", "\(now)"), ("exp", "\(now + 3600)"),
            ], changes)
    }

    /// A token signed with the published key of an algorithm, good unless changed.
    package func token(
        _ algorithm: TestKeyPair.Algorithm, header: String? = nil, claims: String? = nil
    ) throws -> String {
        try keys(algorithm).own.token(header: header ?? self.header(algorithm), claims: claims ?? self.claims())
    }

    private static func object(_ members: [(String, String?)], _ changes: [String: String?]) -> String {
        var members = members
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            if let index = members.firstIndex(where: { $0.0 == name }) {
                members[index].1 = value
            } else {
                members.append((name, value))
            }
        }
        let texts = members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }
        return "{" + texts.joined(separator: ",") + "}"
    }
}
