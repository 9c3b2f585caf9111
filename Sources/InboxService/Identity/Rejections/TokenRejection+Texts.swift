import Foundation
import Groundwork

extension TokenRejection: CustomStringConvertible {
    /// The reason as a sentence. It contains no part of the token except signed times and the plain name of a key or an
    /// algorithm, and never a person's id.
    ///
    /// It has no double quote and no backslash, so that it can be part of a header (RFC 6750 §3).
    package var description: String {
        switch self {
        case .malformed(let problem): "The token isn't a signed JSON Web Token: \(problem)."
        case .tooLong(let limit): "The token is longer than \(limit) bytes, which is too long for a cookie."
        case .unknownKey(let id): "The server has no key with the token's kid, \(Self.plain(id))."
        case .noKeyNamed(let keys):
            """
            The token's header has no kid, and the server has \(keys == 0 ? "no key" : "\(keys) keys") of the app's \
            backend.
            """
        case .wrongAlgorithm(let name, let expected):
            "The token's alg is \(Self.plain(name)), but the key is for \(expected)."
        case .badSignature: "The token's signature doesn't match the key."
        case .wrongIssuer: "The token's iss isn't the expected one."
        case .wrongAudience: "The token's aud doesn't contain the expected value."
        case .noPerson: "The token has no sub, the person's id."
        case .invalidPerson: "The token's sub isn't a valid person id: it \(PersonName.rule)."
        case .noExpiry: "The token has no exp, its expiry."
        case .invalidTime(let claim): "The token's \(claim.rawValue) isn't a number of seconds since 1970."
        case .expired(let date): "The token expired at \(RFC3339.string(from: date))."
        case .notYetValid(let claim, let date):
            "The token isn't valid before \(RFC3339.string(from: date)), according to its \(claim.rawValue)."
        case .issuedBeforeErasure: "The token was issued before the person was erased."
        case .revoked: "The token was signed out, or issued before all of the person's tokens were revoked."
        case .noIssueTime:
            """
            The token has no iat, and the person was erased or the person's tokens were revoked: the token may be \
            older than that.
            """
        case .erased: "The person was erased during the request."
        }
    }

    /// The fix of the problem, for developers whose backend issues tokens.
    package var advice: String {
        switch self {
        case .malformed(.parts):
            "Send only the token, unchanged: header.claims.signature. An API key isn't a person's token."
        case .malformed(.algorithm): "Set alg in the header: RS256, PS256, ES256, ES384, EdDSA or HS256."
        case .malformed(.keyID): "Set kid to a string."
        case .malformed(.extensions): "Remove crit from the header."
        case .malformed: "Encode each part as base64url without padding; header and claims are JSON objects."
        case .tooLong: "Remove claims that the server doesn't need: sub, exp and iat are enough."
        case .unknownKey:
            """
            Sign with a key that the server has, or pass this one to the server with --jwt-key or --jwt-secret. The \
            kid of a PEM file or a secret is the file's name without its extension.
            """
        case .noKeyNamed(keys: 0):
            "Pass the backend's public key to the server with --jwt-key, or the HS256 secret with --jwt-secret."
        case .noKeyNamed: "Set kid in the header to the key's id, or give the server only one key."
        case .wrongAlgorithm(_, let expected): "Sign with \(expected), or with a key for the other algorithm."
        case .badSignature:
            """
            Sign with the private key of the server's public key. ES256 and ES384 signatures are the bytes of r and s \
            (64 and 96), not DER.
            """
        case .wrongIssuer: "Set iss to the server's --jwt-issuer."
        case .wrongAudience: "Set aud to the server's --jwt-audience."
        case .noPerson: "Set sub to the person's id, as a string."
        case .invalidPerson: "Set sub to the id under which messages are sent to the person."
        case .noExpiry: "Set exp to the expiry, in whole seconds since 1970."
        case .invalidTime: "Write times as numbers of seconds since 1970, without quotes."
        case .expired: "Issue a new token. If this one is new, check the clocks of both machines."
        case .notYetValid: "Check the clock of the machine that issues tokens: it may be at most a minute ahead."
        case .issuedBeforeErasure, .revoked:
            """
            Issue a new token if the person returns. A token that your backend signs is accepted from a minute later \
            on.
            """
        case .noIssueTime: "Set iat to the time at which the token is issued."
        case .erased: "Issue a new token if the person returns."
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
        return isPlain && (1...64).contains(name.utf8.count) ? name : "a name of \(name.utf8.count) bytes"
    }
}

extension TokenRejection.FormatProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .parts(let count): "it has \(count) \(count == 1 ? "part" : "parts"), not three separated by dots"
        case .header: "its header isn't a base64url-encoded JSON object"
        case .claims: "its claims aren't a base64url-encoded JSON object"
        case .signature: "its signature isn't base64url"
        case .algorithm: "its header has no alg"
        case .keyID: "its kid isn't a string"
        case .extensions: "its header has crit, but the server supports no extensions"
        }
    }
}
