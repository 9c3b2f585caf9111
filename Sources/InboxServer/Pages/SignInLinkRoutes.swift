import Foundation
import Groundwork
import Hummingbird
import InboxCards
import InboxHTML
import InboxService
import NIOCore

/// The route of links that sign a person in on the page: `/inbox/sign-in/{code}`.
struct SignInLinkRoutes: Sendable {
    let links: SignInLinks
    let access: PageAccess
    let frames: PageFrames
    let tokens: Tokens
    let people: People
    let clock: any WallClock

    static let path = "/inbox/sign-in/"

    func add(to routes: Routes) {
        routes.route(
            "/inbox/sign-in/:code",
            [
                .get { request, context in
                    try await follow(context.parameters.require("code"), request, context.channel.remoteAddress)
                }
            ]
        )
    }

    /// Signs the person of a code in, and redirects to the inbox.
    private func follow(_ code: String, _ request: Request, _ remote: SocketAddress?) async throws -> Response {
        guard Self.isLocal(request, from: remote.flatMap { IPAddress($0) }) else {
            return page(ErrorPage(title: .nothingHere).html, .notFound, for: request)
        }
        do {
            try access.checkOrigin(of: request)
        } catch let error as Problem {
            return page(ErrorPage(title: .errorTitle, message: .ownPageOnly).html, error.status, for: request)
        }
        // A prefetch, or a request for a part of a page, doesn't use up the link.
        guard request.isNavigation else {
            return page(ErrorPage(title: .errorTitle, message: .actionFailed).html, .forbidden, for: request)
        }
        guard let token = try await token(for: code) else {
            return page(SignInPage(destination: access.root, error: .linkEnded).html, .unauthorized, for: request)
        }
        var response = PageResponse.redirect(to: access.root)
        response.setCookie(access.cookie(token.text, until: token.expiresAt, for: request, now: clock.now))
        return response
    }

    /// Returns a new token of the link's person, or nil if the link is invalid or no longer valid.
    private func token(for code: String) async throws -> (text: String, expiresAt: Date)? {
        guard let link = links.redeem(code) else { return nil }
        let start = try await people.tokensSince(of: link.person)
        // An event that ends a person's sessions, such as an erasure, also ends their links.
        if let start, start > link.createdAt { return nil }
        let issued = try await tokens.issue(for: link.person, lifetime: Tokens.defaultLifetime, notBefore: start)
        return (issued.token, issued.expiresAt)
    }

    /// Returns whether a request comes from this machine, addresses this machine, and passed through no proxy.
    static func isLocal(_ request: Request, from remote: IPAddress?) -> Bool {
        guard let remote, remote.isLoopback, let authority = request.head.authority else { return false }
        guard let host = URL(string: "http://\(authority)")?.host(), Loopback.contains(host: host) else { return false }
        return ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"].allSatisfy {
            request.header($0) == nil
        }
    }

    private func page(_ html: (PageFrame) -> [UInt8], _ status: HTTPResponse.Status, for request: Request) -> Response {
        let frame = frames.frame(for: request)
        return PageResponse.page(html(frame), status: status, nonce: frame.nonce)
    }
}

extension Request {
    /// Whether a person opens the address. False for a prefetch and for a request for a part of a page.
    fileprivate var isNavigation: Bool {
        let isPrefetch = ["sec-purpose", "purpose", "x-purpose", "x-moz"].contains { header($0) != nil }
        return !isPrefetch && (header("sec-fetch-dest") ?? "document") == "document"
    }
}
