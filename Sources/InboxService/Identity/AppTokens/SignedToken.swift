package import Foundation
import Groundwork

/// A JWT taken apart, its signature not yet looked at (RFC 7515 §7.1).
struct SignedToken: Sendable {
    let header: JSONObject
    let claims: JSONObject
    /// What it says of its own algorithm, which counts for nothing but a comparison.
    let algorithm: String
    let keyID: String?
    /// The header and the claims as they were signed.
    let signed: Data
    let signature: Data

    /// - Throws: ``TokenRejection/malformed(_:)`` for what isn't three parts of base 64, the first two of them JSON
    ///   objects, or demands an extension.
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

    /// A claim that is a NumericDate (RFC 7519 §2), nil where it is absent. Dates past the years 1 to 9999 are the
    /// nearest of them, so that no calculation with one overflows.
    ///
    /// - Throws: ``TokenRejection/invalidTime(_:)``.
    func date(_ claim: TokenRejection.TimeClaim) throws(TokenRejection) -> Date? {
        guard let value = claims[claim.rawValue] else { return nil }
        guard let date = Self.date(value) else { throw .invalidTime(claim) }
        return date
    }

    /// The date that a NumericDate is; nil for what is none.
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

/// Base 64 as JSON Web Tokens use it (RFC 7515 §2): its own two characters, and no padding.
package enum Base64URL {
    /// - Returns: Nil for text that an encoder wouldn't have written.
    package static func decode(_ text: some StringProtocol) -> Data? {
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "=") })
        else { return nil }
        let plain = String(text).replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: plain + padding).flatMap { encode($0) == String(text) ? $0 : nil }
    }

    package static func encode(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
