import Foundation
import Hummingbird
import InboxCards
import InboxHTML
import InboxService

// Signing in with a token, and out.

extension PageRoutes {
    /// The request has no session.
    struct SignedOut: Error {
        /// The reason why the cookie's token is rejected, or nil without a cookie.
        var rejection: TokenRejection?

        var problem: Problem { rejection.map { Problem($0) } ?? .unauthorized(realm: PersonAccess.realm) }
    }

    /// Returns the person who is signed in.
    ///
    /// - Throws: ``SignedOut``.
    func signedIn(_ request: Request) async throws -> SignedIn {
        do {
            guard let signedIn = try await access.signedIn(request) else { throw SignedOut() }
            return signedIn
        } catch let rejection as TokenRejection {
            throw SignedOut(rejection: rejection)
        }
    }

    func signIn(_ context: PageContext) async throws -> Response {
        let request = context.request
        try access.checkOrigin(of: request, alsoAllowing: access.signInOrigins)
        let form = try await context.form(allowed: ["token", "to"])
        let destination = destination(form["to"] ?? "")
        let token = (form["token"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        guard !access.isInsecureTransport(request) else {
            return signInForm(SignInPage(destination: destination, error: .secureConnectionNeeded), context)
        }
        do {
            let found = try await access.signedIn(with: token)
            var response = PageResponse.redirect(to: destination)
            response.setCookie(access.cookie(token, until: found.token.expiresAt, for: request, now: context.frame.now))
            return response
        } catch let rejection as TokenRejection {
            return signInForm(SignInPage(destination: destination, error: .wrongToken), context, rejection)
        }
    }

    func signOut(_ context: PageContext) async throws -> Response {
        try access.checkOrigin(of: context.request)
        do {
            try await sessions.signOut(try await signedIn(context.request))
        } catch is SignedOut {
            // A rejected token doesn't have to be ended.
        }
        var response = PageResponse.redirect(to: access.root)
        for cookie in access.signOutCookies(for: context.request) { response.setCookie(cookie) }
        return response
    }

    /// Returns the form for a request without a session. It leads back to the page that was requested.
    func signInForm(_ error: SignedOut, _ context: PageContext) -> Response {
        let request = context.request
        let isPage = request.method == .get && !request.uri.path.hasSuffix("/go")
        let requested = access.root.dropLast("/inbox".count) + request.uri.string
        let page = SignInPage(destination: isPage ? destination(String(requested)) : access.root)
        return signInForm(page, context, error.rejection)
    }

    private func signInForm(
        _ page: SignInPage,
        _ context: PageContext,
        _ rejection: TokenRejection? = nil
    ) -> Response {
        PageResponse.page(
            page.html(context.frame),
            status: .unauthorized,
            nonce: context.frame.nonce,
            headers: SignedOut(rejection: rejection).problem.headers
        )
    }

    /// Returns an address of the page unchanged, and the list's address for any other text.
    private func destination(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
        let isOwn = text.hasPrefix(access.root + "?") || text.hasPrefix(access.root + "/messages/")
        // Browsers resolve these parts, also where they are escaped, to an address outside the page.
        let leavesPage = text.prefix { $0 != "?" && $0 != "#" }.lowercased().replacing("%2e", with: ".")
            .split(separator: "/").contains { $0 == "." || $0 == ".." }
        return isPlain && isOwn && !leavesPage && text.utf8.count <= 2_000 ? text : access.root
    }
}
