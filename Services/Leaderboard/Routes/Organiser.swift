/// Who may change a challenge and everybody in it.
enum Organiser {
    /// What an organiser's token grants.
    static let scope = "leaderboard:write"
}
