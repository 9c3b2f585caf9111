import Foundation

/// The form of a token in the header field `Authorization` (RFC 9110, section 11.6.2).
package enum AuthorizationScheme: Hashable, Sendable {
    /// The token itself (RFC 6750).
    case bearer
    /// A name and a password with a colon between them, in Base64 (RFC 7617).
    case basic

    func header(_ token: String) -> String {
        switch self {
        case .bearer: "Bearer \(token)"
        case .basic: "Basic \(Data(token.utf8).base64EncodedString())"
        }
    }
}
