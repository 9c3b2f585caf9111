import Coverage
import Foundation
import Groundwork
import InboxKitCompatibility
import InboxMail
import MailSignIn
import ReplicaTesting
import RunningMailServer
import Testing

/// Signing in in the browser under InboxKit's names, with Authlib's server before a Cyrus.
@Suite(.timeLimit(.minutes(5))) @MainActor struct BrowserSignInTests {
    /// An app that the system opens with a link, at one start.
    @MainActor private final class App {
        let manager = INAPIManager()
        /// How often the browser was shown.
        let shown = Locked(0)

        init(
            _ server: URL,
            _ folder: URL,
            email: String? = nil,
            answer: String = "answer=allow",
            clock: any WallClock = SystemClock()
        ) {
            let (manager, shown) = (manager, shown)
            let browser = LinkBrowser(redirectURI: URL(string: "com.example.mail://signed-in")!) { page in
                shown.withLock { $0 += 1 }
                let consent = TransportRequest(
                    method: "POST",
                    url: page,
                    headers: ["Content-Type": "application/x-www-form-urlencoded"],
                    body: Array(answer.utf8)
                )
                let redirect = try await URLSessionTransport(redirects: .never).send(consent, maxBytes: 1 << 20)
                let link = try #require(redirect.headers["location"].flatMap { URL(string: $0) })
                // The system may hand over the link before the page counts as shown.
                await MainActor.run {
                    #expect(!manager.handle(url: URL(string: "com.example.mail://elsewhere")!))
                    #expect(manager.handle(url: link) && !manager.handle(url: link))
                }
            }
            let storage = FileGrantStorage(directory: folder.appending(path: "tokens"))
            var signIn = INSignIn(browser: browser, storage: storage, directory: folder) { _ in false }
            signIn.server = server
            signIn.mail.isLive = false
            signIn.configuration.clock = clock
            signIn.askForEmail = { email }
            manager.signIn = signIn
        }
    }

    private static func run(_ body: @MainActor (MailServer, SignInServer, URL) async throws -> Void) async throws {
        try await MailServer.run { server in
            try await server.imap().append([mail("Plans", at: 1)])
            let authorization = try await SignInServer(before: server)
            let folder = FileManager.default.temporaryDirectory.appending(path: "kit-\(UUID())")
            defer { try? FileManager.default.removeItem(at: folder) }
            do {
                try await body(server, authorization, folder)
            } catch {
                await authorization.stop()
                throw error
            }
            await authorization.stop()
        }
    }

    private static func code(_ body: @MainActor () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch let error as SignInError {
            return error.code.description
        } catch {
            return (error as? MailError)?.code.description
        }
    }

    private static let address = "alice@example.com"

    @Test(.shows(.k16)) func `people sign in with the browser once, and again after access has ended`()
        async throws
    {
        try await Self.run { server, authorization, folder in
            let app = App(authorization.url, folder)
            let namespace = try await app.manager.authenticate(email: Self.address)
            try await namespace.mail.sync()
            #expect(namespace.emailAddress == Self.address && app.manager.isAuthenticated())
            #expect(try await namespace.mail.counts().total == 1)
            #expect(try await app.manager.authenticate(email: Self.address) === namespace)
            #expect(app.shown.withLock { $0 } == 1)
            await namespace.mail.close()

            // At the next start the tokens are there.
            let next = App(authorization.url, folder)
            let again = try await next.manager.authenticate(email: Self.address)
            try await again.mail.sync()
            #expect(next.shown.withLock { $0 } == 0)

            try await authorization.expire(refreshTokens: true)
            #expect(await Self.code { try await again.mail.sync() } == "unauthorized")
            #expect(try await again.mail.counts().total == 1)
            #expect(try await next.manager.authenticate(email: Self.address) === again)
            #expect(next.shown.withLock { $0 } == 1)
            try await again.mail.sync()

            try await next.manager.unauthenticate()
            #expect(!next.manager.isAuthenticated())
            #expect(try await next.manager.signIn?.storage.grant(of: Self.address) == nil)
            #expect(try await authorization.facts()["revoked"] == 1)
        }
    }

    @Test func `an account whose access token has expired opens offline`() async throws {
        try await Self.run { server, authorization, folder in
            let clock = ManualClock()
            let app = App(authorization.url, folder, clock: clock)
            let namespace = try await app.manager.authenticate(email: Self.address)
            try await namespace.mail.sync()
            await authorization.stop()
            clock.advance(by: 100_000)

            // The open account, and at the next start.
            #expect(try await app.manager.authenticate(email: Self.address) === namespace)
            #expect(try await namespace.mail.counts().total == 1)
            await namespace.mail.close()
            let next = App(authorization.url, folder, clock: clock)
            let again = try await next.manager.authenticate(email: Self.address)
            #expect(try await again.mail.counts().total == 1)
            #expect(app.shown.withLock { $0 } == 1 && next.shown.withLock { $0 } == 0)
            await again.mail.close()
        }
    }

    @Test func `a sign-in without settings, an address or a consent throws its own error`() async throws {
        try await Self.run { server, authorization, folder in
            let manager = INAPIManager()
            #expect(await Self.code { try await manager.authenticate(email: Self.address) } == "invalidArgument")
            #expect(!manager.handle(url: URL(string: "com.example.mail://signed-in")!))
            let silent = App(authorization.url, folder).manager
            #expect(await Self.code { try await silent.authenticate() } == "cancelled")
            let asked = App(authorization.url, folder, email: Self.address, answer: "answer=deny").manager
            #expect(await Self.code { try await asked.authenticate() } == "denied")
            #expect(!asked.isAuthenticated() && !silent.isAuthenticated())
        }
    }
}
