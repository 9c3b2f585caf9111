import Foundation
import Groundwork
import Hummingbird
import InboxService

/// Who looks at the page: the person whose token the browser's cookie holds.
///
/// The cookie is the token itself, so it opens what the token opens, no longer. Signing out ends the token, wherever
/// else it may be. No script can read it, and nothing but the page looks at it. `SameSite=Lax`: a link in an e-mail
/// finds the person signed in, a form on another site doesn't.
///
/// Wherever anything says that the browser speaks https, the cookie is `Secure`, and its name has a prefix that
/// browsers take over https alone (RFC 6265bis §4.1.3): `__Host-` where the server has the host for itself, so that no
/// other host of the domain can set it, `__Secure-` where its address has a path. Nothing in a request makes it less.
struct PageAccess: Sendable {
    let tokens: PersonAccess
    let baseURL: BaseURL
    /// Where besides on the page itself a form may sign people in: the app's own origins, such as
    /// `https://app.example.com`.
    let signInOrigins: Set<String>

    /// In bytes: browsers keep cookies of about 4,096, without a word where one is larger.
    static let longestToken = 3_800

    /// The person who is signed in; nil without a cookie.
    ///
    /// - Throws: ``TokenRejection``; what keeps the database from being read.
    func signedIn(_ request: Request) async throws -> SignedIn? {
        // Of what a browser has set over https, not all requests say so; what it hasn't is worth nothing where it
        // speaks https.
        let names = isSecure(request) ? [secureName] : [secureName, Self.plainName]
        let cookies = request.cookies
        guard let token = names.lazy.compactMap({ cookies[$0]?.value }).first(where: { !$0.isEmpty }) else {
            return nil
        }
        return try await signedIn(with: token)
    }

    /// Whose token it is.
    ///
    /// - Throws: ``TokenRejection``; what keeps the database from being read.
    func signedIn(with token: String) async throws -> SignedIn {
        guard token.utf8.count <= Self.longestToken else { throw tokens.refused(.tooLong(limit: Self.longestToken)) }
        return try await tokens.signedIn(with: token)
    }

    /// The cookie for a token that holds.
    func cookie(_ token: String, until expiresAt: Date, for request: Request, now: Date) -> Cookie {
        let maxAge = max(0, Int(expiresAt.timeIntervalSince(now)))
        return cookie(isSecure: isSecure(request), token, expires: expiresAt, maxAge: maxAge)
    }

    /// What makes the browser forget the cookie: the one that it would be given now, and the other, where it has that.
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
            // `__Host-` needs it.
            path: isSecure && hasHostForItself ? "/" : root,
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
    /// Browsers say where a request comes from, and no page can change that: in `Sec-Fetch-Site`, or over plain HTTP in
    /// `Origin` alone.
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

    /// Whether another site has led the browser here, as far as the browser says so: any site may have a link to an
    /// address that it knows.
    ///
    /// The app's own origins (``signInOrigins``), which sign people in and lead them on, are no other sites.
    func isLedFromElsewhere(_ request: Request) -> Bool {
        let referer = request.header("referer").flatMap { URL(string: $0) }
        if let referer, signInOrigins.contains(Self.origin(of: referer)) { return false }
        switch request.header("sec-fetch-site") {
        case "same-origin", "none": return false
        // Over plain HTTP, or long ago.
        case nil: return referer.map { !isOwn(request)($0.absoluteString) } ?? false
        default: return true
        }
    }

    /// As the header `Origin` has it.
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

    /// Whether browsers reach the server over https, or on another machine, where nothing else will do. On one machine
    /// they may speak plain HTTP.
    ///
    /// The server's own TLS and `--public-url` say so, and so does the browser (`Origin`, `Referer`) or a proxy
    /// (`X-Forwarded-Proto`). What they say only adds: whoever makes it up gets a cookie that their browser doesn't
    /// keep.
    private func isSecure(_ request: Request) -> Bool {
        guard let url = URL(string: baseURL.text(for: request)), url.scheme == "http", let host = url.host() else {
            return true
        }
        func isHTTPS(_ address: String?) -> Bool { address?.lowercased().hasPrefix("https://") ?? false }
        if isHTTPS(request.header("origin")) { return true }
        // Another site's page says nothing of this one's address.
        let site = request.header("sec-fetch-site")
        if site == nil || site == "same-origin", isHTTPS(request.header("referer")) { return true }
        // The first is what the proxy next to the browser says.
        if request.header("x-forwarded-proto")?.lowercased().hasPrefix("https") ?? false { return true }
        let name = host.lowercased()
        // Browsers lead all names of this ending to this machine (Secure Contexts §3.1).
        return !(Loopback.contains(host: name) || name.hasSuffix(".localhost"))
    }

    /// Whether the browser speaks plain HTTP with another machine, and so wouldn't keep the cookie.
    ///
    /// The browser's own word counts: what stands before the server may speak TLS.
    func isInsecureTransport(_ request: Request) -> Bool {
        guard let origin = request.header("origin")?.lowercased(), !signInOrigins.contains(origin) else { return false }
        return origin.hasPrefix("http://") && isSecure(request)
    }

    /// Whether no path stands before the server's addresses: then no other site is on its host, as far as it knows.
    private var hasHostForItself: Bool { root == "/inbox" }

    private static let plainName = "inbox"

    private var secureName: String { (hasHostForItself ? "__Host-" : "__Secure-") + Self.plainName }

    private func name(isSecure: Bool) -> String { isSecure ? secureName : Self.plainName }
}
