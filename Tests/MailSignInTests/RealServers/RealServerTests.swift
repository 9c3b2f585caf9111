import Foundation
import Groundwork
import InboxHTTPClient
import InboxMail
import RunningMailServer
import Testing

@testable import MailSignIn

/// Signing in with servers of other projects: Authlib, oidc-provider-mock, and Cyrus, whose mailboxes the tokens open.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RealServerTests {
    /// A browser whose person answers the page that asks for consent. It follows the redirect back.
    private static func browser(_ answer: String) -> LoopbackBrowser {
        LoopbackBrowser { page in
            let transport = URLSessionTransport(redirects: .never)
            let shown = try await transport.send(TransportRequest(url: page), maxBytes: 1 << 20)
            #expect(shown.status == 200)
            let consent = TransportRequest(
                method: "POST",
                url: page,
                headers: ["Content-Type": FormData.type],
                body: Array(answer.utf8)
            )
            let redirect = try await transport.send(consent, maxBytes: 1 << 20)
            let target = try #require(redirect.headers["location"].flatMap { URL(string: $0) })
            let end = try await transport.send(TransportRequest(url: target), maxBytes: 1 << 20)
            #expect(String(decoding: end.body, as: UTF8.self).contains("You can close this page."))
        }
    }

    /// Debian's Chromium, whose person answers a page and then sees the last one.
    private static func chromium(
        _ person: SignInPerson,
        filling fields: [String: String] = [:],
        pressing button: String
    ) -> LoopbackBrowser {
        LoopbackBrowser { page in
            let last = try await person.answer(page, filling: fields, pressing: button)
            #expect(last["title"]?.stringValue == "Back to your mail")
            #expect(last["text"]?.stringValue?.hasSuffix("You can close this page.") == true)
            #expect(last["language"]?.stringValue == "en")
            // Such as a violation of its content security policy.
            #expect(last["problems"] == [])
        }
    }

    private static var configuration: SignInConfiguration {
        var configuration = SignInConfiguration()
        configuration.transport = HTTPClientTransport(followsRedirects: false)
        return configuration
    }

    private static func signIn(
        _ server: URL,
        _ answer: String = "answer=allow",
        _ configuration: SignInConfiguration = configuration
    ) async throws -> SignInGrant {
        try await signIn(server, in: browser(answer), configuration)
    }

    private static func signIn(
        _ server: URL,
        in browser: LoopbackBrowser,
        _ configuration: SignInConfiguration = configuration
    ) async throws -> SignInGrant {
        try await SignIn(
            address: "alice@example.com",
            server: server,
            browser: browser,
            configuration: configuration
        ) { _ in false }
        .run()
    }

    private static func code(_ body: () async throws -> Void) async -> SignInError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? SignInError)?.code
        }
    }

    private static func inFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sign-in-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @Test func `tokens open a mailbox, are refreshed, and end; the mail stays readable`() async throws {
        try await MailServer.run { server in
            try await server.imap().append([
                IMAPClient.Mail(Array("From: a@example.com\r\nSubject: Plans\r\n\r\nHi\r\n".utf8), date: 1_700_000_000)
            ])
            let authorization = try await SignInServer(before: server)
            try await Self.inFolder { folder in
                let storage = FileGrantStorage(directory: folder.appending(path: "tokens"))
                let grant = try await Self.signIn(authorization.url)
                #expect(grant.issuer == authorization.url.absoluteString)
                // Cyrus itself accepts the token.
                let session = try await server.http("GET", "/jmap/", authorization: "Bearer \(grant.accessToken)")
                #expect(session.status == 200)

                let keeper = try await TokenKeeper(grant, storage: storage, configuration: Self.configuration)
                var settings = MailConfiguration()
                settings.isLive = false
                settings.transport = HTTPClientTransport()
                let mail = try await Mail.open(
                    server: keeper.server,
                    credentials: .signedIn(keeper),
                    directory: folder,
                    configuration: settings
                )
                try await mail.sync()
                #expect(try await mail.counts().total == 1)

                // An expired token is replaced during a request.
                try await authorization.expire()
                try await mail.sync()
                #expect(try await authorization.facts()["refreshes"] == 1)
                #expect(try await storage.grant(of: grant.address)?.refreshToken != grant.refreshToken)

                // An access that has ended leaves the mail readable, until the person signs in again.
                try await authorization.expire(refreshTokens: true)
                do {
                    try await mail.sync()
                    Issue.record("it syncs")
                } catch let error as MailError {
                    #expect(error.code == .unauthorized)
                }
                let query = Query<MailThread>(where: #Predicate { $0.isInInbox })
                #expect(try await mail.threads(query).map(\.subject) == ["Plans"])
                _ = try await TokenKeeper(Self.signIn(authorization.url), storage: storage)
                try await mail.sync()

                #expect(try await keeper.signOut())
                #expect(try await authorization.facts()["revoked"] == 1)
                await mail.close()
            }
            await authorization.stop()
        }
    }

    @Test func `a person signs in in Chromium, or denies it`() async throws {
        try await MailServer.run { server in
            let person = try await SignInPerson()
            let authorization = try await SignInServer(before: server)
            let allowed = Self.chromium(person, pressing: "button[value=allow]")
            let grant = try await Self.signIn(authorization.url, in: allowed)
            let session = try await server.http("GET", "/jmap/", authorization: "Bearer \(grant.accessToken)")
            #expect(session.status == 200)
            let denied = Self.chromium(person, pressing: "button[value=deny]")
            #expect(await Self.code { _ = try await Self.signIn(authorization.url, in: denied) } == .denied)
            await authorization.stop()

            let provider = try await SignInServer.openID()
            var openID = Self.configuration
            openID.issuer = provider.url.absoluteString
            openID.scopes = ["openid"]
            let named = Self.chromium(
                person,
                filling: ["input[name=sub]": "alice"],
                pressing: "button:not([name])"
            )
            let token = try await Self.signIn(server.url, in: named, openID).accessToken
            #expect(!token.isEmpty)
            await provider.stop()
            await person.stop()
        }
    }

    @Test func `refusals, a mix-up, a token endpoint that hangs, and an OpenID provider`() async throws {
        try await MailServer.run { server in
            let authorization = try await SignInServer(before: server)
            #expect(await Self.code { _ = try await Self.signIn(authorization.url, "answer=deny") } == .denied)

            try await authorization.behave(issuer: "https://evil.example")
            #expect(await Self.code { _ = try await Self.signIn(authorization.url) } == .wrongIssuer)
            #expect(try await authorization.facts()["codes"] == 0)

            try await authorization.behave(hangs: true)
            var impatient = Self.configuration
            impatient.requestTimeout = 0.5
            let hung = await Self.code { _ = try await Self.signIn(authorization.url, "answer=allow", impatient) }
            #expect(hung == .timedOut)
            try await authorization.behave()
            await authorization.stop()

            // Cyrus itself names no authorization server.
            let unnamed = await Self.code { _ = try await Self.signIn(server.url) }
            #expect(unnamed == .noAuthorizationServer)

            let provider = try await SignInServer.openID()
            var openID = Self.configuration
            openID.issuer = provider.url.absoluteString
            openID.scopes = ["openid"]
            let grant = try await Self.signIn(server.url, "sub=alice", openID)
            let keeper = try await TokenKeeper(grant, storage: MemoryStorage(), configuration: openID)
            let first = try await keeper.accessToken()
            #expect(try await keeper.accessToken(replacing: first) != first)
            await provider.stop()
        }
    }
}
