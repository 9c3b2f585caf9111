import Foundation
import InboxMail
import RunningMailServer
import Testing

/// A draft whose recipients are being typed, on a server that reads every address.
@Suite(.timeLimit(.minutes(10))) struct HalfTypedRecipientTests {
    private static let typed = [
        "carol", "carol@", "@example.org", "carol@@example.org", "carol@example", "Carol Doe", "carol, ",
        "carol@exa mple",
        "\"Doe, Jane", "Doe, Jane <jane", "grüße@", "a;b", "(", "<>", "carol@example.org>", "undisclosed-recipients:;",
    ]

    @Test func `an incomplete address stays on its device and isn't changed on others`() async throws {
        try await WritingServer.run { server in
            let (one, other) = (try await server.device(), try await server.device())
            for typed in Self.typed {
                var draft = one.mail.newDraft()
                draft.to = [EmailAddress(name: "Bob", email: "bob@example.com"), EmailAddress(email: typed)]
                (draft.subject, draft.text) = ("Half typed", "Hello")
                draft = try await one.mail.save(draft)
                try await server.settle(one)
                try await one.mail.sync()
                let here = try #require(try await one.mail.draft(id: draft.id), "\(typed)")
                #expect(here.to.map(\.email) == ["bob@example.com", typed])
                try await other.mail.sync()
                let there = try #require(try await other.mail.draft(id: draft.id), "\(typed)")
                #expect(there.to.first?.email == "bob@example.com" && there.to.count <= 2)
                // What a server doesn't read isn't there.
                if let read = there.to.dropFirst().first?.email { #expect(typed.contains(read), "\(read)") }
                try await one.mail.discard(draft.id)
                try await server.settle(one)
            }
            await one.mail.close()
            await other.mail.close()
        }
    }
}
