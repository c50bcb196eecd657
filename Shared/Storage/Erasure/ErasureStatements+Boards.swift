internal import Models
internal import Postgres

/// What a user has left on leaderboards, which are distributed by challenge.
extension ErasureStatements {
    /// The boards on which a user has entered themselves.
    static func ownEntries(of user: UserID) -> PostgresStatement {
        PostgresStatement(
            "own_entries", "select challenge from athletes where user_id = $1 order by challenge limit 100",
            [.uuid(user.postgres)])
    }

    /// Results that name a user as the one who recorded them.
    static func results(recordedBy user: UserID, limit: Int) -> PostgresStatement {
        PostgresStatement(
            "results_of_recorder",
            """
            select challenge, revision, athlete_id from athlete_results where recorded_by = $1
            order by challenge, revision, athlete_id limit $2
            """, [.uuid(user.postgres), .int8(Int64(limit))])
    }

    /// Takes the user off some results of a board; the scores of athletes who are gone go too.
    static func forget(
        _ revisions: [Int64], _ athletes: [Int64], of challenge: String, user: UserID
    ) -> PostgresStatement {
        PostgresStatement(
            "forget_recorder",
            """
            update athlete_results r set recorded_by = null, score = case when exists (
                select from athletes a where a.challenge = $1 and a.athlete_id = r.athlete_id) then r.score end
            from unnest($2::bigint[], $3::bigint[]) as k (revision, athlete_id)
            where r.challenge = $1 and r.revision = k.revision and r.athlete_id = k.athlete_id and r.recorded_by = $4
            """,
            [.text(challenge), .array(of: revisions), .array(of: athletes), .uuid(user.postgres)])
    }
}
