import Coverage
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

/// The list of threads with its swipes, menus, selection, search and bars.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct ThreadListTests {
    private let device: MailDevice
    private let model: MailScreenModel
    private let person: Person
    private static let subjects = ["Lunch", "News", "Bill"]

    init() async throws {
        device = try await MailDevice()
        device.deliver("Bill", text: "Please pay")
        device.deliver("News", from: MailDevice.bob, text: "The garden is open", keywords: ["$seen"])
        device.deliver("Lunch", text: "At noon in the garden", id: "lunch", files: [("a.pdf", "application/pdf", [1])])
        try await device.mail.sync()
        model = MailScreenModel(device.mail, clock: device.clock)
        person = Person(ThreadList(model).shown(withMail: device.mail))
        try await person.waits(for: "Bill")
        // A pull would share a refresh that is under way.
        try await person.waits("the end of the first refresh") { [model] in
            !model.list.isRefreshing && model.mailboxes.state == .loaded
        }
    }

    private var rows: [String] { person.texts.filter(Self.subjects.contains) }

    private func waits(_ subjects: String...) async throws {
        try await person.waits("\(subjects)") { rows == subjects }
    }

    private func places(_ subject: String) async throws -> Set<String>? {
        try await device.mail.thread(id: try await device.thread(subject))?.mailboxIDs
    }

    // MARK: - Rows

    @Test func `a row has the people, the subject, the text and the marks`() throws {
        #expect(rows == ["Lunch", "News", "Bill"])
        #expect(person.sees("Ada Lovelace") && person.sees("Bob") && person.sees("At noon in the garden"))
        #expect(person.texts.filter { $0 == "paperclip" }.count == 1)
        let label = try person.label(of: "Lunch")
        #expect(label.hasPrefix("Unread, Ada Lovelace, Lunch, ") && label.hasSuffix("At noon in the garden, Files"))
        #expect(try person.label(of: "News").hasPrefix("Bob, News, "))
    }

    @Test func `a tap opens a thread, and its row is selected`() throws {
        try person.taps("News")
        #expect(model.opened == model.threads[1].id)
        let selected = person.elements.filter { $0.traits.contains(.isSelected) }
        #expect(selected.map(\.label).filter { $0.contains("News") }.count == 1 && selected.count == 1)
    }

    // MARK: - Swipes and menus

    @Test(.shows(.k01)) func `a full swipe archives, and can be undone`() async throws {
        #expect(try person.swipeButtons("Lunch", .trailing) == ["Archive", "Delete"])
        try person.swipes("Lunch", .trailing)
        try await waits("News", "Bill")
        #expect(try await places("Lunch") == ["archive"])
        try await person.waits(for: "Undo")
        #expect(person.sees("Archived"))
        try person.taps("Undo")
        try await waits("Lunch", "News", "Bill")
        #expect(try await places("Lunch") == ["inbox"])
    }

    @Test func `a swipe has a button that deletes, and it can be undone for ten seconds`() async throws {
        try person.swipes("News", .trailing, button: "Delete")
        try await waits("Lunch", "Bill")
        #expect(try await places("News") == ["trash"])
        try await person.waits(for: "Undo")
        try person.taps("Undo")
        try await waits("Lunch", "News", "Bill")
        try person.swipes("News", .trailing, button: "Delete")
        try await person.waits(for: "Deleted")
        device.clock.advance(by: 10)
        try await person.waits(forNo: "Undo")
        try await waits("Lunch", "Bill")
    }

    @Test func `a swipe to the other side changes whether a thread is unread`() async throws {
        #expect(try person.swipeButtons("Lunch", .leading) == ["Mark as Read"])
        #expect(try person.swipeButtons("News", .leading) == ["Mark as Unread"])
        try person.swipes("Lunch", .leading)
        try await person.waits("it is read") { try person.swipeButtons("Lunch", .leading) == ["Mark as Unread"] }
        #expect(try await device.mail.counts().unread == 1)
    }

    @Test func `the menu of a thread has each action, and moves it to a mailbox`() async throws {
        #expect(
            try person.menu(of: "Lunch") == ["Mark as Read", "Star", "Archive", "Move to…", "Delete"]
        )
        try person.chooses(of: "Lunch", "Star")
        try await person.waits(for: "star.fill")
        #expect(try person.menu(of: "Lunch").contains("Remove Star"))
        try person.chooses(of: "Lunch", "Move to…", "Junk")
        try await waits("News", "Bill")
        #expect(try await places("Lunch") == ["junk"])
        #expect(person.sees("Moved"))
        try person.taps("Undo")
        try await waits("Lunch", "News", "Bill")
    }

    @Test func `a screen reader has each action of a thread`() async throws {
        let element = try #require(person.elements.first { $0.label.contains("Lunch") })
        #expect(element.actions.allSatisfy { $0.activate != nil }, "\(element.actions.map(\.label))")
        let labels = element.actions.map(\.label)
        #expect(
            labels == [
                "Mark as Read", "Star", "Archive", "Move to… Archive", "Move to… Junk", "Move to… Trash", "Delete",
            ]
        )
        try person.activates(element.label, action: "Archive")
        try await waits("News", "Bill")
    }

    @Test func `a change that the server rejects is reverted and reported`() async throws {
        device.server.behave { $0.refusesChange = { _ in ["type": "forbidden"] } }
        try person.swipes("Lunch", .trailing)
        try await waits("News", "Bill")
        try await person.pulls()
        try await waits("Lunch", "News", "Bill")
        try await person.waits(for: "The server didn’t accept a change. It was undone.")
        try person.taps("Close")
        #expect(!person.sees("Close"))
    }

    // MARK: - Selection

    @Test func `threads are selected by taps, and changed together`() async throws {
        try person.chooses("Actions", "Select")
        try await person.waits(for: "Cancel")
        #expect(throws: Unexpected.self) { try person.taps("Delete") }
        try person.taps("Lunch")
        try person.taps("Bill")
        try person.taps("News")
        try person.taps("News")
        #expect(model.opened == nil && model.selectedThreads.map(\.subject) == ["Lunch", "Bill"])
        #expect(person.texts.filter { $0 == "checkmark.circle.fill" }.count == 2)
        try person.taps("Archive")
        try await waits("News")
        try await person.waits(forNo: "Cancel")
        try person.taps("Undo")
        try await waits("Lunch", "News", "Bill")
        try person.chooses("Actions", "Select")
        try person.taps("Select All")
        try person.chooses("Move to…", "Archive")
        try await person.waits(for: "There is no mail here.")
    }

    @Test func `all threads are marked as read, and that can be undone`() async throws {
        try person.chooses("Actions", "Mark All as Read")
        try await person.waits(for: "Marked as read")
        #expect(try await device.mail.counts().unread == 0)
        try person.taps("Undo")
        try await person.waits("they are unread") { try await device.mail.counts().unread == 2 }
    }

    // MARK: - Search and order

    @Test func `a search shows the matches and a line if the server wasn't reached`() async throws {
        try person.types("garden")
        device.clock.advance(by: ThreadSearchModel.delay)
        try await waits("Lunch", "News")
        try await person.waits(for: "Only the mail on this device was searched.")
        try person.types("nowhere")
        device.clock.advance(by: ThreadSearchModel.delay)
        try await person.waits(for: "No messages match your search.")
        try person.types("")
        try await waits("Lunch", "News", "Bill")
    }

    @Test func `unread threads are first if the person chooses so`() async throws {
        try person.chooses("Actions", "Unread First")
        try await waits("Lunch", "Bill", "News")
        try person.chooses("Actions", "Unread First")
        try await waits("Lunch", "News", "Bill")
    }

    @Test func `further threads follow as the person scrolls`() async throws {
        let other = try await MailDevice()
        try await other.store(70)
        let person = Person(ThreadList { _ in }.shown(withMail: other.mail))
        try await person.waits(for: "Mail 1")
        #expect(!person.sees("Mail 51"))
        try person.scrolls(to: 48)
        try await person.waits(for: "Mail 51")
        try person.scrolls(to: 65)
        try await person.waits(for: "Mail 70")
        #expect(!person.sees("Load More"))
    }

    // MARK: - The rest

    @Test func `keys move the focus, open and delete`() async throws {
        try person.focuses("Lunch")
        try person.presses(.downArrow)
        #expect(person.focused.contains("News"))
        try person.presses(.return)
        #expect(model.opened == model.threads[1].id)
        try person.presses(.delete)
        try await waits("Lunch", "Bill")
        #expect(model.opened == nil)
        try await person.waits("the next one has the focus") { person.focused.contains("Bill") }
    }

    @Test func `a new device offline has an error and a retry button`() async throws {
        let other = try await MailDevice()
        other.deliver("Lunch")
        other.disconnect()
        var opened: [String] = []
        let person = Person(ThreadList { opened.append($0.subject) }.shown(withMail: other.mail))
        try await person.waits(for: "Try Again")
        other.reconnect()
        try person.taps("Try Again")
        try await person.waits(for: "Lunch")
        try person.taps("Lunch")
        #expect(opened == ["Lunch"])
        await other.mail.close()
        try await person.waits(for: "Something Went Wrong")
    }

    @Test func `an account whose token expired has the app's sign-in button`() async throws {
        device.transport.fail(with: .tokenRefused(.expired))
        var asked: [String] = []
        let person = Person(
            ThreadList(model).onMailSignIn { asked.append($0.user) }.shown(withMail: device.mail)
        )
        try await person.pulls()
        try await person.waits(for: "Sign In")
        try person.taps("Sign In")
        #expect(asked == [StandardMailServer.user])
        #expect(person.sees("Lunch"))
    }

    @Test func `each button and each thread has a name, with large texts too`() async throws {
        try person.swipes("News", .trailing)
        try await person.waits(for: "Undo")
        for size in [DynamicTypeSize.large, .accessibility5] {
            person.display.change { $0.dynamicTypeSize = size }
            let unnamed = person.elements.filter { !$0.isNamed }
            #expect(unnamed.isEmpty, "\(unnamed.map(\.label))")
        }
        try person.chooses("Actions", "Select")
        #expect(person.elements.filter { !$0.isNamed }.isEmpty)
    }

    @Test(arguments: [(CardLanguage.german, "Suchen"), (.arabic, "بحث"), (.japanese, "検索")])
    func `the list speaks the person's language`(_ language: CardLanguage, _ search: String) async throws {
        let person = Person(ThreadList(model).mail(device.mail).inboxTexts(CardTexts(language)))
        try await person.waits(for: "Lunch")
        let prompts = person.display.nodes.compactMap { node in
            if case .modifier(.search(_, let prompt)) = node.kind { prompt } else { nil }
        }
        #expect(prompts == [search])
        try person.swipes("Lunch", .trailing)
        try await person.waits(for: CardTexts(language)[.undo])
    }
}
