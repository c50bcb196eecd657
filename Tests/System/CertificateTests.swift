import Glibc
import StrideTestSupport
import Synchronization
import TLS
import Testing

/// The certificate of a real process, replaced while it serves.
@Suite(.serialized) struct CertificateTests {
    @Test(
        "SIGHUP under keep-alive load: new connections get the new certificate, no request fails, bad files change nothing"
    )
    func replaced() async throws {
        try await Stage.run { stage in
            let old = try stage.trust(stage.first)
            let next = try await TestAuthority(in: stage.stores.folder, name: "next")
            let new = try stage.trust(next)
            let (kept, fresh) = (Load(), Load())
            async let keptEnds: Void = stage.keep(kept, trusting: old, clients: 8)
            try await eventually("the first are served") { kept.count > 20 }
            #expect(try await stage.accepts(old))
            #expect(try await !stage.accepts(new))

            // Neither a broken file nor one that has expired counts.
            try stage.install(certificate: "/nowhere", key: "/nowhere")
            try await stage.reload(expecting: "tls_certificate_refused", count: 1)
            let expired = try await next.issue("expired", .expired)
            try stage.install(certificate: expired.certificate, key: expired.key)
            try await stage.reload(expecting: "it has expired", count: 1)
            #expect(try await stage.accepts(old))
            #expect(try await !stage.accepts(new))
            let before = try await stage.expiry()

            let identity = try await next.issue("successor", days: 29)
            try stage.install(certificate: identity.certificate, key: identity.key)
            try await stage.reload(expecting: "tls_certificate_replaced", count: 1)
            try await eventually("new connections get it") {
                let (isNew, isOld) = (try await stage.accepts(new), try await stage.accepts(old))
                return isNew && !isOld
            }
            let keptBefore = kept.count
            async let freshEnds: Void = stage.keep(fresh, trusting: new, clients: 4)
            #expect(abs(try await stage.expiry() - before - 9 * 86_400) < 120)
            try await eventually("both are served") { fresh.count > 20 && kept.count > keptBefore + 20 }
            kept.stops.set()
            fresh.stops.set()
            _ = try await (keptEnds, freshEnds)
            #expect(
                try await stage.stores.database.number("select count(*) from workouts") == kept.count + fresh.count)
            #expect(try await stage.process.terminate() == .exited(0))
        }
    }

    @Test("2 000 connections that come and go leave the process with the descriptors and the memory that it had")
    func footprint() async throws {
        try await Stage.run { stage in
            let trust = try stage.trust(stage.first)
            func come(_ number: Int) async throws {
                if number.isMultiple(of: 5) {
                    let plain = try await HTTPLine.open(stage.process.port, on: stage.stores.loop)
                    try await plain.send("GET / HTTP/1.1\r\n\r\n")
                    return plain.close()
                }
                let line = try await HTTPLine.open(stage.process.port, on: stage.stores.loop, trust: trust)
                if number.isMultiple(of: 3) { return line.reset() }
                #expect(try await line.exchange(HTTPCall("GET", "/v1/nothing")).status == 404)
                line.close()
            }
            for number in 0..<400 { try await come(number) }
            let id = stage.process.process?.id ?? 0
            try await Task.sleep(for: .seconds(1))
            let (descriptors, memory) = (Self.descriptors(of: id), stage.process.process?.residentKiB ?? 0)
            for number in 0..<2000 { try await come(number) }
            try await eventually("descriptors are given back") { Self.descriptors(of: id) <= descriptors }
            let grown = (stage.process.process?.residentKiB ?? 0) - memory
            print("tls: \(grown) KiB more after 2 000 connections, \(descriptors) descriptors")
            // 2 000 sessions that stay would be 80 MB.
            #expect(memory > 0 && grown < 8192)
        }
    }

    private static func descriptors(of id: Int32) -> Int {
        guard let folder = opendir("/proc/\(id)/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }
}

/// An ingest process with a certificate that a test replaces.
private struct Stage: Sendable {
    let stores: TestStores
    let first: TestAuthority
    let process: ServiceProcess

    static func run(_ body: @Sendable (Stage) async throws -> Void) async throws {
        try await TestStores.run { stores in
            let first = try await TestAuthority(in: stores.folder)
            let identity = try await first.issue("first")
            let (certificate, key) = ("\(stores.folder.path)/live.pem", "\(stores.folder.path)/live.key")
            symlink(identity.certificate, certificate)
            symlink(identity.key, key)
            let process = try await ServiceProcess.start(
                stores, settings: ["STRIDE_TLS_CERTIFICATE_FILE": certificate, "STRIDE_TLS_KEY_FILE": key])
            defer { process.kill() }
            try await body(Stage(stores: stores, first: first, process: process))
        }
    }

    func trust(_ authority: TestAuthority) throws -> TLSContext {
        try TLSContext(client: TLSClientFiles(authority: authority.file))
    }

    /// Lets the configured paths point to other files, as a mounted secret does.
    func install(certificate: String, key: String) throws {
        for (target, name) in [(certificate, "live.pem"), (key, "live.key")] {
            let new = "\(stores.folder.path)/new"
            symlink(target, new)
            rename(new, "\(stores.folder.path)/\(name)")
        }
    }

    /// Sends SIGHUP and waits for what the log says about it.
    func reload(expecting word: String, count: Int) async throws {
        process.signal(SIGHUP)
        try await eventually("the log says \(word)") { process.logText.ranges(of: word).count == count }
    }

    func accepts(_ trust: TLSContext) async throws -> Bool {
        guard let line = try? await HTTPLine.open(process.port, on: stores.loop, trust: trust) else { return false }
        line.close()
        return true
    }

    /// The gauge of the certificate's end.
    func expiry() async throws -> Double {
        let lines = try await process.askAdmin("/metrics").text.split(separator: "\n")
        let line = lines.first { $0.hasPrefix("stride_tls_certificate_expiry_timestamp_seconds{") }
        return line.flatMap { $0.split(separator: " ").last }.flatMap { Double($0) } ?? 0
    }

    /// Clients that post on one connection each until the load stops.
    func keep(_ load: Load, trusting trust: TLSContext, clients: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<clients {
                group.addTask {
                    let phone = try stores.phone("walker-\(number)", ports: [process.port])
                    let line = try await HTTPLine.open(process.port, on: stores.loop, trust: trust)
                    defer { line.close() }
                    while !load.stops.isSet {
                        let body = workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T08:01:00Z", steps: 1)
                        let answer = try await line.exchange(
                            phone.call("POST", "/v1/workouts", body: Array(body.text.utf8)))
                        #expect(answer.status == 201 && !answer.isLast)
                        load.acknowledged()
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// How many workouts were acknowledged, and the wish to stop.
private final class Load: Sendable {
    let stops = StopFlag()
    private let total = Atomic(0)

    var count: Int { total.load(ordering: .relaxed) }

    func acknowledged() { total.add(1, ordering: .relaxed) }
}
