import Foundation
import Groundwork
import RunningMailServer
import SeededRandom
import Testing

@testable import InboxMail

/// For any query, a device with slices has the same result as a device with all mails.
@Suite(.timeLimit(.minutes(20))) struct SliceQueryTests {
    private struct Case<Item: Hashable & Sendable>: Sendable {
        let name: String
        let predicate: Predicate<Item>?
    }

    /// Runs as two concurrent halves, since each condition waits for the server several times.
    @Test(arguments: [0, 1])
    func `with slices, every kind of condition finds what a complete copy finds`(half: Int) async throws {
        try await MailServer.run { server in
            let work = try await fill(server, seed: 11)
            let full = try await TestDevice(server)
            try await full.mail.sync()
            let all = try await full.mail.threads()
            let middle = all[all.count / 2].lastMessageDate
            let early = all[all.count * 3 / 4].lastMessageDate.addingTimeInterval(0.5)
            // The author of only a few mails.
            let people = all.flatMap(\.authors).map(\.email).filter { !$0.contains("alice") }
            let person = people.max { one, other in
                (people.count { $0 == one }, other) < (people.count { $0 == other }, one)
            }
            let (author, me) = (try #require(person), "alice@example.com")
            for (place, some) in (threadCases(work, middle, early) + threadCases(author, me)).enumerated()
            where place % 2 == half {
                let expected = try await full.mail.threads(Query(where: some.predicate))
                let device = try await TestDevice(server, scope: .slices)
                _ = try await device.mail.threads(Query(where: some.predicate))
                try await device.mail.sync()
                let found = try await device.mail.threads(Query(where: some.predicate))
                #expect(found == expected, "\(some.name)")
                #expect(try await device.mail.storedThreads() == expected, "\(some.name): no other thread is stored")
                await device.end()
            }
            for (place, some) in (messageCases(work, middle, early) + messageCases(author, me)).enumerated()
            where place % 2 == half {
                let expected = try await full.mail.messages(Query(where: some.predicate))
                let device = try await TestDevice(server, scope: .slices)
                _ = try await device.mail.messages(Query(where: some.predicate))
                try await device.mail.sync()
                let found = try await device.mail.messages(Query(where: some.predicate))
                #expect(found.map(facts) == expected.map(facts), "\(some.name)")
                let threads = Set(expected.map(\.threadID))
                #expect(try await Set(device.mail.storedThreads().map(\.id)) == threads, "\(some.name)")
                await device.end()
            }
            await full.end()
        }
    }

    @Test func `the first mails of a query are the same with slices as with a complete copy`() async throws {
        try await MailServer.run { server in
            let work = try await fill(server, seed: 12)
            let full = try await TestDevice(server)
            let device = try await TestDevice(server, scope: .slices)
            let queries: [Query<MailMessage>] = [
                Query(limit: 5), Query(where: #Predicate { $0.isUnread }, limit: 5),
                Query(where: #Predicate { $0.mailboxIDs.contains(work) && $0.size > 500 }, limit: 3, offset: 2),
                Query(
                    where: #Predicate { $0.isStarred && $0.hasAttachments },
                    sort: [SortDescriptor(\.size)],
                    limit: 4
                ),
            ]
            for query in queries { _ = try await device.mail.messages(query) }
            for mail in [full.mail, device.mail] { try await mail.sync() }
            for query in queries {
                let (found, expected) = (try await device.mail.messages(query), try await full.mail.messages(query))
                #expect(found.map(facts) == expected.map(facts))
            }
            #expect(try await device.mail.status().messages < full.mail.status().messages)
            for device in [full, device] { await device.end() }
        }
    }

    /// The properties of a mail, independent of the server's order.
    private func facts(_ mail: MailMessage) -> String {
        let (keywords, mailboxes) = (mail.keywords.sorted(), mail.mailboxIDs.sorted())
        let head = "\(mail.id) \(mail.threadID) \(mail.subject) \(mail.from) \(mail.to) \(mail.receivedAt) \(mail.size)"
        return "\(head) \(mail.snippet) \(mail.hasAttachments) \(keywords) \(mailboxes)"
    }

    /// Fills a server with mails of all kinds.
    ///
    /// - Returns: The id of a mailbox without a role.
    private func fill(_ server: MailServer, seed: UInt64) async throws -> String {
        var random = Seeded(seed)
        let imap = try server.imap()
        // Each case has its own device, which fetches its part of the mails.
        let count = ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] == nil ? 40 : 150
        try await imap.append(SampleMailbox.threads(mails: count, seed: seed).flatMap(\.mails))
        try await imap.append([plainMail(1, "File", hasAttachment: true, flags: ["\\Seen"])])
        try await imap.append([plainMail(2, "Re: File", answers: 1, flags: ["\\Draft"])], to: "Drafts")
        try await imap.append([plainMail(3, "Unseen draft", flags: ["\\Draft"])], to: "Drafts")
        try await imap.append([plainMail(4, "Spam"), plainMail(5, "Starred spam", flags: ["\\Flagged"])], to: "Junk")
        try await imap.append([plainMail(6, "Noticed", flags: [Keyword.seenInList])])
        try await imap.create("Work")
        for folder in ["INBOX", "Archive", "Sent"] {
            let uids = try await imap.mails(in: folder).map(\.uid).shuffled(using: &random)
            let part = uids.count / 6
            try await imap.flag(Array(uids.prefix(part)), in: folder, add: ["\\Flagged"], remove: ["\\Seen"])
            try await imap.copy(Array(uids.dropFirst(part).prefix(part)), from: folder, to: "Work")
            try await imap.move(Array(uids.dropFirst(2 * part).prefix(part)), from: folder, to: "Trash")
        }
        let boxes = try await server.jmap("Mailbox/get", ["ids": .null])["list"]?.arrayValue ?? []
        return boxes.first { $0["name"]?.stringValue == "Work" }?["id"]?.stringValue ?? ""
    }

    private func threadCases(_ work: String, _ middle: Date, _ early: Date) -> [Case<MailThread>] {
        [
            Case(name: "all", predicate: nil),
            Case(name: "in the inbox", predicate: #Predicate { $0.isInInbox }),
            Case(name: "not in the inbox", predicate: #Predicate { !$0.isInInbox }),
            Case(name: "in a mailbox", predicate: #Predicate { $0.mailboxIDs.contains(work) }),
            Case(name: "not in a mailbox", predicate: #Predicate { !$0.mailboxIDs.contains(work) }),
            Case(name: "in both", predicate: #Predicate { $0.mailboxIDs.contains(work) && $0.isInInbox }),
            Case(name: "unread", predicate: #Predicate { $0.isUnread }),
            Case(name: "read", predicate: #Predicate { !$0.isUnread }),
            Case(name: "two unread", predicate: #Predicate { $0.unreadCount >= 2 }),
            Case(name: "unread in the inbox", predicate: #Predicate { $0.isInInbox && $0.unreadCount > 0 }),
            Case(name: "unseen", predicate: #Predicate { $0.isUnseen }),
            Case(name: "seen", predicate: #Predicate { !$0.isUnseen }),
            Case(name: "unseen in the inbox", predicate: #Predicate { $0.isInInbox && $0.isUnseen }),
            Case(name: "starred", predicate: #Predicate { $0.isStarred }),
            Case(name: "not starred", predicate: #Predicate { !$0.isStarred }),
            Case(name: "starred in the inbox", predicate: #Predicate { $0.isInInbox && $0.isStarred }),
            Case(name: "starred and unread", predicate: #Predicate { $0.isStarred && $0.isUnread }),
            Case(name: "with drafts", predicate: #Predicate { $0.hasDrafts }),
            Case(name: "without drafts", predicate: #Predicate { !$0.hasDrafts }),
            Case(name: "with files", predicate: #Predicate { $0.hasAttachments }),
            Case(name: "without files", predicate: #Predicate { !$0.hasAttachments }),
            Case(name: "files in the inbox", predicate: #Predicate { $0.isInInbox && $0.hasAttachments }),
            Case(name: "since", predicate: #Predicate { $0.lastMessageDate >= middle }),
            Case(name: "after", predicate: #Predicate { $0.lastMessageDate > middle }),
            Case(name: "before", predicate: #Predicate { $0.lastMessageDate < middle }),
            Case(name: "until", predicate: #Predicate { $0.firstMessageDate <= early }),
            Case(name: "at", predicate: #Predicate { $0.lastMessageDate == middle }),
            Case(
                name: "between",
                predicate: #Predicate { $0.lastMessageDate >= early && $0.lastMessageDate < middle }
            ),
            Case(
                name: "began before, ended after",
                predicate: #Predicate { $0.firstMessageDate < early && $0.lastMessageDate > early }
            ),
            Case(name: "either", predicate: #Predicate { $0.isStarred || $0.isInInbox }),
            Case(
                name: "either and more",
                predicate: #Predicate { ($0.isStarred || $0.isUnread) && !$0.mailboxIDs.contains(work) }
            ),
            Case(name: "neither", predicate: #Predicate { !($0.isStarred || $0.isInInbox) }),
            Case(
                name: "subject and inbox",
                predicate: #Predicate { $0.isInInbox && $0.subject.localizedStandardContains("a") }
            ),
            Case(name: "several mails in the inbox", predicate: #Predicate { $0.messageCount > 2 && $0.isInInbox }),
        ]
    }

    /// Conditions on people.
    private func threadCases(_ author: String, _ me: String) -> [Case<MailThread>] {
        [
            Case(name: "with", predicate: #Predicate { $0.participants.contains { $0.email == author } }),
            Case(name: "by", predicate: #Predicate { $0.authors.contains { author == $0.email } }),
            Case(
                name: "with, in the inbox",
                predicate: #Predicate { $0.isInInbox && $0.participants.contains { $0.email == author } }
            ),
            Case(
                name: "one of two",
                predicate: #Predicate { thread in
                    thread.participants.contains { $0.email == author || $0.email == "unknown@example.com" }
                }
            ),
            Case(
                name: "with both",
                predicate: #Predicate { thread in
                    thread.authors.contains { $0.email == author } && thread.authors.contains { $0.email == me }
                }
            ),
            Case(
                name: "with, by name too",
                predicate: #Predicate { thread in
                    thread.participants.contains {
                        $0.email == author && ($0.name ?? "").localizedStandardContains("a")
                    }
                }
            ),
            Case(
                name: "by me, without",
                predicate: #Predicate { thread in
                    thread.authors.contains { $0.email == me } && !thread.participants.contains { $0.email == author }
                }
            ),
        ]
    }

    /// Conditions on people.
    private func messageCases(_ author: String, _ me: String) -> [Case<MailMessage>] {
        [
            Case(name: "from", predicate: #Predicate { $0.from.contains { $0.email == author } }),
            Case(name: "to", predicate: #Predicate { $0.to.contains { $0.email == author } && $0.isUnread }),
            Case(
                name: "from or copy",
                predicate: #Predicate { mail in
                    mail.from.contains { $0.email == author } || mail.cc.contains { $0.email == author }
                }
            ),
            Case(
                name: "to me, from another",
                predicate: #Predicate { mail in
                    mail.to.contains { $0.email == me } && mail.from.contains { $0.email == author }
                }
            ),
        ]
    }

    private func messageCases(_ work: String, _ middle: Date, _ early: Date) -> [Case<MailMessage>] {
        [
            Case(name: "all mails", predicate: nil),
            Case(name: "mails in a mailbox", predicate: #Predicate { $0.mailboxIDs.contains(work) }),
            Case(name: "mails not in a mailbox", predicate: #Predicate { !$0.mailboxIDs.contains(work) }),
            Case(name: "unread mails", predicate: #Predicate { $0.isUnread }),
            Case(name: "read mails", predicate: #Predicate { !$0.isUnread }),
            Case(name: "starred mails", predicate: #Predicate { $0.isStarred }),
            Case(name: "drafts", predicate: #Predicate { $0.isDraft }),
            Case(name: "not answered", predicate: #Predicate { !$0.isAnswered }),
            Case(name: "no such keyword", predicate: #Predicate { !$0.keywords.contains("$Seen") }),
            Case(name: "mails with files", predicate: #Predicate { $0.hasAttachments }),
            Case(name: "large", predicate: #Predicate { $0.size > 700 }),
            Case(name: "small", predicate: #Predicate { $0.size <= 700 && !$0.isUnread }),
            Case(name: "mails since", predicate: #Predicate { $0.receivedAt >= middle }),
            Case(name: "mails before", predicate: #Predicate { $0.receivedAt <= early }),
            Case(
                name: "starred or in a mailbox",
                predicate: #Predicate { $0.isStarred || ($0.mailboxIDs.contains(work) && $0.isUnread) }
            ),
        ]
    }

    private static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] == nil ? [1] : Array(1...20)

    @Test(arguments: seeds)
    func `after random changes, a device with slices and a complete one agree`(seed: UInt64) async throws {
        try await MailServer.run { server in
            var random = Seeded(seed)
            let work = try await fill(server, seed: seed)
            let full = try await TestDevice(server)
            let device = try await TestDevice(server, scope: .slices)
            let queries: [Query<MailThread>] = [
                Query(where: #Predicate { $0.isInInbox && $0.isUnread }), Query(where: #Predicate { $0.isStarred }),
                Query(where: #Predicate { $0.mailboxIDs.contains(work) && $0.hasAttachments }),
                Query(where: #Predicate { $0.mailboxIDs.contains(work) }),
            ]
            for query in queries { _ = try await device.mail.threads(query) }
            let imap = try server.imap()
            try await imap.create("Later")
            for step in 0..<40 {
                let mail = Bool.random(using: &random) ? full.mail : device.mail
                switch Int.random(in: 0..<4, using: &random) {
                case 0: try await act(mail, work, &random)
                case 1: try await act(imap, step, &random)
                case 2:
                    let count = device.link.log.count + Int.random(in: 1..<5, using: &random)
                    device.link.fail { _, number in number == count ? .losesAnswer : nil }
                    try? await device.mail.sync()
                    device.link.fail(nil)
                default: try await mail.sync()
                }
            }
            for _ in 0..<2 {
                for mail in [full.mail, device.mail] { try await mail.sync() }
            }
            var fetched: Set<MailThread> = []
            for query in queries {
                let expected = try await full.mail.threads(query)
                #expect(try await device.mail.threads(query) == expected, "seed \(seed)")
                fetched.formUnion(expected)
            }
            #expect(try await Set(device.mail.storedThreads()) == fetched, "seed \(seed)")
            #expect(try await device.mail.status().pendingWrites == 0)
            for device in [full, device] { await device.end() }
        }
    }

    private func act(_ mail: Mail, _ work: String, _ random: inout Seeded) async throws {
        guard let thread = try await mail.storedThreads().map(\.id).randomElement(using: &random) else { return }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: try await mail.markRead(threads: [thread])
        case 1: try await mail.markUnread(threads: [thread])
        case 2: try await mail.star(threads: [thread])
        case 3: try await mail.unstar(threads: [thread])
        case 4: try await mail.archive(threads: [thread])
        case 5: try await mail.unarchive(threads: [thread])
        case 6: try await mail.trash(threads: [thread])
        default: try await mail.addLabel(work, toThreads: [thread])
        }
    }

    private func act(_ imap: IMAPClient, _ step: Int, _ random: inout Seeded) async throws {
        let folder = ["INBOX", "Archive", "Work", "Sent"].randomElement(using: &random) ?? "INBOX"
        let uids = try await imap.mails(in: folder).map(\.uid).shuffled(using: &random)
        guard let uid = uids.first else { return }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try await imap.flag([uid], in: folder, add: ["\\Seen"])
        case 1: try await imap.flag([uid], in: folder, add: ["\\Flagged"], remove: ["\\Seen"])
        case 2: try await imap.move([uid], from: folder, to: folder == "INBOX" ? "Archive" : "INBOX")
        case 3: try await imap.copy([uid], from: folder, to: folder == "Work" ? "INBOX" : "Work")
        case 4: try await imap.expunge([uid], in: folder)
        default:
            try await imap.append([plainMail(1_000 + step, "New \(step)", hasAttachment: step % 3 == 0)], to: folder)
            try await imap.append([plainMail(2_000 + step, "Re: New \(step)", answers: 1_000 + step)], to: "INBOX")
        }
    }
}
