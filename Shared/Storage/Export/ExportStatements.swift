internal import Models
internal import Postgres

/// The SQL of an export: each part by its key, a bounded piece at a time.
enum ExportStatements {
    /// How the user's row stands to erasures.
    static func standing(of user: UserID) -> PostgresStatement {
        PostgresStatement(
            "erasure_standing", "select erased_ms, is_erasing from users where user_id = $1", [.uuid(user.postgres)])
    }

    static func piece(_ place: ExportPlace, of user: UserID) -> PostgresStatement {
        let owner = PostgresValue.uuid(user.postgres)
        let limit = PostgresValue.int8(Int64(place.limit))
        return switch place {
        case .beginning: SettingsRow.statement(of: user)
        case .plans(let id):
            PostgresStatement(
                "export_plans",
                """
                select p.plan_id, p.content, coalesce(p.plan_id = s.plan_id, false)
                from plans p left join settings s on s.user_id = p.user_id
                where p.user_id = $1 and p.plan_id > $2 order by p.plan_id limit $3
                """, [owner, .uuid(id), limit])
        case .athletes(let challenge):
            PostgresStatement(
                "export_athletes",
                """
                select challenge, name, score, image_url, athlete_id from athletes
                where user_id = $1 and challenge > $2 order by challenge limit $3
                """, [owner, .text(challenge), limit])
        case .results(let challenge, let revision, let athlete):
            PostgresStatement(
                "export_results",
                """
                select challenge, revision, athlete_id, score, is_removal, recorded_ms from athlete_results
                where recorded_by = $1 and (challenge, revision, athlete_id) > ($2, $3, $4)
                order by challenge, revision, athlete_id limit $5
                """, [owner, .text(challenge), .int8(revision), .int8(athlete), limit])
        case .days(let day):
            PostgresStatement(
                "export_days",
                """
                select user_id, day, steps, distance_mm, workouts, revision from daily_totals
                where user_id = $1 and day > $2 order by day limit $3
                """, [owner, .date(PostgresDate(daysSince1970: day)), limit])
        case .workouts(let start, let request):
            PostgresStatement(
                "export_workouts",
                """
                select \(WorkoutListRow.columns), is_deleted from workouts
                where user_id = $1 and (start_ms, request_id) > ($2, $3) order by start_ms, request_id limit $4
                """, [owner, .int8(start), .uuid(request), limit])
        }
    }
}
