package import Foundation

/// The reason why a person's token is rejected.
///
/// Claims are read only after the signature was verified. A rejection that concerns a claim therefore comes from a
/// token whose issuer has the key.
package enum TokenRejection: Error, Hashable, Sendable {
    /// The token isn't a signed JSON Web Token (RFC 7515 §7.1).
    case malformed(FormatProblem)
    /// The token is longer than a cookie may be, in bytes.
    case tooLong(limit: Int)
    /// The server has no key with the token's `kid`.
    case unknownKey(String)
    /// The token has no `kid`, and the server has this number of keys of the app's backend.
    case noKeyNamed(keys: Int)
    /// The token's `alg` isn't the key's algorithm.
    case wrongAlgorithm(String, expected: String)
    /// The signature isn't the key's, or the header or the claims were changed afterwards.
    case badSignature
    /// The token's `iss` isn't the expected one.
    case wrongIssuer
    /// The token's `aud` doesn't contain the expected value.
    case wrongAudience
    /// The token has no `sub`.
    case noPerson
    /// The token's `sub` isn't a valid id of a person.
    case invalidPerson
    /// The token has no `exp`.
    case noExpiry
    /// A claim that must be a number of seconds since 1970 isn't one.
    case invalidTime(TimeClaim)
    /// The token's `exp` is in the past.
    case expired(Date)
    /// The token's `nbf` or `iat` is in the future.
    case notYetValid(TimeClaim, Date)
    /// The token was issued before the person was erased.
    case issuedBeforeErasure
    /// The token was signed out, or it was issued before all of the person's tokens were revoked.
    case revoked
    /// The token has no `iat`, and the person was erased or the person's tokens were revoked. It may have been issued
    /// before.
    case noIssueTime
    /// The person was erased while the request was being processed.
    case erased

    /// The reason why a text isn't a token.
    package enum FormatProblem: Hashable, Sendable {
        /// The text has this number of parts instead of three.
        case parts(Int)
        case header
        case claims
        case signature
        /// The header has no `alg`, or one that isn't text.
        case algorithm
        /// The header's `kid` isn't text.
        case keyID
        /// The header has `crit` (RFC 7515 §4.1.11), and the server supports no extensions.
        case extensions
    }

    /// The claims that are times (RFC 7519 §4.1).
    package enum TimeClaim: String, Hashable, Sendable {
        case expiry = "exp"
        case notBefore = "nbf"
        case issuedAt = "iat"
    }

    /// The name of the reason in the log, in the problem document and in `inbox token inspect`.
    package enum Reason: String, CaseIterable, Sendable {
        case malformed = "not-a-jwt"
        case tooLong = "too-long"
        case unknownKey = "unknown-key"
        case noKeyNamed = "no-key-named"
        case wrongAlgorithm = "wrong-algorithm"
        case badSignature = "bad-signature"
        case wrongIssuer = "wrong-issuer"
        case wrongAudience = "wrong-audience"
        case noPerson = "no-person"
        case invalidPerson = "invalid-person"
        case noExpiry = "no-expiry"
        case invalidTime = "invalid-time"
        case expired
        case notYetValid = "not-yet-valid"
        case issuedBeforeErasure = "issued-before-erasure"
        case revoked = "ended"
        case noIssueTime = "no-issue-time"
        case erased

        /// Whether the client receives the reason.
        ///
        /// Only problems with the claims themselves, under a valid signature, are returned: they reveal no more than
        /// the token does. The expected keys, issuer and audience, and erasures of people, appear only in the log.
        package var isReturned: Bool {
            switch self {
            case .noPerson, .invalidPerson, .noExpiry, .invalidTime, .expired, .notYetValid: true
            case .malformed, .tooLong, .unknownKey, .noKeyNamed, .wrongAlgorithm, .badSignature, .wrongIssuer,
                .wrongAudience, .issuedBeforeErasure, .revoked, .noIssueTime, .erased:
                false
            }
        }
    }

    package var reason: Reason {
        switch self {
        case .malformed: .malformed
        case .tooLong: .tooLong
        case .unknownKey: .unknownKey
        case .noKeyNamed: .noKeyNamed
        case .wrongAlgorithm: .wrongAlgorithm
        case .badSignature: .badSignature
        case .wrongIssuer: .wrongIssuer
        case .wrongAudience: .wrongAudience
        case .noPerson: .noPerson
        case .invalidPerson: .invalidPerson
        case .noExpiry: .noExpiry
        case .invalidTime: .invalidTime
        case .expired: .expired
        case .notYetValid: .notYetValid
        case .issuedBeforeErasure: .issuedBeforeErasure
        case .revoked: .revoked
        case .noIssueTime: .noIssueTime
        case .erased: .erased
        }
    }
}
