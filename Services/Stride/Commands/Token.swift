import Foundation
import Models
import ServiceKit

/// `stride token`: prints bearer tokens.
enum Token {
    static func run(_ arguments: inout Arguments, _ settings: inout Settings) throws -> Int32 {
        let name = try arguments.required("sub")
        let scopes = try arguments.option("scope").map { $0.split(separator: " ").map(String.init) } ?? []
        let life = try arguments.integer("expires", default: 86_400, in: -86_400_000...315_360_000)
        let count = try arguments.integer("count", default: 1, in: 1...10_000_000)
        try arguments.finish()
        let signer = try Signer.make(&settings)
        let isPattern = name.contains("%d")
        guard isPattern || count == 1 else { throw Arguments.Fault("--count needs a %d in the name") }
        for number in 0..<count {
            let subject = isPattern ? name.replacingOccurrences(of: "%d", with: String(number)) : name
            print(try signer.token(subject: subject, scopes: scopes, life: life))
        }
        return 0
    }
}

/// Makes tokens with the secret that the services check against.
struct Signer {
    private let signer: TokenSigner
    /// Whom the tokens name as their issuer.
    let policy: TokenPolicy

    static func make(_ settings: inout Settings) throws -> Signer {
        let file = settings.text("STRIDE_TOKEN_SECRET_FILE")
        let policy = TokenPolicy(
            issuer: settings.text("STRIDE_TOKEN_ISSUER"), audience: settings.text("STRIDE_TOKEN_AUDIENCE"))
        try settings.finish()
        let keys = try TokenKeys(files: file.split(separator: ",").map(String.init))
        guard let key = keys.current.keys.first, let signer = TokenSigner(key: key, policy: policy) else {
            throw Settings.Fault(faults: ["STRIDE_TOKEN_SECRET_FILE: no secret"])
        }
        return Signer(signer: signer, policy: policy)
    }

    /// A token that is good from now on for `life` seconds.
    func token(subject: String, scopes: [String] = [], life: Int = 86_400) throws -> String {
        let now = Int64(Date().timeIntervalSince1970) * 1000
        return try signer.sign(
            subject: subject, scopes: scopes, issuedAt: Timestamp(milliseconds: now),
            expiresAt: Timestamp(milliseconds: now + Int64(life) * 1000))
    }
}
