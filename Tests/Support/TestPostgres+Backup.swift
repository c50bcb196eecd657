import Glibc

/// Backups of a server, and what comes back from them: base backup, archive of the write-ahead log, restore to a marker.
extension TestPostgres {
    private var archive: String { folder.path + "/archive" }
    private var backup: String { folder.path + "/backup" }

    /// Starts the server again so that it keeps every segment of its log in an archive.
    package func startArchiving() async throws {
        try await makeFolder(archive)
        try await sql("alter system set archive_mode = on")
        try await sql("alter system set archive_command = 'test ! -f \(archive)/%f && cp %p \(archive)/%f'")
        try await stop()
        try await start()
    }

    /// Takes a base backup of the running server and checks every file of it.
    package func backUp() async throws {
        try await makeFolder(backup)
        guard
            try await ends(
                "pg_basebackup", "-h", "127.0.0.1", "-p", "\(port)", "-U", "stride", "-D", backup, "-X", "stream", "-c",
                "fast", "--no-sync"),
            try await ends("pg_verifybackup", "--quiet", backup)
        else { throw Late("the backup failed (log: \(log))") }
    }

    /// Names this moment and waits until the log up to it is in the archive.
    package func mark(_ name: String) async throws {
        let segment = try await sql("select pg_walfile_name(pg_create_restore_point('\(name)'))")
        try await sql("select pg_switch_wal()")
        try await eventually("the log is archived up to \(name)") {
            try await self.sql("select last_archived_wal >= '\(segment)' from pg_stat_archiver") == "t"
        }
    }

    /// A server made of the backup and of the archive up to a marker, on the port of this one, which must have ended.
    package func restored(to name: String) async throws -> TestPostgres {
        let other = try TestPostgres(port: port)
        try await other.own(other.data)
        try await shell("cp", "-a", backup + "/.", other.data)
        let settings = """
            archive_mode = off
            restore_command = 'cp \(archive)/%f %p'
            recovery_target_name = '\(name)'
            recovery_target_action = promote
            """
        try await shell("sh", "-c", "echo \"$1\" >>\"$0\"", other.data + "/postgresql.auto.conf", settings)
        try await shell("touch", other.data + "/recovery.signal")
        try await other.start()
        try await eventually("the server is restored", within: .seconds(60)) {
            try await other.sql("select pg_is_in_recovery()") == "f"
        }
        return other
    }

    private func makeFolder(_ path: String) async throws {
        guard mkdir(path, 0o700) == 0 else { throw Late("cannot make \(path)") }
        try await own(path)
    }

    /// Runs a command under the server's account.
    private func shell(_ words: String...) async throws {
        let child = try ChildProcess("env", ["-C", "/"] + Self.account + words, log: log)
        guard try await child.wait(within: .seconds(120)) == .exited(0) else { throw Late("\(words): \(child.log)") }
    }
}
