extension Migration {
    /// Challenges, their athletes, and the log of results.
    ///
    /// Distributed by `challenge`, which is in every key: a board is read and written as a whole.
    ///
    /// - `challenges` holds the sums of each board. Whoever changes a board first locks this row, so that all changes of one board
    ///   are in one order; `revision` counts them without a gap.
    /// - `athletes` holds who stands on the board now. `user_id` is set for somebody who has entered themselves.
    /// - `athlete_results` is appended to and never changed: which revision set whom to what, by whom, and when. It is also what
    ///   tells a cache that is behind which athletes to read again.
    /// - `challenge_days` holds the sums at the end of each day on which something has changed.
    ///
    /// The white space is that of `TextRule`; a length is counted in scalars, as there.
    static let leaderboard = Migration(
        number: 3, name: "challenges, athletes and results",
        statements: [
            """
            create table challenges (
                challenge text not null primary key check (challenge ~ '^[a-z0-9-]{1,40}$'),
                name text not null check (\(name)),
                is_ascending boolean not null,
                description text not null check (char_length(description) <= 2000),
                takes_self_reports boolean not null,
                revision bigint not null default 0,
                participants bigint not null default 0,
                completed bigint not null default 0,
                score_sum numeric not null default 0,
                last_day date
            ) with (fillfactor = 50)
            """,
            """
            create table athletes (
                challenge text not null,
                athlete_id bigint not null check (abs(athlete_id) <= 9007199254740991),
                name text not null check (\(name)),
                score bigint check (abs(score) <= 9007199254740991),
                image_url text check (image_url like 'https://_%' and octet_length(image_url) <= 500),
                user_id uuid,
                primary key (challenge, athlete_id)
            ) with (fillfactor = 90)
            """,
            "create index athletes_by_score on athletes (challenge, score, athlete_id)",
            "create unique index athletes_by_user on athletes (user_id, challenge) where user_id is not null",
            """
            create table athlete_results (
                challenge text not null,
                revision bigint not null,
                athlete_id bigint not null,
                score bigint,
                is_removal boolean not null,
                recorded_by uuid,
                recorded_ms bigint not null,
                primary key (challenge, revision, athlete_id)
            )
            """,
            """
            create table challenge_days (
                challenge text not null,
                day date not null,
                participants bigint not null,
                completed bigint not null,
                score_sum numeric not null,
                revision bigint not null,
                primary key (challenge, day)
            ) with (fillfactor = 50)
            """,
            """
            insert into challenges (challenge, name, is_ascending, description, takes_self_reports)
            values ('open', 'CrossFit Open', false, '', false)
            """,
        ])

    /// The rule of names: `AthleteRules.acceptsName`.
    private static let name = #"""
        char_length(name) <= 200 and char_length(btrim(name, U&'\0009\000A\000B\000C\000D\0020\0085\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2028\2029\202F\205F\3000')) between 1 and 100
        """#
}
