package import Models
package import Postgres

extension ErasureStore {
    /// Boards on which a user has an own entry, some of them; none when all are gone.
    package func boards(
        of erasure: Erasure, on connection: PostgresConnection
    ) async throws(PostgresError) -> [ChallengeName] {
        let result = try await connection.query(ErasureStatements.ownEntries(of: erasure.user), timeout: timeout)
        var names: [ChallengeName] = []
        for row in 0..<result.rowCount {
            if let name = ChallengeName(try result.text(row, 0)) { names.append(name) }
        }
        return names
    }
}
