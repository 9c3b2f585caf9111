import Foundation
import InboxCards
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Screens
import Testing

@testable import SwiftUI

/// The native screens by keys.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct KeyTests {
    private let device: ScreenDevice
    private let model: InboxScreenModel
    private let person: Person

    init() async throws {
        device = try await ScreenDevice(
            message("m1", minutesAgo: 1),
            message("m2", minutesAgo: 2),
            message("m3", minutesAgo: 3),
            isSynced: true
        )
        model = InboxScreenModel(device.inbox, clock: device.clock)
        person = Person(InboxList(model).shown(with: device.inbox))
        try await person.waits(for: "Title m3")
    }

    private var focused: String? { person.focused.first { $0.hasPrefix("Title ") }.map { String($0.dropFirst(6)) } }

    @Test func `the arrow keys move the focus, and stay within the list`() throws {
        #expect(throws: Unexpected.self) { try person.presses(.downArrow) }
        try person.focuses("Title m1")
        #expect(focused == "m1")
        try person.presses(.upArrow)
        #expect(focused == "m1")
        try person.presses(.downArrow)
        try person.presses(.downArrow)
        #expect(focused == "m3")
        try person.presses(.downArrow)
        #expect(focused == "m3")
        try person.presses(.upArrow)
        #expect(focused == "m2" && model.opened == nil)
    }

    @Test func `the return key opens the focused message, and selects it in a selection`() throws {
        try person.focuses("Title m2")
        try person.presses(.return)
        #expect(model.opened == "m2")
        model.opened = nil
        try person.chooses("Actions", "Select")
        try person.focuses("Title m1")
        try person.presses(.return)
        try person.presses(.downArrow)
        try person.presses(.downArrow)
        try person.presses(.return)
        #expect(model.selection == ["m1", "m3"] && model.opened == nil)
        try person.presses(.return)
        #expect(model.selection == ["m1"])
    }

    @Test func `the delete key deletes the focused message, focuses the next, can be undone`() async throws {
        try person.focuses("Title m2")
        try person.presses(.delete)
        try await person.waits(forNo: "Title m2")
        #expect(focused == "m3")
        try person.presses(.delete)
        try await person.waits(forNo: "Title m3")
        #expect(focused == "m1")
        #expect(try await device.ids(in: .deleted) == ["m2", "m3"])
        try await person.waits(for: "Undo")
        try person.presses("z", .command)
        try await person.waits(for: "Title m3")
        #expect(!person.sees("Title m2"))
    }

    @Test func `the delete key deletes all selected messages`() async throws {
        try person.chooses("Actions", "Select")
        model.selection = ["m1", "m3"]
        try person.focuses("Title m1")
        try person.presses(.delete)
        try await person.waits(forNo: "Title m1")
        #expect(try await device.ids(in: .deleted) == ["m1", "m3"] && person.sees("Title m2"))
    }

    @Test func `the open message is archived, deleted and marked as unread by the keys of Mail`() async throws {
        for (key, modifiers, filter) in [
            ("a", [.control, .command], .archived), (.delete, .command, .deleted), ("u", [.shift, .command], .unread),
        ] as [(KeyEquivalent, EventModifiers, MessageFilter)] {
            let device = try await ScreenDevice(message("m1"), message("m2", minutesAgo: 2), isSynced: true)
            try await device.inbox.markRead("m2")
            let person = Person(at: device.inbox)
            try await person.waits(for: "Title m1")
            try person.taps("Title m1")
            try await person.waits("the message") { !person.sees("Title m2") && person.sees("Title m1") }
            // Opening has read it.
            try await person.waits("it is read") { try await device.ids(in: .unread).isEmpty }
            try person.presses(key, modifiers)
            try await person.waits("\(filter)") { try await device.ids(in: filter) == ["m1"] }
        }
    }

    @Test func `the menu's refresh has a key`() async throws {
        device.server.deliver(message("m4", minutesAgo: 0))
        try person.chooses("Actions", "Refresh")
        try await person.waits(for: "Title m4")
        let shortcuts = person.display.root.everything.compactMap { node in
            if case .modifier(.shortcut(let key, let modifiers)) = node.kind { (key, modifiers) } else { nil }
        }
        #expect(shortcuts.contains { $0 == ("r", .command) })
    }
}

extension Node {
    /// This node and all below, also behind menus and gestures.
    var everything: [Node] { [self] + children.flatMap(\.everything) }
}
