internal import EventLoops
internal import Glibc
internal import TLS
internal import Telemetry

/// The certificate of a service's public listeners, read again when the process gets SIGHUP.
///
/// Files that cannot be used, or hold a certificate that has ended, are logged and change nothing. Connections that are
/// open keep the certificate with which they began.
/// - Note: `@unchecked Sendable`: what changes is touched on the loop of `watch` alone.
final class ListenerCertificate: @unchecked Sendable {
    /// What the listeners begin with.
    let first: TLSContext
    private let files: TLSServerFiles
    private let name: String
    private let expiry: Gauge?
    private let logger: Logger
    private var isAsked = false
    private var isReading = false

    /// Reads the files for the first time.
    ///
    /// - Throws: `TLSError` when they cannot be used: a service does not start in the clear instead.
    init(_ files: TLSServerFiles, name: String, registry: MetricRegistry, logger: Logger) throws {
        self.files = files
        self.name = name
        self.logger = logger
        expiry = try? registry.gauge(
            "stride_tls_certificate_expiry_timestamp_seconds",
            help: "When the certificate of the public listener ends, in seconds since 1970.", labels: ["service": name])
        first = try TLSContext(server: files)
        show(first)
    }

    /// An acceptor for one loop, which counts its handshakes.
    func acceptor(registry: MetricRegistry, shard: MetricShard) -> TLSAcceptor {
        func counter(_ outcome: String) -> Counter? {
            try? registry.counter(
                "stride_tls_handshakes_total", help: "Handshakes of the public listener, by their end.",
                labels: ["service": name, "outcome": outcome])
        }
        let (complete, failed) = (counter("complete"), counter("failed"))
        return TLSAcceptor(context: first) { error in
            (error == nil ? complete : failed)?.increment(in: shard)
        }
    }

    /// Watches for SIGHUP on a loop; `use` gets each new certificate there.
    func watch(on loop: EventLoop, use: @escaping @Sendable (TLSContext) -> Void) async throws {
        try await loop.run {
            _ = try SignalWatcher(loop: loop, signal: SIGHUP) {
                self.isAsked = true
                guard !self.isReading else { return }
                self.isReading = true
                loop.submit { await self.read(on: loop, use: use) }
            }
        }
    }

    /// Reads, and once more if a signal came meanwhile: what counts in the end was read after the last one.
    private func read(on loop: EventLoop, use: (TLSContext) -> Void) async {
        while isAsked {
            isAsked = false
            let files = files
            let outcome = try? await BlockingPool.run(on: loop) { () -> Result<TLSContext, TLSError> in
                do throws(TLSError) {
                    return .success(try TLSContext(server: files))
                } catch {
                    return .failure(error)
                }
            }
            switch outcome {
            case .success(let context) where (context.expiry ?? 0) > Int64(time(nil)):
                use(context)
                show(context)
                logger.info("tls_certificate_replaced", ["expiry": .integer(context.expiry ?? 0)])
            case .success: logger.error("tls_certificate_refused", ["error": "it has expired"])
            case .failure(let error): logger.error("tls_certificate_refused", ["error": .describing(error)])
            case nil: logger.error("tls_certificate_refused", ["error": "no thread is free to read the files"])
            }
        }
        isReading = false
    }

    private func show(_ context: TLSContext) { expiry?.set(Double(context.expiry ?? 0)) }
}
