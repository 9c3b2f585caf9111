package import Foundation

/// Why a person's token is refused.
///
/// Claims are read only after the signature was found right: a refusal that speaks of one comes from whoever has the
/// key.
package enum TokenRejection: Error, Hashable, Sendable {
    /// It can't be read as a signed JSON Web Token (RFC 7515 §7.1).
    case malformed(Flaw)
    /// It is longer than a cookie may be, in bytes.
    case tooLong(limit: Int)
    /// Its `kid` names no key that the server has.
    case unknownKey(String)
    /// It has no `kid`, and the server has this many keys of the app's backend.
    case noKeyNamed(keys: Int)
    /// Its `alg` isn't that of the key.
    case wrongAlgorithm(String, expected: String)
    /// The key hasn't made its signature, or header or claims were changed afterwards.
    case badSignature
    /// Its `iss` isn't what the server expects.
    case wrongIssuer
    /// What the server expects isn't among its `aud`.
    case wrongAudience
    /// It has no `sub`.
    case noPerson
    /// Its `sub` can't be a person's id.
    case invalidPerson
    /// It has no `exp`.
    case noExpiry
    /// A claim that has to be a number of seconds since 1970 isn't.
    case invalidTime(TimeClaim)
    /// Its `exp` is past.
    case expired(Date)
    /// Its `nbf` or `iat` is still to come.
    case notYetValid(TimeClaim, Date)
    /// It was issued before the person was erased.
    case issuedBeforeErasure
    /// It was signed out, or issued before all of the person's tokens were ended.
    case ended
    /// The person was erased once, or the person's tokens were ended, and it has no `iat`: it may have been issued
    /// before.
    case noIssueTime
    /// The person was erased while the request was being answered.
    case erased

    /// What keeps a text from being a token.
    package enum Flaw: Hashable, Sendable {
        /// There aren't three parts, but so many.
        case parts(Int)
        case header
        case claims
        case signature
        /// The header has no `alg`, or one that isn't text.
        case algorithm
        /// The header's `kid` isn't text.
        case keyID
        /// The header has `crit` (RFC 7515 §4.1.11): the server knows no extension.
        case extensions
    }

    /// The claims that are times (RFC 7519 §4.1).
    package enum TimeClaim: String, Hashable, Sendable {
        case expiry = "exp"
        case notBefore = "nbf"
        case issuedAt = "iat"
    }

    /// The name under which the log, the problem document and `inbox token inspect` speak of it.
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
        case ended
        case noIssueTime = "no-issue-time"
        case erased

        /// Whether the client receives the reason.
        ///
        /// Only problems of the claims themselves, under a valid signature: this reveals no more than the token does.
        /// The expected keys, issuer and audience, and the erased people, are in the log alone.
        package var isReturned: Bool {
            switch self {
            case .noPerson, .invalidPerson, .noExpiry, .invalidTime, .expired, .notYetValid: true
            case .malformed, .tooLong, .unknownKey, .noKeyNamed, .wrongAlgorithm, .badSignature, .wrongIssuer,
                .wrongAudience, .issuedBeforeErasure, .ended, .noIssueTime, .erased:
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
        case .ended: .ended
        case .noIssueTime: .noIssueTime
        case .erased: .erased
        }
    }
}
