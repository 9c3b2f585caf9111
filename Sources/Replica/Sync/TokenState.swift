import Foundation
import Groundwork

/// The token of a connection, with its replacement and its rejection: a state machine without I/O.
///
/// The app is asked for a token in place of a rejected one. If the server rejects that one too, the app isn't asked
/// again until ``clearRejection()`` is called or ``renew(with:)`` accepts another token.
struct TokenState {
    /// A token that replaced a rejected one and that the server hasn't accepted yet.
    private struct Replacement {
        let token: String
        let given: Date

        /// Whether the token may have been valid when the app returned it and have expired since: a device can sleep
        /// for days between two steps.
        ///
        /// Because of this, the app is asked for another token at most once a minute.
        func mayHaveExpired(at now: Date) -> Bool { now.timeIntervalSince(given) >= 60 }
    }

    /// A token that the server rejected and that isn't replaced.
    private struct Rejected {
        let token: String?
        let error: SyncError
    }

    /// The token to send. Nil if the app has to be asked for one.
    private(set) var token: String?
    /// Whether the token is kept, because a sign-out is under way. The app may already return the next person's tokens.
    var isKept = false
    private var replacement: Replacement?
    private var rejected: Rejected?
    /// The reason for the last rejection of a token.
    private var refusal = TokenRefusal(.unspecified)

    /// The error of the rejected token. Nil if none is rejected permanently.
    var rejection: SyncError? { rejected?.error }

    /// The error of a kept token that the server rejects.
    var keptError: SyncError { .unauthorized(refusal) }

    /// Stores a token that the app has returned.
    mutating func store(_ new: String) { token = new }

    /// Forgets the rejection, so that the app is asked again.
    mutating func clearRejection() { (rejected, replacement) = (nil, nil) }

    /// Stores a token in place of the rejected one. A token that the server has rejected isn't sent again, unless it
    /// wasn't valid yet.
    ///
    /// - Returns: Whether the token is stored.
    mutating func renew(with new: String) -> Bool {
        guard new != rejected?.token || rejected?.error.tokenRefusal?.code == .notYetValid else { return false }
        (token, rejected, replacement) = (new, nil, nil)
        return true
    }

    /// Records that the server accepts a token.
    mutating func accepted(_ used: String) {
        if replacement?.token == used { replacement = nil }
    }

    /// Records that the server answers 401 to a request with a token.
    mutating func refused(_ used: String, _ reason: TokenRefusal) {
        refusal = reason
        // Another request may have obtained a new token while this one waited.
        if token == used { token = nil }
    }

    /// Records that the token is another person's, and forgets it.
    mutating func rejectOtherPerson() {
        rejected = Rejected(token: token, error: .otherPerson)
        token = nil
    }

    /// Records that a refused token isn't replaced.
    ///
    /// - Returns: The error for the caller.
    mutating func reject(_ used: String) -> SyncError {
        let error = SyncError.unauthorized(refusal)
        rejected = Rejected(token: used, error: error)
        return error
    }

    /// Decides whether the app is asked for a token in place of a refused one: not for a kept token, and not for a
    /// replacement, unless that may have expired since.
    ///
    /// - Throws: ``SyncError`` if it isn't asked.
    mutating func checkReplaceable(_ used: String, at now: Date) throws(SyncError) {
        guard !isKept else { throw keptError }
        if let replacement, replacement.token == used, !replacement.mayHaveExpired(at: now) { throw reject(used) }
    }

    /// Records the token that the app has returned in place of a refused one. The same token isn't a replacement.
    mutating func replaced(_ used: String, with new: String, at now: Date) {
        if new != used, replacement?.token != new { replacement = Replacement(token: new, given: now) }
    }
}
