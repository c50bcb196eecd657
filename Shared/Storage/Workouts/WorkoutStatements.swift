internal import Models
internal import Postgres

/// The SQL of the write path.
///
/// Every array is in key order, so that two transactions take their locks in one order.
enum WorkoutStatements {
    /// Takes the lock of every user of the batch, in key order, and counts the change.
    ///
    /// From here to the commit nobody else changes these users' workouts, so whatever follows needs no order and no
    /// further lock. Remembers whether a user has more than one device, because only then totals can overlap.
    static func lockUsers(_ users: [BatchUser], in order: WorkoutStore.LockOrder) -> PostgresStatement {
        PostgresStatement(
            order == .ascending ? "lock_users" : "lock_users_descending",
            """
            insert into users as u (user_id, revision, device_id, has_several_devices)
            select b.user_id, 1, b.device_id, b.has_several
            from unnest($1::uuid[], $2::text[], $3::boolean[]) as b (user_id, device_id, has_several)
            order by b.user_id \(order.rawValue)
            on conflict (user_id) do update set
                revision = u.revision + 1,
                device_id = coalesce(u.device_id, excluded.device_id),
                has_several_devices = u.has_several_devices or excluded.has_several_devices
                    or coalesce(u.device_id <> excluded.device_id, false)
            returning user_id, revision, has_several_devices, erased_ms, is_erasing
            """,
            [
                .array(of: users.map(\.user.postgres)), .array(of: users.map(\.deviceID)),
                .array(of: users.map(\.hasSeveralDevices)),
            ])
    }

    /// The users whose rows cannot be locked at once.
    static func held(_ users: Set<UserID>) -> PostgresStatement {
        PostgresStatement(
            "held_users",
            """
            with free as (select user_id from users where user_id = any($1) for no key update skip locked)
            select user_id from users where user_id = any($1) except select user_id from free
            """, [.array(of: users.map(\.postgres))])
    }

    /// Stores the workouts that are new; answers with those only.
    static func insert(_ writes: [WorkoutWrite]) -> PostgresStatement {
        var columns = WorkoutColumns(rows: writes.count)
        for write in writes { columns.append(write) }
        return PostgresStatement(
            "insert_workouts",
            """
            insert into workouts (user_id, request_id, start_ms, end_ms, steps, distance_mm, time_zone, zone_was_sent,
                status, source, device_id, day, cut, revision)
            select b.*, (select u.revision from users u where u.user_id = b.user_id)
            from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::integer[], $6::bigint[], $7::text[],
                $8::boolean[], $9::smallint[], $10::smallint[], $11::text[], $12::date[], $13::text[])
                as b (user_id, request_id, start_ms, end_ms, steps, distance_mm, time_zone, zone_was_sent, status,
                    source, device_id, day, cut)
            on conflict (user_id, request_id) do nothing
            returning user_id, request_id, workout_id
            """, columns.parameters)
    }

    /// The rows that were there before, tombstones included.
    static func existing(_ keys: [WorkoutKey]) -> PostgresStatement {
        PostgresStatement(
            "existing_workouts",
            """
            select \(WorkoutRow.columns)
            from unnest($1::uuid[], $2::uuid[]) as k (user_id, request_id)
            join workouts w on w.user_id = k.user_id and w.request_id = k.request_id
            """,
            [.array(of: keys.map(\.user.postgres)), .array(of: keys.map(\.request.postgres))])
    }

    /// Replaces the numbers of workouts in progress.
    static func update(_ updates: [WorkoutUpdate], users: [UserID: LockedUser]) -> PostgresStatement {
        PostgresStatement(
            "update_workouts",
            """
            update workouts w set end_ms = u.end_ms, steps = u.steps, distance_mm = u.distance_mm, status = u.status,
                day = u.day, cut = u.cut, revision = u.revision
            from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::integer[], $5::bigint[], $6::smallint[], $7::date[],
                $8::text[], $9::bigint[])
                as u (user_id, request_id, end_ms, steps, distance_mm, status, day, cut, revision)
            where w.user_id = u.user_id and w.request_id = u.request_id and w.user_id = any($1::uuid[])
            """,
            [
                .array(of: updates.map(\.key.user.postgres)), .array(of: updates.map(\.key.request.postgres)),
                .array(of: updates.map(\.content.end.milliseconds)), .array(of: updates.map(\.content.steps)),
                .array(of: updates.map(\.content.distance.count)),
                .array(of: updates.map(\.content.status.rawValue)),
                .array(of: updates.map { $0.segments.firstDay.postgres }),
                .array(of: updates.map { DayCutText.text(of: $0.segments) }),
                .array(of: updates.map { users[$0.key.user]?.revision ?? 0 }),
            ])
    }

    /// Everything of some users that starts within some stretches of time; tombstones excluded.
    static func window(_ stretches: [UserStretch]) -> PostgresStatement {
        PostgresStatement(
            "window_workouts",
            """
            select \(WorkoutRow.columns)
            from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as s (user_id, from_ms, to_ms)
            join workouts w on w.user_id = s.user_id and w.start_ms >= s.from_ms and w.start_ms < s.to_ms
            where not w.is_deleted
            """,
            [
                .array(of: stretches.map(\.user.postgres)), .array(of: stretches.map(\.from.milliseconds)),
                .array(of: stretches.map(\.to.milliseconds)),
            ])
    }
}

extension WorkoutWrite {
    var firstDay: Day { segments.firstDay }
}

extension [DaySegment] {
    /// The day in which a span begins; a span always has a segment.
    var firstDay: Day { first?.day ?? Day(number: 0) }
}
