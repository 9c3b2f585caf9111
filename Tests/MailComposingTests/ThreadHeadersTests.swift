import Groundwork
import Testing

@testable import MailComposing

/// The header fields by which a mail is part of a conversation.
@Suite(.timeLimit(.minutes(5))) struct ThreadHeadersTests {
    @Test func `a reply names the mail and what came before it`() {
        let mail = QuotedMail(messageIDs: ["c@x"], inReplyTo: ["b@x"], references: ["a@x", "b@x"])
        #expect(ThreadHeaders.reply(to: mail) == ThreadHeaders(inReplyTo: ["c@x"], references: ["a@x", "b@x", "c@x"]))
    }

    @Test func `without references, the one mail that it replies to stands for them`() {
        let one = QuotedMail(messageIDs: ["c@x"], inReplyTo: ["b@x"])
        #expect(ThreadHeaders.reply(to: one).references == ["b@x", "c@x"])
        let several = QuotedMail(messageIDs: ["c@x"], inReplyTo: ["a@x", "b@x"])
        #expect(ThreadHeaders.reply(to: several).references == ["c@x"])
    }

    @Test func `a mail without an id has no In-Reply-To, and keeps its conversation`() {
        #expect(ThreadHeaders.reply(to: QuotedMail(references: ["a@x"])) == ThreadHeaders(references: ["a@x"]))
        #expect(ThreadHeaders.reply(to: QuotedMail()) == ThreadHeaders())
    }

    @Test func `invalid ids are left out, and each is there once`() {
        let mail = QuotedMail(
            messageIDs: ["bad id", "c@x", "d@x"],
            references: [
                "a@x", "e\r\nBcc: eve@x.de", "b@x", "a@x", "<f@x>", "", "ü@x", "c@x",
                String(repeating: "g", count: 901),
            ]
        )
        #expect(ThreadHeaders.reply(to: mail) == ThreadHeaders(inReplyTo: ["c@x"], references: ["b@x", "a@x", "c@x"]))
    }

    @Test func `of a long conversation the first id and the last 20 are kept`() {
        var mail = QuotedMail(messageIDs: ["100@x"], references: (0..<100).map { "\($0)@x" })
        let headers = ThreadHeaders.reply(to: mail)
        #expect(headers.references == ["0@x"] + (81...100).map { "\($0)@x" })
        // A conversation of replies to replies stays as long.
        for index in 101..<200 {
            mail = QuotedMail(messageIDs: ["\(index)@x"], references: ThreadHeaders.reply(to: mail).references)
        }
        #expect(ThreadHeaders.reply(to: mail).references == ["0@x"] + (180..<200).map { "\($0)@x" })
    }
}

/// The identifiers of mails.
@Suite(.timeLimit(.minutes(5))) struct MessageIDTests {
    @Test func `ids are made of random bits and the sender's domain in ASCII`() {
        let id = MessageID.make(for: EmailAddress(email: "anna@bücher.example"), random: .system)
        #expect(id.hasSuffix("@xn--bcher-kva.example") && id.utf8.count == 32 + 22 && MessageID.isValid(id))
        #expect(id != MessageID.make(for: EmailAddress(email: "anna@bücher.example"), random: .system))
        for domain in ["", "[192.0.2.1]", "a b", "x\r\nBcc: eve@x.de", "<x>"] {
            #expect(MessageID.make(domain: domain, random: .system).hasSuffix("@localhost"))
        }
    }

    @Test(arguments: [
        ("<a@x>", ["a@x"]), ("<a@x> <b@x>", ["a@x", "b@x"]), ("<a@x>,\r\n\t<b@x>", ["a@x", "b@x"]),
        ("<a@\r\n x>", ["a@x"]),
        ("a@x b@x", ["a@x", "b@x"]), ("a@x, b@x", ["a@x", "b@x"]), ("text <a@x> (comment)", ["a@x"]), ("<a@x", []),
        ("", []),
        ("<> <ü@x> <a@x>", ["a@x"]), ("<<a@x>>", ["a@x"]), ("no-at", ["no-at"]),
    ])
    func `ids are read out of what a header field has`(text: String, ids: [String]) {
        #expect(MessageID.parse(text) == ids)
    }

    @Test func `an id that could end a header field isn't valid`() {
        for id in ["", "a b", "a\r\n", "a\u{0}b", "a<b", "a>b", "ü@x", "a\u{7F}", String(repeating: "a", count: 901)] {
            #expect(!MessageID.isValid(id))
        }
        for id in ["a@x", "a", "a.b$c@[1]", "\"a\"@x", String(repeating: "a", count: 900)] {
            #expect(MessageID.isValid(id))
        }
    }
}
