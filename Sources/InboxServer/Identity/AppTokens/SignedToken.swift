import Foundation
import Groundwork

/// A JWT taken apart, its signature not yet looked at (RFC 7515 §7.1).
struct SignedToken {
    let algorithm: String
    let keyID: String?
    let claims: JSONObject
    /// The header and the claims as they were signed.
    let signed: Data
    let signature: Data

    /// - Returns: Nil for what isn't three parts of base 64, the first two of them JSON objects, or demands an extension.
    init?(_ token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64URL.decode(parts[2]), let algorithm = header["alg"]?.stringValue,
            header["crit"] == nil
        else { return nil }
        keyID = header["kid"]?.stringValue
        guard header["kid"] == nil || keyID != nil else { return nil }
        self.algorithm = algorithm
        self.claims = claims
        self.signature = signature
        signed = Data("\(parts[0]).\(parts[1])".utf8)
    }

    /// A claim that is a NumericDate (RFC 7519 §2).
    func date(_ name: String) -> Date? {
        guard case .number(let seconds) = claims[name] else { return nil }
        return seconds.doubleValue.map { Date(timeIntervalSince1970: $0) }
    }

    private static func object(_ part: Substring) -> JSONObject? {
        Base64URL.decode(part).flatMap { try? JSON(parsing: Array($0)) }?.objectValue
    }
}
