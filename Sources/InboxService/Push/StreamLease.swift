package import Foundation

/// For how long an event stream may go on: as long as a request with its token would be answered.
package struct StreamLease: Sendable {
    /// The token with which it was opened.
    package let token: TokenID
    /// When the token is refused at the latest.
    package let until: Date
    /// Looks at the token again. Gives the new ``until``; nil where it is refused.
    package let renew: @Sendable () async throws -> Date?

    package init(token: TokenID, until: Date, renew: @escaping @Sendable () async throws -> Date?) {
        self.token = token
        self.until = until
        self.renew = renew
    }

    /// One that nothing ends: for streams that no token opened.
    static let unlimited = StreamLease(token: .none, until: .distantFuture) { .distantFuture }
}
