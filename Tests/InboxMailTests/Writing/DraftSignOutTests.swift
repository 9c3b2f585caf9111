import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxMail
import InboxTesting
import ReplicaTesting
import StandardMailServer
import Testing

/// Unsent drafts in the file of an inbox, which signing out would delete.
@Suite(.timeLimit(.minutes(2))) struct DraftSignOutTests {
    @Test func `an inbox whose file has unsent drafts of mail asks before it signs out`() async throws {
        try await Self.run { inbox, open in
            let mail = try await open("alice@example.com", false)
            let draft = try await mail.save(mail.draft("Precious"))
            let error = await #expect(throws: InboxError.self) { try await inbox.signOut() }
            #expect(error?.code == .unsentDrafts)
            #expect(try await mail.draft(id: draft.id)?.text == "Precious")
            try await inbox.signOut(discardsDrafts: true)
        }
    }

    @Test func `another account's mail in an inbox keeps the unsent drafts of the first`() async throws {
        try await Self.run { inbox, open in
            var mail = try await open("alice@example.com", false)
            let draft = try await mail.save(mail.draft("Precious"))
            await mail.close()
            let error = await #expect(throws: MailError.self) { _ = try await open("bob@example.com", false) }
            #expect(error?.code == .unsentDrafts)
            mail = try await open("alice@example.com", false)
            #expect(try await mail.draft(id: draft.id)?.text == "Precious")
            await mail.close()
            mail = try await open("bob@example.com", true)
            #expect(try await mail.drafts().isEmpty)
            await mail.close()
            try await inbox.signOut()
        }
    }

    @Test func `a current inbox keeps unsent drafts of mail until their person returns`() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("current-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let clock = ManualClock()
        let servers = ["alice": ScriptedServer(person: "alice"), "bob": ScriptedServer(person: "bob")]
        let mailServer = StandardMailServer(clock: clock)
        var settings = InboxConfiguration()
        settings.isLive = false
        settings.clock = clock
        settings.transport = ScriptedTransport { request in
            let person = String(request.headers["Authorization"]?.dropFirst("Bearer ".count) ?? "")
            return servers[person]?.answer(request) ?? TransportResponse(status: 401, url: request.url)
        }
        func files() -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [])
                .filter { $0.hasSuffix(".sqlite") }
        }
        func start(_ server: String = "https://inbox.example") -> CurrentInbox {
            CurrentInbox(server: URL(string: server)!, directory: directory, configuration: settings) { $0 }
        }
        func mail(_ inbox: Inbox) async throws -> Mail {
            var configuration = MailConfiguration()
            configuration.isLive = false
            configuration.transport = ScriptedTransport { request in mailServer.answer(request) }
            return try await Mail.open(
                server: StandardMailServer.url,
                credentials: .basic(user: "alice@example.com") { "secret" },
                in: inbox,
                configuration: configuration
            )
        }
        servers["alice"]?.deliver(Message(id: "alices", title: "Hello", deliverAt: clock.now))
        var current = start()
        current.identify("alice")
        #expect(try await current.fetchMessages().count == 1)
        var alices = try await mail(try await current.inbox)
        let draft = try await alices.save(alices.draft("Precious"))
        current.identify("bob")
        await #expect(throws: InboxError.self) { try await alices.drafts() }
        #expect(try await current.fetchMessages().isEmpty)
        current.identify("alice")
        #expect(try await current.inbox.messages().isEmpty, "the messages from before are gone")
        alices = try await mail(try await current.inbox)
        #expect(try await alices.draft(id: draft.id)?.text == "Precious")
        // Also over starts of the app, of which one is for another server.
        current.anonymize()
        for server in ["https://inbox.example", "https://other.example", "https://inbox.example"] {
            current = start(server)
            current.identify("bob")
            _ = try? await current.inbox
        }
        current.identify("alice")
        alices = try await mail(try await current.inbox)
        #expect(try await alices.draft(id: draft.id)?.text == "Precious")
        try await alices.signOut(discardsDrafts: true)
        current.anonymize()
        #expect(try await eventually { files().isEmpty })
    }

    private static func run(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (Inbox, _ open: @Sendable (_ user: String, _ discards: Bool) async throws -> Mail) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("sign-out-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let clock = ManualClock()
        let server = ScriptedServer(person: "alice")
        var configuration = InboxConfiguration()
        configuration.isLive = false
        configuration.transport = server.transport
        configuration.clock = clock
        let inbox = try await Inbox.open(
            server: URL(string: "https://inbox.example")!,
            person: "alice",
            directory: directory,
            configuration: configuration
        ) { "token" }
        let mailServer = StandardMailServer(clock: clock)
        try await body(inbox) { user, discards in
            var configuration = MailConfiguration()
            configuration.isLive = false
            configuration.transport = ScriptedTransport { request in mailServer.answer(request) }
            configuration.discardsOtherDrafts = discards
            return try await Mail.open(
                server: StandardMailServer.url,
                credentials: .basic(user: user) { "secret" },
                in: inbox,
                configuration: configuration
            )
        }
        await inbox.close()
    }
}
