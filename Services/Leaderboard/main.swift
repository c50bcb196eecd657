import ServiceKit

await ServiceMain.run("leaderboard") { settings, logger, registry in
    let configuration = try LeaderboardConfiguration(from: &settings)
    let service = try await LeaderboardApplication.start(configuration, logger: logger, registry: registry)
    return { await service.drain() }
}
