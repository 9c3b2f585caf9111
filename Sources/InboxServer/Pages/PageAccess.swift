import Foundation
import Groundwork
import Hummingbird
import InboxService

/// The access check of the page: the person whose token the browser's cookie holds.
///
/// The cookie is the token itself: it grants the same access, for as long. Signing out ends the token, including copies
/// of it. No script can read the cookie, and only the page reads it. It is `SameSite=Lax`: a link in an e-mail opens
/// the page signed in, and a form on another site doesn't.
///
/// If anything indicates that the browser uses https, the cookie is `Secure`, and its name has a prefix that browsers
/// accept only over https (RFC 6265bis, section 4.1.3): `__Host-` if the server has the host to itself, so that no
/// other host of the domain can set the cookie, and `__Secure-` if the server's URL has a path. No header of a request
/// can remove this protection.
struct PageAccess: Sendable {
    let tokens: PersonAccess
    let baseURL: BaseURL
    /// The origins, such as `https://app.example.com`, whose forms may sign people in, in addition to the page itself:
    /// those of the app.
    let signInOrigins: Set<String>

    /// The maximum size of a token, in bytes. Browsers silently drop cookies larger than about 4,096 bytes.
    static let maxTokenSize = 3_800

    /// Returns the person who is signed in, or nil without a cookie.
    ///
    /// - Throws: ``TokenRejection``, or the error of reading the database.
    func signedIn(_ request: Request) async throws -> SignedIn? {
        // Not every request shows that its cookie was set over https. A cookie set over plain HTTP isn't trusted if the
        // request uses https.
        let names = isSecure(request) ? [secureName] : [secureName, Self.plainName]
        let cookies = request.cookies
        guard let token = names.lazy.compactMap({ cookies[$0]?.value }).first(where: { !$0.isEmpty }) else {
            return nil
        }
        return try await signedIn(with: token)
    }

    /// Verifies a token and returns it with its person.
    ///
    /// - Throws: ``TokenRejection``, or the error of reading the database.
    func signedIn(with token: String) async throws -> SignedIn {
        guard token.utf8.count <= Self.maxTokenSize else { throw tokens.logged(.tooLong(limit: Self.maxTokenSize)) }
        return try await tokens.signedIn(with: token[...])
    }

    /// Returns the cookie for a valid token.
    func cookie(_ token: String, until expiresAt: Date, for request: Request, now: Date) -> Cookie {
        let maxAge = max(0, Int(expiresAt.timeIntervalSince(now)))
        return cookie(isSecure: isSecure(request), token, expires: expiresAt, maxAge: maxAge)
    }

    /// Returns the cookies that sign the browser out: the one with the current name, and the other one if the browser
    /// has it.
    func signOutCookies(for request: Request) -> [Cookie] {
        let isSecure = isSecure(request)
        let cookies = request.cookies
        return [isSecure, !isSecure].filter { $0 == isSecure || cookies[name(isSecure: $0)] != nil }.map {
            cookie(isSecure: $0, "", expires: Date(timeIntervalSince1970: 0), maxAge: 0)
        }
    }

    private func cookie(isSecure: Bool, _ value: String, expires: Date, maxAge: Int) -> Cookie {
        Cookie(
            name: name(isSecure: isSecure),
            value: value,
            expires: expires,
            maxAge: maxAge,
            // `__Host-` requires the path `/`.
            path: isSecure && ownsHost ? "/" : root,
            secure: isSecure,
            httpOnly: true,
            sameSite: .lax
        )
    }

    /// The path of the page, below the path of the server's public URL.
    var root: String { Self.root(of: baseURL) }

    static func root(of baseURL: BaseURL) -> String {
        let path = baseURL.configured?.path() ?? ""
        return (path.hasSuffix("/") ? String(path.dropLast()) : path) + "/inbox"
    }

    /// Verifies that a form was sent from the page itself or from no page.
    ///
    /// Browsers report the origin of a request in `Sec-Fetch-Site`, or over plain HTTP only in `Origin`. Pages can't
    /// change either.
    ///
    /// - Parameter origins: Other origins that may send the form.
    /// - Throws: ``Problem`` 403 for any other origin.
    func checkOrigin(of request: Request, alsoAllowing origins: Set<String> = []) throws {
        let origin = request.header("origin")
        if let origin, origins.contains(origin.lowercased()) { return }
        switch request.header("sec-fetch-site") {
        case "same-origin", "none": return
        case nil where origin == nil: return
        case nil where origin.map(isOwn(request)) ?? false: return
        default: throw Problem(.forbidden, "This form can only be sent from the server's own page.")
        }
    }

    /// Returns whether another site sent the browser here, as far as the browser reports it. Any site may link to an
    /// address that it knows.
    ///
    /// The app's own origins (``signInOrigins``), which sign people in and redirect them, don't count as other sites.
    func isCrossSiteNavigation(_ request: Request) -> Bool {
        let referer = request.header("referer").flatMap { URL(string: $0) }
        if let referer, signInOrigins.contains(Self.origin(of: referer)) { return false }
        switch request.header("sec-fetch-site") {
        case "same-origin", "none": return false
        // Over plain HTTP, or from an old browser.
        case nil: return referer.map { !isOwn(request)($0.absoluteString) } ?? false
        default: return true
        }
    }

    /// Returns the origin of a URL as the `Origin` header has it.
    private static func origin(of url: URL) -> String {
        let port = url.port.map { ":\($0)" } ?? ""
        return "\(url.scheme ?? "")://\(url.host() ?? "")\(port)".lowercased()
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

    /// Returns whether the cookie must be `Secure`: if browsers reach the server over https, or on another machine.
    /// Plain HTTP is accepted only on the same machine.
    ///
    /// https is indicated by the server's own TLS, `--public-url`, the browser (`Origin`, `Referer`) or a proxy
    /// (`X-Forwarded-Proto`). Headers can only add protection: a client that forges them gets a cookie that its browser
    /// doesn't keep.
    private func isSecure(_ request: Request) -> Bool {
        guard let url = URL(string: baseURL.text(for: request)), url.scheme == "http", let host = url.host() else {
            return true
        }
        func isHTTPS(_ address: String?) -> Bool { address?.lowercased().hasPrefix("https://") ?? false }
        if isHTTPS(request.header("origin")) { return true }
        // The page of another site implies nothing about this server's URL.
        let site = request.header("sec-fetch-site")
        if site == nil || site == "same-origin", isHTTPS(request.header("referer")) { return true }
        // The first entry is set by the proxy next to the browser.
        if request.header("x-forwarded-proto")?.lowercased().hasPrefix("https") ?? false { return true }
        let name = host.lowercased()
        // Browsers resolve all names with this suffix to this machine (Secure Contexts, section 3.1).
        return !(Loopback.contains(host: name) || name.hasSuffix(".localhost"))
    }

    /// Returns whether the browser uses plain HTTP to another machine, so that it wouldn't keep the cookie.
    ///
    /// Only the browser's own `Origin` counts, since a proxy in front of the server may terminate TLS.
    func isInsecureTransport(_ request: Request) -> Bool {
        guard let origin = request.header("origin")?.lowercased(), !signInOrigins.contains(origin) else { return false }
        return origin.hasPrefix("http://") && isSecure(request)
    }

    /// Whether the server's public URL has no path. Then the server assumes that no other site shares its host.
    private var ownsHost: Bool { root == "/inbox" }

    private static let plainName = "inbox"

    private var secureName: String { (ownsHost ? "__Host-" : "__Secure-") + Self.plainName }

    private func name(isSecure: Bool) -> String { isSecure ? secureName : Self.plainName }
}
