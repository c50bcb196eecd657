internal import Models

/// The header of a token: how it says it is signed (RFC 7515 §4).
struct TokenHeader {
    let algorithm: TokenAlgorithm
    let keyID: String?

    /// Members that bring or fetch a key, or change what is signed.
    ///
    /// An extension that must be understood is named in `crit`, which is itself among them.
    private static let refused = ["crit", "b64", "jwk", "jku", "x5u", "x5c"]
    private static let types = ["jwt", "at+jwt"]

    init(_ object: JSONValue) throws(TokenFault) {
        guard case .string(let name) = object[member: "alg"], let algorithm = TokenAlgorithm(rawValue: name) else {
            throw .unsupportedAlgorithm
        }
        self.algorithm = algorithm
        for name in Self.refused {
            if object[member: name] != nil { throw .refusedHeader }
        }
        switch object[member: "typ"] {
        case nil: break
        case .string(let type) where Self.types.contains(type.lowercased()): break
        default: throw .unsupportedType
        }
        switch object[member: "kid"] {
        case nil: keyID = nil
        case .string(let id): keyID = id
        default: throw .unknownKey
        }
    }
}
