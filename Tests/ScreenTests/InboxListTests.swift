import Foundation
import Groundwork
import InboxCards
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Screens
import Testing

@testable import SwiftUI

/// The list with its swipes, menus, selection, search and bars.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct InboxListTests {
    private let device: ScreenDevice
    private let model: InboxScreenModel
    private let person: Person

    init() async throws {
        device = try await ScreenDevice(
            message("m1", minutesAgo: 1) { $0.body = "Shoes" },
            message("m2", minutesAgo: 2) { $0.readAt = ManualClock().now },
            message("m3", minutesAgo: 3),
            isSynced: true
        )
        model = InboxScreenModel(device.inbox, clock: device.clock)
        person = Person(InboxList(model).shown(with: device.inbox))
        try await person.waits(for: "Title m3")
        // A pull would share a refresh that is under way.
        try await person.waits("the end of the first refresh") { [model] in !model.list.isRefreshing }
    }

    private var rows: [String] { person.texts.filter { $0.hasPrefix("Title ") }.map { String($0.dropFirst(6)) } }

    private func waits(_ ids: [String]) async throws { try await person.waits("\(ids)") { rows == ids } }

    // MARK: - Swipes and menus

    @Test func `a full swipe archives, and can be undone`() async throws {
        #expect(try person.swipeButtons("Title m1", .trailing) == ["Archive", "Delete"])
        try person.swipes("Title m1", .trailing)
        try await waits(["m2", "m3"])
        #expect(try await device.ids(in: .archived) == ["m1"])
        try await person.waits(for: "Undo")
        #expect(person.sees("Archived"))
        try person.taps("Undo")
        try await waits(["m1", "m2", "m3"])
        #expect(try await device.ids(in: .archived).isEmpty)
    }

    @Test func `a swipe has a button that deletes, and it can be undone`() async throws {
        try person.swipes("Title m2", .trailing, button: "Delete")
        try await waits(["m1", "m3"])
        #expect(try await device.ids(in: .deleted) == ["m2"])
        try await person.waits(for: "Undo")
        #expect(person.sees("Deleted"))
        try person.taps("Undo")
        try await waits(["m1", "m2", "m3"])
    }

    @Test func `an undo is offered for ten seconds`() async throws {
        try person.swipes("Title m2", .trailing, button: "Delete")
        try await person.waits(for: "Undo")
        device.clock.advance(by: 10)
        try await person.waits(forNo: "Undo")
        try await waits(["m1", "m3"])
    }

    @Test func `a swipe to the other side changes whether a message is unread`() async throws {
        #expect(try person.swipeButtons("Title m1", .leading) == ["Mark as Read"])
        #expect(try person.swipeButtons("Title m2", .leading) == ["Mark as Unread"])
        try person.swipes("Title m1", .leading)
        try await person.waits(for: "Inbox (1)")
        try person.swipes("Title m2", .leading)
        try await person.waits(for: "Inbox (2)")
        #expect(try await device.ids(in: .unread) == ["m2", "m3"])
        #expect(try person.swipeButtons("Title m1", .leading) == ["Mark as Unread"])
    }

    @Test func `the menu of a message has each action`() async throws {
        #expect(try person.menu(of: "Title m1") == ["Mark as Read", "Archive", "Snooze", "Delete"])
        #expect(try person.menu(of: "Title m2").first == "Mark as Unread")
        try person.chooses(of: "Title m1", "Mark as Read")
        try await person.waits("it is read") { try await device.ids(in: .unread) == ["m3"] }
        try person.chooses(of: "Title m2", "Delete")
        try await waits(["m1", "m3"])
    }

    @Test func `a message is snoozed until a time of the menu`() async throws {
        try person.chooses(of: "Title m1", "Snooze", "Tomorrow")
        try await waits(["m2", "m3"])
        let snoozed = try await device.inbox.fetch(Query<Message>(), in: .snoozed)
        let time = try #require(snoozed.first?.snoozedUntil)
        #expect(snoozed.map(\.id) == ["m1"] && Calendar.current.isDateInTomorrow(time))
        try await person.waits(for: "Undo")
        #expect(person.sees("Snoozed"))
    }

    @Test func `a message is snoozed until a picked time, or not at all`() async throws {
        try person.chooses(of: "Title m3", "Snooze", "Pick a Date…")
        try await person.waits(for: "Cancel")
        try person.taps("Cancel")
        try await person.waits(forNo: "Cancel")
        #expect(rows == ["m1", "m2", "m3"])
        try person.chooses(of: "Title m3", "Snooze", "Pick a Date…")
        try await person.waits(for: "Cancel")
        let time = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + 500_000).rounded())
        try person.picks(time)
        try person.taps("Snooze")
        try await waits(["m1", "m2"])
        #expect(!person.sees("Cancel"))
        #expect(try await device.inbox.fetch(Query<Message>(), in: .snoozed).map(\.snoozedUntil) == [time])
    }

    @Test func `a screen reader has each action of a message`() async throws {
        let element = try #require(person.elements.first { $0.label.contains("Title m1") })
        #expect(element.label.hasPrefix("Unread, ") && element.traits.contains(.isButton))
        #expect(element.actions.allSatisfy { $0.activate != nil }, "\(element.actions.map(\.label))")
        let labels = element.actions.map(\.label)
        let expected = ["Mark as Read", "Archive", "Snooze: Tomorrow", "Delete"]
        #expect(expected.allSatisfy(labels.contains), "\(labels)")
        try person.activates(element.label, action: "Archive")
        try await waits(["m2", "m3"])
    }

    // MARK: - Selection

    @Test func `messages are selected by taps, and archived together`() async throws {
        try person.chooses("Actions", "Select")
        try await person.waits(for: "Cancel")
        #expect(throws: Unexpected.self) { try person.taps("Archive") }
        try person.taps("Title m1")
        try person.taps("Title m3")
        try person.taps("Title m2")
        try person.taps("Title m2")
        #expect(model.opened == nil && model.selection == ["m1", "m3"])
        let selected = person.elements.filter { $0.traits.contains(.isSelected) && $0.label.contains("Title") }
        #expect(selected.count == 2 && person.texts.filter { $0 == "checkmark.circle.fill" }.count == 2)
        try person.taps("Archive")
        try await waits(["m2"])
        try await person.waits(for: "Undo")
        try await person.waits(forNo: "Cancel")
        #expect(!person.sees("circle"))
        try person.taps("Undo")
        try await waits(["m1", "m2", "m3"])
    }

    @Test func `all messages are selected at once, and a selection can be left`() async throws {
        try person.chooses("Actions", "Select")
        try await person.waits(for: "Select All")
        try person.taps("Select All")
        #expect(person.texts.filter { $0 == "checkmark.circle.fill" }.count == 3)
        try person.taps("Cancel")
        #expect(!person.sees("checkmark.circle.fill") && !person.sees("Select All") && rows.count == 3)
        try person.chooses("Actions", "Select")
        try person.taps("Select All")
        try person.taps("Delete")
        try await person.waits(for: "No Messages")
        #expect(try await device.ids(in: .deleted).count == 3)
    }

    @Test func `all messages are marked as read, and that can be undone`() async throws {
        try person.chooses("Actions", "Mark All as Read")
        try await person.waits(for: "Marked as read")
        #expect(try await device.ids(in: .unread).isEmpty)
        try await person.waits(for: "Inbox")
        try person.taps("Undo")
        try await person.waits(for: "Inbox (2)")
    }

    // MARK: - Search and tabs

    @Test func `a search shows what matches, and its end shows all`() async throws {
        try person.types("shoes")
        device.clock.advance(by: InboxScreenModel.searchDelay)
        try await waits(["m1"])
        try person.types("nowhere")
        device.clock.advance(by: InboxScreenModel.searchDelay)
        try await person.waits(for: "No messages match your search.")
        try person.types("")
        try await waits(["m1", "m2", "m3"])
    }

    @Test func `the archive has its messages, whose swipe moves them to the inbox`() async throws {
        try await device.inbox.archive("m1")
        try await person.waits(for: "Archived (1)")
        try person.taps("Archived (1)")
        try await waits(["m1"])
        #expect(try person.swipeButtons("Title m1", .trailing) == ["Move to Inbox", "Delete"])
        #expect(try person.menu(of: "Title m1").contains("Move to Inbox"))
        try person.chooses("Actions", "Select")
        try person.taps("Title m1")
        try person.taps("Move to Inbox")
        try await person.waits(for: "The archive is empty.")
        try person.taps("Inbox (2)")
        try await waits(["m1", "m2", "m3"])
    }

    @Test func `the tab that is shown is the selected one`() async throws {
        try person.taps("Unread (2)")
        try await waits(["m1", "m3"])
        let tabs = person.elements.filter { $0.traits.contains(.isSelected) }.map(\.label)
        #expect(tabs == ["Unread (2)"])
    }

    // MARK: - The rest

    @Test func `a pull and the menu fetch new messages`() async throws {
        device.server.deliver(message("m4", minutesAgo: 0))
        try await person.pulls()
        try await waits(["m4", "m1", "m2", "m3"])
        device.server.deliver(message("m5", minutesAgo: -1))
        try person.chooses("Actions", "Refresh")
        try await waits(["m5", "m4", "m1", "m2", "m3"])
    }

    @Test func `a failed action's message stays until it is closed`() async throws {
        let other = try await ScreenDevice(message("m1"))
        let model = InboxScreenModel(other.inbox)
        let person = Person(InboxList(model).shown(with: other.inbox))
        try await person.waits(for: "Title m1")
        await other.inbox.close()
        await model.perform(.archive, ["m1"])
        try await person.waits(for: "That didn’t work. Please try again.")
        try person.taps("Close")
        #expect(!person.sees("That didn’t work. Please try again."))
    }

    @Test func `each button and each message has a name`() async throws {
        try person.swipes("Title m2", .trailing)
        try await person.waits(for: "Undo")
        let unnamed = person.elements.filter { !$0.isNamed }
        #expect(unnamed.isEmpty, "\(unnamed.map(\.label))")
        try person.chooses("Actions", "Select")
        #expect(person.elements.filter { !$0.isNamed }.isEmpty)
    }
}
