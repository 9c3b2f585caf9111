import Foundation

/// Names and values in the form of a query or of a request's body (`application/x-www-form-urlencoded`).
enum FormData {
    static let type = "application/x-www-form-urlencoded"

    static func text(_ fields: [(String, String)]) -> String {
        fields.map { "\(escaped($0.0))=\(escaped($0.1))" }.joined(separator: "&")
    }

    /// Escapes all bytes but letters, digits and `-._~` (RFC 3986, section 2.3).
    static func escaped(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
    }

    /// Reads the fields of a query.
    ///
    /// - Returns: Nil if a name is repeated (RFC 6749, section 3.1), or if the query is malformed or has more than 32
    ///   fields.
    static func fields(_ query: String) -> [String: String]? {
        var fields: [String: String] = [:]
        let parts = query.split(separator: "&")
        guard parts.count <= 32 else { return nil }
        for part in parts {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = pair.count == 2 ? pair[1] : ""
            guard let name = unescaped(pair[0]), let text = unescaped(value), fields[name] == nil else { return nil }
            fields[name] = text
        }
        return fields
    }

    private static func unescaped(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }
}
