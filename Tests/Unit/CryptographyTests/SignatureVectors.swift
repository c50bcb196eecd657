import Cryptography
import Testing

/// Keys, signed texts and signatures that standards print, in base 64 for URLs.
struct SignatureVector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let key: @Sendable () throws -> PublicKey
    let text: [UInt8]
    let signature: [UInt8]

    static let all = [
        SignatureVector(
            testDescription: "RFC 7515 appendix A.2, RSA",
            key: { try PublicKey(modulus: bytes(modulus), exponent: bytes("AQAB")) },
            text: Array("eyJhbGciOiJSUzI1NiJ9.\(claims)".utf8),
            signature: bytes(
                "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdb"
                    + "F9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN"
                    + "9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5A"
                    + "XLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw")),
        SignatureVector(
            testDescription: "RFC 7515 appendix A.3, P-256",
            key: {
                try PublicKey(
                    x: bytes("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"),
                    y: bytes("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"))
            },
            text: Array("eyJhbGciOiJFUzI1NiJ9.\(claims)".utf8),
            signature: bytes(
                "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")),
        SignatureVector(
            testDescription: "RFC 8037 appendix A.4, Ed25519",
            key: { try PublicKey(ed25519: bytes("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")) },
            text: Array("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".utf8),
            signature: bytes(
                "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg")),
    ]

    /// The RSA key of RFC 7515 appendix A.2.1, 2048 bits.
    static let modulus =
        "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pC"
        + "gNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg6"
        + "65xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRW"
        + "yuXpoQ"

    private static let claims =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    static func bytes(_ text: String) -> [UInt8] { Base64URL.decode(Array(text.utf8)) ?? [] }
}
