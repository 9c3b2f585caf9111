import Coverage
import Foundation
import InboxCards
import InboxMail
import InboxMailViews
import InboxViews
import Screens
import StandardMailServer
import Testing

@testable import SwiftUI

/// A mail that is written on screen.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct ComposeScreenTests {
    private let device: WritingDevice

    init() async throws { device = try await WritingDevice() }

    private func person(_ model: ComposeModel, _ end: @escaping @MainActor (ComposePhase) -> Void = { _ in }) -> Person
    {
        Person(ComposeScreen(model, onEnd: end).inboxTexts(CardTexts(.english)))
    }

    private func element(_ person: Person, _ label: String) throws -> Element {
        guard let element = person.elements.first(where: { $0.label == label }) else {
            throw Unexpected("no '\(label)': \(person.elements.map(\.label))")
        }
        return element
    }

    @Test(.shows(.k01)) func `a mail is written, checked, and sent`() async throws {
        let model = ComposeModel(.new, in: device.mail)
        var ended: [ComposePhase] = []
        let person = person(model) { ended.append($0) }
        #expect(person.sees("New Mail") || person.texts.contains("To"))
        try person.types("carol@", into: "To")
        try person.types("bob@example.org,", into: "To")
        #expect(person.sees("bob@example.org"))
        try person.types("See you.", into: "Message")
        try person.taps("Send")
        try await person.waits(for: "The mail has no subject.")
        #expect(ended.isEmpty && person.sees("Before You Send"))
        try person.taps("Keep Writing")
        #expect(!person.sees("Before You Send"))
        try person.types("Lunch", into: "Subject")
        try person.taps("Send")
        try await person.waits("the end") { !ended.isEmpty }
        guard case .waiting? = ended.first else {
            Issue.record("\(ended)")
            return
        }
        try await device.settle()
        #expect(device.server.deliveries.map(\.text) == ["See you."])
    }

    @Test func `contacts are chosen by a tap or by keys, and removed again`() async throws {
        _ = try await device.receive("One", from: "anna@example.com")
        _ = try await device.receive("Two", from: "andrew@example.com")
        let model = ComposeModel(.new, in: device.mail)
        let person = person(model)
        try person.types("an", into: "To")
        try await person.waits(for: "anna@example.com")
        #expect(person.elements.contains { $0.label.contains("andrew@example.com") && $0.traits.contains(.isButton) })
        try person.focuses(field: "To")
        try person.presses(.downArrow)
        let first = try #require(model.to.completions.first)
        #expect(person.elements.contains { $0.label.contains(first.detail) && $0.traits.contains(.isSelected) })
        try person.submits("To")
        #expect(model.to.chips.map(\.address) == first.addresses)
        try person.presses(.delete)
        #expect(model.to.chips.isEmpty)
        try person.types("anna", into: "To")
        try await person.waits(for: "anna@example.com")
        try person.taps("anna@example.com")
        #expect(model.to.chips.map(\.address.email) == ["anna@example.com"])
        let chip = try element(person, "Anna, anna@example.com")
        #expect(chip.traits.contains(.isButton) && chip.actions.map(\.label) == ["Remove"])
        try person.activates("Anna, anna@example.com", action: "Remove")
        #expect(model.to.chips.isEmpty)
    }

    @Test func `the delete key of a keyboard on screen removes the last recipient`() async throws {
        let model = ComposeModel(.new, in: device.mail)
        let person = person(model)
        try person.types("anna@example.com,", into: "To")
        try person.types("bob@example.org,", into: "To")
        // What such a keyboard does: the field has one character less.
        try person.types(String(person.text(in: "To").dropLast()), into: "To")
        #expect(model.to.chips.map(\.label) == ["anna@example.com"])
        try person.types(person.text(in: "To") + "c", into: "To")
        try person.types(String(person.text(in: "To").dropLast()), into: "To")
        #expect(model.to.chips.map(\.label) == ["anna@example.com"] && model.to.text.isEmpty)
        try person.types(String(person.text(in: "To").dropLast()), into: "To")
        #expect(try model.to.isEmpty && person.text(in: "To").isEmpty)
    }

    @Test func `leaving a field shows the problem of an invalid address`() async throws {
        let model = ComposeModel(.new, in: device.mail)
        let person = person(model)
        try person.types("carol@", into: "To")
        try person.focuses(field: "To")
        try person.submits("To")
        try await person.waits(for: "There is nothing after the @.")
        try person.types("carol@example.org", into: "To")
        #expect(!person.sees("There is nothing after the @."))
    }

    @Test func `files are chosen, shown and removed`() async throws {
        let model = ComposeModel(.new, in: device.mail)
        let person = person(model)
        let file = device.directory.appending(path: "menu.pdf")
        try Data("%PDF".utf8).write(to: file)
        try person.taps("Attach File")
        try person.chooses(files: [file, device.directory.appending(path: "missing.txt")])
        try await person.waits(for: "menu.pdf")
        try await person.waits(for: "“missing.txt” couldn’t be attached.")
        #expect(person.texts.contains { $0.hasSuffix("Not uploaded yet") })
        try person.activates("Remove: menu.pdf")
        try await person.waits(forNo: "menu.pdf")
        #expect(model.attachments.isEmpty)
    }

    @Test func `discarding asks, and the screen ends`() async throws {
        let model = ComposeModel(.new, in: device.mail)
        var ended: [ComposePhase] = []
        let person = person(model) { ended.append($0) }
        try person.types("Hello", into: "Message")
        try person.chooses("Actions", "Discard Draft")
        try await person.waits(for: "Discard this draft? It can’t be restored.")
        try person.taps("Keep Writing")
        #expect(ended.isEmpty && !person.sees("Discard this draft? It can’t be restored."))
        try person.chooses("Actions", "Discard Draft")
        try await person.waits(for: "Discard this draft? It can’t be restored.")
        try person.taps("Discard Draft")
        try await person.waits("the end") { ended == [.discarded] }
        #expect(try await device.mail.draftCount() == 0)
    }

    @Test func `a screen that disappears keeps what was written`() async throws {
        let model = ComposeModel(.new, in: device.mail)
        let person = person(model)
        try person.types("Hello", into: "Message")
        person.display.close()
        try await until("the draft") { try await device.mail.drafts().map(\.text) == ["Hello"] }
    }

    @Test func `a reply shows the quoted mail on request`() async throws {
        let id = try await device.receive("Lunch", html: "<p>Lunch?</p>")
        let model = ComposeModel(.reply(to: id), in: device.mail)
        let person = person(model)
        try await person.waits(for: "Show quoted text")
        #expect(!person.texts.contains { $0.contains("> Lunch?") })
        try person.taps("Show quoted text")
        #expect(person.texts.contains { $0.contains("> Lunch?") })
        try person.taps("Hide quoted text")
        #expect(!person.texts.contains { $0.contains("> Lunch?") })
    }

    @Test func `a refused mail shows the reason and marks the recipient`() async throws {
        device.refuse("gone@example.org")
        let draft = try await device.mail.send(device.draft("Hello", to: "gone@example.org"))
        try await device.settle()
        let model = ComposeModel(.stored(id: draft.id), in: device.mail)
        let person = person(model)
        try await person.waits("the reason") { person.texts.contains { $0.contains("refuses these recipients") } }
        #expect(try element(person, "Bob, gone@example.org").value == "Refused by the mail server")
    }

    @Test(arguments: CardLanguage.allCases)
    func `each control has an accessibility label in each language`(_ language: CardLanguage) async throws {
        let model = ComposeModel(.draft(device.draft("Hello")), in: device.mail)
        await model.attach(Data("a".utf8), named: "a.txt")
        model.showsCopies = true
        let texts = CardTexts(language)
        let person = Person(ComposeScreen(model).inboxTexts(texts)) {
            $0.layoutDirection = texts.isRightToLeft ? .rightToLeft : .leftToRight
        }
        let unnamed = person.elements.filter { $0.traits.contains(.isButton) && (!$0.isNamed || $0.label.isEmpty) }
        #expect(unnamed.isEmpty, "\(unnamed.map(\.label))")
        let labels = person.elements.map(\.label)
        let named: [CardText] = [.send, .attachFile, .toField, .ccField, .bccField, .subject, .message, .saveDraft]
        for text in named { #expect(labels.contains(texts[text]), "\(text)") }
    }

    @Test func `the arrows follow the reading direction`() async throws {
        let model = ComposeModel(.draft(device.draft("Hello")), in: device.mail)
        let person = Person(ComposeScreen(model).inboxTexts(CardTexts(.hebrew))) { $0.layoutDirection = .rightToLeft }
        try person.focuses(field: CardTexts(.hebrew)[.toField])
        try person.presses(.rightArrow)
        #expect(model.to.selected == model.to.chips.last?.id)
        try person.presses(.leftArrow)
        #expect(model.to.selected == nil)
    }
}
