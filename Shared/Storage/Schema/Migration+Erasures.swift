extension Migration {
    /// Users whose data was erased.
    ///
    /// - `users.erased_ms` and `users.is_erasing` stand in the row that every writer locks, so a writer learns of an erasure
    ///   under the lock, for ever. `users.erased_revision` is the user's revision at its end: cursors from before it count no more.
    /// - `erasures` holds the receipt of each erasure and how far it has come, so that any process can go on with it. It keeps
    ///   the user's id, a moment and three counts, nothing else of the user.
    /// - The index on the log of results finds what names a user as the one who recorded it. While it is built, results wait.
    static let erasures = Migration(
        number: 4, name: "erasures of users",
        statements: [
            """
            alter table users
                add column erased_ms bigint not null default 0,
                add column erased_revision bigint not null default 0,
                add column is_erasing boolean not null default false
            """,
            """
            create table erasures (
                user_id uuid not null,
                receipt_id uuid not null,
                erased_ms bigint not null,
                workouts bigint not null default 0,
                plans bigint not null default 0,
                athletes bigint not null default 0,
                steps bigint not null default 0,
                is_finished boolean not null default false,
                primary key (user_id, receipt_id)
            ) with (fillfactor = 50)
            """,
            "create index erasures_by_time on erasures (erased_ms)",
            "create index erasures_under_way on erasures (erased_ms) where not is_finished",
            """
            create index athlete_results_by_recorder on athlete_results (recorded_by, challenge, revision, athlete_id)
                where recorded_by is not null
            """,
        ])
}
