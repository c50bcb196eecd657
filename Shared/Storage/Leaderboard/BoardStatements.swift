internal import Models
internal import Postgres

/// The SQL of challenges and their boards; each statement has one challenge, so one shard.
enum BoardStatements {
    private static let head = """
        select name, is_ascending, description, takes_self_reports, revision, participants, completed,
            score_sum::text, last_day from challenges where challenge = $1
        """

    static func head(_ challenge: ChallengeName) -> PostgresStatement {
        PostgresStatement("board_head", head, [.text(challenge.text)])
    }

    /// Takes the lock of a challenge: from here to the commit nobody else changes anything of it.
    static func lock(_ challenge: ChallengeName) -> PostgresStatement {
        PostgresStatement("board_lock", head + " for update", [.text(challenge.text)], effect: .write)
    }

    /// Every challenge with its revision, a page at a time.
    static func revisions(after name: String, limit: Int32) -> PostgresStatement {
        PostgresStatement(
            "board_revisions",
            "select challenge, revision from challenges where challenge > $1 order by challenge limit $2",
            [.text(name), .int4(limit)])
    }

    /// Sets what is told about a challenge, which may be new.
    static func set(_ about: Challenge, of challenge: ChallengeName) -> PostgresStatement {
        PostgresStatement(
            "set_challenge",
            """
            insert into challenges as c (challenge, name, is_ascending, description, takes_self_reports, revision)
            values ($1, $2, $3, $4, $5, 1)
            on conflict (challenge) do update set name = excluded.name, is_ascending = excluded.is_ascending,
                description = excluded.description, takes_self_reports = excluded.takes_self_reports,
                revision = c.revision + 1
            returning revision, participants, completed, score_sum::text
            """,
            [
                .text(challenge.text), .text(about.name), .bool(about.order == .ascending),
                .text(about.description), .bool(about.takesSelfReports),
            ])
    }

    /// The athletes that a change names by id or by user.
    static func athletes(_ ids: [Int64], users: [UserID], of challenge: ChallengeName) -> PostgresStatement {
        PostgresStatement(
            "athletes_to_change",
            """
            select athlete_id, name, score, image_url, user_id from athletes
            where challenge = $1 and athlete_id = any($2)
            union all
            select athlete_id, name, score, image_url, user_id from athletes
            where challenge = $1 and user_id = any($3) and not athlete_id = any($2)
            """, [.text(challenge.text), .array(of: ids), .array(of: users.map(\.postgres))])
    }

    static func write(_ athletes: [StoredAthlete], of challenge: ChallengeName) -> PostgresStatement {
        PostgresStatement(
            "write_athletes",
            """
            insert into athletes (challenge, athlete_id, name, score, image_url, user_id)
            select $1, w.* from unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::uuid[])
                as w (athlete_id, name, score, image_url, user_id) order by w.athlete_id
            on conflict (challenge, athlete_id) do update set name = excluded.name, score = excluded.score,
                image_url = excluded.image_url, user_id = excluded.user_id
            """,
            [
                .text(challenge.text), .array(of: athletes.map(\.id)), .array(of: athletes.map(\.entry.name)),
                .array(of: athletes.map(\.entry.score)), .array(of: athletes.map(\.entry.imageURL)),
                .array(of: athletes.map { $0.owner?.postgres }),
            ])
    }

    static func remove(_ ids: [Int64], of challenge: ChallengeName) -> PostgresStatement {
        PostgresStatement(
            "remove_athletes", "delete from athletes where challenge = $1 and athlete_id = any($2)",
            [.text(challenge.text), .array(of: ids)])
    }

    /// Appends to the log; an id without an athlete is a removal.
    static func log(
        _ results: [(id: Int64, score: Int64?, isRemoval: Bool, by: UserID?)], revision: Int64, at now: Timestamp,
        of challenge: ChallengeName
    ) -> PostgresStatement {
        PostgresStatement(
            "log_results",
            """
            insert into athlete_results (challenge, revision, athlete_id, score, is_removal, recorded_by, recorded_ms)
            select $1, $2, w.athlete_id, w.score, w.is_removal, w.recorded_by, $3
            from unnest($4::bigint[], $5::bigint[], $6::boolean[], $7::uuid[])
                as w (athlete_id, score, is_removal, recorded_by)
            """,
            [
                .text(challenge.text), .int8(revision), .int8(now.milliseconds), .array(of: results.map(\.id)),
                .array(of: results.map(\.score)), .array(of: results.map(\.isRemoval)),
                .array(of: results.map { $0.by?.postgres }),
            ])
    }

    static func setTotals(
        _ totals: BoardTotals, revision: Int64, day: Day, of challenge: ChallengeName
    ) -> [PostgresStatement] {
        let sums: [PostgresValue] = [
            .text(challenge.text), .date(day.postgres), .int8(totals.participants), .int8(totals.completed),
            .text("\(totals.scoreSum)"), .int8(revision),
        ]
        return [
            PostgresStatement(
                "set_board_totals",
                """
                update challenges set last_day = $2, participants = $3, completed = $4, score_sum = $5::text::numeric,
                    revision = $6 where challenge = $1
                """, sums),
            PostgresStatement(
                "set_board_day",
                """
                insert into challenge_days (challenge, day, participants, completed, score_sum, revision)
                values ($1, $2, $3, $4, $5::text::numeric, $6)
                on conflict (challenge, day) do update set participants = excluded.participants,
                    completed = excluded.completed, score_sum = excluded.score_sum, revision = excluded.revision
                """, sums),
        ]
    }
}
