import Foundation
import GRDB
import Groundwork
import Replica
import SeededRandom
import Testing

@testable import InboxMail

/// Finding contacts by what a person types.
@Suite(.timeLimit(.minutes(10))) struct ContactCompletionTests {
    @Test func `each typed word begins a word of name, local part or domain, without accents`() async throws {
        try await withStore { mail in
            try await mail.pull(
                letter("1", at: 1, from: "Ánna Müller-Ångström <am@example.com>"),
                letter("2", at: 2, from: "Bob <bob.smith@mail.annex.example>"),
                letter("3", at: 3, from: "carl_annoy@bücher.org"),
                letter("4", at: 4, from: "Diana <diana@other.com>")
            )
            func found(_ text: String) async throws -> [String] {
                try await mail.contacts(matching: text).map { String($0.email.prefix { $0 != "@" }) }
            }
            for text in ["a", "AN", "ann", "Änn"] {
                #expect(Set(try await found(text)) == ["am", "bob.smith", "carl_annoy"], "\(text)")
            }
            #expect(try await found("anna") == ["am"])
            #expect(try await found("mull") == ["am"])
            #expect(try await found("angstrom ann") == ["am"])
            #expect(try await found("smith b") == ["bob.smith"])
            #expect(try await found("bob.smith@mail.annex.ex") == ["bob.smith"])
            #expect(try await found("bucher") == ["carl_annoy"])
            #expect(try await found("carl_annoy@bücher.org") == ["carl_annoy"])
            #expect(try await found("\"Ánna Müller-Ångström\" <am@example.com>") == ["am"])
            #expect(try await found("iana") == [], "within a word")
            #expect(try await found("ann diana") == [])
            // The last part of a domain is found after a full stop only.
            #expect(try await found("c") == ["carl_annoy"])
            #expect(Set(try await found(".c")) == ["diana", "am", "carl_annoy"])
            #expect(try await found("diana@other.com") == ["diana"])
        }
    }

    @Test func `the most used and latest come first, up to the limit`() async throws {
        try await withStore { mail in
            try await mail.pull(
                (0..<40).map { letter("r\($0)", at: $0, from: "Anna \($0) <anna\($0)@example.com>") }
                    + [letter("w1", at: 0, from: "me@example.com", to: ["anna3@example.com"], in: ["sent"])]
            )
            var names = try await mail.contacts(matching: "an").map(\.email)
            try #require(names.count == 20)
            #expect(names[0] == "anna3@example.com")
            let latest = ["anna39@example.com", "anna38@example.com", "anna37@example.com"]
            #expect(Array(names.dropFirst().prefix(3)) == latest)
            #expect(try await mail.contacts(matching: "an", limit: 2).map(\.email) == Array(names.prefix(2)))
            #expect(try await mail.contacts(matching: "an", limit: 0).isEmpty)
            #expect(try await mail.contacts(matching: "an", limit: 100).map(\.id) == mail.contacts().map(\.id))
            // Used again.
            try await mail.pull(letter("new", at: 50, from: "Anna 7 <anna7@example.com>"))
            names = try await mail.contacts(matching: "an").map(\.email)
            #expect(Array(names.prefix(2)) == ["anna3@example.com", "anna7@example.com"])
            #expect(Set(names).count == 20)
        }
    }

    @Test func `any text can be searched for`() async throws {
        try await withStore { mail in
            try await mail.pull(letter("1", at: 1, from: "Anna AND <anna@example.com>"))
            let odd = [
                "", " ", "\"", "*", "-", "()", "\u{0}", "\u{E000}com", "😀", "1️⃣", "½", "ﬁ", "\u{301}", "a\u{0}b",
            ]
            for text in odd { _ = try await mail.contacts(matching: text) }
            #expect(try await mail.contacts(matching: "\u{E000}com").isEmpty, "the mark can't be typed")
            #expect(try await mail.contacts(matching: "AND").count == 1)
            #expect(try await mail.contacts(matching: "anna NOT x").isEmpty)
            #expect(try await mail.contacts(matching: "NEAR(anna)").isEmpty)
            #expect(try await mail.contacts(matching: String(repeating: "anna ", count: 100_000)).count == 1)
            #expect(try await mail.contacts(matching: String(repeating: "a", count: 100_000)).isEmpty)
            var random = Seeded(1)
            let characters = Array("aAé\"*():^+-.{}@,' \u{E000}\u{301}字\u{200D}½1️⃣")
            for _ in 0..<500 {
                let text = String((0..<8).map { _ in characters.randomElement(using: &random)! })
                _ = try await mail.contacts(matching: text)
            }
        }
    }
}
