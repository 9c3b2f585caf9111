import Eventually
import Foundation
import RunningMailServer
import Testing

@testable import InboxMail

/// The people in the mails of a real server, queried and observed.
@Suite(.timeLimit(.minutes(10))) struct ContactSyncTests {
    @Test(arguments: [MailScope.everything, .slices])
    func `contacts follow what happens on the server, and need no network`(scope: MailScope) async throws {
        try await MailServer.run { server in
            let imap = try server.imap()
            try await imap.append([
                note(1, from: "=?utf-8?q?J=C3=BCrgen?= <juergen@example.com>"),
                note(2, from: "\"Berger, Anna\" <anna@example.com>"), note(3, from: "Anna Berger <Anna@Example.com>"),
                note(4, from: "Shop <no-reply@shop.example>"),
            ])
            try await imap.append(
                [note(5, from: "Alice <alice@work.example>", to: "Team: bob@example.com, Carl <carl@example.com>;")],
                to: "Sent"
            )
            let device = try await TestDevice(server, scope: scope)
            let mail = device.mail
            _ = try await mail.messages()
            var snapshots = mail.observeContacts().makeAsyncIterator()
            #expect(try await snapshots.next()?.items.isEmpty == true)
            try await mail.sync()
            var shown: [String] = []
            while shown.count < 4, let snapshot = try await snapshots.next() {
                shown = snapshot.items.map(\.displayName)
            }
            #expect(shown == ["Carl", "bob@example.com", "Anna Berger", "Jürgen"])
            #expect(try await mail.contactCount() == 4)
            #expect(try await mail.contactCount(Query(where: #Predicate { $0.writtenCount > 0 }, limit: 1)) == 2)
            let byName = Query<MailContact>(where: #Predicate { $0.name != nil }, sort: [SortDescriptor(\.email)])
            #expect(try await mail.contacts(byName).map(\.name) == ["Anna Berger", "Carl", "Jürgen"])
            #expect(try await mail.contacts(matching: "jur").map(\.email) == ["juergen@example.com"])
            #expect(try await mail.contact(for: EmailAddress(email: "ANNA@example.com"))?.receivedCount == 2)
            #expect(try await mail.contact(for: EmailAddress(email: "alice@work.example")) == nil)
            await #expect(throws: MailError.self) { try await mail.contacts(matching: "a", limit: -1) }

            // Another client moves one mail, destroys one and writes one.
            let uids = try await imap.mails().map(\.uid)
            try await imap.move([uids[0]], to: "Trash")
            try await imap.expunge([uids[1]])
            try await imap.append([note(6, from: "me@other.example", to: "anna@example.com")], to: "Sent")
            try await mail.sync()
            let names = try await mail.contacts().map(\.displayName)
            #expect(names == ["Anna Berger", "Carl", "bob@example.com"])
            let anna = try #require(try await mail.contacts().first)
            #expect(anna.receivedCount == 1 && anna.writtenCount == 1)

            try await server.kill()
            let again = try await device.reopened(server, scope: scope)
            #expect(try await again.mail.contacts().map(\.displayName) == names)
            #expect(try await again.mail.contacts(matching: "c").map(\.displayName) == ["Carl"])
            await again.end()
            await #expect(throws: MailError.self) { try await again.mail.contacts() }
        }
    }

    @Test func `the sender of the configuration and an address to sign in with are no contacts`() async throws {
        try await MailServer.run { server in
            let imap = try server.imap()
            try await imap.append([
                note(1, from: "Me <me@private.example>", to: "Bob <bob@example.com>"),
                note(2, from: "Anna <anna@example.com>"),
            ])
            var device = try await TestDevice(server) { $0.sender = EmailAddress(email: "Me@Private.example") }
            try await device.mail.sync()
            #expect(try await device.mail.contacts().map(\.email) == ["bob@example.com", "anna@example.com"])
            // A setting that is gone has no effect any more.
            device = try await device.reopened(server)
            #expect(Set(try await device.mail.contacts().map(\.email)) == ["me@private.example", "anna@example.com"])
            await device.end()
        }
    }

    @MainActor @Test func `a live contact is one object, gone with its last mail`() async throws {
        try await MailServer.run { server in
            let imap = try server.imap()
            try await imap.append([note(1, from: "Anna <anna@example.com>")])
            let device = try await TestDevice(server)
            let mail = device.mail
            #expect(try await mail.liveContact("anna@example.com") == nil)
            let unknown = try await mail.liveContact(for: EmailAddress(name: "A", email: "ANNA@example.com"))
            #expect(unknown.isGone && unknown.value.name == "A")
            try await mail.sync()
            #expect(try await eventually { !unknown.isGone && unknown.name == "Anna" && unknown.receivedCount == 1 })
            #expect(try await mail.liveContact("anna@example.com") === unknown)
            let results = mail.contactResults(cachePolicy: .cacheOnly)
            #expect(try await eventually { results.items.map(\.id) == ["anna@example.com"] })
            try await imap.expunge(try await imap.mails().map(\.uid))
            try await mail.sync()
            #expect(try await eventually { unknown.isGone && results.items.isEmpty })
            await device.end()
        }
    }
}

private func note(_ number: Int, from: String, to: String = "alice@example.com") -> IMAPClient.Mail {
    let lines = [
        "From: \(from)", "To: \(to)", "Subject: Mail \(number)", "Message-ID: <n\(number)@example.com>", "", "Text.",
        "",
    ]
    return IMAPClient.Mail(Array(lines.joined(separator: "\r\n").utf8), date: 1_760_000_000 + number * 60)
}
