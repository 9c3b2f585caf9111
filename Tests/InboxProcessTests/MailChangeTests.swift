import Foundation
import Groundwork
import RunningMailServer
import Testing

/// The commands that change a draft, or make one of another mail, against Cyrus and a receiver of its mails.
@Suite(.serialized, .timeLimit(.minutes(10))) struct MailChangeTests {
    @Test func `a text that is replaced isn't sent, and quotations stay below the new one`() async throws {
        try await MailDesk.with { desk in
            func edit(_ id: String, _ options: String...) async throws -> JSON {
                let process = try await desk.world.run(
                    ["mail", "edit", id, "--json"] + options + ["--directory", "phone"]
                )
                #expect(process.errors.isEmpty, "\(process.errors)")
                return try JSON(parsing: process.output.utf8)
            }
            // A text that begins as a new reply does.
            let composed = try await desk.json("compose", "--body-file", "-", input: "\nDear X, I quit.\n")
            let id = try #require(composed["id"]?.stringValue)
            #expect(try await edit(id, "--body", "All fine.")["text"] == "All fine.")

            let threads = try #require(try await desk.json("list")["threads"]?.arrayValue)
            let letter = try #require(threads.first?["id"]?.stringValue)
            let news = try #require(threads.last?["id"]?.stringValue)
            for thread in [letter, news] {
                let hasHTML = thread == news
                let reply = try await desk.json("reply", thread, "--body", "One")
                let id = try #require(reply["id"]?.stringValue)
                let text = try #require(reply["text"]?.stringValue)
                let quotation = String(text.dropFirst("One\n\n".count))
                #expect(quotation.hasSuffix(hasHTML ? "> Big news" : "> Shall we meet?"), "\(text)")
                let two = try await edit(id, "--body", "Two")
                #expect(two["text"] == .string("Two\n\n\(quotation)"))
                let html = two["html"]?.stringValue
                #expect((html?.contains("<b>news</b>") ?? false) == hasHTML && !(html?.contains("One") ?? false))
                #expect(html?.contains("Two") ?? !hasHTML)
                // A page of the draft has the quotation already.
                let page = "Subject: Re\n\nThree\n\n\(quotation)\n"
                let three = try await desk.json("edit", id, "--headers", input: page)
                #expect(three["text"] == .string("Three\n\n\(quotation)"))
            }

            try desk.write("<p>For <b>you</b></p>", to: "own.html")
            for thread in [letter, news] {
                let words = thread == news ? "news" : "Shall we meet?"
                let forward = try await desk.json("forward", thread, "--html", "own.html", "--to", "bob@example.org")
                let (text, html) = (forward["text"]?.stringValue ?? "", forward["html"]?.stringValue ?? "")
                #expect(text.hasPrefix("For you\n\n----------") && text.contains(words), "\(text)")
                #expect(html.hasPrefix("<p>For <b>you</b></p>") && html.contains(words), "\(html)")
                let id = try #require(forward["id"]?.stringValue)
                let changed = try await edit(id, "--body", "In words", "--html", "own.html")
                #expect(changed["text"]?.stringValue?.hasPrefix("In words\n\n----------") == true)
                #expect(changed["html"]?.stringValue == html)
            }

            // Where the quotation was changed, nothing of the text before is kept.
            let reply = try await desk.json("reply", letter, "--body", "One")
            let changed = try #require(reply["id"]?.stringValue)
            let terminal = try TypedTerminal()
            let editor = """
                { sed '/^$/q' "$1"; printf 'Mine\\n\\nAnna wrote:\\n> Shall\\n'; } > new.txt
                cp new.txt "$1"
                """
            let process = try desk.start(["edit", changed], editor: editor, at: terminal)
            try await process.until("the question") { $0.errors.contains("[k]eep") ? true : nil }
            try terminal.type("k\n")
            #expect(try await process.end() == 0, "\(process.errors)")
            let replaced = try await desk.run("edit", changed, "--body", "New", "--json")
            #expect(try JSON(parsing: replaced.output.utf8)["text"] == "New")
            #expect(replaced.errors.contains("No quotation was found"), "\(replaced.errors)")
        }
    }

    private static let pictureMail = Array(
        """
        From: Anna Berger <anna@example.com>
        To: Alice <alice@example.com>
        Subject: Picture
        Date: Wed, 04 Mar 2026 10:20:30 +0100
        Message-ID: <picture@example.com>
        MIME-Version: 1.0
        Content-Type: multipart/mixed; boundary=b

        --b
        Content-Type: text/plain; charset=utf-8

        Look:
        --b
        Content-Type: image/jpeg; name="cat.jpg"
        Content-Disposition: inline; filename="cat.jpg"
        Content-Id: <cat@example.com>
        Content-Transfer-Encoding: base64

        /9j/2Q==
        --b
        Content-Type: text/plain; charset=utf-8

        Nice?
        --b--

        """.replacing("\n", with: "\r\n").utf8
    )

    @Test func `a picture beside a text is saved, and forwarded as a file`() async throws {
        try await MailDesk.with { desk in
            try await desk.server.imap().append([
                IMAPClient.Mail(Self.pictureMail, flags: [], date: 1_750_000_000)
            ])
            let threads = try #require(try await desk.json("list")["threads"]?.arrayValue)
            let thread = try #require(threads.first { $0["subject"] == "Picture" }?["id"]?.stringValue)
            let page = try await desk.run("read", thread, "--save", "saved")
            #expect(page.output.contains("cat.jpg"), "\(page.output)")
            let saved = desk.world.folder.appendingPathComponent("saved/cat.jpg")
            #expect(try Data(contentsOf: saved) == Data([0xFF, 0xD8, 0xFF, 0xD9]))
            try await desk.run("forward", thread, "--to", "bob@example.org", "--body", "See", "--send")
            let mail = try #require(try await desk.receiver.mails().last)
            #expect(mail.text.contains("/9j/2Q==") && mail.text.contains("cat.jpg"), "\(mail.text)")
        }
    }

    @Test func `files of a draft are removed by their names or numbers`() async throws {
        try await MailDesk.with { desk in
            for name in ["a.txt", "b.txt", "c.txt"] { try desk.write(name, to: name) }
            let mail = ["mail", "compose", "--to", "bob@example.org", "--subject", "Hi", "--body", "Hello", "--json"]
            let process = try await desk.world.run(
                mail + ["--attach", "a.txt", "b.txt", "c.txt", "--directory", "phone"]
            )
            let id = try #require(try JSON(parsing: process.output.utf8)["id"]?.stringValue)
            func names(_ draft: JSON) -> [String?]? {
                draft["attachments"]?.arrayValue?.map { $0["name"]?.stringValue }
            }
            let unknown = try await desk.run("edit", id, "--detach", "nonesuch", status: 1)
            #expect(unknown.errors.contains("It has: 1 a.txt, 2 b.txt, 3 c.txt"), "\(unknown.errors)")
            let detached = try await desk.json("edit", id, "--detach", "b.txt", "3")
            #expect(names(detached) == ["a.txt"])
            let cleared = try await desk.json("edit", id, "--headers", input: "File:\n\n")
            #expect(names(cleared) == [])
        }
    }

    #if os(Linux)
        /// Its copy has other bytes.
        @Test func `a file that can't be copied leaves no draft, and no change`() async throws {
            try await MailDesk.with { desk in
                try desk.write("a", to: "a.txt")
                let draft = try await desk.json("compose", "--subject", "Hi", "--body", "Hello")
                let id = try #require(draft["id"]?.stringValue)
                for arguments in [["compose"], ["edit", id]] {
                    let failed = try await desk.world.run(
                        ["mail"] + arguments + ["--subject", "Other", "--body", "Other", "--attach", "a.txt"]
                            + ["/proc/version", "--directory", "phone"],
                        status: 1
                    )
                    #expect(failed.errors.contains("version"), "\(failed.errors)")
                }
                let kept = try await desk.json("drafts", id)["drafts"]?.arrayValue?.first
                #expect(kept?["subject"] == "Hi" && kept?["text"] == "Hello" && kept?["attachments"] == [])
                #expect(kept?["otherVersions"] == [])
                #expect(try await desk.drafts().count == 1)
            }
        }
    #endif
}
