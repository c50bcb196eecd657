/// The paths of the whole API and the methods that each takes, whichever service answers.
///
/// Every service knows all of them, so that `Allow` and 404 mean the same everywhere.
public enum APIContract {
    /// One path of the API.
    public struct Path: Hashable, Sendable {
        /// The path with `{name}` in place of a variable segment: `/v1/workouts/{workout_id}`.
        public let template: String
        /// The methods of the contract; `HEAD` and `OPTIONS` go without saying.
        public let methods: [String]

        init(_ template: String, _ methods: String...) {
            self.template = template
            self.methods = methods
        }
    }

    /// Every path, none twice.
    ///
    /// Where a fixed and a variable segment both fit, the fixed one is meant.
    public static let paths: [Path] = ingest + plan + progress + leaderboard

    private static let ingest = [
        Path("/v1/workouts", "GET", "POST"),
        Path("/v1/workouts/batch", "POST"),
        Path("/v1/workouts/{workout_id}", "DELETE"),
        Path("/v1/me", "DELETE"),
    ]

    private static let plan = [
        Path("/v1/plan_templates", "GET"),
        Path("/v1/create_workout_plan", "POST"),
        Path("/v1/plan", "GET", "DELETE"),
        Path("/v1/weekly_goal", "GET", "PUT", "DELETE"),
        Path("/v1/profile", "GET", "PUT"),
    ]

    private static let progress = [
        Path("/v1/progress", "GET"),
        Path("/v1/progressSummary", "GET"),
        Path("/v1/days", "GET"),
        Path("/v1/changes", "GET"),
        Path("/v1/export", "GET"),
    ]

    private static let leaderboard =
        athletes(under: "/v1") + [Path("/v1/challenges/{challenge}", "GET", "PUT")]
        + athletes(under: "/v1/challenges/{challenge}")

    /// The athletes' paths, which the bare form has for the challenge `open`.
    private static func athletes(under base: String) -> [Path] {
        [
            Path(base + "/athletes", "GET"),
            Path(base + "/athletes/batch", "POST"),
            Path(base + "/athletes/summary", "GET"),
            Path(base + "/athletes/me", "GET", "PUT", "DELETE"),
            Path(base + "/athletes/{id}", "GET", "PUT", "DELETE"),
        ]
    }
}
