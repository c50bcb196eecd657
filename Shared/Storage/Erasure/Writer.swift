package import Models

/// Who writes: a user, and when the token was issued that says so.
package struct Writer: Hashable, Sendable {
    /// The user.
    package let user: UserID
    /// The token's `iat`; nil when it does not say, and then it counts as older than any erasure.
    package let issuedAt: Timestamp?

    /// Joins the two.
    package init(_ user: UserID, issuedAt: Timestamp?) {
        self.user = user
        self.issuedAt = issuedAt
    }
}

/// How a token stands to the erasures of its user.
package enum ErasureStanding: Hashable, Sendable {
    /// It may read and write.
    case clear
    /// It was issued before the user's data was erased: it counts for nothing any more.
    case tokenIsOlder
    /// It is newer, but what was there before is still being erased: it may come again later.
    ///
    /// So rows of before and after never stand beside each other, and no statement has to tell them apart.
    case isUnderWay

    /// Judges a token.
    ///
    /// `iat` has whole seconds: a token of the same second as the erasure, before or after it, counts as older. Whoever has
    /// had the answer to an erasure gets a later one, because the answer waits for the next second.
    package init(issuedAt: Timestamp?, erasedAt: Int64, isUnderWay: Bool) {
        if erasedAt == 0 {
            self = .clear
        } else if (issuedAt?.milliseconds ?? .min) <= erasedAt {
            self = .tokenIsOlder
        } else {
            self = isUnderWay ? .isUnderWay : .clear
        }
    }
}

/// What became of a write that an erasure may refuse.
package enum Written<Value: Sendable>: Sendable {
    /// It is committed.
    case done(Value)
    /// Nothing was written.
    case refused(ErasureStanding)
}
