import Testing

@testable import MailComposing

/// Who a reply goes to, and from which identity.
@Suite(.timeLimit(.minutes(5))) struct ReplyRecipientsTests {
    private let me = [EmailAddress(name: "Me", email: "me@example.com"), EmailAddress(email: "work@bücher.example")]

    /// Addresses such as `a b` at example.org.
    private func list(_ names: String) -> [EmailAddress] {
        names.split(separator: " ").map { EmailAddress(email: $0.contains("@") ? String($0) : "\($0)@example.org") }
    }

    private func shown(_ addresses: [EmailAddress]) -> String {
        addresses.map { $0.email.replacing("@example.org", with: "") }.joined(separator: " ")
    }

    private func replies(_ mail: QuotedMail) -> [String] {
        let (one, all) = (ReplyRecipients.reply(to: mail, me: me), ReplyRecipients.replyAll(to: mail, me: me))
        return [shown(one.to), shown(all.to), shown(all.cc)]
    }

    @Test func `a reply goes to the author, a reply to all to the others too, without me`() {
        let mail = QuotedMail(from: list("anna"), to: list("bob me@example.com carol"), cc: list("dave ME@Example.com"))
        #expect(replies(mail) == ["anna", "anna", "bob carol dave"])
    }

    @Test func `the participants of earlier mails get a copy, each once, without me`() {
        let mail = QuotedMail(from: list("carol"), to: list("me@example.com bob"))
        let earlier = list("anna CAROL bob me+x@example.com anna")
        let all = ReplyRecipients.replyAll(to: mail, me: me).adding(earlier, to: mail, me: me)
        #expect([shown(all.to), shown(all.cc)] == ["carol", "bob anna"])
        // A note to myself has them as its recipients.
        let note = QuotedMail(from: list("me@example.com"), to: list("me@example.com"))
        let others = ReplyRecipients.replyAll(to: note, me: me).adding(list("anna"), to: note, me: me)
        #expect([shown(others.to), shown(others.cc)] == ["anna", ""])
    }

    @Test func `each address is there once, in capitals or in another form too`() {
        let mail = QuotedMail(
            from: list("anna"),
            to: list("bob BOB Anna me@example.com"),
            cc: list("bob carol@xn--bcher-kva.example Carol@Bücher.example anna")
        )
        #expect(replies(mail) == ["anna", "anna", "bob carol@xn--bcher-kva.example"])
    }

    @Test func `my addresses in every form are left out`() {
        let mail = QuotedMail(
            from: list("anna"),
            to: list("ME@example.com me+news@example.com work@xn--bcher-kva.example WORK+x@bücher.example bob")
        )
        #expect(replies(mail) == ["anna", "anna", "bob"])
        let anyone = ReplyRecipients.replyAll(to: mail, me: [EmailAddress(email: "*@example.com")])
        #expect(shown(anyone.cc) == "work@xn--bcher-kva.example WORK+x@bücher.example bob")
    }

    @Test func `an address that only looks like mine stays`() {
        let others = "me meme@example.com +me@example.com me@example.com.evil"
        #expect(replies(QuotedMail(from: list("anna"), to: list(others)))[2] == others)
    }

    @Test func `Reply-To takes the place of the author`() {
        let mail = QuotedMail(from: list("anna"), replyTo: list("desk boss"), to: list("bob anna"))
        #expect(replies(mail) == ["desk boss", "desk boss", "bob anna"])
        // Of a Reply-To that is mine, the author is left.
        let own = QuotedMail(from: list("anna"), replyTo: list("me@example.com"), to: list("bob"))
        #expect(replies(own) == ["anna", "anna", "bob"])
    }

    @Test func `a reply to all of a mailing list goes to the list`() {
        let mail = QuotedMail(from: list("anna"), to: list("list"), cc: list("me@example.com bob"))
        #expect(replies(mail) == ["anna", "anna", "list bob"])
        let munged = QuotedMail(from: list("anna"), replyTo: list("list"), to: list("list"))
        #expect(replies(munged) == ["list", "list", ""])
    }

    @Test func `a reply to my own mail goes to its recipients`() {
        let mail = QuotedMail(from: list("me@example.com"), to: list("anna bob"), cc: list("carol"), bcc: list("eve"))
        #expect(replies(mail) == ["anna bob", "anna bob", "carol"])
        let alias = QuotedMail(from: list("me+x@example.com"), replyTo: list("other"), to: list("anna"))
        #expect(replies(alias) == ["anna", "anna", ""])
        #expect(replies(QuotedMail(from: list("me@example.com"), cc: list("carol"))) == ["carol", "carol", ""])
    }

    @Test func `a mail to myself is answered to myself`() {
        let mail = QuotedMail(from: list("me@example.com"), to: list("me@example.com"))
        #expect(replies(mail) == ["me@example.com", "me@example.com", ""])
    }

    @Test func `blind copies are never copied`() {
        let mail = QuotedMail(from: list("anna"), to: list("bob"), bcc: list("me@example.com eve"))
        #expect(replies(mail) == ["anna", "anna", "bob"])
    }

    @Test func `a mail without an author goes to its sender, or to the others`() {
        #expect(replies(QuotedMail(sender: list("robot"), to: list("bob"))) == ["robot", "robot", "bob"])
        #expect(replies(QuotedMail(to: list("bob"), cc: list("carol"))) == ["", "bob carol", ""])
        #expect(replies(QuotedMail()) == ["", "", ""])
        // What is no address isn't a recipient.
        let group = QuotedMail(from: [EmailAddress(name: "Anna", email: "")], to: [EmailAddress(email: "undisclosed")])
        #expect(replies(group) == ["", "", ""])
    }

    @Test func `names of recipients are kept`() {
        let anna = EmailAddress(name: "Anna Müller", email: "anna@example.org")
        #expect(ReplyRecipients.reply(to: QuotedMail(from: [anna]), me: me).to == [anna])
    }

    // MARK: Identities

    @Test func `the reply comes from the identity that the mail was written to`() {
        func index(_ mail: QuotedMail, _ identities: String) -> Int? {
            ReplyRecipients.identityIndex(for: mail, among: list(identities))
        }
        let mail = QuotedMail(from: list("anna"), to: list("bob two"), cc: list("one"), deliveredTo: list("three"))
        #expect(index(mail, "one two three") == 1)
        #expect(index(mail, "zero one") == 1)
        #expect(index(mail, "zero three") == 1)
        #expect(index(mail, "zero") == 0)
        #expect(index(mail, "") == nil)
        #expect(index(QuotedMail(to: list("two+tag")), "one two") == 1)
        #expect(index(QuotedMail(to: list("other")), "one@x.de *") == 1)
        #expect(index(QuotedMail(to: list("ONE other")), "* one") == 1)
        #expect(index(QuotedMail(from: list("two"), to: list("one")), "one two") == 1)
        #expect(index(QuotedMail(bcc: list("two")), "one two") == 1)
    }

    @Test func `an identity for a domain has the address of it that the mail was written to`() {
        func address(_ mail: QuotedMail, _ identity: String) -> String? {
            ReplyRecipients.address(in: mail, of: EmailAddress(email: identity))?.email
        }
        let mail = QuotedMail(from: list("anna@x.de"), to: list("bob@x.example"), cc: list("Shop@Bücher.example a"))
        #expect(address(mail, "*@xn--bcher-kva.example") == "Shop@Bücher.example")
        #expect(address(mail, "*@example.org") == "a@example.org")
        #expect(address(mail, "*@example.com") == nil && address(mail, "a@example.org") == nil)
    }

    /// Those of `*@example.org` (RFC 8621, section 6) are also the addresses of colleagues.
    @Test func `of an identity for a domain, only the address that the mail came to is mine`() {
        let anyone = EmailAddress(email: "*@example.org")
        /// The recipients of a reply, and of one to all, and its sender.
        func answers(_ mail: QuotedMail, me names: String = "") -> [String] {
            let me = [anyone] + list(names)
            let all = ReplyRecipients.replyAll(to: mail, me: me)
            #expect(ReplyRecipients.identityIndex(for: mail, among: [EmailAddress(email: "x@x.de"), anyone]) == 1)
            return [
                shown(ReplyRecipients.reply(to: mail, me: me).to), shown(all.to), shown(all.cc),
                shown(ReplyRecipients.address(in: mail, of: anyone, me: me).map { [$0] } ?? []),
            ]
        }
        // From one colleague to me and others.
        let mail = QuotedMail(from: list("bob"), to: list("anna carol"), cc: list("dave@x.example bob"))
        #expect(answers(mail, me: "anna") == ["bob", "bob", "carol dave@x.example", "anna"])
        var delivered = mail
        delivered.deliveredTo = list("carol team")
        #expect(answers(delivered) == ["bob", "bob", "anna dave@x.example", "carol"])
        // The author of a mail may have written that, where the server writes none.
        #expect(answers(delivered, me: "anna") == ["bob", "bob", "carol dave@x.example", "anna"])
        // Which one it is isn't known: none is left out, and no colleague is the sender.
        #expect(answers(mail) == ["bob", "bob", "anna carol dave@x.example", ""])
        // There is only one, whatever its form.
        let one = QuotedMail(from: list("bob"), to: list("shop+a SHOP+a"), cc: list("shop bob"))
        #expect(answers(one) == ["bob", "bob", "", "shop+a"])
        #expect(answers(QuotedMail(from: list("eve@x.example"), bcc: list("shop"))).last == "shop")
        // A mail of mine is where sent mails are. Another one from the domain is a colleague's.
        let sent = QuotedMail(from: list("shop"), to: list("bob eve@x.example"), cc: list("carol"), isSent: true)
        #expect(answers(sent) == ["bob eve@x.example", "bob eve@x.example", "carol", "shop"])
        let theirs = QuotedMail(from: list("shop"), to: list("bob eve@x.example"), cc: list("carol"))
        #expect(answers(theirs).first == "shop")
        let earlier = ReplyRecipients.replyAll(to: delivered, me: [anyone])
            .adding(list("frank carol"), to: delivered, me: [anyone])
        #expect(shown(earlier.cc) == "anna dave@x.example frank")
    }
}
