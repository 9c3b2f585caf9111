import Testing

@testable import MailComposing

/// What is wrong with drafts before they are sent.
@Suite(.timeLimit(.minutes(5))) struct DraftCheckTests {
    private let bob = EmailAddress(name: "Bob", email: "bob@example.org")

    /// A draft without a problem.
    private var complete: DraftCheck { DraftCheck(to: [bob], subject: "Hi", text: "Hello") }

    private func attachmentWord(_ text: String, html: String? = nil, files: [DraftCheck.File] = []) -> String? {
        let problems = DraftCheck(to: [bob], subject: "Hi", text: text, html: html, files: files).problems
        for case .missingAttachment(let word) in problems { return word }
        return nil
    }

    @Test func `a complete draft has no problem`() {
        #expect(complete.problems.isEmpty)
        #expect(DraftCheck(bcc: [bob], subject: "Hi", files: [.init(name: "a", size: 1)]).problems.isEmpty)
        #expect(DraftCheck(cc: [bob], subject: "Only a subject").problems.isEmpty)
    }

    @Test func `a draft without recipients can't be sent`() {
        var draft = complete
        draft.to = []
        #expect(draft.problems == [.noRecipient])
        #expect(DraftProblem.noRecipient.severity == .blocksSending)
    }

    @Test func `each bad address is named with its field, place and reason`() {
        var draft = complete
        let bad = EmailAddress(name: "Carol", email: "carol@")
        draft.from = EmailAddress(email: "me")
        draft.replyTo = [bad]
        draft.to = [bob, bad, EmailAddress(email: "")]
        draft.cc = [bad]
        draft.bcc = [bob, EmailAddress(email: "a\r\nBcc: eve@x.de")]
        #expect(
            draft.problems == [
                .address(.from, index: 0, EmailAddress(email: "me"), .missingAt),
                .address(.replyTo, index: 0, bad, .missingDomain), .address(.to, index: 1, bad, .missingDomain),
                .address(.to, index: 2, EmailAddress(email: ""), .empty), .address(.cc, index: 0, bad, .missingDomain),
                .address(.bcc, index: 1, EmailAddress(email: "a\r\nBcc: eve@x.de"), .controlCharacter),
            ]
        )
        #expect(draft.problems.allSatisfy { $0.severity == .blocksSending })
        #expect(
            draft.problems[2].message
                == "To 2 (Carol <carol@>): There is nothing after the @. Enter the domain, such as example.com."
        )
        #expect(draft.problems[0].message.hasPrefix("From (me): The address has no @."))
        #expect(draft.problems[3].message.hasPrefix("To 3: There is no address."))
        #expect(!draft.problems[5].message.contains { $0.isNewline })
    }

    @Test func `a non-ASCII local part is a question if the server may not support it`() {
        var draft = complete
        draft.to = [EmailAddress(email: "jürgen@bücher.example"), EmailAddress(email: "anna@bücher.example")]
        #expect(draft.problems.isEmpty)
        draft.limits.supportsInternationalMail = true
        #expect(draft.problems.isEmpty)
        draft.limits.supportsInternationalMail = false
        #expect(draft.problems == [.internationalAddress(.to, index: 0, draft.to[0])])
        #expect(draft.problems[0].severity == .question && draft.problems[0].message.hasPrefix("To 1 (jürgen@"))
    }

    @Test(arguments: [
        ("", nil), (" \n\t\u{A0}", nil), ("\u{200B}", nil), ("", "<div><br></div>"), ("", "<style>p{}</style>&nbsp;"),
    ])
    func `an empty draft is a question`(text: String, html: String?) {
        let draft = DraftCheck(to: [bob], subject: " ", text: text, html: html)
        #expect(draft.problems == [.empty])
        #expect(draft.problems[0].severity == .question)
    }

    @Test(arguments: [("Hello", nil, 0), ("", "<p>Hello</p>", 0), ("", nil, 1)])
    func `a missing subject is a question`(text: String, html: String?, files: Int) {
        var draft = DraftCheck(to: [bob], subject: "", text: text, html: html)
        draft.files = (0..<files).map { DraftCheck.File(name: "\($0)", size: 1) }
        #expect(draft.problems == [.missingSubject])
        #expect(draft.problems[0].severity == .question)
    }

    @Test func `a subject that would be cut blocks sending`() {
        var draft = complete
        draft.subject = " \(String(repeating: "ß", count: 1_000))\n"
        #expect(draft.problems.isEmpty)
        draft.subject += "!"
        #expect(draft.problems == [.subjectTooLong(limit: 2_000)])
        #expect(draft.problems.first?.severity == .blocksSending)
        #expect(draft.problems.first?.message == "The subject has more than 2000 bytes. Shorten it.")
    }

    @Test func `problems that block sending come first`() {
        var draft = DraftCheck(subject: "", text: "The file is attached.", files: [])
        #expect(draft.problems == [.noRecipient, .missingSubject, .missingAttachment(word: "attached")])
        draft.limits.supportsInternationalMail = false
        draft.to = [EmailAddress(email: "jürgen@x.de"), EmailAddress(email: "x")]
        #expect(draft.problems.map(\.severity) == [.blocksSending, .question, .question, .question])
    }

    // MARK: Size

    @Test func `a file over the server's limit is reported with both sizes`() {
        var draft = complete
        draft.files = [.init(name: "a", size: 20_000_000), .init(name: "b", size: 25_000_001, contentID: "c")]
        draft.limits.fileSize = 25_000_001
        #expect(draft.problems.isEmpty)
        draft.limits.fileSize = 25_000_000
        #expect(draft.problems == [.fileTooLarge(name: "b", size: 25_000_001, limit: 25_000_000)])
        #expect(
            draft.problems[0].message
                == "The file b has 25.1 MB, and the mail server allows 25 MB for one. Remove it, or send a link to it."
        )
        #expect(draft.problems[0].severity == .blocksSending)
        // Of a forwarded mail, which isn't uploaded.
        draft.files[1].isUploaded = true
        #expect(draft.problems.isEmpty)
    }

    @Test func `a mail too large once it is encoded is found before it is sent`() {
        var draft = complete
        draft.files = [.init(name: "a", size: 5_700_000)]
        draft.limits = DraftCheck.Limits(fileSize: 6_000_000, mailSize: 7_700_000)
        guard case .mailTooLarge(let size, 7_700_000) = draft.problems.first else {
            Issue.record("\(draft.problems)")
            return
        }
        #expect((7_800_000...7_810_000).contains(size) && draft.problems[0].severity == .blocksSending)
        draft.limits.mailSize = 7_810_000
        #expect(draft.problems.isEmpty)
        draft = DraftCheck(
            to: [bob],
            subject: "Hi",
            text: String(repeating: "ä", count: 1_000_000),
            limits: .init(mailSize: 5_000_000)
        )
        #expect(draft.problems.count == 1)
    }

    @Test func `a server that states 0 as the maximum size of a mail has none`() {
        var draft = complete
        draft.limits = DraftCheck.Limits(mailSize: 0)
        #expect(draft.problems.isEmpty)
    }

    @Test func `sizes of files that are wrong don't overflow or lower the sum`() {
        var draft = complete
        draft.files = [.init(name: "a", size: -1_000), .init(name: "b", size: 1_001)]
        draft.limits.fileSize = 1_000
        #expect(draft.problems == [.fileTooLarge(name: "b", size: 1_001, limit: 1_000)])
        #expect(draft.problems[0].message.contains("1.1 kB, and the mail server allows 1 kB"))
        draft.files = [.init(name: "a", size: .max), .init(name: "b", size: .max), .init(name: "c", size: .min)]
        #expect(draft.problems.count == 1)
        draft.limits = DraftCheck.Limits(mailSize: .max)
        #expect(draft.problems.isEmpty)
    }

    // MARK: Attachments

    @Test(arguments: [
        ("Please find attached the report.", "attached"), ("See the ATTACHMENT.", "ATTACHMENT"),
        ("I'm attaching it", "attaching"),
        ("I enclosed it", "enclosed"), ("Im Anhang findest du", "Anhang"), ("Anbei der Bericht", "Anbei"),
        ("in der Anlage", "Anlage"),
        ("Der beigefügte Bericht", "beigefügte"), ("habe es angehängt", "angehängt"), ("Ci-joint le rapport", "joint"),
        ("la pièce jointe", "jointe"), ("Les pièces\njointes", "jointes"), ("Voir en annexe", "annexe"),
        ("cf. PJ", "PJ"),
        ("Adjunto el informe", "Adjunto"), ("los archivos adjuntos", "adjuntos"), ("Segue em anexo", "anexo"),
        ("In allegato", "allegato"),
        ("Ti allego il file", "allego"), ("Zie de bijlage", "bijlage"), ("bijgevoegd vindt u", "bijgevoegd"),
        ("Jag bifogar filen", "bifogar"),
        ("se bilagan", "bilagan"), ("vedhæftet fil", "vedhæftet"), ("se vedlegg", "vedlegg"),
        ("Liitteenä raportti", "Liitteenä"),
        ("W załączniku", "załączniku"), ("v příloze", "příloze"), ("Во вложении отчёт", "вложении"),
        ("ekte bulunan", "ekte"),
        ("添付ファイルをご覧ください", "添付ファイルをご覧ください"), ("请见附件。谢谢", "请见附件"), ("파일을 첨부합니다", "첨부합니다"),
        ("Στο συνημμένο", "συνημμένο"), ("הקובץ מצורף", "מצורף"), ("الملف المرفق", "المرفق"), ("ATTACHED", "ATTACHED"),
    ])
    func `a text that mentions an attachment is a question if there is none`(text: String, word: String) {
        #expect(attachmentWord("Hello,\n\(text)\nBye") == word)
        #expect(attachmentWord("", html: "<p>Hello,<p>\(text)<p>Bye") == word)
        #expect(attachmentWord(text, files: [.init(name: "a", size: 1)]) == nil)
    }

    @Test(arguments: [
        "", "Hello", "The attack", "eine Anlage", "a detached house", "ohne Anhang", "There is no attachment.",
        "sans pièce", "joint",
        "Il est joint", "in allegria", "die Beilage war gut",
    ])
    func `a text that doesn't mention an attachment is no question`(text: String) {
        #expect(attachmentWord(text) == nil)
    }

    @Test func `only the person's own text is searched for mentions of attachments`() {
        #expect(attachmentWord("Thanks\n\nOn 1 May, Bob wrote:\n> see the attachment") == nil)
        #expect(attachmentWord("Thanks\n-- \nThis mail and its attachments are secret") == nil)
        #expect(attachmentWord("Hi\n\n---------- Forwarded message ----------\nFrom: Bob\n\nattached") == nil)
        #expect(attachmentWord("attached\n\nOn 1 May, Bob wrote:\n> see") == "attached")
        #expect(attachmentWord("", html: "<div>Thanks</div><blockquote type=cite>attached</blockquote>") == nil)
        #expect(attachmentWord("", html: "<div>Thanks</div><div>-- <br>Our attachments are secret</div>") == nil)
        #expect(attachmentWord("", html: "<div title=\"attached\">Thanks</div>") == nil)
    }

    @Test func `pictures of the quoted mail aren't attachments of the person's`() {
        let picture = DraftCheck.File(name: "a.png", size: 1, contentID: "a@b")
        let quoted = "<div>See the attached picture</div><BLOCKQUOTE><img src=\"cid:a@b\"></BLOCKQUOTE>"
        #expect(attachmentWord("", html: quoted, files: [picture]) == "attached")
        #expect(attachmentWord("", html: "<div>See the attached <img src=\"cid:a@b\"></div>", files: [picture]) == nil)
    }
}
