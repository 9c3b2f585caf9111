package import Foundation
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

/// The base64url encoding of JSON Web Tokens (RFC 7515 §2), without padding.
package enum Base64URL {
    /// Decodes base64url.
    ///
    /// - Returns: Nil if the text isn't the canonical encoding of any bytes.
    package static func decode(_ text: some StringProtocol) -> Data? {
        var bytes = Data(capacity: text.utf8.count + 3)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"): bytes.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): bytes.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: bytes.append(byte)
            }
        }
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (4 - bytes.count % 4) % 4))
        return Data(base64Encoded: bytes).flatMap { encode($0).utf8.elementsEqual(text.utf8) ? $0 : nil }
    }

    /// Encodes bytes.
    package static func encode(_ data: Data) -> String { data.withUnsafeBytes { encode($0) } }

    /// Encodes bytes in one pass: a page has a code for each of its links.
    package static func encode(_ bytes: UnsafeRawBufferPointer) -> String {
        let letters: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        return String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { text in
            var (bits, bitCount, length): (UInt32, UInt32, Int) = (0, 0, 0)
            func write(_ index: UInt32) {
                text[length] = letters.utf8Start[Int(index & 63)]
                length += 1
            }
            for byte in bytes {
                bits = bits << 8 | UInt32(byte)
                bitCount += 8
                while bitCount >= 6 {
                    bitCount -= 6
                    write(bits >> bitCount)
                }
            }
            if bitCount > 0 { write(bits << (6 - bitCount)) }
            return length
        }
    }
}
