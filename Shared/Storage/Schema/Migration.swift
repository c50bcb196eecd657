/// One numbered step of the schema.
///
/// Steps are only ever added: a step that has run somewhere is never edited.
///
/// The statements run unchanged on plain PostgreSQL 15 and above and on Citus: every unique key of user data contains
/// `user_id`, there are no triggers, and foreign keys join only tables that are distributed the same way.
package struct Migration: Sendable {
    /// Position in the order, from 1.
    package let number: Int32
    /// What it does, in a few words, for people who read the table of migrations.
    package let name: String
    /// The statements, run in one transaction.
    package let statements: [String]

    /// All steps, in order.
    package static let all = [workouts, plans, leaderboard, erasures]

    /// The number an up-to-date database has.
    package static var latest: Int32 { all.last?.number ?? 0 }
}

extension Migration {
    /// Users, their workouts, and the totals of their days.
    ///
    /// - `users` holds one row for each user who has ever sent a workout. Whoever changes a user's workouts first updates
    ///   this row, so that its lock puts all changes of one user in one order; `revision` counts them.
    /// - `workouts` is the truth. Its key is what makes a call safe to repeat; deleted rows stay as tombstones, so
    ///   that a late repeat brings nothing back. `cut` is null for a workout within one local day, else its pieces
    ///   (`DayCutText`).
    /// - `daily_totals` is the sum, kept in the same transaction; a row is never deleted, so that its revision only
    ///   ever grows.
    static let workouts = Migration(
        number: 1, name: "users, workouts and daily totals",
        statements: [
            """
            create table users (
                user_id uuid primary key,
                revision bigint not null,
                device_id text,
                has_several_devices boolean not null
            ) with (fillfactor = 70)
            """,
            """
            create table workouts (
                user_id uuid not null,
                request_id uuid not null,
                workout_id bigint generated always as identity,
                start_ms bigint not null,
                end_ms bigint not null,
                steps integer not null,
                distance_mm bigint not null,
                time_zone text not null,
                zone_was_sent boolean not null,
                status smallint not null,
                source smallint not null,
                device_id text,
                day date not null,
                cut text,
                is_deleted boolean not null default false,
                primary key (user_id, request_id)
            )
            """,
            "create unique index workouts_by_id on workouts (user_id, workout_id)",
            "create index workouts_by_start on workouts (user_id, start_ms, request_id)",
            """
            create table daily_totals (
                user_id uuid not null,
                day date not null,
                steps bigint not null,
                distance_mm bigint not null,
                workouts integer not null,
                revision bigint not null,
                primary key (user_id, day)
            ) with (fillfactor = 70)
            """,
        ])
}

extension Migration {
    /// Plans, goals and profiles; the order of a user's changes; and the marks of commits that the cache has not seen.
    ///
    /// - `workouts.revision` is the user's revision at the row's last change: what a second device asks for.
    /// - `settings` holds what a user has one of, each with the revision of its last change.
    /// - `plans` keeps every plan ever made; `settings.plan_id` names the current one.
    /// - `cache_marks` holds a row for each transaction whose days are not in the cache yet. It is written in the
    ///   transaction and taken away after the cache write, so whoever dies in between leaves a trace.
    static let plans = Migration(
        number: 2, name: "plans, goals, profiles, changes and cache marks",
        statements: [
            "alter table workouts add column revision bigint not null default 0",
            "create index workouts_by_revision on workouts (user_id, revision, request_id)",
            """
            create table settings (
                user_id uuid primary key,
                time_zone text,
                week_start smallint,
                profile_revision bigint not null default 0,
                goal_steps bigint,
                goal_distance_mm bigint,
                goal_revision bigint not null default 0,
                plan_id uuid,
                plan_revision bigint not null default 0
            ) with (fillfactor = 80)
            """,
            """
            create table plans (
                user_id uuid not null,
                plan_id uuid not null,
                request_id uuid not null,
                content text not null,
                primary key (user_id, plan_id)
            )
            """,
            "create unique index plans_by_request on plans (user_id, request_id)",
            """
            create table cache_marks (
                user_id uuid not null,
                mark_id uuid not null,
                users uuid[] not null,
                created_at timestamptz not null default now(),
                primary key (user_id, mark_id)
            )
            """,
        ])
}
