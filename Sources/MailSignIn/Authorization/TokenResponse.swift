import Foundation
import Groundwork

/// The tokens that a token endpoint answers with (RFC 6749, section 5.1).
struct TokenResponse: Hashable, Sendable {
    let accessToken: String
    /// Nil if the earlier one stays valid (RFC 6749, section 6), or if there is none.
    let refreshToken: String?
    /// Nil if the server doesn't state it.
    let expiresAt: Date?

    private static let maxToken = 65_536
    private static let maxLifetime = 10 * 366 * 86_400

    /// - Throws: ``SignInError``: `expired` if the code or the refresh token isn't valid any more, `refused`,
    ///   `serverError`, `invalidAnswer`.
    init(_ response: TransportResponse, host: String, now: Date) throws(SignInError) {
        let json = try? JSON(parsing: response.body, depthLimit: 32)
        switch response.status {
        case 200: break
        case 429, 500...: throw SignInError(.serverError, "\(host) answered with status \(response.status).")
        case 400..<500: throw SignInError.refused(json?["error"]?.stringValue, by: host)
        default: throw SignInError(.invalidAnswer, "\(host) answered with status \(response.status).")
        }
        guard let token = json?["access_token"]?.stringValue, Self.isToken(token),
            json?["token_type"]?.stringValue?.lowercased() == "bearer"
        else { throw SignInError(.invalidAnswer, "The tokens of \(host) can't be read.") }
        accessToken = token
        refreshToken = json?["refresh_token"]?.stringValue.flatMap { Self.isToken($0) ? $0 : nil }
        // Some servers send the number as a string.
        let lifetime = json?["expires_in"].flatMap { $0.intValue ?? $0.stringValue.flatMap(Int.init) }
        // In whole seconds, as it is stored.
        let start = now.timeIntervalSince1970.rounded(.down)
        expiresAt = lifetime.map { Date(timeIntervalSince1970: start + Double(min(max(0, $0), Self.maxLifetime))) }
    }

    /// Whether a text can be sent as a token: visible characters of ASCII (RFC 6750, section 2.1; RFC 6749, appendix
    /// A.12).
    static func isToken(_ text: String) -> Bool {
        (1...maxToken).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
