internal import Models
internal import Postgres

/// The SQL of plans.
///
/// A user's rows in all tables lie on one shard, so on a distributed store each statement has one home.
enum PlanStatements {
    /// Takes the lock of a user, who may be new, and counts the change.
    ///
    /// The same lock as for workouts: from here to the commit nobody else changes anything of the user.
    static func lock(_ user: UserID) -> PostgresStatement {
        PostgresStatement(
            "lock_user_of_plan",
            """
            insert into users as u (user_id, revision, has_several_devices) values ($1, 1, false)
            on conflict (user_id) do update set revision = u.revision + 1
            returning user_id, revision, has_several_devices, erased_ms, is_erasing
            """, [.uuid(user.postgres)])
    }

    /// The plan that a request id has made.
    static func made(by request: RequestID, of user: UserID) -> PostgresStatement {
        PostgresStatement(
            "plan_of_request", "select content from plans where user_id = $1 and request_id = $2",
            [.uuid(user.postgres), .uuid(request.postgres)])
    }

    /// The current plan with the revision of its last change; a null content without a plan, no row when nothing was ever set.
    static func current(of user: UserID) -> PostgresStatement {
        PostgresStatement(
            "current_plan",
            """
            select s.plan_revision, p.content from settings s
            left join plans p on p.user_id = s.user_id and p.plan_id = s.plan_id where s.user_id = $1
            """, [.uuid(user.postgres)])
    }

    /// Keeps a plan for ever.
    static func insert(_ plan: WorkoutPlan, of user: UserID) -> PostgresStatement {
        PostgresStatement(
            "insert_plan", "insert into plans (user_id, plan_id, request_id, content) values ($1, $2, $3, $4)",
            [
                .uuid(user.postgres), .uuid(plan.planID.postgres), .uuid(plan.requestID.postgres),
                .text(String(decoding: plan.storedForm(), as: UTF8.self)),
            ])
    }

    /// Makes a plan the current one, or none; the revision is the user's, whose lock is held.
    ///
    /// Sets nothing for a token that an erasure has made count no more; the lock says so.
    static func setCurrent(_ planID: UUIDValue?, of writer: Writer) -> PostgresStatement {
        PostgresStatement(
            "set_current_plan",
            """
            insert into settings (user_id, plan_id, plan_revision)
            select u.user_id, $2::uuid, u.revision from users u where u.user_id = $1 and \(SettingsStatements.mayWrite("$3"))
            on conflict (user_id) do update set plan_id = excluded.plan_id, plan_revision = excluded.plan_revision
            returning plan_revision
            """, [.uuid(writer.user.postgres), .uuid(planID?.postgres), SettingsStatements.issued(writer)])
    }
}
