// What it costs to verify a token, by algorithm: `./dev bench tokens`.

import Cryptography
import Glibc
import Models
import ServiceKit
import StrideTestSupport

/// The least CPU time of a call in several rounds: a busy neighbour only ever adds to it.
func microseconds(_ calls: Int, _ body: () -> Void) -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
    let rounds = (0..<15).map { _ in
        let start = now()
        for _ in 0..<calls { body() }
        return (now() - start) / Double(calls)
    }
    return rounds.min() ?? 0
}

/// The number to two places, with room for four before the point.
func column(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let text = "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)"
    return String(repeating: " ", count: max(0, 8 - text.count)) + text
}

let policy = TokenPolicy(issuer: "https://id.example", audience: "stride")
let now = Timestamp(milliseconds: 1_764_460_800_000)
let issuer = try TestIssuer(policy: policy, now: Int(now.milliseconds / 1000))
let secret = "0123456789abcdef0123456789abcdef"

let folder = try TestFolder()
try folder.write("secrets", "shared:" + secret)
try folder.write("jwks", try issuer.keySet())
let keys = try TokenKeys(files: [folder.path + "/secrets"], keySets: [folder.path + "/jwks"])

var tokens: [(name: String, token: [UInt8])] = []
if let key = TokenKey(id: "shared", secret: Secret(secret)), let signer = TokenSigner(key: key, policy: policy) {
    let token = try signer.sign(
        subject: "u1", issuedAt: now, expiresAt: Timestamp(milliseconds: now.milliseconds + 3_600_000))
    tokens.append(("HS256", Array(token.utf8)))
}
for algorithm in TestKeyPair.Algorithm.allCases {
    tokens.append((algorithm.rawValue, Array(try issuer.token(algorithm).utf8)))
}

print("algorithm   bytes   new token   known token   forged, with kid (µs of CPU each)")
for (name, token) in tokens {
    let (new, known) = (
        TokenVerifier(keys: keys, policy: policy, cacheCapacity: 0), TokenVerifier(keys: keys, policy: policy)
    )
    var forged = token
    forged[token.count / 2] ^= 1
    guard case .success = known.verify(token.span, now: now), case .failure = known.verify(forged.span, now: now) else {
        print("\(name) is not verified as it should be")
        continue
    }
    let costs = [
        microseconds(200) { _ = new.verify(token.span, now: now) },
        microseconds(20_000) { _ = known.verify(token.span, now: now) },
        microseconds(200) { _ = known.verify(forged.span, now: now) },
    ]
    print("\(name)\t    \(token.count)" + costs.map { "   " + column($0) }.joined())
}
