import Eventually
import Groundwork
import InboxMail
import MailComposing
import Screens
import Testing

@testable import InboxMailViews

/// What a person types into a field for recipients, and what it becomes.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct RecipientFieldTests {
    private nonisolated static let contacts = [
        EmailAddress(name: "Anna Müller", email: "anna@example.com"),
        EmailAddress(name: "Andrew", email: "andrew@example.org"), EmailAddress(email: "ann@example.net"),
    ]

    private let field = RecipientFieldModel { text, limit in
        Array(Self.contacts.filter { $0.typedText.lowercased().contains(text.lowercased()) }.prefix(limit)).map {
            RecipientCompletion($0)
        }
    }

    private var emails: [String] { field.chips.map(\.address.email) }

    private func type(_ text: String) { for letter in text { field.text.append(letter) } }

    private func waitForContacts(_ count: Int) async throws {
        try await until("\(count) contacts") { field.completions.count == count }
    }

    // MARK: - Typing

    @Test(arguments: [",", ";", "\n", "，", "、", "؛"])
    func `a separator enters the address before it`(_ separator: String) {
        type("bob@example.org\(separator)")
        #expect(emails == ["bob@example.org"] && field.text == "" && field.problem == nil)
        type("carol@example.org")
        #expect(emails == ["bob@example.org"] && field.text == "carol@example.org")
    }

    @Test func `a space enters an address without a name, and is part of a name`() {
        type("bob@example.org ")
        #expect(emails == ["bob@example.org"] && field.text == "")
        type("Bob Smith <b@example.org>,")
        #expect(field.chips.map(\.label) == ["bob@example.org", "Bob Smith"])
    }

    @Test func `a comma within a name doesn't end it`() {
        type("Doe, Jane <jane@example.com>")
        #expect(field.text == "Doe, Jane <jane@example.com>" && field.chips.isEmpty && field.problem == nil)
        // Among commas alone, the first one could be between two addresses.
        type(";")
        #expect(field.chips.map(\.label) == ["Doe, Jane"])
        type("\"Smith, Bob\" <bob@example.org>,")
        #expect(field.chips.map(\.label) == ["Doe, Jane", "Smith, Bob"])
    }

    @Test func `a pasted list becomes chips, and what can't be read stays with its reason`() {
        field.text = "\"A\" <a@example.com>, b@example.org; carol@"
        #expect(emails == ["a@example.com", "b@example.org"])
        #expect(field.text == "carol@" && field.problem == .missingDomain)
        type("e")
        #expect(field.problem == nil, "the person is at it")
        type("xample.org,")
        #expect(emails.last == "carol@example.org")
    }

    @Test func `pasted blind copies stay as text in a field that all recipients see`() {
        field.text = "To: a@example.com\nBcc: eve@example.org"
        #expect(emails == ["a@example.com"])
        #expect(field.text == "Bcc: eve@example.org" && field.problem == .blindCopy)
        #expect(!field.commit() && field.recipients.last?.problem != nil)
        field.text = ""
        field.isForBlindCopies = true
        field.text = "Bcc: eve@example.org"
        #expect(emails == ["a@example.com", "eve@example.org"] && field.text == "")
    }

    @Test func `a pasted text without addresses stays as it is`() {
        field.text = "Anna and Bob, my friends"
        #expect(field.text == "Anna and Bob, my friends" && field.chips.isEmpty && field.problem == nil)
    }

    @Test func `an address is entered once, in any spelling`() {
        type("bob@example.org,BOB@EXAMPLE.ORG,Bob <bob@example.org>,")
        #expect(emails == ["bob@example.org"] && field.text == "")
        field.text = "b@bücher.example, b@xn--bcher-kva.example"
        #expect(emails == ["bob@example.org", "b@bücher.example"])
    }

    @Test func `leaving the field enters the address or reports its problem`() {
        type("bob@example.org")
        #expect(field.commit() && emails == ["bob@example.org"])
        type("bob")
        #expect(!field.commit() && field.text == "bob" && field.problem == .missingAt)
        #expect(emails == ["bob@example.org"])
    }

    // MARK: - Recipients of a draft

    @Test func `typed text is part of the recipients and is restored as it was typed`() {
        field.text = "a@example.com, b@"
        #expect(field.recipients.map(\.email) == ["a@example.com", "b@"])
        let other = RecipientFieldModel { _, _ in [] }
        other.show(field.recipients)
        #expect(other.chips.map(\.address.email) == ["a@example.com"] && other.text == "b@")
        #expect(other.problem == .missingDomain)
        #expect(other.recipients == field.recipients)
        type("example.org")
        #expect(field.recipients.map(\.email) == ["a@example.com", "b@example.org"])
        type(",")
        #expect(field.recipients.map(\.email) == ["a@example.com", "b@example.org"])
    }

    @Test func `showing the field's own recipients changes nothing`() {
        type("a@example.com,bo")
        let chips = field.chips
        field.show(field.recipients)
        #expect(field.chips == chips && field.text == "bo" && field.problem == nil)
    }

    @Test func `recipients that the server refuses are marked`() {
        field.text = "a@example.com, b@example.org"
        field.markRefused(["B@EXAMPLE.ORG"])
        #expect(field.chips.map(\.isRefused) == [false, true])
        // As it was sent.
        field.text = "foo.@docomo.ne.jp,"
        field.markRefused(["\"foo.\"@docomo.ne.jp"])
        #expect(field.chips.map(\.isRefused) == [false, false, true])
    }

    // MARK: - Contacts

    @Test func `contacts are offered from the first letter, without those already entered`() async throws {
        type("a")
        try await waitForContacts(3)
        #expect(field.completions == Self.contacts.map { RecipientCompletion($0) })
        field.choose(RecipientCompletion(Self.contacts[1]))
        #expect(emails == ["andrew@example.org"] && field.text == "" && field.completions.isEmpty)
        type("an")
        try await waitForContacts(2)
        #expect(!field.completions.contains(RecipientCompletion(Self.contacts[1])))
    }

    @Test func `Return enters a typed address, and else the first contact`() async throws {
        type("ann@example.ne")
        try await waitForContacts(1)
        field.enter()
        #expect(emails == ["ann@example.ne"], "what was typed is an address of its own")
        type("anna")
        try await waitForContacts(1)
        field.enter()
        #expect(emails == ["ann@example.ne", "anna@example.com"] && field.text == "")
        type("xyz")
        field.enter()
        try await until("the reason") { field.problem == .missingAt }
        #expect(field.text == "xyz")
        field.text = ""
        field.enter()
        #expect(emails.count == 2 && field.problem == nil)
    }

    @Test func `the arrows choose a contact, and Return enters it`() async throws {
        #expect(!field.moveHighlight(by: 1))
        type("an")
        try await waitForContacts(3)
        #expect(field.highlighted == nil)
        #expect(field.moveHighlight(by: 1) && field.highlighted == 0)
        field.moveHighlight(by: 1)
        field.moveHighlight(by: 1)
        field.moveHighlight(by: 1)
        #expect(field.highlighted == 2, "the last one")
        field.moveHighlight(by: -1)
        field.enter()
        #expect(emails == ["andrew@example.org"])
        type("an")
        try await waitForContacts(2)
        field.moveHighlight(by: 1)
        field.moveHighlight(by: -1)
        #expect(field.highlighted == nil)
    }

    @Test func `Escape hides the contacts until something else is typed`() async throws {
        #expect(!field.dismissCompletions())
        type("an")
        try await waitForContacts(3)
        #expect(field.dismissCompletions() && field.completions.isEmpty && field.text == "an")
        type("n")
        try await waitForContacts(2)
    }

    @Test func `a group enters its members, each once`() async throws {
        let members = [Self.contacts[0], EmailAddress(name: "Bob", email: "bob@example.org")]
        let group = RecipientCompletion(group: "Friends", members: members)
        #expect(group.detail == "Anna Müller, Bob")
        let field = RecipientFieldModel { _, _ in [group] }
        field.text = "anna@example.com, fri"
        try await until("the group") { field.completions == [group] }
        field.enter()
        #expect(field.chips.map(\.address.email) == ["anna@example.com", "bob@example.org"] && field.text == "")
        field.text = "fri"
        for _ in 0..<50 { await Task.yield() }
        #expect(field.completions.isEmpty, "all of them are recipients")
    }

    @Test func `a member that no mail can be sent to becomes text, with the reason`() {
        let members = [EmailAddress(email: "a@example.com"), EmailAddress(email: "b@")]
        field.choose(RecipientCompletion(group: "Team", members: members))
        #expect(emails == ["a@example.com"] && field.text == "b@" && field.problem == .missingDomain)
    }

    @Test func `a large group shows its first members`() {
        let members = (1...7).map { EmailAddress(name: "P\($0)", email: "p\($0)@example.com") }
        #expect(RecipientCompletion(group: "All", members: members).detail == "P1, P2, P3, P4, P5, …")
        let unnamed = RecipientCompletion(EmailAddress(email: "p@bücher.example"))
        #expect(unnamed.name == "p@bücher.example" && unnamed.detail.isEmpty)
    }

    @Test func `Return before the contacts are known enters the first of them`() async throws {
        let gate = Gate()
        let field = RecipientFieldModel { _, _ in
            await gate.wait()
            return [RecipientCompletion(Self.contacts[0])]
        }
        field.text = "a"
        field.enter()
        #expect(field.text == "a" && field.problem == nil)
        await gate.open()
        try await until("the contact") { field.chips.map(\.address) == [Self.contacts[0]] }
        #expect(field.text == "")
    }

    @Test func `contacts of an earlier text never appear for a later one`() async throws {
        let gate = Gate()
        let field = RecipientFieldModel { text, _ in
            if text == "a" { await gate.wait() }
            return [RecipientCompletion(Self.contacts[text == "a" ? 0 : 1])]
        }
        field.text = "a"
        field.text = "ab"
        try await until("the later contacts") { field.completions == [RecipientCompletion(Self.contacts[1])] }
        await gate.open()
        for _ in 0..<50 { await Task.yield() }
        #expect(field.completions == [RecipientCompletion(Self.contacts[1])])
    }

    @Test func `without contacts, addresses can still be typed`() async throws {
        let field = RecipientFieldModel { _, _ in throw Unexpected("no store") }
        field.text = "b"
        field.text = "bob@example.org"
        field.enter()
        #expect(field.chips.map(\.address.email) == ["bob@example.org"])
    }

    // MARK: - Chips

    @Test func `Delete removes the last chip or the selected one, unless there is text`() {
        field.text = "a@example.com, b@example.com, c@example.com"
        type("x")
        #expect(!field.deleteBackward() && emails.count == 3)
        field.text = ""
        #expect(field.deleteBackward() && emails == ["a@example.com", "b@example.com"])
        #expect(field.moveSelection(by: -1) && field.selected == field.chips[1].id)
        #expect(field.moveSelection(by: -1) && field.selected == field.chips[0].id)
        #expect(field.moveSelection(by: -1) && field.selected == field.chips[0].id)
        #expect(field.deleteBackward() && emails == ["b@example.com"] && field.selected == nil)
        #expect(!field.moveSelection(by: 1))
        field.deleteBackward()
        #expect(!field.deleteBackward() && !field.moveSelection(by: -1))
    }

    @Test func `Delete on an on-screen keyboard removes the last chip if no text is typed`() {
        #expect(field.markedText.isEmpty)
        field.text = "a@example.com, b@example.com"
        let mark = field.markedText
        #expect(!mark.isEmpty && field.text.isEmpty)
        field.markedText = ""
        #expect(emails == ["a@example.com"])
        field.markedText = mark + "c"
        #expect(field.text == "c" && field.recipients.map(\.email) == ["a@example.com", "c"])
        // At the beginning of a text the key is the text's, and what is typed over everything replaces the text alone.
        field.markedText = "c"
        #expect(field.text == "c" && field.markedText == mark + "c" && emails == ["a@example.com"])
        field.markedText = "d"
        #expect(field.text == "d" && emails == ["a@example.com"])
        field.markedText = ""
        #expect(field.text.isEmpty && emails == ["a@example.com"])
        field.markedText = mark + "x@example.com, y@example.com"
        #expect(emails == ["a@example.com", "x@example.com", "y@example.com"] && field.text.isEmpty)
        for _ in 0..<4 { field.markedText = "" }
        #expect(field.isEmpty && field.markedText.isEmpty)
    }

    @Test func `a chip is made text again, and what was typed isn't lost`() throws {
        field.text = "Bob <bob@example.org>, a@example.com"
        type("c@example.com")
        field.edit(try #require(field.chips.first))
        #expect(emails == ["a@example.com", "c@example.com"] && field.text == "Bob <bob@example.org>")
        // Another text can't be entered: the chip stays.
        field.text = "unknown"
        field.edit(try #require(field.chips.first))
        #expect(emails == ["a@example.com", "c@example.com"] && field.text == "unknown")
        #expect(field.problem == .missingAt)
    }
}
