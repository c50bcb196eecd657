import ServiceKit

await ServiceMain.run("plan") { settings, logger, registry in
    let configuration = try PlanConfiguration(from: &settings)
    let service = try await PlanApplication.start(configuration, logger: logger, registry: registry)
    return { await service.drain() }
}
