import ServiceKit

await ServiceMain.run("ingest") { settings, logger, registry in
    let configuration = try IngestConfiguration(from: &settings)
    let service = try await IngestApplication.start(configuration, logger: logger, registry: registry)
    return { await service.drain() }
}
