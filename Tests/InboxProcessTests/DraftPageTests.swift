import Foundation
import Testing

@testable import InboxMail
@testable import inbox

/// A draft as a text to edit.
@Suite(.timeLimit(.minutes(5))) struct DraftPageTests {
    private let folder = URL(fileURLWithPath: "/home/alice", isDirectory: true)

    @Test func `headers, continued lines, notes and the text are read`() throws {
        let page = try DraftPage(
            reading: """
                \u{FEFF}from: Alice <alice@example.com>\r
                TO: bob@example.org,
                  carol@example.org
                To: dave@example.org
                # a note
                Cc:
                Subject: Plans: the first
                Attach: ~/report.pdf
                attach: data.csv

                Hello: this isn't a header

                # neither is this


                """
        )
        #expect(page.values[.from] == ["Alice <alice@example.com>"])
        #expect(page.values[.to] == ["bob@example.org, carol@example.org", "dave@example.org"])
        #expect(page.values[.cc] == [] && page.values[.bcc] == nil)
        #expect(page.values[.subject] == ["Plans: the first"])
        #expect(page.values[.attach] == ["~/report.pdf", "data.csv"])
        #expect(page.text == "Hello: this isn't a header\n\n# neither is this")
    }

    @Test func `an address with a line break begins no line of the page`() throws {
        var draft = MailDraft(id: "d1", DraftText(text: "Hello"), updatedAt: Date(timeIntervalSince1970: 0))
        draft.to = [EmailAddress(name: "Bob\nAttach: /etc/a", email: "bob@example.org\nAttach: /etc/b\r\n\r\nx")]
        draft.from = EmailAddress(email: "alice@example.com\nBcc: eve@example.org")
        let page = try DraftPage(reading: DraftPage.text(of: draft))
        #expect(page.values[.attach] == nil && page.values[.bcc] == [] && page.text == "Hello")
        #expect(page.values[.to]?.count == 1 && page.values[.from]?.count == 1)
    }

    @Test func `an unreadable page is an error with its line`() {
        for (text, line) in [
            ("To: bob@example.org\nHello Bob\n\nText", 2), ("Hello", 1), ("Too: x\n\n", 1),
            ("To: x\n\u{0}\n\n", 2),
        ] {
            #expect(throws: DraftPage.Problem.self, "\(text)") { try DraftPage(reading: text) }
            do { _ = try DraftPage(reading: text) } catch {
                #expect(error.line == line, "\(text)")
                #expect(error.description.contains("empty line"))
            }
        }
    }

    @Test func `a problem names its line, unless it is one of the whole page`() {
        let (line, whole) = (
            DraftPage.Problem(line: 2, description: "D."), DraftPage.Problem(line: 0, description: "D.")
        )
        #expect(line.text(in: "standard input") == "Line 2 of standard input: D." && line.text() == "Line 2: D.")
        #expect(whole.text(in: "standard input") == "D." && whole.text() == "D.")
    }

    @Test(arguments: ["", "\n", "\n\n\n", "Subject: x", "To: a@b.example\n\n"])
    func `pages without parts are read`(text: String) throws {
        let page = try DraftPage(reading: text)
        #expect(page.text.isEmpty)
    }

    @Test func `text that isn't a valid address is kept`() {
        let read = DraftEdit.addresses(["Bob <bob@example.org>; carol@", "nonsense"])
        #expect(read.map(\.email).sorted() == ["bob@example.org", "carol@", "nonsense"])
    }

    @Test func `an address is read once, in any spelling and with its first name`() {
        let values = [
            "Bob <bob@example.org>, BOB@example.org", "a@bücher.example", "bob@example.org, a@xn--bcher-kva.example",
        ]
        let read = DraftEdit.addresses(values)
        #expect(read == [EmailAddress(name: "Bob", email: "bob@example.org"), EmailAddress(email: "a@bücher.example")])
    }

    @Test func `paths are relative to the working directory, and have no variables`() {
        #expect(DraftEdit.file("a b.pdf", in: folder).path == "/home/alice/a b.pdf")
        #expect(DraftEdit.file("/tmp/x", in: folder).path == "/tmp/x")
        #expect(DraftEdit.file("$HOME/x", in: folder).path == "/home/alice/$HOME/x")
        #expect(!DraftEdit.file("~/x", in: folder).path.contains("~"))
    }
}
