internal import Glibc

/// A file that keys come from, and how it is read.
struct TokenKeySource: Sendable, Equatable {
    /// What a file holds.
    enum Format {
        /// Shared secrets, one a line (`TokenKeyFile`).
        case secrets
        /// Public keys (`TokenKeySet`).
        case keySet
    }

    let path: String
    let format: Format

    private static let largest = 65_536

    /// What a look at the file finds.
    ///
    /// Blocks for as long as the file system does.
    func text() -> Result<[UInt8], TokenKeyFault> {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return .failure(.unreadable(code: errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .failure(.unreadable(code: errno)) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.largest else { return .failure(.notAKeyFile) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { return .failure(.unreadable(code: errno)) }
            if count == 0 { return .success(text) }
            text.append(contentsOf: buffer[..<count])
            guard text.count <= Self.largest else { return .failure(.notAKeyFile) }
        }
    }
}

/// What one look at all files found.
struct TokenKeyLook: Sendable {
    /// The keys of all files in their order, at most `TokenKeys.most`.
    private(set) var keys: [TokenKey] = []
    /// What an operator should know.
    private(set) var findings = TokenKeys.Findings()
    /// The key sets as they were read, so that the next look need not check the numbers of an unchanged one again.
    private var keySets: [String: (text: [UInt8], set: TokenKeySet)] = [:]

    /// Looks at nothing.
    init() {}

    /// Looks at the files.
    init(_ sources: [TokenKeySource], before: TokenKeyLook) {
        for source in sources {
            switch (source.text(), source.format) {
            case (.failure(let fault), _): note(fault, in: source)
            case (.success(let text), .secrets):
                let file = TokenKeyFile(text: text)
                take(file.keys, file.faults, of: source)
            case (.success(let text), .keySet):
                let known = before.keySets[source.path]
                let set = known?.text == text ? known?.set : nil
                let read = (text: text, set: set ?? TokenKeySet(text: text))
                keySets[source.path] = read
                take(read.set.keys, read.set.faults, of: source)
                findings.skipped += read.set.skipped.map { "\(source.path): \($0)" }
            }
        }
    }

    private mutating func take(_ new: [TokenKey], _ faults: [TokenKeyFault], of source: TokenKeySource) {
        for fault in faults { note(fault, in: source) }
        for key in new {
            if let name = key.id, keys.contains(where: { $0.isNamed(name) }) {
                note(.duplicateName(name), in: source)
            } else if keys.count == TokenKeys.most {
                note(.tooManyKeys, in: source)
            } else {
                keys.append(key)
            }
        }
    }

    /// The first fault is the one that is told.
    private mutating func note(_ fault: TokenKeyFault, in source: TokenKeySource) {
        guard findings.problem == nil else { return }
        findings.problem = TokenKeys.LoadError(path: source.path, fault: fault)
    }
}
