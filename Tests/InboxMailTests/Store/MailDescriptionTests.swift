import Foundation
import Groundwork
import Testing

@testable import InboxMail

/// Descriptions of mail values contain no texts that people wrote.
@Suite(.timeLimit(.minutes(5))) struct MailDescriptionTests {
    private static let secrets = ["Anna", "anna@example.com", "Party", "Saturday", "plan.pdf"]

    private func expectNoTexts(_ value: Any, sourceLocation: SourceLocation = #_sourceLocation) {
        let text = "\(value)"
        for secret in Self.secrets { #expect(!text.contains(secret), "\(text)", sourceLocation: sourceLocation) }
        #expect(!text.contains("[123"), "no bytes", sourceLocation: sourceLocation)
        #expect(text.count < 200, sourceLocation: sourceLocation)
    }

    @Test func `descriptions contain no texts unless they are requested`() throws {
        let address = EmailAddress(name: "Anna", email: "anna@example.com")
        #expect("\(address)" == "EmailAddress(with a name)")
        #expect(address.descriptionWithTexts == #"EmailAddress("Anna", "anna@example.com")"#)
        let file = MailFile(
            blobID: "b1",
            name: "plan.pdf",
            type: "application/pdf",
            size: 20,
            contentID: nil,
            isInline: false
        )
        #expect("\(file)" == "MailFile(application/pdf, 20 bytes)")
        let json: JSON = [
            "textBody": [["partId": "1", "type": "text/plain"]], "htmlBody": [], "attachments": [],
            "bodyValues": ["1": ["value": "Saturday"]],
        ]
        #expect("\(MailBody(json))" == "MailBody(8 characters)")
        let participants: JSON = ["participants": [address.json], "authorCount": 1]
        let thread = MailThread(
            id: "t1",
            subject: "Party",
            snippet: "On Saturday",
            lastMessageDate: Date(timeIntervalSince1970: 0),
            firstMessageDate: Date(timeIntervalSince1970: 0),
            messageCount: 3,
            unreadCount: 1,
            unseenCount: 0,
            isStarred: true,
            hasAttachments: false,
            hasDrafts: false,
            isInInbox: true,
            mailboxIDs: [],
            details: MailThread.Details(text: Array(participants.utf8))
        )
        #expect("\(thread)" == "MailThread(t1, 3 mails, 1 unread, latest 1970-01-01T00:00:00Z, in the inbox, starred)")
        for secret in ["Party", "Saturday", "Anna"] { #expect(thread.descriptionWithTexts.contains(secret)) }
        for value in [address, file, thread, InboxEntry.thread(thread), [thread]] as [Any] { expectNoTexts(value) }
        let list = MailSnapshot(
            items: [thread],
            changes: .init(),
            counts: MailCounts(),
            pendingWrites: 2,
            hasSynced: false
        )
        #expect("\(list)" == "MailSnapshot(1 item, 2 pending writes, never synced)")
    }
}
