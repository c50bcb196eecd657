internal import Glibc

/// Small files that hold settings and secrets.
package enum TextFile {
    /// The text of a file of at most 64 KiB without its trailing white space; nil when it cannot be read.
    package static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= 65_536 {
            let count = Glibc.read(descriptor, &block, block.count)
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            bytes += block[..<count]
        }
        guard bytes.count <= 65_536 else { return nil }
        while let last = bytes.last, last == 0x0A || last == 0x0D || last == 0x20 { bytes.removeLast() }
        return String(validating: bytes, as: UTF8.self)
    }
}
