import Models
import Storage
import Testing

/// Which tokens an erasure makes count no more.
@Suite struct ErasureStandingTests {
    /// 2026-11-30T12:00:00.250Z.
    private let erasedAt: Int64 = 1_796_040_000_250

    private func standing(_ seconds: Int64?, isUnderWay: Bool = false) -> ErasureStanding {
        ErasureStanding(
            issuedAt: seconds.map { Timestamp(milliseconds: $0 * 1000) }, erasedAt: erasedAt, isUnderWay: isUnderWay)
    }

    @Test(
        "Tokens up to the second of the erasure are older, and one that does not say when it was issued; the next second is newer"
    )
    func boundary() {
        #expect(standing(1_796_039_999) == .tokenIsOlder)
        #expect(standing(1_796_040_000) == .tokenIsOlder)
        #expect(standing(nil) == .tokenIsOlder)
        #expect(standing(1_796_040_001) == .clear)
        // Some issuers write fractions.
        let (before, after) = (Timestamp(milliseconds: erasedAt), Timestamp(milliseconds: erasedAt + 1))
        #expect(ErasureStanding(issuedAt: before, erasedAt: erasedAt, isUnderWay: false) == .tokenIsOlder)
        #expect(ErasureStanding(issuedAt: after, erasedAt: erasedAt, isUnderWay: false) == .clear)
    }

    @Test("While it is under way newer tokens wait and older ones count no more; without an erasure all count")
    func underWay() {
        #expect(standing(1_796_040_001, isUnderWay: true) == .isUnderWay)
        #expect(standing(1_796_040_000, isUnderWay: true) == .tokenIsOlder)
        #expect(ErasureStanding(issuedAt: nil, erasedAt: 0, isUnderWay: false) == .clear)
    }
}
