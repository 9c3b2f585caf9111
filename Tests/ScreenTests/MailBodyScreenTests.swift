import HTMLCleaning
import HTMLViews
import InboxCards
import InboxMail
import InboxMailViews
import Screens
import Testing

@testable import SwiftUI

/// A mail's body on screen.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct MailBodyScreenTests {
    private static let quoting = "<p>Yes!</p><blockquote type=cite><p>Lunch?</p></blockquote>"

    private func hasDocument(_ person: Person, _ text: String) -> Bool { person.texts.contains { $0.contains(text) } }

    @Test func `a quotation is folded until its button is tapped`() async throws {
        let mail = MailScreen(html: Self.quoting)
        let person = Person(MailBodyView(mail.model))
        #expect(person.texts == ["…"] && person.elements.map(\.label) == ["Loading..."])
        try await person.waits("the mail") { hasDocument(person, "Yes!") }
        #expect(!hasDocument(person, "Lunch?"))
        try person.taps("Show quoted text")
        try await person.waits("the quotation") { hasDocument(person, "Lunch?") }
        try person.taps("Hide quoted text")
        #expect(!hasDocument(person, "Lunch?") && person.sees("Show quoted text"))
    }

    @Test func `pictures on the web are shown once they are allowed`() async throws {
        let mail = MailScreen(html: "<img src=https://pictures.example/a.png>")
        let person = Person(MailBodyView(mail.model))
        try await person.waits(for: "Show")
        #expect(!hasDocument(person, "data:image/gif"))
        try person.taps("Show")
        try await person.waits("the picture") { hasDocument(person, "data:image/gif") }
        #expect(!person.sees("Show") && mail.log.all.contains("allow mail m1"))
    }

    @Test func `a mail that can't be fetched can be tried again`() async throws {
        let mail = MailScreen(html: "<p>Hello")
        mail.log.isOffline = true
        let person = Person(MailBodyView(mail.model))
        try await person.waits(for: "Try Again")
        mail.log.isOffline = false
        try person.taps("Try Again")
        try await person.waits("the mail") { hasDocument(person, "Hello") }
    }

    @Test func `the person's text size reaches the document, also when it changes`() async throws {
        let mail = MailScreen(html: "<p>Hello")
        let person = Person(MailBodyView(mail.model)) { $0.textScale = 2 }
        try await person.waits("the large text") { hasDocument(person, "Hello") }
        let large = person.texts
        person.display.change { $0.textScale = 1.5 }
        try await person.waits("another size") { hasDocument(person, "Hello") && person.texts != large }
    }

    @Test(arguments: [(CardLanguage.arabic, LayoutDirection.rightToLeft), (.english, .leftToRight)])
    func `a mail is laid out in the direction of its texts`(
        _ language: CardLanguage,
        _ direction: LayoutDirection
    ) async throws {
        let model = MailBodyModel(
            MailScreen.message,
            pictures: MailPictureAccess(load: { _, _, _, _ in MailPictures() }, allow: nil),
            texts: CardTexts(language)
        ) { MailScreen.body(html: nil, text: "Hello", isTruncated: false) }
        let person = Person(MailBodyView(model))
        try await person.waits(for: "Hello")
        let node = person.display.nodes.first { if case .text("Hello") = $0.kind { true } else { false } }
        #expect(node?.environment.layoutDirection == direction)
    }
}
