import Foundation

/// A folder of one test for logs, secrets and servers' files, removed with everything in it.
package final class TestFolder: Sendable {
    /// Where it is.
    package let path: String

    /// Makes one; servers under another account may pass through it.
    ///
    /// `STRIDE_TEST_FOLDERS` names another place than `/tmp`, such as one that is removed even if this process is killed.
    package init() throws {
        let parent = getenv("STRIDE_TEST_FOLDERS").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/stride-test-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } != nil }
        guard made else { throw TestRun.Missing(description: "no temporary folder (error \(errno))") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        chmod(path, 0o711)
    }

    /// Writes a file by putting another in its place, as operators replace secrets.
    package func write(_ name: String, _ text: String) throws {
        guard let file = fopen("\(path)/\(name).new", "w") else {
            throw TestRun.Missing(description: "cannot write \(path)/\(name)")
        }
        fputs(text, file)
        fclose(file)
        rename("\(path)/\(name).new", "\(path)/\(name)")
    }

    /// Reads a file of the folder.
    package func read(_ name: String) throws -> String { try Self.contents(of: "\(path)/\(name)") }

    /// Reads a file, also one of the system that tells no size.
    package static func contents(of path: String) throws -> String {
        guard let file = fopen(path, "r") else { throw TestRun.Missing(description: "cannot read \(path)") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while true {
            let byte = getc(file)
            guard byte != EOF else { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(UInt8(truncatingIfNeeded: byte))
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
