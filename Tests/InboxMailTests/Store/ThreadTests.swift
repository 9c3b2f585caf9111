import Foundation
import Groundwork
import InboxTesting
import Replica
import Testing

@testable import InboxMail

/// The computation of a thread from its mails.
@Suite(.timeLimit(.minutes(10))) struct ThreadTests {
    private func withStore(_ body: (MailStore) async throws -> Void) async throws {
        let mail = try MailStore()
        try await body(mail)
        await mail.close()
    }

    @Test func `a thread consists of its mails`() async throws {
        try await withStore { mail in
            try await mail.pull(
                email(
                    "1",
                    "T",
                    at: 1,
                    from: "Anna <anna@example.com>",
                    to: "ME <me@example.com>",
                    subject: "Plans",
                    keywords: "$seen"
                ),
                email(
                    "2",
                    "T",
                    at: 2,
                    from: "me@example.com",
                    to: "anna@example.com",
                    subject: "Re: Plans",
                    keywords: "$seen",
                    "$flagged"
                ),
                email(
                    "3",
                    "T",
                    at: 3,
                    from: "Bob <bob@example.com>",
                    to: "Me@example.com",
                    subject: "Re: Plans",
                    preview: "Newest",
                    hasAttachment: true
                ),
                email("4", "U", at: 9, subject: "Another")
            )
            let thread = try #require(try await mail.thread("T"))
            #expect(thread.subject == "Plans")
            #expect(thread.snippet == "Newest")
            #expect(thread.lastMessageDate == minute(3) && thread.firstMessageDate == minute(1))
            #expect(thread.messageCount == 3 && thread.unreadCount == 1 && thread.isUnread)
            #expect(thread.isStarred && thread.hasAttachments && thread.isInInbox && !thread.hasDrafts)
            #expect(thread.participants.map(\.email) == ["anna@example.com", "me@example.com", "bob@example.com"])
            #expect(thread.authors == thread.participants)
            #expect(try await mail.thread("U")?.authors.map(\.email) == ["anna@example.com"])
            #expect(thread.messageIDs == ["1", "2", "3"])
            #expect(try await mail.threads().map(\.id) == ["U", "T"])
        }
    }

    @Test func `a changed or removed mail changes its thread, and the last one removes it`() async throws {
        try await withStore { mail in
            try await mail.pull(email("1", "T", at: 1, subject: "One"), email("2", "T", at: 2, subject: "Two"))
            #expect(try await mail.counts() == counts(total: 1, unread: 1, inInbox: 1, unreadInInbox: 1))
            try await mail.pull(
                email("1", "T", at: 1, subject: "One", keywords: "$seen"),
                email("2", "T", at: 2, subject: "Two", keywords: "$seen")
            )
            #expect(try await mail.counts() == counts(total: 1, inInbox: 1))
            try await mail.remove("1")
            #expect(try await mail.thread("T")?.subject == "Two")
            try await mail.remove("2")
            #expect(try await mail.thread("T") == nil)
            #expect(try await mail.counts() == MailCounts())
        }
    }

    @Test func `an HTML preview is read as text, and other angle brackets stay`() async throws {
        try await withStore { mail in
            let previews = [
                "A":
                    "<!DOCTYPE html><html><head><style>p { color: red }</style></head><body><h1>Invoice</h1><p>Total: 5&nbsp;€",
                "B": "<p>Cut off in a <a href=\"https://exa", "C": "<anna@example.com> wrote this", "D": "< 5 and > 3",
            ]
            for (id, preview) in previews { try await mail.pull(email(id, id, at: 1, preview: preview)) }
            #expect(try await mail.thread("A")?.snippet == "Invoice Total: 5 €")
            #expect(try await mail.thread("B")?.snippet == "Cut off in a")
            #expect(try await mail.thread("C")?.snippet == previews["C"])
            #expect(try await mail.thread("D")?.snippet == previews["D"])
        }
    }

    @Test func `unseen counts unread mails that weren't noticed in a list`() async throws {
        try await withStore { mail in
            try await mail.pull(
                email("1", "T", at: 1),
                email("2", "T", at: 2, keywords: "swift-inbox-noticed"),
                email("3", "U", at: 3, keywords: "swift-inbox-noticed"),
                email("4", "V", at: 4, keywords: "$seen"),
                email("5", "W", at: 5, in: "archive")
            )
            #expect(try await mail.threads().map(\.unseenCount) == [1, 0, 0, 1])
            #expect(try await mail.thread("T")?.isUnseen == true)
            #expect(
                try await mail.counts()
                    == counts(total: 4, unread: 3, inInbox: 3, unreadInInbox: 2, unseenInInbox: 1)
            )
        }
    }

    @Test(arguments: ["trash", "junk"])
    func `mail in trash or junk isn't counted unless the thread has no other mail`(place: String) async throws {
        try await withStore { mail in
            try await mail.pull(
                email("1", "T", at: 1, subject: "Kept", in: "archive", keywords: "$seen"),
                email("2", "T", at: 2, subject: "Dropped", preview: "gone", in: place),
                email("3", "U", at: 3, subject: "Alone", in: place)
            )
            let thread = try #require(try await mail.thread("T"))
            #expect(thread.snippet != "gone" && thread.unreadCount == 0 && thread.messageCount == 1)
            #expect(thread.mailboxIDs == ["archive", place] && thread.messageIDs == ["1", "2"])
            #expect(try await mail.thread("U")?.unreadCount == 1)
        }
    }

    @Test func `a draft is neither unread nor the thread's preview`() async throws {
        try await withStore { mail in
            try await mail.pull(
                email("1", "T", at: 1, subject: "Hello", preview: "received", keywords: "$seen"),
                email("2", "T", at: 2, subject: "Re: Hello", preview: "unsent", in: "drafts", keywords: "$draft")
            )
            let thread = try #require(try await mail.thread("T"))
            #expect(thread.snippet == "received" && thread.unreadCount == 0 && thread.hasDrafts)
            #expect(thread.lastMessageDate == minute(1))
        }
    }

    @Test func `a mailbox's role decides which threads are in the inbox`() async throws {
        try await withStore { mail in
            try await mail.pull(email("1", "T", at: 1, in: "work"))
            #expect(try await mail.thread("T")?.isInInbox == false)
            try await mail.pullMailboxes(
                ["id": "work", "name": "Work", "role": "inbox"],
                ["id": "inbox", "name": "Inbox"]
            )
            #expect(try await mail.thread("T")?.isInInbox == true)
        }
    }

    @Test func `a mail without properties is stored`() async throws {
        try await withStore { mail in
            try await mail.pull(["id": "1", "threadId": "T", "from": .null, "subject": .null, "mailboxIds": .null])
            let thread = try #require(try await mail.thread("T"))
            #expect(thread.subject == "" && thread.participants.isEmpty && thread.messageCount == 1)
        }
    }

    @Test func `three thousand recipients are truncated to a hundred participants`() async throws {
        try await withStore { mail in
            var all = JSONObject([("id", "1"), ("threadId", "T"), ("receivedAt", "2026-01-01T00:00:00Z")])
            all["to"] = .array((0..<3_000).map { EmailAddress(email: "p\($0)@example.com").json })
            try await mail.pull(.object(all))
            #expect(try await mail.thread("T")?.participants.count == 100)
        }
    }

    @Test func `predicates match in SQL as in memory`() async throws {
        try await withStore { mail in
            try await mail.pull(
                email("1", "A", at: 1, subject: "x", keywords: "$seen"),
                email("2", "B", at: 2, subject: "y", in: "work"),
                email("3", "C", at: 3, in: "inbox", "work", keywords: "$flagged")
            )
            let (work, other) = ("work", "wor")
            func ids(_ predicate: Predicate<MailThread>) async throws -> [String] {
                let query = try StoreQuery(Query(where: predicate), .thread)
                #expect(query.condition.filter.isExact)
                let found = try await mail.store.read { db in try query.fetch(db) }
                let all = try await mail.threads()
                #expect(all.filter { query.condition.matches($0) } == found)
                return found.map(\.id)
            }
            #expect(try await ids(#Predicate { $0.mailboxIDs.contains(work) }) == ["C", "B"])
            #expect(try await ids(#Predicate { !$0.mailboxIDs.contains(work) }) == ["A"])
            #expect(try await ids(#Predicate { $0.mailboxIDs.contains(other) }) == [])
            #expect(try await ids(#Predicate { $0.isUnread && $0.isInInbox }) == ["C"])
            #expect(try await ids(#Predicate { !$0.isUnread }) == ["A"])
            #expect(try await ids(#Predicate { $0.isStarred || $0.subject == "x" }) == ["C", "A"])
        }
    }

    @Test func `people are queried by address and name`() async throws {
        try await withStore { mail in
            try await mail.pull(
                email("1", "A", at: 1, from: "Ann Müller <ann@example.com>", to: "me@example.com"),
                email("2", "A", at: 2, from: "me@example.com", to: "ann@example.com"),
                email("3", "B", at: 3, from: "Bob <bob@example.com>", to: "Joann <joann@example.com>"),
                email("4", "C", at: 4, from: "News <news@other.example>")
            )
            let ann = "ann@example.com"
            func threads(_ predicate: Predicate<MailThread>) async throws -> [String] {
                let query = try StoreQuery(Query(where: predicate), .thread)
                let (found, count) = try await mail.store.read { db in (try query.fetch(db), try query.count(db)) }
                #expect(found.count == count)
                return found.map(\.id)
            }
            func mails(_ predicate: Predicate<MailMessage>) async throws -> [String] {
                let query = try StoreQuery(Query(where: predicate), .email)
                return try await mail.store.read { db in try query.fetch(db).map(\.id) }
            }
            #expect(try await threads(#Predicate { $0.participants.contains { $0.email == ann } }) == ["A"])
            #expect(
                try await threads(#Predicate { $0.participants.contains { $0.email.contains("ann@") } }) == ["B", "A"]
            )
            #expect(try await threads(#Predicate { !$0.participants.contains { $0.email == ann } }) == ["C", "B"])
            #expect(
                try await threads(
                    #Predicate { $0.authors.contains { ($0.name ?? "").localizedStandardContains("MULLER") } }
                ) == ["A"]
            )
            #expect(try await threads(#Predicate { $0.authors.allSatisfy { $0.name != nil } }) == ["C", "B"])
            #expect(try await threads(#Predicate { $0.participants.count > 2 || $0.authors.isEmpty }) == [])
            #expect(try await mails(#Predicate { $0.from.contains { $0.email == ann } }) == ["1"])
            #expect(
                try await mails(#Predicate { $0.to.contains { $0.email == ann || $0.name == "Joann" } }) == ["3", "2"]
            )
            #expect(try await mails(#Predicate { $0.cc.isEmpty && $0.from.contains { $0.name == "Bob" } }) == ["3"])
        }
    }
}

extension ThreadTests {
    /// Actions on a thread choose its mails by these reads.
    @Test func `an action on a thread reaches the latest received mail, else sent, junk, draft`() async throws {
        try await withStore { mail in
            // Each is removed once it was the best match.
            try await mail.pull(
                email("draft", "T", at: 9, in: "drafts", keywords: "$draft"),
                email("junk", "T", at: 8, in: "junk"),
                email("sent", "T", at: 7, in: "sent"),
                email("early", "T", at: 1, in: "archive", keywords: "$seen"),
                email("late", "T", at: 2, in: "inbox", "work"),
                email("other", "U", at: 99)
            )
            for expected in ["late", "early", "sent", "junk", "draft"] {
                let found = try await mail.store.read { db in try db.latestReceived(inThread: "T") }
                #expect(found == expected)
                try await mail.remove(expected)
            }
            #expect(try await mail.store.read { db in try db.latestReceived(inThread: "T") } == nil)
        }
    }

    @Test func `a thread's mails are read in the order of their arrival, and by keyword`() async throws {
        try await withStore { mail in
            try await mail.pull(
                email("b", "T", at: 2, keywords: "$seen"),
                email("c", "T", at: 2),
                email("a", "T", at: 3, in: "work", "inbox"),
                email("other", "U", at: 1)
            )
            let (all, unread, mailboxes, unknown) = try await mail.store.read { db in
                (
                    try db.messageIDs(inThread: "T"), try db.messageIDs(inThread: "T", without: Keyword.seen),
                    try db.mailboxes(ofMessage: "a").names, try db.mailboxes(ofMessage: "unknown").names
                )
            }
            #expect(all == ["b", "c", "a"] && unread == ["c", "a"])
            #expect(mailboxes == ["inbox", "work"] && unknown.isEmpty)
        }
    }
}
