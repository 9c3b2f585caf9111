import Foundation
import Groundwork

/// The parts of a JWT whose signature hasn't been verified yet (RFC 7515 §7.1).
struct SignedToken: Sendable {
    let header: JSONObject
    let claims: JSONObject
    /// The token's own `alg`. It never selects an algorithm and is only compared with the key's.
    let algorithm: String
    let keyID: String?
    /// The encoded header and claims that the signature covers.
    let signed: Data
    let signature: Data

    /// Parses a token.
    ///
    /// - Throws: ``TokenRejection/malformed(_:)`` if the text isn't three parts in base64url, the first two of them
    ///   JSON objects, or if the token requires an extension.
    init(_ token: String) throws(TokenRejection) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .malformed(.parts(parts.count)) }
        guard let header = Self.object(parts[0]) else { throw .malformed(.header) }
        guard let claims = Self.object(parts[1]) else { throw .malformed(.claims) }
        guard let signature = Base64URL.decode(parts[2]) else { throw .malformed(.signature) }
        guard let algorithm = header["alg"]?.stringValue else { throw .malformed(.algorithm) }
        keyID = header["kid"]?.stringValue
        guard header["kid"] == nil || keyID != nil else { throw .malformed(.keyID) }
        guard header["crit"] == nil else { throw .malformed(.extensions) }
        (self.header, self.claims) = (header, claims)
        (self.algorithm, self.signature) = (algorithm, signature)
        signed = Data("\(parts[0]).\(parts[1])".utf8)
    }

    /// Returns a claim that is a NumericDate (RFC 7519 §2), or nil if it is absent. Dates outside the years 1 to 9999
    /// are clamped, so that calculations with them don't overflow.
    ///
    /// - Throws: ``TokenRejection/invalidTime(_:)``.
    func date(_ claim: TokenRejection.TimeClaim) throws(TokenRejection) -> Date? {
        guard let value = claims[claim.rawValue] else { return nil }
        guard let date = Self.date(value) else { throw .invalidTime(claim) }
        return date
    }

    /// Returns the date of a NumericDate, or nil if the value isn't one.
    static func date(_ value: JSON?) -> Date? {
        guard case .number(let number) = value, let seconds = number.doubleValue else { return nil }
        return Date(timeIntervalSince1970: min(max(seconds, earliest), latest))
    }

    /// 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
    private static let (earliest, latest) = (-62_135_596_800.0, 253_402_300_799.0)

    private static func object(_ part: Substring) -> JSONObject? {
        Base64URL.decode(part).flatMap { try? JSON(parsing: Array($0)) }?.objectValue
    }
}
