import Foundation
import Groundwork
import Testing

@testable import InboxMail
@testable import Replica

/// The filters that a mail server receives for queries.
@Suite(.timeLimit(.minutes(10))) struct ServerFilterTests {
    private func slice(_ query: Query<MailThread>) throws -> Slice? {
        if case .slice(let slice) = MailSlice(try StoreQuery(query, .thread)) { slice } else { nil }
    }

    private func filters(_ predicate: Predicate<MailThread>) throws -> [String]? {
        try slice(Query(where: predicate))?.filters.map(\.description)
    }

    private func filters(_ predicate: Predicate<MailMessage>) throws -> [String]? {
        guard case .slice(let slice) = MailSlice(try StoreQuery(Query(where: predicate), .email)) else { return nil }
        return slice.filters.map(\.description)
    }

    private func and(_ parts: String...) -> String {
        "{\"operator\":\"AND\",\"conditions\":[\(parts.joined(separator: ","))]}"
    }

    private let inbox = "{\"inMailbox\":{\"role\":\"inbox\"}}"
    private let notSeen = "{\"notKeyword\":\"$seen\"}"
    private let notAllSeen = "{\"operator\":\"NOT\",\"conditions\":[{\"allInThreadHaveKeyword\":\"$seen\"}]}"

    @Test func `mails of a thread may meet different conditions, so a filter has only one`() throws {
        let work = "w"
        #expect(try filters(#Predicate<MailThread> { $0.isInInbox && $0.hasAttachments }) == [inbox])
        let both = try filters(#Predicate<MailThread> { $0.isInInbox && $0.mailboxIDs.contains(work) })
        #expect(both == ["{\"inMailbox\":\"w\"}"])
        // A condition that each mail meets can be combined with it.
        let other = try filters(#Predicate<MailThread> { $0.isInInbox && !$0.mailboxIDs.contains(work) })
        #expect(other == [and(inbox, "{\"operator\":\"NOT\",\"conditions\":[{\"inMailbox\":\"w\"}]}")])
        // All conditions on a mail can be combined.
        let mails = try filters(#Predicate<MailMessage> { $0.isUnread && $0.mailboxIDs.contains(work) })
        #expect(mails == [and(notSeen, "{\"inMailbox\":\"w\"}")])
    }

    @Test func `conditions on a thread are joined, or left out for servers without them`() throws {
        let starred = "{\"someInThreadHaveKeyword\":\"$flagged\"}"
        #expect(try filters(#Predicate<MailThread> { $0.isInInbox && $0.isUnread }) == [and(inbox, notAllSeen), inbox])
        #expect(try filters(#Predicate<MailThread> { $0.isUnread }) == [notSeen])
        #expect(try filters(#Predicate<MailThread> { $0.isUnseen }) == [notSeen])
        #expect(try filters(#Predicate<MailThread> { $0.isInInbox && $0.isUnseen }) == [and(inbox, notAllSeen), inbox])
        #expect(
            try filters(#Predicate<MailThread> { $0.isInInbox && $0.isStarred }) == [
                and(inbox, starred), "{\"hasKeyword\":\"$flagged\"}",
            ]
        )
    }

    @Test func `a condition the server can't filter is left out of AND and voids OR`() throws {
        #expect(try filters(#Predicate<MailThread> { $0.isInInbox && $0.subject.contains("x") }) == [inbox])
        #expect(try filters(#Predicate<MailThread> { $0.isInInbox || $0.subject.contains("x") }) == [])
        #expect(try filters(#Predicate<MailThread> { !($0.isInInbox && $0.subject.contains("x")) }) == [])
        #expect(try filters(#Predicate<MailThread> { !$0.subject.contains("x") }) == [])
        #expect(try filters(#Predicate<MailThread> { $0.isUnread == false }) == [])
        #expect(
            try filters(#Predicate<MailThread> { $0.isStarred || $0.hasDrafts }) == [
                "{\"operator\":\"OR\",\"conditions\":[{\"hasKeyword\":\"$flagged\"},{\"hasKeyword\":\"$draft\"}]}"
            ]
        )
        // A condition that the server always meets leaves an empty filter, but the result isn't limited to the newest.
        #expect(try filters(#Predicate<MailThread> { $0.isInInbox || $0.hasAttachments }) == ["null"])
    }

    @Test func `addresses are matched in headers where they have one notation`() throws {
        func header(_ name: String, _ text: String = "ann@example.com") -> String {
            "{\"header\":[\"\(name)\",\"\(text)\"]}"
        }
        func or(_ parts: String...) -> String {
            "{\"operator\":\"OR\",\"conditions\":[\(parts.joined(separator: ","))]}"
        }
        let (ann, odd) = ("ann@example.com", "\"ann b\"@example.com")
        let anywhere = or(header("From"), header("To"), header("Cc"))
        #expect(try filters(#Predicate<MailThread> { $0.participants.contains { $0.email == ann } }) == [anywhere])
        #expect(try filters(#Predicate<MailThread> { $0.authors.contains { $0.email == ann } }) == [header("From")])
        #expect(
            try filters(#Predicate<MailMessage> { $0.cc.contains { $0.email == ann } && $0.isUnread }) == [
                and(header("Cc"), notSeen)
            ]
        )
        // Two mails of a thread, or two addresses of a mail, may each meet one condition.
        #expect(
            try filters(#Predicate<MailThread> { $0.isInInbox && $0.authors.contains { $0.email == ann } }) == [
                header("From")
            ]
        )
        #expect(
            try filters(#Predicate<MailMessage> { $0.to.contains { $0.email == ann && $0.name == "Ann" } }) == [
                header("To")
            ]
        )
        #expect(
            try filters(#Predicate<MailMessage> { $0.to.contains { $0.email == ann || $0.email == "b@c.de" } }) == [
                or(header("To"), header("To", "b@c.de"))
            ]
        )
        // Addresses with several notations and negated conditions aren't filtered.
        #expect(try filters(#Predicate<MailMessage> { $0.to.contains { $0.email == odd } }) == [])
        #expect(try filters(#Predicate<MailMessage> { $0.to.contains { $0.name == "Ann" } }) == [])
        #expect(try filters(#Predicate<MailMessage> { $0.to.contains { $0.email.contains(ann) } }) == [])
        #expect(try filters(#Predicate<MailMessage> { $0.to.contains { $0.email == ann || $0.name == "Ann" } }) == [])
        #expect(try filters(#Predicate<MailMessage> { !$0.to.contains { $0.email == ann } }) == [])
        #expect(try filters(#Predicate<MailMessage> { $0.to.allSatisfy { $0.email == ann } }) == [])
    }

    @Test func `dates are rounded outwards to whole seconds`() throws {
        let date = Date(timeIntervalSince1970: 1_772_000_000.5)
        let (second, next) = ("2026-02-25T06:13:20Z", "2026-02-25T06:13:21Z")
        #expect(try filters(#Predicate<MailThread> { $0.lastMessageDate >= date }) == ["{\"after\":\"\(second)\"}"])
        #expect(try filters(#Predicate<MailMessage> { $0.receivedAt < date }) == ["{\"before\":\"\(next)\"}"])
        #expect(
            try filters(#Predicate<MailMessage> { !($0.receivedAt > date) }) == ["{\"before\":\"\(next)\"}"]
        )
        let (past, future) = (Date.distantPast, Date.distantFuture)
        #expect(
            try filters(#Predicate<MailMessage> { $0.receivedAt > past && $0.receivedAt < future }) == [
                "{\"before\":\"4001-01-01T00:00:00Z\"}"
            ]
        )
        // Two conditions on the date of the same mail.
        #expect(
            try filters(#Predicate<MailThread> { $0.lastMessageDate >= date && $0.lastMessageDate < future }) == [
                and("{\"after\":\"\(second)\"}", "{\"before\":\"4001-01-01T00:00:00Z\"}")
            ]
        )
    }

    @Test func `the limit applies in the server's order, otherwise all is needed`() throws {
        let predicate = #Predicate<MailThread> { $0.isInInbox }
        #expect(try slice(Query(where: predicate, limit: 10, offset: 5))?.wanted == 15)
        #expect(try slice(Query(where: predicate))?.wanted == nil)
        #expect(
            try slice(Query(where: predicate, sort: [SortDescriptor(\.messageCount)], limit: 10))?.wanted == .some(nil)
        )
        #expect(
            try slice(Query(where: predicate, sort: [SortDescriptor(\.lastMessageDate)], limit: 10))?.wanted
                == .some(nil)
        )
        // Without a filter, the whole mailbox would be needed.
        let unsaid = #Predicate<MailThread> { $0.subject == "x" }
        #expect(try slice(Query(where: unsaid, sort: [SortDescriptor(\.messageCount)], limit: 10))?.wanted == 10)
    }

    @Test func `a query by id opens threads, and a query for nothing sends nothing`() throws {
        func meaning(_ predicate: Predicate<MailMessage>) throws -> String {
            "\(MailSlice(try StoreQuery(Query(where: predicate), .email)))"
        }
        let ids = ["a", "b"]
        #expect(try meaning(#Predicate { $0.threadID == "t" }) == "byID(threads: [\"t\"], mails: [])")
        #expect(
            try meaning(#Predicate { ids.contains($0.id) && $0.isUnread }).hasPrefix(
                "byID(threads: [], mails: [\"a\""
            )
        )
        #expect(try meaning(#Predicate { !ids.contains($0.id) }).hasPrefix("slice"))
        #expect(try meaning(#Predicate { _ in false }) == "nothing")
        #expect(try slice(Query(limit: 0)) == nil)
    }

    @Test func `equal queries have equal keys, different queries different keys`() throws {
        func key(_ text: String, _ limit: Int) throws -> String? {
            try slice(Query(where: #Predicate { $0.isInInbox && $0.subject.contains(text) }, limit: limit))?.key
        }
        #expect(try key("a", 1) == key("a", 2))
        #expect(try key("a", 1) != key("b", 1))
        func person(_ address: String) throws -> String? {
            try slice(Query(where: #Predicate { $0.participants.contains { $0.email == address } }))?.key
        }
        #expect(try person("a@b.c") == person("a@b.c"))
        #expect(try person("a@b.c") != person("b@b.c"))
        #expect(try slice(Query())?.filters == [.null])
    }
}
