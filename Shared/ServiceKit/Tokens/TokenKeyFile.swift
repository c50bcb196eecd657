internal import Cryptography
internal import Glibc

/// The text of a key file: one secret a line, `secret` or `kid:secret`.
///
/// Blank lines and white space around a line are left out. What stands before the first colon is the key's name,
/// `[A-Za-z0-9._-]{1,64}`, or nothing; so a secret that itself contains a colon is written with a name or a colon before it. The secret
/// is the line's bytes as they are, at least 32 of them.
package struct TokenKeyFile: Sendable {
    /// What is wrong with a file.
    ///
    /// It shows the line's number, never its text.
    package enum Fault: Error, Sendable, Equatable, CustomStringConvertible {
        /// The file cannot be opened or read; the system's error number.
        case unreadable(code: Int32)
        /// Not a regular file, or larger than 64 KiB.
        case notAKeyFile
        /// The secret on this line is shorter than 32 bytes.
        case secretTooShort(line: Int)
        /// The name before the colon on this line is not allowed.
        case invalidName(line: Int)
        /// No line holds a key.
        case noKey

        package var description: String {
            switch self {
            case .unreadable(let code): "the key file cannot be read (error \(code))"
            case .notAKeyFile: "the key file is not a regular file of at most 64 KiB"
            case .secretTooShort(let line): "line \(line) of the key file: the secret is shorter than 32 bytes"
            case .invalidName(let line): "line \(line) of the key file: the key's name is not [A-Za-z0-9._-]{1,64}"
            case .noKey: "the key file holds no key"
            }
        }
    }

    private static let largest = 65_536

    /// The keys of the lines that are right, in their order.
    let keys: [TokenKey]
    /// What is wrong with the others.
    let faults: [Fault]

    /// Reads the text.
    init(text: [UInt8]) {
        var keys: [TokenKey] = []
        var faults: [Fault] = []
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let content = Self.trimmed(line)
            if content.isEmpty { continue }
            let colon = content.firstIndex(of: UInt8(ascii: ":"))
            let name = colon.map { content[..<$0] } ?? []
            let secret = colon.map { content[($0 + 1)...] } ?? content
            if !name.allSatisfy(Self.isNameCharacter) || name.count > 64 {
                faults.append(.invalidName(line: index + 1))
            } else if let key = TokenKey(
                id: name.isEmpty ? nil : String(decoding: name, as: UTF8.self), secret: Secret(Array(secret)))
            {
                keys.append(key)
            } else {
                faults.append(.secretTooShort(line: index + 1))
            }
        }
        if keys.isEmpty, faults.isEmpty { faults.append(.noKey) }
        self.init(keys: keys, faults: faults)
    }

    /// Reads the file at `path`.
    ///
    /// Blocks for as long as the file system does.
    init(path: String) {
        switch Self.read(path) {
        case .success(let text): self.init(text: text)
        case .failure(let fault): self.init(keys: [], faults: [fault])
        }
    }

    private init(keys: [TokenKey], faults: [Fault]) {
        self.keys = keys
        self.faults = faults
    }

    private static func read(_ path: String) -> Result<[UInt8], Fault> {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return .failure(.unreadable(code: errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .failure(.unreadable(code: errno)) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= largest else { return .failure(.notAKeyFile) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { return .failure(.unreadable(code: errno)) }
            if count == 0 { return .success(text) }
            text.append(contentsOf: buffer[..<count])
            guard text.count <= largest else { return .failure(.notAKeyFile) }
        }
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
        let start = line.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return [] }
        return start[...last]
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
