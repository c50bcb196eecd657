import ServiceKit

await ServiceMain.run("progress") { settings, logger, registry in
    let configuration = try ProgressConfiguration(from: &settings)
    let service = try await ProgressApplication.start(configuration, logger: logger, registry: registry)
    return { await service.drain() }
}
