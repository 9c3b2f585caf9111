import Eventually
import Foundation
import Groundwork
import RunningMailServer
import Testing

@testable import InboxMail

/// Mailboxes of a real server: fetching, counts, observation, live objects and providers.
@Suite(.timeLimit(.minutes(10))) struct MailboxTests {
    @Test @MainActor func `mailboxes are fetched, counted and updated by other clients' changes`() async throws {
        try await MailServer.run { server in
            let imap = try server.imap()
            try await imap.create("Work")
            let device = try await TestDevice(server)
            let mail = device.mail
            try await mail.sync()
            let own = Query<Mailbox>(where: #Predicate { $0.role == nil })
            let work = try #require(try await mail.mailboxes(own).first)
            #expect(work.name == "Work" && work.totalEmails == 0)
            #expect(try await mail.mailboxCount(own) == 1)
            #expect(try await mail.mailboxCount() == mail.mailboxes().count)
            #expect(try await mail.mailbox(id: work.id) == work)
            #expect(try await mail.mailbox(id: "none") == nil)

            let live = try #require(try await mail.liveMailbox(work.id))
            #expect(try await mail.liveMailbox(work.id) === live)
            #expect(try await mail.liveMailbox("none") == nil)
            let filled = Query<Mailbox>(where: #Predicate { $0.role == nil && $0.unreadEmails > 0 })
            var snapshots = mail.observeMailboxes(filled).makeAsyncIterator()
            #expect(try await snapshots.next()?.items == [])
            let provider = mail.mailboxResults(
                where: #Predicate { $0.role == nil },
                sort: [SortDescriptor(\.name, comparator: .lexical)],
                cachePolicy: .cacheOnly
            )
            #expect(try await eventually { provider.items.map(\.name) == ["Work"] })

            try await imap.append([IMAPClient.Mail(SampleMail.plainText.bytes)], to: "Work")
            try await imap.create("Arrivals")
            try await mail.sync()
            let snapshot = try #require(try await snapshots.next())
            #expect(snapshot.items.map(\.id) == [work.id] && snapshot.changes.insertions.count == 1)
            #expect(try await eventually { live.value.unreadEmails == 1 })
            #expect(try await eventually { provider.items.map(\.name) == ["Arrivals", "Work"] })

            try await imap.rename("Work", to: "Job")
            try await imap.remove("Arrivals")
            try await mail.sync()
            #expect(try await eventually { live.value.name == "Job" && provider.items.map(\.name) == ["Job"] })
            try await imap.remove("Job")
            try await mail.sync()
            #expect(try await eventually { live.isGone && provider.items.isEmpty })
            #expect(try await snapshots.next()?.items == [])
            await device.end()
        }
    }
}
