import Eventually
import Foundation
import Groundwork
import InboxMail
import RunningMailServer
import Testing

/// `kill -9` during the first sync of a mailbox.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct MailKillTests {
    @Test func `after a login is killed in its first sync, the next one has all mail`() async throws {
        try await World.with { world in
            // Few mails per request, so that a first sync has many steps.
            try await MailServer.run(options: ["jmap_max_objects_in_get: 10"]) { server in
                let imap = try server.imap()
                let mails = SampleMailbox.threads(mails: 400, seed: 21).flatMap(\.mails)
                try await imap.append(mails)
                let login = try start(world, server)
                let fetchedCount = try await withMail(world, server) { mail in
                    try #require(try await eventually { try await mail.status().messages > 0 })
                    login.signal(SIGKILL)
                    #expect(try await login.end() == -SIGKILL)
                    return try await mail.status().messages
                }
                #expect(fetchedCount > 0 && fetchedCount < 400, "killed in the middle: \(fetchedCount)")

                // Mails change that the device has and that it hasn't fetched yet; some are removed, one is added.
                let uids = try await imap.mails().map(\.uid).sorted()
                try await imap.flag(Array(uids.prefix(30)), add: ["\\Flagged"])
                try await imap.flag(Array(uids.suffix(30)), add: ["\\Flagged", "\\Seen"])
                try await imap.create("Work")
                try await imap.move(Array(uids[40..<50]), to: "Work")
                try await imap.expunge([uids[0], uids[1], uids[uids.count - 1]])
                try await imap.append([IMAPClient.Mail(SampleMail.plainText.bytes)])

                let again = try start(world, server)
                #expect(try await again.end() == 0, "\(again.errors)")
                #expect(again.output.hasPrefix("Logged in as alice"))
                let expected = try await storedMails(of: imap)
                #expect(expected.count == 398)
                let found = try await withMail(world, server) { mail in
                    #expect(try await mail.status().unreadableRecords == 0)
                    return try await Set(mail.messages().map(StoredMail.init))
                }
                #expect(found == expected)
            }
        }
    }

    /// The values of a mail that JMAP and IMAP clients both have.
    private struct StoredMail: Hashable {
        let id, thread: String
        let size, date: Int
        let isUnread, isStarred: Bool

        init(_ message: MailMessage) {
            (id, thread, size) = (message.id, message.threadID, message.size)
            date = Int(message.receivedAt.timeIntervalSince1970)
            (isUnread, isStarred) = (message.isUnread, message.isStarred)
        }

        init(_ item: IMAPClient.Item) {
            (id, thread, size, date) = (item.emailID, item.threadID, item.size, item.date)
            (isUnread, isStarred) = (!item.flags.contains("\\Seen"), item.flags.contains("\\Flagged"))
        }
    }

    private func storedMails(of imap: IMAPClient) async throws -> Set<StoredMail> {
        var mails: Set<StoredMail> = []
        for folder in try await imap.folders() {
            mails.formUnion(try await imap.mails(in: folder).map(StoredMail.init))
        }
        return mails
    }

    private func start(_ world: World, _ server: MailServer) throws -> RunningProcess {
        let secret = try #require(server.users["alice"]).password
        return try world.start(
            [
                "mail", "login", "--server", "\(server.url)", "--user", "alice", "--password-stdin", "--directory",
                "phone",
            ],
            input: secret + "\n"
        )
    }

    /// Opens the device's store as another process that doesn't sync.
    private func withMail<T>(
        _ world: World,
        _ server: MailServer,
        _ body: (Mail) async throws -> T
    ) async throws -> T {
        var configuration = MailConfiguration()
        configuration.isLive = false
        let mail = try await Mail.open(
            server: server.url,
            credentials: .basic(user: "alice") { "" },
            directory: world.folder.appendingPathComponent("phone"),
            configuration: configuration
        )
        let found = try await body(mail)
        await mail.close()
        return found
    }
}
