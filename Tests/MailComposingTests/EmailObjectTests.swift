import Foundation
import Groundwork
import Testing

@testable import MailComposing

/// A composed mail as a server creates it.
@Suite(.timeLimit(.minutes(5))) struct EmailObjectTests {
    private typealias File = ComposedMail.Attachment

    private func mail(text: String = "Hello", html: String? = nil, _ files: [File] = []) -> ComposedMail {
        ComposedMail(
            messageID: "a@example.org",
            date: Date(timeIntervalSince1970: 1_795_683_720.9),
            from: EmailAddress(name: "Anna", email: "anna@bücher.example"),
            to: [EmailAddress(email: "bob@example.org")],
            subject: "Grüße",
            text: text,
            html: html,
            attachments: files
        )
    }

    private func object(_ mail: ComposedMail, includesBcc: Bool = true) -> JSON {
        mail.emailObject(mailboxIDs: ["m1"], keywords: ["$draft", "$seen"], includesBcc: includesBcc)
    }

    /// The structure, such as `mixed(plain, pdf)`.
    private func structure(_ part: JSON?) -> String {
        let type = String(part?["type"]?.stringValue?.split(separator: "/").last ?? "?")
        guard let parts = part?["subParts"]?.arrayValue else { return type }
        return "\(type)(\(parts.map(structure).joined(separator: ", ")))"
    }

    @Test func `a mail of text has its fields and one part`() {
        let expected: JSON = [
            "mailboxIds": ["m1": true], "keywords": ["$draft": true, "$seen": true], "messageId": ["a@example.org"],
            "sentAt": "2026-11-26T09:02:00Z", "from": [["name": "Anna", "email": "anna@xn--bcher-kva.example"]],
            "to": [["name": .null, "email": "bob@example.org"]], "subject": "Grüße",
            "bodyStructure": ["partId": "text", "type": "text/plain"], "bodyValues": ["text": ["value": "Hello"]],
        ]
        #expect(object(mail()) == expected)
    }

    @Test func `fields without contents aren't there`() {
        var mail = mail()
        (mail.to, mail.subject) = ([], " \r\n")
        mail.replyTo = [EmailAddress(email: "")]
        mail.thread = ThreadHeaders(inReplyTo: ["bad id"], references: [""])
        let names = object(mail).objectValue?.members.map(\.0)
        #expect(names == ["mailboxIds", "keywords", "messageId", "sentAt", "from", "bodyStructure", "bodyValues"])
    }

    @Test func `blind copies are named on request alone`() {
        var mail = mail()
        mail.bcc = [EmailAddress(email: "eve@example.org")]
        #expect(object(mail)["bcc"] == [["name": .null, "email": "eve@example.org"]])
        #expect(!"\(object(mail, includesBcc: false))".contains("eve"))
    }

    @Test func `the sender is named if it isn't the author`() {
        var mail = mail()
        mail.sender = EmailAddress(email: "ANNA@xn--bcher-kva.example")
        #expect(object(mail)["sender"] == nil)
        mail.sender = EmailAddress(email: "desk@example.org")
        #expect(object(mail)["sender"] == [["name": .null, "email": "desk@example.org"]])
    }

    @Test func `a recipient in several fields is counted once`() {
        var mail = mail()
        mail.cc = [EmailAddress(email: "BOB@example.org"), EmailAddress(email: "carol@x.de")]
        mail.bcc = [EmailAddress(email: "carol@x.de"), EmailAddress(email: "eve@x.de")]
        #expect(mail.recipients.map(\.email) == ["bob@example.org", "carol@x.de", "eve@x.de"])
    }

    // MARK: Structure

    @Test func `parts nest only where they have to`() {
        let pdf = File(blobID: "b1", name: "a.pdf", type: "application/pdf", size: 1)
        let picture = File(blobID: "b2", type: "image/png", contentID: "p@x", isInline: true, size: 1)
        let html = "<img src=\"cid:p@x\">"
        #expect(structure(object(mail())["bodyStructure"]) == "plain")
        #expect(structure(object(mail([pdf]))["bodyStructure"]) == "mixed(plain, pdf)")
        #expect(structure(object(mail(html: html))["bodyStructure"]) == "alternative(plain, html)")
        #expect(
            structure(object(mail(html: html, [picture]))["bodyStructure"]) == "alternative(plain, related(html, png))"
        )
        #expect(
            structure(object(mail(html: html, [pdf, picture, pdf]))["bodyStructure"])
                == "mixed(alternative(plain, related(html, png)), pdf, pdf)"
        )
    }

    private func mail(_ files: [File]) -> ComposedMail { mail(text: "Hello", files) }

    @Test func `a picture within HTML is an attachment without HTML, or without a content id`() {
        let picture = File(blobID: "b", type: "image/png", contentID: "p@x", isInline: true, size: 1)
        #expect(structure(object(mail([picture]))["bodyStructure"]) == "mixed(plain, png)")
        #expect(object(mail([picture]))["bodyStructure"]?["subParts"]?.arrayValue?[1]["disposition"] == "attachment")
        for id in [nil, "", "two words", "a\r\nb", "ü"] {
            let file = File(blobID: "b", type: "image/png", contentID: id, isInline: true, size: 1)
            let part = object(mail(html: "<p>", [file]))["bodyStructure"]
            #expect(structure(part) == "mixed(alternative(plain, html), png)")
            #expect(
                part?["subParts"]?.arrayValue?[1]["cid"] == nil
                    && part?["subParts"]?.arrayValue?[1]["disposition"] == "attachment"
            )
        }
    }

    @Test func `a file's part has its bytes, name, type and content id`() {
        let file = File(
            blobID: "b",
            name: "Bericht ü.pdf",
            type: "Application/PDF",
            contentID: "<p@x>",
            isInline: true,
            size: 1
        )
        let expected: JSON = [
            "blobId": "b", "type": "application/pdf", "name": "Bericht ü.pdf", "disposition": "inline", "cid": "p@x",
        ]
        let part = object(mail(html: "<p>", [file]))["bodyStructure"]?["subParts"]?.arrayValue?[1]["subParts"]?
            .arrayValue?[1]
        #expect(part == expected)
    }

    @Test func `a file name that looks like an encoded word is sent so that it stays one`() {
        let file = File(blobID: "b", name: "=?utf-8?q?x?= 1%.txt", type: "text/csv", contentID: "p@x", size: 1)
        let name = "=%3Futf-8%3Fq%3Fx%3F=%201%25.txt".replacing("=", with: "%3D")
        for isInline in [false, true] {
            let expected: JSON = [
                "blobId": "b", "type": "text/csv", "cid": "p@x",
                "header:Content-Disposition:asRaw":
                    .string(" \(isInline ? "inline" : "attachment");\r\n filename*=UTF-8''\(name)"),
            ]
            #expect(file.part(isInline: isInline) == expected)
        }
        // Cyrus encodes names in other scripts as a whole.
        #expect(File(blobID: "b", name: "=?utf-8?q?x?= ü", type: "x/y", size: 1).part(isInline: false)["name"] != nil)
    }

    @Test(
        arguments: [
            ("a.pdf", "a.pdf"), ("Bericht ü 🎈.pdf", "Bericht ü 🎈.pdf"),
            ("a\r\nBcc: eve@x.de.pdf", "a Bcc: eve@x.de.pdf"), ("a\u{0}b", "a b"),
            ("", nil), (" \n", nil), ("\"q\"\\", "\"q\"\\"),
            (String(repeating: "a", count: 300) + ".pdf", String(repeating: "a", count: 196) + ".pdf"),
            (String(repeating: "a", count: 9_000) + ".pdf", String(repeating: "a", count: 196) + ".pdf"),
            (String(repeating: "長", count: 100) + ".pdf", String(repeating: "長", count: 65) + ".pdf"),
            ("a." + String(repeating: "b", count: 300), "a." + String(repeating: "b", count: 198)),
        ] as [(String, String?)]
    )
    func `a file name is one line of limited length, and keeps its end`(name: String, written: String?) {
        #expect(File(blobID: "b", name: name, type: "x/y", size: 1).plainName == written)
    }

    @Test(arguments: [
        ("image/png", "image/png"), ("IMAGE/PNG", "image/png"), ("", nil), ("png", nil), ("a/b/c", nil),
        ("text/plain; charset=utf-8", nil),
        ("a/b\r\nBcc: eve", nil), ("multipart/mixed", nil), ("Message/RFC822", nil), ("message/external-body", nil),
        ("image/svg+xml", "image/svg+xml"), ("é/x", nil),
        ("/", nil), ("x/", nil),
    ])
    func `an invalid media type becomes application/octet-stream`(type: String, written: String?) {
        #expect(File(blobID: "b", type: type, size: 1).plainType == written ?? "application/octet-stream")
    }

    @Test func `the language is that of the bodies, if it is a tag`() {
        var mail = mail(html: "<p>")
        mail.language = "zh-Hant"
        let parts = object(mail)["bodyStructure"]?["subParts"]?.arrayValue ?? []
        #expect(parts.count == 2 && parts.allSatisfy { $0["language"] == ["zh-Hant"] })
        for tag in ["", "de\r\nBcc: eve", "de AT", String(repeating: "a", count: 36), "dé"] {
            mail.language = tag
            #expect(!"\(object(mail))".contains("language"))
        }
    }

    // MARK: Texts

    @Test func `the text is sent as it was typed, one line per paragraph`() {
        let long = String(repeating: "word ", count: 500)
        let text = "\(long)\n-- \nAnna\n> quoted \n From here\n日本語"
        #expect(object(mail(text: text))["bodyValues"]?["text"]?["value"] == .string(text))
    }

    @Test func `line breaks are line feeds, and bodies have no null characters`() {
        let mail = mail(text: "a\r\nb\rc\u{0}d\u{1B}e\u{FFFE}f\tg\u{7F}h\u{85}i", html: "<p>a\r\nb\u{0}c\u{FFFF}</p>")
        #expect(object(mail)["bodyValues"]?["text"]?["value"] == "a\nb\ncdef\tgh\u{85}i")
        #expect(object(mail)["bodyValues"]?["html"]?["value"] == "<p>a\nbc</p>")
    }

    @Test func `without a text, that of the HTML is the alternative`() {
        let html = "<p>Hello</p><blockquote>before</blockquote>"
        #expect(mail(text: " \n", html: html).writtenText == "Hello\n> before")
        #expect(mail(text: "Own", html: html).writtenText == "Own")
        #expect(mail(text: "", html: nil).writtenText == "")
    }

    @Test func `no field can end another one`() {
        var mail = mail(text: "x")
        let hostile = "x\r\nBcc: eve@x.de\r\n\r\nbody\u{0}\u{85}\u{2028}\u{2029}\u{0B}"
        (mail.subject, mail.from.name, mail.messageID) = (hostile, hostile, hostile)
        mail.to = [EmailAddress(name: hostile, email: "a\(hostile)@x.de")]
        mail.thread = ThreadHeaders(inReplyTo: [hostile], references: [hostile])
        mail.attachments = [
            File(blobID: "b", name: hostile, type: hostile, contentID: hostile, isInline: true, size: 1)
        ]
        var strings: [String] = []
        func collect(_ json: JSON) {
            if let string = json.stringValue { strings.append(string) }
            for item in json.arrayValue ?? [] { collect(item) }
            for (name, item) in json.objectValue?.members ?? [] where name != "bodyValues" {
                strings.append(name)
                collect(item)
            }
        }
        collect(object(mail))
        #expect(strings.count > 10)
        #expect(strings.allSatisfy { !$0.unicodeScalars.contains(where: EmailAddress.isControl) })
    }

    // MARK: Subjects

    @Test(arguments: [
        "=?UTF-8?Q?x?=", "=? ?=", "Grüße an bob@example.org", "Привет: mail@пример.example", "ü a@b ",
        String(repeating: "=?é", count: 100) + " @",
    ])
    func `a subject that a server could change is sent as encoded words`(subject: String) throws {
        var mail = mail()
        mail.subject = subject
        #expect(object(mail)["subject"] == nil)
        let raw = try #require(object(mail)["header:Subject:asRaw"]?.stringValue)
        let lines = raw.components(separatedBy: "\r\n")
        #expect(
            lines.allSatisfy {
                $0.hasPrefix(" =?UTF-8?B?") && $0.hasSuffix("?=") && $0.utf8.count <= 78 - "Subject:".utf8.count
            }
        )
        // Each word is complete by itself.
        let decoded = lines.map { line in
            Data(base64Encoded: String(line.dropFirst(11).dropLast(2))).flatMap { String(bytes: $0, encoding: .utf8) }
        }
        #expect(decoded.reduce("") { $0 + ($1 ?? "?") } == subject.trimmingCharacters(in: .whitespaces))
    }

    @Test func `a name that a server could change is sent encoded, with those of its field`() throws {
        var mail = mail()
        mail.to = [
            EmailAddress(name: "=?utf-8?q?x?=", email: "bob@bücher.example"), EmailAddress(email: ""),
            EmailAddress(email: "carol@example.org"), EmailAddress(name: "Dörte", email: "d@example.org"),
        ]
        mail.replyTo = [EmailAddress(name: "=?a", email: "r@example.org")]
        let object = self.object(mail)
        #expect(object["to"] == nil && object["replyTo"] == nil)
        let name = Data("=?utf-8?q?x?=".utf8).base64EncodedString()
        let raw =
            " =?UTF-8?B?\(name)?=\r\n <bob@xn--bcher-kva.example>,\r\n carol@example.org,\r\n "
            + "=?UTF-8?B?\(Data("Dörte".utf8).base64EncodedString())?=\r\n <d@example.org>"
        #expect(object["header:To:asRaw"]?.stringValue == raw)
        #expect(object["header:Reply-To:asRaw"]?.stringValue?.hasSuffix("<r@example.org>") ?? false)
        #expect(object["from"] == [["name": "Anna", "email": "anna@xn--bcher-kva.example"]])
        mail.to.append(EmailAddress(name: "Ω", email: "ω@example.org"))
        #expect(
            self.object(mail)["to"]?.arrayValue?.first?["name"] == "=?utf-8?q?x?=",
            "such a field has to be in ASCII"
        )
    }

    @Test(arguments: ["Hello", "bob@example.org", "a@b ü", "Grüße", "? =", "Re: bob@example.org asks: ü"])
    func `other subjects are sent as text`(subject: String) {
        var mail = mail()
        mail.subject = subject
        #expect(object(mail)["subject"] == .string(subject) && object(mail)["header:Subject:asRaw"] == nil)
    }
}
