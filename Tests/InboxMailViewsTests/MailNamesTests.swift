import InboxCards
import InboxMail
import InboxMailViews
import Testing

/// The names of people in mails.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct MailNamesTests {
    private let names = MailNames(CardTexts(.english), own: [])

    private func own(_ texts: CardTexts) async throws -> MailNames {
        let device = try await MailDevice()
        try await device.mail.sync()
        return MailNames(texts, own: try await device.mail.identities())
    }

    @Test func `one person has their name, several have their first names`() {
        let (ada, bob) = (
            EmailAddress(name: "Ada Lovelace", email: "a@x"), EmailAddress(name: "Babbage, Charles", email: "b@x")
        )
        #expect(names.names(of: []) == "" && names.names(of: [ada]) == "Ada Lovelace")
        #expect(names.names(of: [ada, bob]) == "Ada, Charles")
        #expect(names.names(of: [EmailAddress(email: "info@x.example")]) == "info@x.example")
        #expect(names.names(of: [ada, EmailAddress(email: "info@x.example")]) == "Ada, info")
        #expect(names.names(of: [ada, EmailAddress(name: "山田太郎", email: "y@x")]) == "Ada, 山田太郎")
    }

    @Test func `of many, the first are shown, and the number of the others`() {
        let many = (1...12).map { EmailAddress(name: "P\($0) Name", email: "p\($0)@x") }
        #expect(names.names(of: Array(many.prefix(3))) == "P1, P2, P3")
        #expect(names.names(of: many) == "P1, P2 +10")
    }

    @Test func `the person is named as such, in any spelling of the address`() async throws {
        let address = MailDevice.alice.email.uppercased()
        let me = EmailAddress(name: "Al", email: address)
        #expect(try await own(CardTexts(.english)).names(of: [me]) == "Me")
        #expect(try await own(CardTexts(.german)).names(of: [MailDevice.ada, me]) == "Ada, Ich")
    }

    @Test func `control characters are removed from names`() {
        let hostile = EmailAddress(name: "Ada\u{202E}\n\u{0}Lovelace\u{2028}", email: "a@x")
        #expect(names.name(of: hostile) == "Ada Lovelace")
        #expect(names.names(of: [EmailAddress(name: " \u{200F} ", email: "a@x.example"), hostile]) == "a, Ada")
        // What belongs to letters stays.
        #expect(
            names.name(of: EmailAddress(name: "می\u{200C}خواهم 👩\u{200D}🚀", email: "a@x")).unicodeScalars.count == 12
        )
    }

    @Test func `a list of sent mail has its recipients, another one its authors`() async throws {
        let device = try await MailDevice()
        device.deliver("Sent", from: MailDevice.alice, to: [MailDevice.ada, MailDevice.bob], in: "sent")
        device.deliver("Note", from: MailDevice.alice, in: "sent")
        try await device.mail.sync()
        let names = try await own(CardTexts(.english))
        let threads = try await device.mail.threads()
        #expect(threads.map { names.names(of: $0, showsRecipients: true) } == ["Me", "Ada, Bob"])
        #expect(threads.map { names.names(of: $0) } == ["Me", "Me"])
    }
}
