internal import COpenSSL

/// Bytes that must not be seen: a key, a password.
///
/// Whatever prints it (interpolation, `print`, `dump`, a mirror, a log field) shows stars; reading the bytes takes a call
/// that says so. The memory is wiped when the last copy goes; copies share it. Equality takes constant time.
package struct Secret: Sendable, Equatable {
    private let storage: Storage

    /// Takes a copy of the bytes.
    ///
    /// The caller's own copy is the caller's to drop.
    package init(_ bytes: Span<UInt8>) { storage = Storage(bytes) }

    /// Takes a copy of the bytes.
    package init(_ bytes: [UInt8]) { self.init(bytes.span) }

    /// Takes the text's UTF-8.
    package init(_ text: String) { self.init(Array(text.utf8)) }

    /// How many bytes there are; a length is not secret.
    package var count: Int { storage.count }

    /// Lends the bytes for the length of one call, without a copy that would outlive it.
    package func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withBytes(body)
    }

    /// The bytes as text, for a library that takes a string.
    ///
    /// Damaged UTF-8 is repaired. Nothing wipes this copy.
    package func revealed() -> String {
        withBytes { bytes in
            var copy: [UInt8] = []
            copy.reserveCapacity(bytes.count)
            for index in bytes.indices { copy.append(bytes[index]) }
            return String(decoding: copy, as: UTF8.self)
        }
    }

    /// Compares in constant time.
    package static func == (left: Secret, right: Secret) -> Bool {
        left.withBytes { leftBytes in right.withBytes { ConstantTime.equal(leftBytes, $0) } }
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always three stars: not even the length shows.
    package var description: String { "***" }
    package var debugDescription: String { "***" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The memory behind a `Secret`.
///
/// `@unchecked Sendable`: written in `init` and `deinit` only, which no other reference can overlap.
@safe private final class Storage: @unchecked Sendable {
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    var count: Int { unsafe bytes.count }

    init(_ source: Span<UInt8>) {
        unsafe bytes = .allocate(capacity: source.count)
        for index in source.indices { unsafe bytes.initializeElement(at: index, to: source[index]) }
    }

    deinit {
        unsafe OPENSSL_cleanse(bytes.baseAddress, bytes.count)
        unsafe bytes.deallocate()
    }

    func withBytes<Result, Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result {
        try unsafe body(UnsafeBufferPointer(bytes).span)
    }
}
