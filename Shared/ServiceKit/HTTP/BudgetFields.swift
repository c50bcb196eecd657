internal import EventLoops
package import HTTP
package import Storage

extension HTTPResponse {
    /// Tells a client what is left of its budget (draft-ietf-httpapi-ratelimit-headers-11): `q` units in `w` seconds as
    /// the policy, `r` units now and `t` seconds until the whole quota is there, or until one more unit when none is left.
    package mutating func setBudget(_ budget: RateBudget, _ decision: RateBudget.Decision, policy: String) {
        let window = max(1, budget.burst * budget.interval / 1_000_000)
        let next = decision.remaining > 0 ? decision.reset : decision.wait
        let reset = (next.wholeMilliseconds + 999) / 1000
        set("RateLimit-Policy", Self.item(policy, "\";q=", budget.burst, ";w=", window))
        set("RateLimit", Self.item(policy, "\";r=", Int64(decision.remaining), ";t=", reset))
    }

    /// A quoted name with two numbers behind it.
    ///
    /// Put together from its pieces, since every answer to a write has two of them and interpolation costs several times as much.
    private static func item(
        _ name: String, _ first: String, _ one: Int64, _ second: String, _ other: Int64
    ) -> String {
        var text = "\""
        text.reserveCapacity(48)
        text += name
        text += first
        text += String(one)
        text += second
        text += String(other)
        return text
    }
}
