import Coverage
import Eventually
import Foundation
import Groundwork
import InboxKitCompatibility
import RunningMailServer
import Testing

/// Threads, mails and files by InboxKit's names, against Cyrus.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ModelTests {
    @Test(.shows(.k17))
    func `a namespace exists once per sign-in, and sign-out removes it with its data`() async throws {
        try await Device.run(mail("Plans", at: 0)) { device, server in
            let manager = device.manager
            #expect(manager.isAuthenticated() && manager.namespaces().first === device.namespace)
            #expect(manager.namespaceEmailAddresses() == ["alice"] && device.namespace.emailAddress == "alice")
            let again = try await manager.authenticate(
                server: server.url,
                credentials: .basic(user: "alice") { "" },
                directory: device.directory
            )
            #expect(again === device.namespace && manager.namespaces().count == 1)

            let provider = device.namespace.newThreadProvider()
            provider.itemCachePolicy = .cacheOnly
            #expect(try await eventually { provider.items.count == 1 })
            let thread = try #require(provider.models.first)
            async let lost = manager.unauthenticate()
            #expect(try await lost == 0)
            #expect(manager.namespaces().isEmpty && !manager.isAuthenticated())
            #expect(try await eventually { provider.items.isEmpty && !thread.isDataAvailable() })
            await #expect(throws: InboxError.self) { try await thread.star() }
            var configuration = MailConfiguration()
            configuration.isLive = false
            let next = try await manager.authenticate(
                server: server.url,
                credentials: .basic(user: "alice") { "" },
                directory: device.directory,
                configuration: configuration
            )
            #expect(try await next.mail.status().messages == 0, "the next sign-in finds no mail")
            await next.mail.close()
        }
    }

    @Test(.shows(.k02)) func `a thread has its mails' values, and tags for mailboxes and flags`() async throws {
        try await Device.run(mail("Plans", at: 0, body: "Let us go."), mail("Old", at: 1, "\\Seen")) { device, server in
            let thread = try #require(try await device.thread("Plans"))
            #expect(thread.subject == "Plans" && thread.snippet.contains("Let us go."))
            #expect(thread.participants.map(\.email) == ["anna@example.com", "alice@example.com"])
            #expect(thread.lastMessageDate == Date(timeIntervalSince1970: 1_760_000_000))
            #expect(thread.messageIDs.count == 1 && thread.unread && thread.isDataAvailable())
            #expect(thread.namespaceID == device.namespace.ID)
            #expect(thread.tagIDs == [INTagIDUnread, INTagIDUnseen, INTagIDInbox])
            try await thread.star()
            try await thread.markAsRead()
            try await thread.archive()
            #expect(try await eventually { thread.tagIDs == [INTagIDStarred, INTagIDArchive] })
            #expect(thread.hasTag(withID: INTagIDArchive) && !thread.hasTag(withID: INTagIDUnread))
            #expect(thread.tags().map(\.name) == ["Starred", "Archive"])
            let known = Set(device.namespace.tags().map(\.ID))
            #expect(
                known.isSuperset(of: [
                    INTagIDUnread, INTagIDUnseen, INTagIDStarred, INTagIDInbox, INTagIDArchive, INTagIDDraft,
                    INTagIDSent,
                    INTagIDTrash,
                ])
            )
            // A mailbox of the person's own is a tag under the server's id.
            try await server.imap().create("Work")
            try await device.namespace.mail.sync()
            #expect(try await eventually { device.namespace.tags().contains { $0.name == "Work" } })
        }
    }

    @Test(.shows(.k33)) func `a thread marked seen leaves the unseen threads and stays unread`() async throws {
        try await Device.run(mail("Plans", at: 0), mail("Old", at: 1)) { device, _ in
            let provider = device.namespace.newThreadProvider()
            provider.itemFilterPredicate = device.namespace.predicate(tagIDs: INTagIDInbox, INTagIDUnseen)
            #expect(try await eventually { provider.items.count == 2 })
            let thread = try #require(try await device.thread("Plans"))
            try await thread.markAsSeen()
            #expect(try await eventually { provider.items.count == 1 })
            #expect(try await eventually { thread.tagIDs == [INTagIDUnread, INTagIDInbox] && thread.unread })
        }
    }

    @Test(.shows(.k11, .k12)) func `every caller gets the same object, which changes in place`() async throws {
        try await Device.run(mail("Plans", at: 0), mail("Old", at: 1, "\\Seen")) { device, server in
            let (all, unread) = (device.namespace.newThreadProvider(), device.namespace.newThreadProvider())
            unread.itemFilterPredicate = #Predicate { $0.isUnread }
            #expect(try await eventually { all.items.count == 2 && unread.items.count == 1 })
            let thread = try #require(unread.models.first)
            #expect(all.models.contains { $0 === thread })
            #expect(try await device.namespace.thread(withID: thread.ID) === thread)
            let message = try #require(try await device.namespace.message(withID: thread.messageIDs[0]))
            #expect(try await message.thread() === thread)
            // Another client reads it, and the shared object changes.
            let imap = try server.imap()
            try await imap.flag(try await imap.mails().map(\.uid), add: ["\\Seen"])
            try await device.namespace.mail.sync()
            #expect(try await eventually { !thread.unread && !message.unread && unread.items.isEmpty })
            #expect(try await device.namespace.thread(withID: thread.ID) === thread)
            #expect(try await device.namespace.thread(withID: "none") == nil)
        }
    }

    @Test(.shows(.k03, .k11)) func `mails of one person share one contact, which posts its changes`() async throws {
        try await Device.run(mail("Plans", at: 0), mail("Other", at: 1)) { device, server in
            let namespace = device.namespace
            let (plans, other) = (
                try #require(try await device.message("Plans")), try #require(try await device.message("Other"))
            )
            let anna = try #require(try await plans.fromContacts().first)
            #expect(try await other.fromContacts().map { $0 === anna } == [true])
            #expect(try await namespace.contact(withID: anna.ID) === anna)
            #expect(try await namespace.contact(for: EmailAddress(email: "ANNA@example.com")) === anna)
            #expect(try await device.thread("Plans")?.contacts().first === anna)
            #expect(anna.name == "Anna Berger" && anna.email == "anna@example.com" && anna.isDataAvailable())
            #expect(anna.namespaceID == namespace.ID && anna.address.name == "Anna Berger")
            let provider = namespace.newContactProvider()
            #expect(try await eventually { provider.models.map { $0 === anna } == [true] })
            #expect(try await namespace.contacts(matching: "ber").map { $0 === anna } == [true])
            // The person's own address has an object too, without data.
            let alice = try #require(try await plans.recipientContacts().first)
            #expect(try await other.recipientContacts().map { $0 === alice } == [true])
            #expect(alice.email == "alice@example.com" && !alice.isDataAvailable())

            let counter = Counter()
            let observer = NotificationCenter.default.addObserver(
                forName: INModelObjectChangedNotification,
                object: anna,
                queue: nil
            ) { _ in MainActor.assumeIsolated { counter.count += 1 } }
            let answer = mail(
                "Answer",
                at: 2,
                from: "Alice <alice@example.com>",
                to: "anna@example.com, Bob <bob@example.com>"
            )
            try await server.imap().append([answer], to: "Sent")
            try await namespace.mail.sync()
            #expect(try await eventually { counter.count == 1 && anna.value.writtenCount == 1 })
            #expect(try await eventually { provider.models.map(\.email) == ["anna@example.com", "bob@example.com"] })
            let bob = try await namespace.contact(for: EmailAddress(name: "Robert", email: "Bob@Example.com"))
            #expect(provider.models.last === bob && bob.name == "Bob")
            NotificationCenter.default.removeObserver(observer)
        }
    }

    @Test(.shows(.k10)) func `a change is posted with its object, and not for other objects`() async throws {
        try await Device.run(mail("Plans", at: 0), mail("Other", at: 1)) { device, _ in
            let (thread, other) = (
                try #require(try await device.thread("Plans")), try #require(try await device.thread("Other"))
            )
            let (counter, otherCounter) = (Counter(), Counter())
            let observers = [(thread, counter), (other, otherCounter)].map { object, counter in
                NotificationCenter.default.addObserver(
                    forName: INModelObjectChangedNotification,
                    object: object,
                    queue: nil
                ) { _ in MainActor.assumeIsolated { counter.count += 1 } }
            }
            try await thread.markAsRead()
            #expect(try await eventually { counter.count == 1 && !thread.unread })
            try await thread.markAsRead()
            try await other.star()
            #expect(try await eventually { otherCounter.count == 1 })
            #expect(counter.count == 1, "a call without effect posts nothing")
            for observer in observers { NotificationCenter.default.removeObserver(observer) }
        }
    }

    @Test(.shows(.k04, .k32)) func `offline actions apply in call order and reach the server`() async throws {
        try await Device.run(mail("Plans", at: 0), mail("Other", at: 1)) { device, server in
            let (thread, other) = (
                try #require(try await device.thread("Plans")), try #require(try await device.thread("Other"))
            )
            try await server.kill()
            let outcome = Counter()
            // Not awaited: each call waits for the one before.
            @MainActor func tap() {
                thread.star()
                thread.unstar()
                thread.archive()
                thread.unarchive()
                thread.star()
                other.archive()
                other.markAsRead { went, error in
                    if went, error == nil { outcome.count += 1 }
                }
            }
            tap()
            #expect(try await eventually { outcome.count == 1 && !other.unread && thread.value.isStarred })
            #expect(
                thread.tagIDs == [INTagIDUnread, INTagIDUnseen, INTagIDStarred, INTagIDInbox]
                    && other.tagIDs == [INTagIDArchive]
            )
            await #expect(throws: InboxError.self) { try await device.namespace.mail.sync() }
            try await server.restart()
            try await device.namespace.mail.sync()
            #expect(try await server.imap().mails().map(\.flags) == [["\\Flagged"]])
            #expect(try await server.imap().mails(in: "Archive").map(\.flags) == [["\\Seen"]])
        }
    }

    @Test(.shows(.k02)) func `a message has its files, and its body after a reload, offline too`() async throws {
        try await Device.run(IMAPClient.Mail(SampleMail.inlineImages.bytes)) { device, server in
            let provider = device.namespace.newMessageProvider()
            #expect(try await eventually { provider.items.count == 1 })
            let message = try #require(provider.models.first)
            #expect(message.body == nil && !message.isDataAvailable())
            #expect(message.files.map(\.filename) == ["guide.pdf"], "without the pictures within its text")
            #expect(!message.from.isEmpty && !message.subject.isEmpty && message.date > .distantPast)
            #expect(message.cc.isEmpty && message.bcc.isEmpty && !message.to.isEmpty)
            let screen = Screen()
            provider.delegate = screen
            screen.providerDataChanged(provider)
            try await message.reload()
            #expect(message.isDataAvailable() && message.body?.contains("<") == false)
            #expect(try await eventually { screen.changes.contains { $0.indexPaths(for: .update).count == 1 } })
            let file = try #require(message.files.first)
            #expect(file.filename == "guide.pdf" && file.mimetype == "application/pdf" && file.localDataPath == nil)
            #expect(try await file.data().count == file.size && file.localDataPath != nil)
            try await server.kill()
            let size = Counter()
            file.getData { _, data in size.count = data?.count ?? -1 }
            #expect(try await eventually { size.count == file.size })
            try await message.markAsRead()
            #expect(try await eventually { !message.unread })
        }
    }

    @Test func `a message notifies when its list of files arrives`() async throws {
        let transport = LossyTransport()
        try await Device.run(
            IMAPClient.Mail(SampleMail.inlineImages.bytes),
            configure: { $0.transport = transport }
        ) { device, _ in
            let mail = device.namespace.mail
            let id = try #require(try await mail.messages().first).id
            let message = try #require(try await device.namespace.message(withID: id))
            #expect(message.files.isEmpty)
            let counter = Counter()
            let observer = NotificationCenter.default.addObserver(
                forName: INModelObjectChangedNotification,
                object: message,
                queue: nil
            ) { _ in MainActor.assumeIsolated { counter.count += 1 } }
            transport.isLossless.withLock { $0 = true }
            try await mail.sync()
            #expect(try await eventually { counter.count == 1 && message.files.map(\.filename) == ["guide.pdf"] })
            NotificationCenter.default.removeObserver(observer)
        }
    }
}

/// The system's transport, which can lose requests for lists of files.
private final class LossyTransport: Transport {
    let isLossless = Locked(false)
    private let inner = URLSessionTransport()

    func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
        let requestsAttachments = String(decoding: request.body ?? [], as: UTF8.self).contains("\"attachments\"")
        guard isLossless.withLock({ $0 }) || !requestsAttachments else { throw TransportError.unreachable("lost") }
        return try await inner.send(request, maxBytes: maxBytes)
    }

    func stream(_ request: TransportRequest) async throws -> TransportStream { try await inner.stream(request) }
}

@MainActor
final class Counter {
    var count = 0
}
