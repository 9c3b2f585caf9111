import Foundation
import Groundwork

extension TokenRejection: CustomStringConvertible {
    /// The reason as a sentence. Of the token it contains at most signed times and the plain name of a key or an
    /// algorithm, never a person's id.
    ///
    /// It has no double quote and no backslash, so that it can be part of a header (RFC 6750 §3).
    package var description: String {
        switch self {
        case .malformed(let flaw): "The token isn't a signed JSON Web Token: \(flaw)."
        case .tooLong(let limit): "The token is longer than \(limit) bytes, which a cookie can't hold."
        case .unknownKey(let id): "The server has no key of the token's kid, \(Self.plain(id))."
        case .noKeyNamed(let keys):
            "The token's header has no kid, and the server has \(keys == 0 ? "no key" : "\(keys) keys") of the app's backend."
        case .wrongAlgorithm(let name, let expected):
            "The token's alg is \(Self.plain(name)), and the key is for \(expected)."
        case .badSignature: "The token's signature isn't the key's."
        case .wrongIssuer: "The token's iss isn't the one that the server expects."
        case .wrongAudience: "The token's aud doesn't have what the server expects."
        case .noPerson: "The token has no sub, the person's id."
        case .invalidPerson: "The token's sub can't be a person's id: it \(PersonName.rule)."
        case .noExpiry: "The token has no exp, the time of its end."
        case .invalidTime(let claim): "The token's \(claim.rawValue) isn't a number of seconds since 1970."
        case .expired(let date): "The token expired at \(RFC3339.string(from: date))."
        case .notYetValid(let claim, let date):
            "The token holds from \(RFC3339.string(from: date)) on, as its \(claim.rawValue) says."
        case .issuedBeforeErasure: "The token was issued before the person was erased."
        case .revoked: "The token was signed out, or issued before all of its person's tokens were ended."
        case .noIssueTime:
            "The token has no iat, and its person was erased once, or the person's tokens were ended: it may be older than that."
        case .erased: "The person was erased meanwhile."
        }
    }

    /// How to fix the problem, for developers whose backend issues tokens.
    package var advice: String {
        switch self {
        case .malformed(.parts):
            "Send the token alone, as it was made: header.claims.signature. An API key is no person's token."
        case .malformed(.algorithm): "Name the algorithm in the header: RS256, PS256, ES256, ES384, EdDSA or HS256."
        case .malformed(.keyID): "Write kid as a text."
        case .malformed(.extensions): "Leave crit out of the header."
        case .malformed: "Encode each part as base64url without padding; header and claims are JSON objects."
        case .tooLong: "Leave out claims that the server doesn't need: sub, exp and iat are enough."
        case .unknownKey:
            "Sign with a key that the server has, or give the server this one with --jwt-key or --jwt-secret. The kid of a PEM file or a secret is its name without the ending."
        case .noKeyNamed(keys: 0):
            "Give the server the backend's public key with --jwt-key, or the secret of HS256 with --jwt-secret."
        case .noKeyNamed: "Put the kid of the key into the header, or give the server one key alone."
        case .wrongAlgorithm(_, let expected): "Sign with \(expected), or with a key for the other algorithm."
        case .badSignature:
            "Sign with the private key that belongs to the server's public one. ES256 and ES384 need the bytes of r and s (64 and 96), not DER."
        case .wrongIssuer: "Set iss to what the server was given with --jwt-issuer."
        case .wrongAudience: "Set aud to what the server was given with --jwt-audience."
        case .noPerson: "Put the person's id into sub, as a text."
        case .invalidPerson: "Put the id into sub under which messages are sent to the person."
        case .noExpiry: "Put the time of its end into exp, in whole seconds since 1970."
        case .invalidTime: "Write times as numbers of seconds since 1970, without quotes."
        case .expired: "Make a new token. Where it is new, see to the clocks of both machines."
        case .notYetValid: "See to the clock of the machine that makes tokens: it may be a minute ahead at most."
        case .issuedBeforeErasure, .revoked:
            "Make a new token, if the person is to come back; one that your backend signs counts from a minute later on."
        case .noIssueTime: "Put the time at which the token is made into iat."
        case .erased: "Make a new token, if the person is to come back."
        }
    }

    /// Returns a name from an unsigned header only if its characters are plain, so that it can't forge a log line.
    private static func plain(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: ":"):
                true
            default: false
            }
        }
        return isPlain && (1...64).contains(name.utf8.count) ? name : "of \(name.utf8.count) bytes"
    }
}

extension TokenRejection.Flaw: CustomStringConvertible {
    package var description: String {
        switch self {
        case .parts(let count): "it has \(count) \(count == 1 ? "part" : "parts"), not three with points between"
        case .header: "its header isn't base64url of a JSON object"
        case .claims: "its claims aren't base64url of a JSON object"
        case .signature: "its signature isn't base64url"
        case .algorithm: "its header has no alg"
        case .keyID: "its kid isn't text"
        case .extensions: "its header has crit, and the server knows no extensions"
        }
    }
}
