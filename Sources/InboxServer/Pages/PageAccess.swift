import Foundation
import Hummingbird

/// Who looks at the page: the person whose token the browser's cookie holds.
///
/// The cookie is the token itself, so it opens what the token opens, no longer. Signing out ends the token, wherever else it may be. It goes to `/inbox` alone
/// and no script can read it. `SameSite=Lax`: a link in an e-mail finds the person signed in, a form on another site doesn't.
struct PageAccess: Sendable {
    let tokens: PersonAccess
    let baseURL: BaseURL
    /// Where besides on the page itself a form may sign people in: the app's own origins, such as `https://app.example.com`.
    let signInOrigins: Set<String>

    /// In bytes: browsers keep cookies of about 4,096, without a word where one is larger.
    static let longestToken = 3_800

    /// The person who is signed in; nil without a cookie.
    ///
    /// - Throws: ``TokenRejection``; what keeps the database from being read.
    func signedIn(_ request: Request) async throws -> SignedIn? {
        let isSecure = isSecure(request)
        guard let token = request.cookies[Self.cookieName(isSecure)]?.value else { return nil }
        return try await signedIn(with: token)
    }

    /// Whose token it is.
    ///
    /// - Throws: ``TokenRejection``; what keeps the database from being read.
    func signedIn(with token: String) async throws -> SignedIn {
        guard token.utf8.count <= Self.longestToken else { throw tokens.refused(.tooLong(limit: Self.longestToken)) }
        return try await tokens.signedIn(with: token)
    }

    /// The cookie for a token that holds; without one, what makes the browser forget it.
    func cookie(_ token: (text: String, expiresAt: Date)?, for request: Request, now: Date) -> Cookie {
        let isSecure = isSecure(request)
        return Cookie(
            name: Self.cookieName(isSecure),
            value: token?.text ?? "",
            expires: token?.expiresAt ?? Date(timeIntervalSince1970: 0),
            maxAge: token.map { max(0, Int($0.expiresAt.timeIntervalSince(now))) } ?? 0,
            path: root,
            secure: isSecure,
            httpOnly: true,
            sameSite: .lax
        )
    }

    /// The path of the page: after that of the server's own address, where a proxy gives it one.
    var root: String {
        let path = baseURL.configured?.path() ?? ""
        return (path.hasSuffix("/") ? String(path.dropLast()) : path) + "/inbox"
    }

    /// Makes sure that a form that changes something was on the page itself, or that no page has sent it.
    ///
    /// Browsers say where a request comes from, and no page can change that: in `Sec-Fetch-Site`, or over plain HTTP in `Origin` alone.
    ///
    /// - Parameter origins: Others that may.
    /// - Throws: ``Problem`` 403.
    func checkOrigin(of request: Request, orOneOf origins: Set<String> = []) throws {
        let origin = request.header("origin")
        if let origin, origins.contains(origin.lowercased()) { return }
        switch request.header("sec-fetch-site") {
        case "same-origin", "none": return
        case nil where origin == nil: return
        case nil where origin.map(isOwn(request)) ?? false: return
        default: throw Problem(.forbidden, "This form may be sent from the server's own page alone.")
        }
    }

    private func isOwn(_ request: Request) -> (String) -> Bool {
        let own = URL(string: baseURL.text(for: request))
        return { text in
            guard let origin = URL(string: text), let own else { return false }
            return (origin.scheme, origin.host()?.lowercased(), origin.port) == (
                own.scheme, own.host()?.lowercased(), own.port
            )
        }
    }

    /// Whether browsers reach the server over https, or on another machine, where nothing else will do. On one machine they may speak
    /// plain HTTP.
    private func isSecure(_ request: Request) -> Bool {
        guard let url = URL(string: baseURL.text(for: request)), url.scheme == "http", let host = url.host() else {
            return true
        }
        let name = host.lowercased()
        let isLoopback =
            name == "localhost" || name.hasSuffix(".localhost") || name == "::1" || name == "[::1]"
            || Self.isLoopbackAddress(name)
        return !isLoopback
    }

    /// Whether it is written as one of 127.0.0.0/8.
    private static func isLoopbackAddress(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isNumber = { (part: Substring.UTF8View) in
            (1...3).contains(part.count) && part.allSatisfy { (0x30...0x39).contains($0) }
        }
        return parts.count == 4 && name.hasPrefix("127.") && parts.allSatisfy(isNumber)
    }

    /// Whether the browser speaks plain HTTP with another machine, and so wouldn't keep the cookie.
    ///
    /// The browser's own word counts: what stands before the server may speak TLS.
    func isListenedTo(_ request: Request) -> Bool {
        guard let origin = request.header("origin")?.lowercased(), !signInOrigins.contains(origin) else { return false }
        return origin.hasPrefix("http://") && isSecure(request)
    }

    /// Browsers take a name with this prefix over https alone.
    private static func cookieName(_ isSecure: Bool) -> String { isSecure ? "__Secure-inbox" : "inbox" }
}
