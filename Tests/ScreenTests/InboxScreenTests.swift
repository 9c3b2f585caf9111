import Foundation
import InboxCards
import InboxClient
import InboxModel
import InboxViews
import Observation
import Screens
import Testing

@testable import SwiftUI

/// The list beside the message that is open.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct InboxScreenTests {
    @Test func `a tap opens a message, which is read then, and the way back leads to the list`() async throws {
        let device = try await ScreenDevice(message("m1"), message("m2", minutesAgo: 2))
        let person = Person(at: device.inbox)
        try await person.waits(for: "Title m1")
        #expect(person.sees("Inbox (2)") && person.sees("Title m2"))
        try person.taps("Title m1")
        try await person.waits(for: "Body")
        #expect(!person.sees("Title m2"))
        try person.goesBack()
        try await person.waits(for: "Inbox (1)")
        #expect(person.sees("Title m1") && person.sees("Title m2"))
        #expect(try await device.ids(in: .unread) == ["m2"])
    }

    @Test func `a wide screen has the list beside the message`() async throws {
        let device = try await ScreenDevice(message("m1") { $0.body = "One" }, message("m2") { $0.body = "Two" })
        let person = Person(at: device.inbox, isCompact: false)
        try await person.waits(for: "Title m2")
        try person.taps("Title m2")
        try await person.waits("the message twice") { person.texts.filter { $0 == "Title m2" }.count == 2 }
        #expect(person.sees("Title m1"))
        let selected = person.elements.filter { $0.traits.contains(.isSelected) && $0.label.contains("Title") }
        #expect(selected.count == 1 && selected.first?.label.contains("Title m2") == true)
        try person.taps("Title m1")
        try await person.waits("another message") { person.texts.filter { $0 == "Title m1" }.count == 2 }
        #expect(person.texts.filter { $0 == "Title m2" }.count == 1)
    }

    @Test(arguments: [("Delete", MessageFilter.deleted, "Deleted"), ("Archive", .archived, "Archived")])
    func `an action on the open message closes it and can be undone`(
        _ action: String,
        _ filter: MessageFilter,
        _ done: String
    ) async throws {
        let device = try await ScreenDevice(message("m1"), message("m2", minutesAgo: 2))
        let person = Person(at: device.inbox)
        try await person.waits(for: "Title m1")
        try person.taps("Title m1")
        try await person.waits(for: "Body")
        try person.taps(action)
        try await person.waits(for: "Undo")
        try await person.waits(forNo: "Title m1")
        #expect(person.sees(done) && person.sees("Title m2"))
        #expect(try await device.ids(in: filter) == ["m1"])
        try person.taps("Undo")
        try await person.waits(for: "Title m1")
        #expect(!person.sees("Undo"))
    }

    @Test func `a message that is marked unread stays open`() async throws {
        let device = try await ScreenDevice(message("m1"))
        let person = Person(at: device.inbox)
        try await person.waits(for: "Title m1")
        try person.taps("Title m1")
        try await person.waits(for: "Body")
        try await person.waits("it is read") { try await device.ids(in: .read) == ["m1"] }
        try person.taps("Mark as Unread")
        try await person.waits("it is unread") { try await device.ids(in: .unread) == ["m1"] }
        #expect(person.sees("Body"))
    }

    @Test func `without an inbox nothing is shown, and it appears once there is one`() async throws {
        let device = try await ScreenDevice(message("m1"), isSynced: true)
        let model = Account()
        let person = Person(AccountScreen(account: model))
        #expect(person.texts == ["No Messages", "New messages appear here."])
        model.inbox = device.inbox
        try await person.waits(for: "Title m1")
        model.inbox = nil
        try await person.waits(for: "No Messages")
        #expect(!person.sees("Title m1"))
    }

    @Test func `another person's inbox replaces the previous one and its open message`() async throws {
        let (first, second) = (try await ScreenDevice(message("m1")), try await ScreenDevice(message("m2")))
        let model = Account()
        model.inbox = first.inbox
        let person = Person(AccountScreen(account: model)) { $0.isCompact = true }
        try await person.waits(for: "Title m1")
        try person.taps("Title m1")
        try await person.waits(for: "Body")
        model.inbox = second.inbox
        try await person.waits(for: "Title m2")
        #expect(!person.sees("Title m1") && person.sees("Inbox (1)"))
    }
}

/// The person who is signed in.
@MainActor
@Observable
private final class Account {
    var inbox: Inbox?
}

private struct AccountScreen: View {
    let account: Account

    var body: some View { InboxScreen().shown(with: account.inbox) }
}
