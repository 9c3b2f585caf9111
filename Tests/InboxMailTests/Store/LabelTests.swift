import Foundation
import Groundwork
import InboxClient
import InboxTesting
import Replica
import Testing

@testable import InboxMail

/// Mailboxes as labels, on a device without a server.
@Suite(.timeLimit(.minutes(10))) struct LabelTests {
    private func withMail(_ labels: String..., body: (Mail) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("mail-\(UUID())")
        var configuration = MailConfiguration()
        configuration.isLive = false
        configuration.clock = ManualClock()
        let mail = try await Mail.open(
            server: URL(string: "https://mail.example")!,
            credentials: .bearer(user: "me") { "" },
            directory: directory,
            configuration: configuration
        )
        let mailboxes: [JSON] = [
            ["id": "inbox", "name": "Inbox", "role": "inbox"], ["id": "archive", "name": "Archive", "role": "archive"],
            ["id": "work", "name": "Work", "role": .null],
        ]
        let emails = labels.enumerated().map { number, label in email("m\(number)", "T", at: number, in: label) }
        try await mail.store.write { writer in
            _ = try writer.apply(.mailbox, mailboxes.map { try JSONText(checking: $0.utf8) })
            _ = try writer.apply(.email, emails.map { try JSONText(checking: $0.utf8) })
        }
        try await body(mail)
        await mail.close()
        try FileManager.default.removeItem(at: directory)
    }

    private func mailboxIDs(_ mail: Mail) async throws -> [String: Set<String>] {
        Dictionary(uniqueKeysWithValues: try await mail.messages().map { ($0.id, $0.mailboxIDs) })
    }

    @Test func `removing the only label archives the mail`() async throws {
        try await withMail("work", "inbox") { mail in
            let moved = try await mail.removeLabel("work", fromThreads: ["T"])
            #expect(moved == ["m0"])
            #expect(try await mailboxIDs(mail) == ["m0": ["archive"], "m1": ["inbox"]])
        }
    }

    @Test func `removing one label of two leaves the other`() async throws {
        try await withMail("inbox") { mail in
            try await mail.addLabel("work", toThreads: ["T"])
            #expect(try await mailboxIDs(mail) == ["m0": ["inbox", "work"]])
            try await mail.removeLabel("inbox", fromThreads: ["T"])
            #expect(try await mailboxIDs(mail) == ["m0": ["work"]])
        }
    }

    @Test func `removing the archive as the only label is refused`() async throws {
        try await withMail("archive") { mail in
            let error = await #expect(throws: InboxError.self) {
                try await mail.removeLabel("archive", fromThreads: ["T"])
            }
            #expect(error?.code == .invalidArgument)
            let left = try await mailboxIDs(mail)
            #expect(left == ["m0": ["archive"]])
        }
    }
}
