internal import EventLoops
internal import Foundation
internal import Synchronization
package import Telemetry

/// Runs a service as a process: settings in, signals watched, exit status out.
package enum ServiceMain {
    /// Starts, waits for SIGTERM or SIGINT, drains, and ends the process: 0 after an orderly stop, 1 when it could not start.
    ///
    /// With `--health` or `--ready` as its argument it only asks the service that runs, see `HealthCheck`: 0 for yes, 1 for no.
    package static func run(
        _ name: String,
        start: (inout Settings, Logger, MetricRegistry) async throws -> @Sendable () async -> Void
    ) async -> Never {
        ProcessSignals.openMissingStandardStreams()
        ProcessSignals.ignoreBrokenPipe()
        // A closed terminal or a log rotation is no reason to end.
        _ = signal(SIGHUP, SIG_IGN)
        let registry = MetricRegistry()
        var settings = Settings(ProcessInfo.processInfo.environment)
        if let path = HealthCheck.path(for: CommandLine.arguments.dropFirst().first) {
            exit(await ask(path, of: name, &settings))
        }
        let level = settings.choice("STRIDE_LOG_LEVEL", default: LogLevel.info)
        let sink =
            (try? LogSink(descriptor: STDOUT_FILENO, service: name, minimumLevel: level, metrics: registry))
            ?? .discarding
        let logger = Logger(sink)
        do {
            let loop = try EventLoop.start(name: "\(name)-signals")
            let drain = try await start(&settings, logger, registry)
            logger.info("started")
            await waitForSignal(on: loop)
            logger.info("draining")
            await drain()
            logger.info("stopped")
            _ = sink.shutdown(within: .seconds(1))
            exit(0)
        } catch {
            logger.error("cannot_start", ["error": .describing("\(error)")])
            _ = sink.shutdown(within: .seconds(1))
            exit(1)
        }
    }

    private static func ask(_ path: String, of name: String, _ settings: inout Settings) async -> Int32 {
        do {
            return try await HealthCheck.passes(path, name: name, &settings) ? 0 : 1
        } catch {
            print(error)
            return 1
        }
    }

    private static func waitForSignal(on loop: EventLoop) async {
        await withCheckedContinuation { continuation in
            let hasCome = Once(continuation)
            loop.execute {
                for signal in [SIGTERM, SIGINT] {
                    _ = try? SignalWatcher(loop: loop, signal: signal) { hasCome.resume() }
                }
            }
        }
    }

    private final class Once: Sendable {
        private let continuation: Mutex<CheckedContinuation<Void, Never>?>
        init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = Mutex(continuation) }
        func resume() { continuation.withLock { $0.take() }?.resume() }
    }
}
