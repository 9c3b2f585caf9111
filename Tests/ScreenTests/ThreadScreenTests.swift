import Foundation
import InboxCards
import InboxMail
import InboxMailViews
import InboxTesting
import InboxViews
import Screens
import StandardMailServer
import Testing

@testable import SwiftUI

/// A thread on a screen of its own, and the screen with mailboxes, threads and one thread.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct ThreadScreenTests {
    private let device: MailDevice

    init() async throws {
        device = try await MailDevice()
        device.deliver("Lunch", text: "One?", id: "one", keywords: ["$seen"])
        device.deliver(
            "Re: Lunch",
            from: MailDevice.alice,
            to: [MailDevice.ada],
            text: "Two!",
            id: "two",
            answering: "one",
            keywords: ["$seen"],
            in: "sent"
        )
        device.deliver(
            "Re: Lunch",
            text: "Three.\n\n> Two!",
            id: "three",
            answering: "two",
            files: [("menu.pdf", "application/pdf", Array("Soup".utf8)), ("page.html", "text/html", [60])]
        )
        device.deliver("News", from: MailDevice.bob, text: "Open", keywords: ["$seen"])
        try await device.mail.sync()
    }

    private func person(_ subject: String = "Lunch") async throws -> Person {
        let person = Person(ThreadScreen(try await device.thread(subject)).shown(withMail: device.mail))
        try await person.waits(for: subject)
        return person
    }

    // MARK: - A thread

    @Test func `the last mail is shown in full, the read ones before as headers`() async throws {
        let person = try await person()
        try await person.waits(for: "Three.")
        #expect(person.sees("One?") && person.sees("Two!") && person.sees("Me"))
        #expect(person.sees("Ada Lovelace") && person.sees("ada@example.org") && person.sees("To: Me"))
        let headers = person.elements.filter { $0.value != nil }
        #expect(headers.map(\.value) == ["Collapsed", "Collapsed", "Expanded"])
        try await person.waits("it is read") { try await device.mail.counts().unread == 0 }
        // A header opens its mail.
        try person.activates(headers[1].label)
        try await person.waits(for: "To: Ada Lovelace")
        #expect(person.elements.compactMap(\.value) == ["Collapsed", "Expanded", "Expanded"])
    }

    @Test func `a quotation is folded until its button is tapped`() async throws {
        let person = try await person()
        try await person.waits(for: "Show quoted text")
        #expect(!person.sees("> Two!"))
        try person.taps("Show quoted text")
        try await person.waits("the quotation") { person.texts.contains { $0.hasPrefix("> Two!") } }
    }

    @Test func `a file has its name, size, download and preview`() async throws {
        let person = try await person()
        try await person.waits(for: "menu.pdf")
        #expect(person.elements.contains { $0.label == "Download: menu.pdf" })
        let gate = Gate()
        device.answerDownloads(at: gate)
        try person.activates("Download: menu.pdf")
        try await person.waits(for: "50 %")
        try person.taps("Cancel")
        #expect(!person.sees("50 %"))
        await gate.open()
        device.answerDownloads()
        try person.activates("Download: menu.pdf")
        try await person.waits("the file") { person.elements.contains { $0.label == "Open: menu.pdf" } }
        #expect(person.elements.contains { $0.label == "Share: menu.pdf" })
        try person.activates("Open: menu.pdf")
        try await person.waits("the preview") { previews(person).count == 1 }
        #expect(previews(person).map(\.lastPathComponent) == ["menu.pdf"])
    }

    @Test func `a file that can run is shared, and not previewed; a failure can be tried again`() async throws {
        let person = try await person()
        try await person.waits(for: "page.html")
        device.disconnect()
        try person.activates("Download: page.html")
        try await person.waits(for: "The file couldn’t be downloaded.")
        device.reconnect()
        try person.taps("Try Again")
        try await person.waits("the file") { person.elements.contains { $0.label == "Share: page.html" } }
        #expect(!person.elements.contains { $0.label == "Open: page.html" })
    }

    private func previews(_ person: Person) -> [URL] {
        person.display.nodes.compactMap { node in
            if case .modifier(.preview(let url)) = node.kind { url.wrappedValue } else { nil }
        }
    }

    @Test func `the app's footer is below each mail that is shown in full`() async throws {
        let view = ThreadScreen(try await device.thread("Lunch")).mailFooter { message in
            Button("Reply to \(message.id)") {}
        }
        let person = Person(view.shown(withMail: device.mail))
        try await person.waits("the button") { person.texts.contains { $0.hasPrefix("Reply to ") } }
        #expect(person.texts.filter { $0.hasPrefix("Reply to ") }.count == 1)
    }

    @Test func `a thread deleted elsewhere, and missing mail, have a message`() async throws {
        let person = try await person()
        let other = try await self.person("News")
        device.empty("inbox")
        device.empty("sent")
        try await device.mail.sync()
        try await person.waits(for: "This conversation is no longer available.")
        try await other.waits(for: "This conversation is no longer available.")
        let nothing = Person(ThreadScreen("t").shown(withMail: nil))
        #expect(nothing.sees("There is no mail here."))
    }

    @Test func `each button of a thread has a name`() async throws {
        let person = try await person()
        try await person.waits(for: "menu.pdf")
        let unnamed = person.elements.filter { !$0.isNamed }
        #expect(unnamed.isEmpty, "\(unnamed.map(\.label))")
    }

    // MARK: - The screen

    private func screen(isCompact: Bool) async throws -> Person {
        let person = Person(InboxMailViews.MailScreen().shown(withMail: device.mail)) { $0.isCompact = isCompact }
        try await person.waits(for: "Lunch")
        return person
    }

    @Test func `on a phone a thread covers the list, and the list the mailboxes`() async throws {
        let person = try await screen(isCompact: true)
        #expect(person.sees("News") && !person.sees("Drafts"))
        try person.taps("Lunch")
        try await person.waits(for: "Three.")
        #expect(!person.sees("News"))
        try person.goesBack()
        #expect(person.sees("News"))
        try person.goesBack()
        try await person.waits(for: "Drafts")
        #expect(!person.sees("News"))
        try person.taps("Sent")
        try await person.waits(forNo: "News")
        #expect(person.sees("Lunch") && person.sees("Ada Lovelace"))
    }

    @Test func `on a wide screen all are side by side, and an action closes the thread`() async throws {
        let person = try await screen(isCompact: false)
        try await person.waits(for: "Drafts")
        try person.taps("Lunch")
        try await person.waits(for: "Three.")
        #expect(person.sees("News") && person.sees("Drafts"))
        try person.presses("a", [.control, .command])
        try await person.waits(forNo: "Three.")
        try await person.waits(for: "Archived")
        try person.taps("Archive")
        // Until its threads are known, those of the inbox stay, and the archived one may still be among them.
        try await person.waits("the archive") { person.sees("Lunch") && !person.sees("News") }
        let selected = person.elements.filter { $0.traits.contains(.isSelected) }.map(\.label)
        #expect(selected == ["Archive"])
    }

    @Test func `two accounts have their mailboxes in one list`() async throws {
        let other = try await MailDevice()
        other.deliver("Bill")
        try await other.mail.sync()
        let model = MailAccountsModel([device.mail, other.mail])
        let person = Person(InboxMailViews.MailScreen(model).inboxTexts(CardTexts(.english))) { $0.isCompact = false }
        try await person.waits(for: "Lunch")
        try await person.waits("the first account") { person.sees(StandardMailServer.user) && person.sees("Trash") }
        // A screen has eight rows.
        try person.scrolls(to: 8)
        try await person.waits("the second account") { person.sees(StandardMailServer.user) && person.sees("Trash") }
        model.show(.inbox, of: model.accounts[1])
        try await person.waits(for: "Bill")
        #expect(!person.sees("Lunch"))
        model.update([other.mail])
        // Without a name in the list: it is the title.
        try await person.waits(forNo: StandardMailServer.user)
    }

    @Test func `without an account no mail is shown`() {
        #expect(Person(InboxMailViews.MailScreen().shown(withMail: nil)).sees("There is no mail here."))
    }
}
