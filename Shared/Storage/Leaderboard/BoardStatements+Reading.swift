internal import Models
internal import Postgres

/// The SQL that reads stretches of a board, from whichever side of a place.
extension BoardStatements {
    /// The two orders and the two directions, each with a name of its own.
    private static func side(_ order: BoardOrder, isForward: Bool) -> (name: String, direction: String, better: String)
    {
        let isDescending = (order == .descending) == isForward
        return (
            "\(order.rawValue)_\(isForward ? "after" : "before")", isDescending ? "desc" : "asc",
            isDescending ? ">" : "<"
        )
    }

    /// Scored athletes behind a place, or before it with the nearest first; the place itself is left out.
    static func scored(
        from place: (score: Int64, id: Int64), isForward: Bool, limit: Int32, order: BoardOrder,
        of challenge: ChallengeName
    ) -> PostgresStatement {
        let (name, direction, better) = side(order, isForward: isForward)
        let worse = better == ">" ? "<" : ">"
        return PostgresStatement(
            "scored_\(name)",
            """
            select athlete_id, name, score, image_url from athletes
            where challenge = $1 and score \(worse)= $2
                and (score \(worse) $2 or athlete_id \(isForward ? ">" : "<") $3)
            order by score \(direction), athlete_id \(isForward ? "asc" : "desc") limit $4
            """, [.text(challenge.text), .int8(place.score), .int8(place.id), .int4(limit)])
    }

    /// Athletes without a score behind an id, or before it with the nearest first.
    static func unscored(
        from id: Int64, isForward: Bool, limit: Int32, of challenge: ChallengeName
    ) -> PostgresStatement {
        PostgresStatement(
            isForward ? "unscored_after" : "unscored_before",
            """
            select athlete_id, name, score, image_url from athletes
            where challenge = $1 and score is null and athlete_id \(isForward ? ">" : "<") $2
            order by athlete_id \(isForward ? "asc" : "desc") limit $3
            """, [.text(challenge.text), .int8(id), .int4(limit)])
    }

    /// How many athletes have a better score than a place, and how many come before it in all.
    static func counts(
        before place: BoardPosition, order: BoardOrder, of challenge: ChallengeName
    ) -> PostgresStatement {
        guard let score = place.score else {
            return PostgresStatement(
                "count_before_unscored",
                """
                select (select count(*) from athletes where challenge = $1 and score is not null),
                    (select count(*) from athletes where challenge = $1 and score is not null)
                    + (select count(*) from athletes where challenge = $1 and score is null and athlete_id < $2)
                """, [.text(challenge.text), .int8(place.id)])
        }
        let better = order == .descending ? ">" : "<"
        return PostgresStatement(
            "count_before_\(order.rawValue)",
            """
            select b.count, b.count
                + (select count(*) from athletes where challenge = $1 and score = $2 and athlete_id < $3)
            from (select count(*) from athletes where challenge = $1 and score \(better) $2) b
            """, [.text(challenge.text), .int8(score), .int8(place.id)])
    }

    static func athlete(_ id: Int64, of challenge: ChallengeName) -> PostgresStatement {
        PostgresStatement(
            "one_athlete",
            """
            select athlete_id, name, score, image_url from athletes where challenge = $1 and athlete_id = $2
            """, [.text(challenge.text), .int8(id)])
    }

    static func own(of user: UserID, in challenge: ChallengeName) -> PostgresStatement {
        PostgresStatement(
            "own_athlete", "select athlete_id from athletes where user_id = $1 and challenge = $2",
            [.uuid(user.postgres), .text(challenge.text)])
    }

    /// Athletes in the order of their ids: how a board is rebuilt.
    static func chunk(after id: Int64, limit: Int32, of challenge: ChallengeName) -> PostgresStatement {
        PostgresStatement(
            "athletes_by_id",
            """
            select athlete_id, name, score, image_url from athletes
            where challenge = $1 and athlete_id > $2 order by athlete_id limit $3
            """, [.text(challenge.text), .int8(id), .int4(limit)])
    }

    /// The athletes who were changed after a revision, as they stand now; null columns for those who are gone.
    static func changed(after revision: Int64, limit: Int32, of challenge: ChallengeName) -> PostgresStatement {
        PostgresStatement(
            "athletes_changed",
            """
            select r.athlete_id, a.name, a.score, a.image_url
            from (select distinct athlete_id from athlete_results where challenge = $1 and revision > $2
                limit $3) r
            left join athletes a on a.challenge = $1 and a.athlete_id = r.athlete_id
            """, [.text(challenge.text), .int8(revision), .int4(limit)])
    }

    /// The days whose sums were changed after a revision.
    static func days(after revision: Int64, of challenge: ChallengeName) -> PostgresStatement {
        PostgresStatement(
            "board_days",
            """
            select day, participants, completed, score_sum::text from challenge_days
            where challenge = $1 and revision > $2
            """, [.text(challenge.text), .int8(revision)])
    }
}
