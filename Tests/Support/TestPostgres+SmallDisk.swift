import Glibc
import Synchronization

extension TestPostgres {
    /// Whether this account may mount a file system for one process, which a server on a small disk needs.
    package static func canHaveSmallDisk() async throws -> Bool {
        let folder = try TestFolder()
        let words = Self.apart + ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.path]
        let child = try ChildProcess("unshare", words, log: folder.path + "/log")
        return try await child.wait(within: .seconds(20)) == .exited(0)
    }

    /// A new server whose files, the log of its transactions too, lie on a disk of their own.
    ///
    /// The disk is memory that only the server's processes see; it goes with them. A server that gives up is started again
    /// every half second, as an operator's machinery does.
    package static func start(onDiskOf megabytes: Int) async throws -> TestPostgres {
        let server = try TestPostgres()
        let script = """
            set -e
            mount -t tmpfs -o size=\(megabytes)m,mode=700,uid=$(id -u nobody),gid=$(id -g nobody) tmpfs \(server.data)
            cd /
            as="\(account.joined(separator: " "))"
            $as \(binaries)/initdb -D \(server.data) -U stride -A trust --no-sync --locale=C.UTF-8 --encoding=UTF8 \
                --wal-segsize=1
            while :; do
                $as \(binaries)/postgres -D \(server.data) -p \(server.port) -h 127.0.0.1 -k '' -F -c shared_buffers=16MB \
                    -c max_wal_size=8MB -c min_wal_size=2MB || true
                sleep 0.5
            done
            """
        let child = try ChildProcess("unshare", apart + ["sh", "-c", script], log: server.log)
        server.process.withLock { $0 = child }
        try await eventually("PostgreSQL answers (\(server.log))", within: .seconds(90)) {
            if child.ending != nil { throw Late("PostgreSQL ended at its start: \(child.log)") }
            return try await server.ends("pg_isready", "-q", "-h", "127.0.0.1", "-p", "\(server.port)")
        }
        return server
    }

    /// Fills the small disk to the last byte, or makes room again.
    package func fillDisk(_ isFull: Bool) throws {
        guard let parent = process.withLock({ $0?.id }), let inside = Self.children(of: parent).first else {
            throw Late("the server on the small disk has ended")
        }
        let path = "/proc/\(inside)/root\(data)/filler"
        guard isFull else {
            unlink(path)
            return
        }
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        guard file >= 0 else { throw Late("cannot write \(path) (error \(errno))") }
        defer { close(file) }
        let block = [UInt8](repeating: 0, count: 4096)
        lseek(file, 0, SEEK_END)
        while write(file, block, block.count) > 0 {}
    }

    /// A file system and process numbers of their own: whatever is started there ends with the one that is known by its id.
    private static let apart = ["--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--"]
}
