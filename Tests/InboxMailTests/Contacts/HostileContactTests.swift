import Foundation
import GRDB
import Groundwork
import MailComposing
import Replica
import ReplicaTesting
import Testing

@testable import InboxMail

/// Mails that are made to harm whoever reads their addresses.
@Suite(.timeLimit(.minutes(10))) struct HostileContactTests {
    @Test func `of thousands of recipients or authors, the first are counted`() async throws {
        try await withStore { mail in
            let people = (0..<10_000).map { "p\($0)@example.com" }
            try await mail.pull(letter("1", at: 1, from: "Anna <anna@example.com>", to: people))
            #expect(try await mail.contacts().map(\.id) == ["anna@example.com"])
            try await mail.pull(letter("2", at: 2, from: "me@example.com", to: people, in: ["sent"]))
            #expect(try await mail.contacts().count == ContactUse.maxRecipients + 1)
            var many = letter("3", at: 3, from: "x@example.org", to: []).objectValue!
            many["from"] = .array((0..<10_000).map { EmailAddress(email: "a\($0)@example.org").json })
            try await mail.pull(.object(many))
            #expect(try await mail.contacts().count == ContactUse.maxRecipients + 1 + ContactUse.maxAuthors)
            #expect(try await mail.contacts(matching: "a1 org").isEmpty)
            try await mail.remove("1", "2", "3")
            #expect(try await mail.number("SELECT count(*) FROM contactSpelling") == 0)
        }
    }

    @Test func `an address that no mail can be sent to is no contact`() async throws {
        let cases: [String] = [
            "", "@", "anna", "@example.com", "anna@", "a@b@example.com", "anna @example.com", "anna@exa mple.com",
            "an\u{202E}na@example.com", "an\u{200B}na@example.com", "anna@example.com\r\nBcc: x@example.com",
            "a\u{0}@b.example",
            "anna@\u{202E}example.com", "anna@xn--\u{80}.example", String(repeating: "a", count: 243) + "@example.com",
            "\"" + String(repeating: "\\\"", count: 121) + "\"@example.com",
        ]
        try await withStore { mail in
            for address in cases {
                var json = letter("1", at: 1, from: "x@example.com", to: []).objectValue!
                json["from"] = [EmailAddress(name: "Anna", email: address).json]
                try await mail.pull(.object(json), letter("2", at: 2, from: "Bob <bob@example.com>"))
                #expect(try await mail.contacts().map(\.id) == ["bob@example.com"], "\(address.debugDescription)")
                try await mail.remove("1", "2")
            }
        }
    }

    @Test func `a name is one line of visible characters, and no address`() async throws {
        let cases: [(String, String?)] = [
            ("Anna\u{0}\r\nBcc: x", "Anna Bcc: x"), ("\u{202E}annA\u{202C}", "annA"),
            ("\u{2066}Anna\u{2069}\u{200B}", "Anna"),
            ("  'Anna'  ", "Anna"), ("\"Anna  Berger\"", "Anna Berger"), ("\u{E000}com", "com"),
            ("=?utf-8?q?Anna?=", nil), ("", nil), (" \t", nil), ("\u{200E}", nil), ("…", nil), ("\u{301}", nil),
            ("anna@example.com", nil), ("<boss@bank.example>", nil), ("Anna @ Home", "Anna @ Home"),
            ("علی\u{200C}رضا", "علی\u{200C}رضا"), ("👩‍👩‍👧", "👩‍👩‍👧"), ("A\u{30A}sa", "\u{C5}sa"), ("\u{FFFD}Anna", "Anna"),
        ]
        try await withStore { mail in
            for (name, shown) in cases {
                var json = letter("1", at: 1, from: "x@example.com", to: []).objectValue!
                json["from"] = [EmailAddress(name: name, email: "anna@example.com").json]
                try await mail.pull(.object(json))
                let contact = try #require(try await mail.contacts().first)
                #expect(contact.name.map { Array($0.utf8) } == shown.map { Array($0.utf8) }, "\(name.debugDescription)")
                #expect(contact.displayName == shown ?? "anna@example.com", "\(name.debugDescription)")
                try await mail.remove("1")
            }
        }
    }

    @Test func `an address of any length is no contact unless a mail can be sent to it`() {
        let long = [
            String(repeating: "a", count: 1_000_000) + "@example.com",
            "anna@" + String(repeating: "a.", count: 500_000) + "com", String(repeating: "@", count: 1_000_000),
        ]
        for address in long { #expect(ContactAddress(EmailAddress(email: address)) == nil) }
    }

    @Test func `a name of any length is cut between two characters`() async throws {
        for name in [
            String(repeating: "Anna ", count: 1_000_000), String(repeating: "👩‍👩‍👧", count: 100_000),
            "A" + String(repeating: "\u{301}", count: 1_000_000),
        ] {
            let address = try #require(ContactAddress(EmailAddress(name: name, email: "anna@example.com")))
            #expect(address.name?.utf8.count ?? 0 <= ContactAddress.maxNameLength)
        }
    }

    @Test func `a sender with another name in each mail costs a bounded number of rows`() async throws {
        let count = ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] == nil ? 100 : 500
        try await withStore { mail in
            try await mail.pull((0..<count).map { letter("\($0)", at: $0, from: "Anna \($0) <anna@example.com>") })
            let rows = try await mail.number("SELECT count(*) FROM contactSpelling")
            #expect(rows == ContactSummary.maxSpellings + 1)
            let contact = try #require(try await mail.contacts().first)
            #expect(contact.receivedCount == count && contact.lastUsedAt == minute(count - 1) && contact.name != nil)
            for number in 0..<count { try await mail.remove("\(number)") }
            #expect(try await mail.contacts().isEmpty)
            #expect(try await mail.number("SELECT count(*) FROM contactSpelling") == 0)
        }
    }
}
