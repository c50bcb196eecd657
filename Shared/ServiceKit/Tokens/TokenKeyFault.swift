package import Cryptography

/// What is wrong with a file of keys.
///
/// It shows a line's number or a key's place and name, never its bytes.
package enum TokenKeyFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file cannot be opened or read; the system's error number.
    case unreadable(code: Int32)
    /// Not a regular file, or larger than 64 KiB.
    case notAKeyFile
    /// The secret on this line is shorter than 32 bytes.
    case secretTooShort(line: Int)
    /// The name before the colon on this line is not allowed.
    case invalidName(line: Int)
    /// No line or member holds a key that counts.
    case noKey
    /// Not one JSON object with a list `keys`.
    case notAKeySet
    /// A key of a key set that must not be used.
    case refusedKey(TokenKeyPlace, Refusal)
    /// A name that another key has already, in this file or one before it.
    case duplicateName(String)
    /// More keys than `TokenKeys.most`; the first ones count.
    case tooManyKeys

    /// Why a key of a key set must not be used.
    package enum Refusal: Error, Sendable, Equatable {
        /// Not an object.
        case notAnObject
        /// A member that is missing, or not the text that it must be.
        case member(String)
        /// A member that only the signer may hold.
        case privateMember
        /// A shared secret, whose place is a secret file.
        case sharedSecret
        /// A `kid` that is not 1 to 128 visible ASCII characters.
        case invalidName
        /// An `alg` that another kind of key works with.
        case otherAlgorithm
        /// Numbers that are no sound key.
        case unsound(PublicKey.Fault)
    }

    package var description: String {
        switch self {
        case .unreadable(let code): "the key file cannot be read (error \(code))"
        case .notAKeyFile: "the key file is not a regular file of at most 64 KiB"
        case .secretTooShort(let line): "line \(line) of the key file: the secret is shorter than 32 bytes"
        case .invalidName(let line): "line \(line) of the key file: the key's name is not [A-Za-z0-9._-]{1,64}"
        case .noKey: "the key file holds no key"
        case .notAKeySet: "the key file is not a JSON object with a list \"keys\" (RFC 7517)"
        case .refusedKey(let place, let refusal): "\(place) of the key file: \(refusal)"
        case .duplicateName(let name): "another key is already called \(name)"
        case .tooManyKeys: "there are more than \(TokenKeys.most) keys"
        }
    }
}

extension TokenKeyFault.Refusal: CustomStringConvertible {
    /// What the operator has to mend.
    package var description: String {
        switch self {
        case .notAnObject: "the key is not an object"
        case .member(let name): "its member \(name) is missing or malformed"
        case .privateMember: "it holds members of the private key, which only the signer may have"
        case .sharedSecret: "it is a shared secret, which belongs into a secret file"
        case .invalidName: "its kid is not 1 to 128 visible ASCII characters"
        case .otherAlgorithm: "its alg does not fit its kty"
        case .unsound(.modulusSize): "its modulus is not 2048 to 8192 bits without a leading zero"
        case .unsound(.exponent): "its exponent is not an odd number from 3 to 2^32 - 1 without a leading zero"
        case .unsound(.coordinateLength): "a coordinate is not 32 bytes long"
        case .unsound(.weakPoint): "its point is one for which anybody can make signatures"
        case .unsound(.refusedByLibrary): "its numbers are no sound key"
        }
    }
}

/// Where in a key set a key stands, for log lines.
package struct TokenKeyPlace: Sendable, Equatable, CustomStringConvertible {
    /// Its place in the list, from 0.
    package let index: Int
    /// Its `kid`, where that may be shown.
    package let name: String?

    package var description: String { "keys[\(index)]" + (name.map { " (kid \($0))" } ?? "") }
}

/// A key of a key set that is left out, since it is not meant for what is done here or not known.
package struct SkippedTokenKey: Sendable, Equatable, CustomStringConvertible {
    /// Which one.
    package let place: TokenKeyPlace
    /// The member whose value is of no use here: `kty`, `crv`, `use`, `key_ops` or `alg`.
    package let member: String

    package var description: String { "\(place): its \(member) is not one that is used here" }
}
