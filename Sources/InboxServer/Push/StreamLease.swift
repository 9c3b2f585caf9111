import Foundation

/// For how long an event stream may go on: as long as a request with its token would be answered.
struct StreamLease: Sendable {
    /// The token with which it was opened.
    let token: TokenID
    /// When the token is refused at the latest.
    let until: Date
    /// Looks at the token again. Gives the new ``until``; nil where it is refused.
    let renew: @Sendable () async throws -> Date?

    /// One that nothing ends: for streams that no token opened.
    static let unlimited = StreamLease(token: .none, until: .distantFuture) { .distantFuture }
}
