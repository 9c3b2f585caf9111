import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxTesting
import RunningMailServer
import Testing

@testable import InboxMail

/// Several instances for the mail of one account in one process share a file and a connection.
@Suite(.timeLimit(.minutes(10))) struct SharedMailTests {
    private func expectClosed(_ mail: Mail, sourceLocation: SourceLocation = #_sourceLocation) async {
        for call in [
            { _ = try await mail.threads() }, { try await mail.sync() }, { try await mail.markRead(thread: "T") },
            { try await mail.signOut() }, { _ = try await mail.accounts() },
            { _ = try await mail.searchServer("words") },
        ] as [() async throws -> Void] {
            let error = await #expect(throws: InboxError.self, sourceLocation: sourceLocation) { try await call() }
            #expect(error?.code == .closed, sourceLocation: sourceLocation)
        }
        #expect(mail.connectionState == .closed, sourceLocation: sourceLocation)
        #expect(mail.latestCounts.total == 0, sourceLocation: sourceLocation)
    }

    @Test func `a second mail is live at once and shares the first one's connection`() async throws {
        try await MailServer.run { server in
            try await server.imap().append([IMAPClient.Mail(SampleMail.plainText.bytes)])
            let first = try await TestDevice(server) { $0.isLive = true }
            #expect(try await eventually { [.live, .polling].contains(first.mail.connectionState) })
            let second = try await TestDevice(server, directory: first.directory) { $0.isLive = true }
            #expect(second.mail.store === first.mail.store)
            #expect(second.mail.connectionState == first.mail.connectionState)
            try await second.mail.sync()
            let thread = try #require(try await second.mail.threads().first).id
            #expect(try await first.mail.star(thread: thread))
            #expect(try await second.mail.thread(id: thread)?.isStarred == true)
            #expect(second.link.log.isEmpty)
            await second.mail.close()
            await first.end()
        }
    }

    @Test(arguments: [true, false])
    func `closing one mail ends its sequences and none of the other's`(closesFirst: Bool) async throws {
        try await MailServer.run { server in
            try await server.imap().append([IMAPClient.Mail(SampleMail.plainText.bytes)])
            let first = try await TestDevice(server) { $0.isLive = true }
            let second = try await TestDevice(server, directory: first.directory) { $0.isLive = true }
            let (closed, open) = closesFirst ? (first.mail, second.mail) : (second.mail, first.mail)
            try await open.sync()
            var ending = closed.observeThreads().makeAsyncIterator()
            var going = open.observeThreads().makeAsyncIterator()
            var states = closed.connectionStates.makeAsyncIterator()
            #expect(try await ending.next()?.items.count == 1)
            #expect(try await going.next()?.items.count == 1)
            #expect(await states.next() != .closed)
            await closed.close()
            await closed.close()
            while try await ending.next() != nil {}
            while let state = await states.next() { #expect(state == .closed) }
            await expectClosed(closed)
            #expect(open.connectionState != .closed)
            let thread = try #require(try await open.threads().first).id
            try await open.archive(thread: thread)
            while let snapshot = try await going.next(), snapshot.items.first?.isInInbox == true {}
            #expect(try await eventually { try await server.imap().mails(in: "Archive").count == 1 })
            await open.close()
            #expect(open.store.isClosed)
            let again = try await TestDevice(server, directory: first.directory)
            #expect(try await again.mail.threads().first?.isInInbox == false)
            await again.end()
        }
    }

    @Test func `signing out of one mail closes both, and the next opening is empty`() async throws {
        try await MailServer.run { server in
            try await server.imap().append([IMAPClient.Mail(SampleMail.plainText.bytes)])
            let first = try await TestDevice(server)
            let second = try await TestDevice(server, directory: first.directory)
            try await second.mail.sync()
            var snapshots = first.mail.observeThreads().makeAsyncIterator()
            #expect(try await snapshots.next()?.items.count == 1)
            #expect(try await second.mail.signOut() == 0)
            #expect(try await snapshots.next() == nil)
            await expectClosed(first.mail)
            let again = try await TestDevice(server, directory: first.directory)
            #expect(try await again.mail.threads().isEmpty)
            await first.mail.close()
            try await again.mail.sync()
            #expect(try await again.mail.threads().count == 1)
            await again.end()
        }
    }

    @Test func `the password comes from the newest open mail`() async throws {
        try await MailServer.run { server in
            let directory = FileManager.default.temporaryDirectory.appendingPathComponent("shared-\(UUID())")
            var configuration = MailConfiguration()
            configuration.isLive = false
            let tokenRequests = Locked<[String]>([])
            let password = server.users["alice"]?.password ?? ""
            func open(_ name: String) async throws -> Mail {
                try await Mail.open(
                    server: server.url,
                    credentials: .basic(user: "alice") {
                        tokenRequests.withLock { $0.append(name) }
                        return password
                    },
                    directory: directory,
                    configuration: configuration
                )
            }
            let first = try await open("first")
            let second = try await open("second")
            try await first.sync()
            #expect(tokenRequests.withLock { $0 } == ["second"])
            await second.close()
            await first.close()
            try? FileManager.default.removeItem(at: directory)
        }
    }

    @Test func `opening with another scope or kind of credentials is refused without effect`() async throws {
        try await MailServer.run { server in
            let device = try await TestDevice(server)
            let error = await #expect(throws: InboxError.self) {
                _ = try await TestDevice(server, directory: device.directory, scope: .slices)
            }
            #expect(error?.code == .invalidArgument)
            #expect(error?.description.contains("already open with the scope everything. Close it first") == true)
            let other = await #expect(throws: InboxError.self) {
                _ = try await Mail.open(
                    server: server.url,
                    credentials: .bearer(user: "alice") { "" },
                    directory: device.directory
                )
            }
            #expect(other?.description.contains("already open with another kind of credentials") == true)
            try await device.mail.sync()
            #expect(try await device.mail.mailboxes().isEmpty == false)
            // After closing, it can be opened with another scope.
            let slices = try await device.reopened(server, scope: .slices)
            try await slices.mail.sync()
            await slices.end()
        }
    }

    @Test func `with separate engines, the second waits for the first`() async throws {
        try await MailServer.run { server in
            let first = try await TestDevice(server) { $0.isLive = true }
            #expect(try await eventually { [.live, .polling].contains(first.mail.connectionState) })
            let second = try await TestDevice(server, directory: first.directory) {
                $0.isLive = true
                $0.sharesEngine = false
            }
            #expect(try await eventually { second.mail.connectionState == .otherProcess })
            await second.mail.close()
            await first.end()
        }
    }

    @Test func `mail in an inbox's file is shared by two openings and refused to another user`() async throws {
        try await MailServer.run(users: ["alice", "bob"]) { server in
            try await server.imap().append([IMAPClient.Mail(SampleMail.plainText.bytes)])
            let directory = FileManager.default.temporaryDirectory.appendingPathComponent("beside-\(UUID())")
            var inboxConfiguration = InboxConfiguration()
            inboxConfiguration.isLive = false
            inboxConfiguration.transport = ScriptedServer(person: "alice").transport
            var configuration = MailConfiguration()
            configuration.isLive = false
            func inbox() async throws -> Inbox {
                try await Inbox.open(
                    server: URL(string: "https://inbox.example")!,
                    person: "alice",
                    directory: directory,
                    configuration: inboxConfiguration
                ) { "token" }
            }
            func mail(in inbox: Inbox, user: String = "alice") async throws -> Mail {
                let password = server.users[user]?.password ?? ""
                return try await Mail.open(
                    server: server.url,
                    credentials: .basic(user: user) { password },
                    in: inbox,
                    configuration: configuration
                )
            }
            // Two screens open both independently.
            let inboxes = (try await inbox(), try await inbox())
            let first = try await mail(in: inboxes.0)
            let second = try await mail(in: inboxes.1)
            #expect(first.store === second.store)
            try await first.sync()
            #expect(try await second.threads().count == 1)
            let error = await #expect(throws: InboxError.self) { _ = try await mail(in: inboxes.1, user: "bob") }
            #expect(error?.code == .invalidArgument)
            #expect(error?.description.contains("Another person's mail is already open in this inbox") == true)
            await first.close()
            await inboxes.0.close()
            try await second.sync()
            #expect(try await second.threads().count == 1)
            // Signing out ends all instances. The mail can be opened again, and closing the others later has no effect.
            let third = try await mail(in: inboxes.1)
            #expect(try await third.signOut() == 0)
            await expectClosed(second)
            let again = try await mail(in: inboxes.1, user: "bob")
            await second.close()
            try await again.sync()
            #expect(try await again.mailboxes().isEmpty == false)
            await again.close()
            await inboxes.1.close()
            try? FileManager.default.removeItem(at: directory)
        }
    }

    @Test func `mails that open at the same time share a store`() async throws {
        let server = try #require(URL(string: "https://mail.example"))
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("shared-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        var configuration = MailConfiguration()
        configuration.isLive = false
        let mails = try await withThrowingTaskGroup(of: Mail.self) { [configuration] group in
            for _ in 0..<8 {
                group.addTask {
                    try await Mail.open(
                        server: server,
                        credentials: .bearer(user: "me") { "" },
                        directory: directory,
                        configuration: configuration
                    )
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(mails.map { ObjectIdentifier($0.store) }).count == 1)
        for mail in mails.dropLast() { await mail.close() }
        #expect(try await mails.last?.threads().isEmpty == true)
        await mails.last?.close()
        #expect(mails.last?.store.isClosed == true)
    }
}
