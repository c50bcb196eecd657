package import Redis
package import TLS

extension Settings {
    /// The certificate of the public listener; nil when none is named: then it speaks plain HTTP.
    ///
    /// A part of it without the rest is a fault, so that TLS is never off by a slip.
    package mutating func listenerTLS() -> TLSServerFiles? {
        let identity = identity("STRIDE_TLS_CERTIFICATE_FILE", "STRIDE_TLS_KEY_FILE")
        let authority = optionalText("STRIDE_TLS_CLIENT_CA_FILE")
        let isLimited = optionalText("STRIDE_TLS_MIN_VERSION") != nil
        let minimum = choice("STRIDE_TLS_MIN_VERSION", default: TLSVersion.v12)
        guard let identity else {
            if authority != nil { refuse("STRIDE_TLS_CLIENT_CA_FILE needs STRIDE_TLS_CERTIFICATE_FILE") }
            if isLimited { refuse("STRIDE_TLS_MIN_VERSION needs STRIDE_TLS_CERTIFICATE_FILE") }
            return nil
        }
        return TLSServerFiles(identity: identity, clientAuthority: authority, minimum: minimum)
    }

    /// Redis with what a protected connection, and its sentinels, need.
    ///
    /// The files are read here for the first time, so that a service does not start with one that is wrong.
    package mutating func redis(url: String) throws -> RedisConfiguration {
        var redis = try RedisConfiguration(url: url)
        let password = text("STRIDE_REDIS_SENTINEL_PASSWORD", default: "")
        if !password.isEmpty { redis.sentinelPassword = RedisPassword(password) }
        let identity = identity("STRIDE_REDIS_CERTIFICATE_FILE", "STRIDE_REDIS_KEY_FILE")
        let authority = optionalText("STRIDE_REDIS_CA_FILE")
        guard redis.tls != nil else {
            if authority != nil || identity != nil {
                refuse("STRIDE_REDIS_CA_FILE and STRIDE_REDIS_CERTIFICATE_FILE need a rediss:// address")
            }
            try finish()
            return redis
        }
        let files = TLSClientFiles(authority: authority, identity: identity)
        redis.tls = files
        do throws(TLSError) {
            _ = try TLSContext(client: files)
        } catch {
            refuse("TLS to Redis: \(error)")
        }
        try finish()
        return redis
    }

    private mutating func identity(_ certificateKey: String, _ keyKey: String) -> TLSIdentityFiles? {
        switch (optionalText(certificateKey), optionalText(keyKey)) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return TLSIdentityFiles(certificate: certificate, key: key)
        case (_?, nil), (nil, _?):
            refuse("\(certificateKey) and \(keyKey) go together")
            return nil
        }
    }
}
