import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxModel
import InboxTesting
import RunningMailServer
import Testing

@testable import InboxMail

/// Mail from a real server and an inbox in one file.
@Suite(.timeLimit(.minutes(10))) struct SharedFileTests {
    /// A person's device with an inbox and mail.
    private final class SharedDevice: Sendable {
        let server = ScriptedServer(person: "alice")
        let transport: ScriptedTransport
        let inbox: Inbox
        let link = FaultyTransport()
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("both-\(UUID())")

        init(isLive: Bool = false, configure: (inout InboxConfiguration) -> Void = { _ in }) async throws {
            var configuration = InboxConfiguration()
            configure(&configuration)
            configuration.clock = ManualClock(now: Date(timeIntervalSince1970: 1_760_000_000))
            transport = server.transport
            configuration.transport = transport
            configuration.isLive = isLive
            inbox = try await Inbox.open(
                server: URL(string: "https://inbox.example")!,
                person: "alice",
                directory: directory,
                configuration: configuration
            ) { "token" }
        }

        func mail(_ mailServer: MailServer, user: String = "alice", isLive: Bool = false) async throws -> Mail {
            let password = mailServer.users[user]?.password ?? ""
            var configuration = MailConfiguration()
            configuration.isLive = isLive
            configuration.transport = link
            return try await Mail.open(
                server: mailServer.url,
                credentials: .basic(user: user) { password },
                in: inbox,
                configuration: configuration
            )
        }

        func end() async {
            await inbox.close()
            try? FileManager.default.removeItem(at: directory)
        }
    }

    /// Returns an app's message, delivered at a minute.
    private func message(_ id: String, at minutes: Double) -> Message {
        Message(id: id, title: id, deliverAt: Date(timeIntervalSince1970: 1_759_000_000 + minutes * 60))
    }

    @Test func `messages and threads are one list by date with one count`() async throws {
        try await MailServer.run { mailServer in
            let imap = try mailServer.imap()
            try await imap.append([IMAPClient.Mail(SampleMail.plainText.bytes, date: 1_759_000_600)])
            try await imap.append([IMAPClient.Mail(SampleMail.htmlOnly.bytes, date: 1_759_001_800)])
            let device = try await SharedDevice()
            device.server.deliver(message("early", at: 5))
            device.server.deliver(message("between", at: 20))
            let mail = try await device.mail(mailServer)
            var snapshots = mail.observeEntries(limit: 3).makeAsyncIterator()
            let first = try await snapshots.next()
            #expect(first?.items == [] && first?.hasSynced == false && first?.isComplete == false)
            try await device.inbox.sync()
            let messages = try #require(try await snapshots.next())
            #expect(messages.items.map(\.id) == ["message between", "message early"] && messages.unread == 2)
            try await mail.sync()
            var both = try #require(try await snapshots.next())
            while both.items.count < 3 { both = try #require(try await snapshots.next()) }
            let threads = try await mail.threads()
            #expect(
                both.items.map(\.id) == ["thread \(threads[0].id)", "message between", "thread \(threads[1].id)"],
                "the three newest"
            )
            #expect(
                both.items.map(\.date) == both.items.map(\.date).sorted(by: >)
                    && both.items.allSatisfy(\.isUnread)
            )
            #expect(both.unread == 4 && both.pendingWrites == 0 && both.isComplete)
            // (The mail is complete a moment after its first threads.)
            #expect(try await mail.observeEntries(limit: 3).first { _ in true }?.hasSynced == true)
            #expect("\(both)" == "InboxEntrySnapshot(3 entries)" || "\(both)".hasSuffix("never synced)"), "\(both)")
            // Each action of the person is one change of the list.
            try await mail.archive(threads: [threads[0].id])
            let archived = try #require(try await snapshots.next())
            #expect(archived.items.map(\.id) == ["message between", "thread \(threads[1].id)", "message early"])
            #expect(archived.changes.deletions == [0] && archived.unread == 3 && archived.pendingWrites == 1)
            try await device.inbox.markRead("between")
            let read = try #require(try await snapshots.next())
            #expect(read.unread == 2 && read.changes.updates == [0] && read.pendingWrites == 2)
            // Each change is sent to its own server.
            try await device.inbox.sync()
            try await mail.sync()
            #expect(device.server.messages.first { $0.id == "between" }?.isUnread == false)
            #expect(try await imap.mails(in: "Archive").count == 1)
            #expect(try await device.inbox.status().pendingWrites == 0)
            await mail.close()
            await device.end()
        }
    }

    /// A list that reaches further back than the device's messages has no gap between messages and threads.
    @Test func `older messages that aren't stored are fetched for the combined list`() async throws {
        try await MailServer.run { mailServer in
            let imap = try mailServer.imap()
            try await imap.append([IMAPClient.Mail(SampleMail.plainText.bytes, date: 1_759_000_030)])
            let device = try await SharedDevice(isLive: true) {
                ($0.deviceLimit, $0.newDeviceLimit) = (.newest(3), .newest(3))
            }
            for number in 1...8 { device.server.deliver(message("m\(number)", at: Double(number))) }
            let mail = try await device.mail(mailServer)
            try await mail.sync()
            let all = try await mail.observeEntries(limit: 7).first { $0.isComplete && $0.items.count == 7 }
            #expect(all?.items.map(\.id) == (2...8).reversed().map { "message m\($0)" })
            await mail.close()
            await device.end()
        }
    }

    @Test func `pending writes to one server neither delay the other nor cause busy polling`() async throws {
        try await MailServer.run { mailServer in
            let imap = try mailServer.imap()
            try await imap.append([IMAPClient.Mail(SampleMail.plainText.bytes)])
            let device = try await SharedDevice(isLive: true)
            let mail = try await device.mail(mailServer)
            try await mail.sync()
            let thread = try #require(try await mail.threads().first).id
            device.link.fail { _, _ in .losesRequest }
            try await mail.star(threads: [thread])
            #expect(try await eventually { device.inbox.connectionState == .polling })
            device.server.deliver(message("a", at: 1))
            try await device.inbox.sync()
            #expect(try await device.inbox.messages().map(\.id) == ["a"])
            try await device.inbox.markRead("a")
            #expect(try await eventually { device.server.messages.first?.isUnread == false })
            // The clock doesn't advance, so a loop of requests would never end.
            var counts = [device.transport.requests.count]
            while counts.count < 20, counts.count < 3 || Set(counts.suffix(3)).count > 1 {
                try await Task.sleep(for: .milliseconds(250))
                counts.append(device.transport.requests.count)
            }
            #expect(counts.count < 20, "it sends requests repeatedly")
            #expect(try await device.inbox.status().pendingWrites == 0)
            #expect(try await mail.status().pendingWrites == 1)
            // The same with the servers exchanged.
            device.link.fail(nil)
            device.transport.answer { _ in throw TransportError.unreachable("no network") }
            try await device.inbox.archive("a")
            try await mail.sync()
            #expect(try await imap.mails().map(\.flags) == [["\\Flagged"]])
            #expect(try await device.inbox.status().pendingWrites == 1)
            await mail.close()
            await device.end()
        }
    }

    @Test func `closing mail ends its lists, keeps the inbox, and reopening shows it again`() async throws {
        try await MailServer.run { mailServer in
            try await mailServer.imap().append([IMAPClient.Mail(SampleMail.plainText.bytes)])
            let device = try await SharedDevice()
            let mail = try await device.mail(mailServer)
            try await mail.sync()
            var together = mail.observeEntries().makeAsyncIterator()
            var threads = mail.observeThreads().makeAsyncIterator()
            #expect(try await together.next()?.items.count == 1)
            #expect(try await threads.next()?.items.count == 1)
            await mail.close()
            #expect(try await together.next() == nil)
            #expect(try await threads.next() == nil)
            await #expect(throws: InboxError.self) { _ = try await mail.threads() }
            device.server.deliver(message("a", at: 1))
            try await device.inbox.sync()
            #expect(try await device.inbox.messages().count == 1)
            device.link.fail { _, _ in .losesRequest }
            let again = try await device.mail(mailServer)
            #expect(try await again.threads().count == 1, "from the file, without network")
            await device.inbox.close()
            await #expect(throws: InboxError.self) { _ = try await again.threads() }
            await device.end()
        }
    }

    @Test func `signing out of mail keeps the inbox, signing out of the inbox deletes the mail`() async throws {
        try await MailServer.run { mailServer in
            let imap = try mailServer.imap()
            try await imap.append([IMAPClient.Mail(SampleMail.plainText.bytes)])
            let device = try await SharedDevice()
            device.server.deliver(message("a", at: 1))
            try await device.inbox.sync()
            let mail = try await device.mail(mailServer)
            try await mail.sync()
            let thread = try #require(try await mail.threads().first).id
            try await mail.star(threads: [thread])
            #expect(try await mail.signOut() == 0, "the pending write was sent")
            #expect(try await imap.mails().map(\.flags) == [["\\Flagged"]])
            await #expect(throws: InboxError.self) { _ = try await mail.threads() }
            #expect(try await device.inbox.messages().count == 1)
            let again = try await device.mail(mailServer)
            #expect(try await again.threads().isEmpty)
            try await again.sync()
            #expect(try await again.threads().count == 1)
            try await device.inbox.signOut()
            await #expect(throws: InboxError.self) { _ = try await again.threads() }
            #expect(try FileManager.default.contentsOfDirectory(atPath: device.directory.path).isEmpty)
            await device.end()
        }
    }

    @Test func `another user's mail is removed before anything is shown`() async throws {
        try await MailServer.run(users: ["alice", "bob"]) { mailServer in
            try await mailServer.imap().append([IMAPClient.Mail(SampleMail.manyAttachments.bytes)])
            let device = try await SharedDevice()
            let aliceMail = try await device.mail(mailServer)
            try await aliceMail.sync()
            #expect(try await aliceMail.threads().count == 1)
            #expect(try await aliceMail.accounts().count == 1)
            let message = try #require(try await aliceMail.messages().first)
            let file = try #require(try await aliceMail.body(of: message.id).attachments.first)
            let place = try await aliceMail.download(file)
            await aliceMail.close()
            device.link.fail { _, _ in .losesRequest }
            let bobMail = try await device.mail(mailServer, user: "bob")
            #expect(try await bobMail.threads().isEmpty)
            #expect(try await bobMail.status().lastSync == nil)
            #expect(bobMail.storedFile(file) == nil && !FileManager.default.fileExists(atPath: place.path))
            await #expect(throws: InboxError.self) { _ = try await bobMail.accounts() }
            await bobMail.close()
            await device.end()
        }
    }

    @Test func `mail with its own file has no combined list`() async throws {
        try await MailServer.run { mailServer in
            let device = try await TestDevice(mailServer)
            var snapshots = device.mail.observeEntries().makeAsyncIterator()
            await #expect(throws: InboxError.self) { _ = try await snapshots.next() }
            await device.end()
        }
    }
}
