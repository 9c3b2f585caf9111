import Foundation
import InboxCards
import InboxClient
import InboxModel
import InboxViews
import Screens
import Testing

@testable import SwiftUI

/// The parts of the native screens alone, with the environment's inbox.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct EnvironmentTests {
    @Test func `a list has the environment's inbox, and follows another one`()
        async throws
    {
        let first = try await ScreenDevice(message("m1"), message("m2", minutesAgo: 2), isSynced: true)
        let second = try await ScreenDevice(message("n1"), isSynced: true)
        var opened: [String] = []
        let person = Person(InboxList { opened.append($0.id) }.inboxTexts(CardTexts(.english))) {
            $0.inbox = first.inbox
        }
        try await person.waits(for: "Title m2")
        try person.taps("Title m2")
        #expect(opened == ["m2"] && person.sees("Title m1"))
        try person.swipes("Title m1", .trailing)
        try await person.waits(forNo: "Title m1")
        person.display.change { $0.inbox = second.inbox }
        #expect(!person.sees("Title m2"))
        try await person.waits(for: "Title n1")
        #expect(!person.sees("Undo"))
        person.display.change { $0.inbox = nil }
        #expect(!person.sees("Title n1"))
    }

    @Test func `a list has the messages of its surface, and the app's placeholders`() async throws {
        let device = try await ScreenDevice(message("m1"), message("o1", surface: "offers"), isSynced: true)
        let person = Person(
            InboxList(surface: "offers") { _ in
            } placeholder: { placeholder in
                if case .signedOut = placeholder { Text("Who are you?") } else { Text("Nothing") }
            }
            .inboxTexts(CardTexts(.english))
        )
        #expect(person.texts == ["Who are you?"])
        person.display.change { $0.inbox = device.inbox }
        try await person.waits(for: "Title o1")
        #expect(!person.sees("Title m1"))
        try person.swipes("Title o1", .trailing)
        try await person.waits(for: "Nothing")
    }

    @Test func `the state of the connection is that of the environment's inbox`() async throws {
        let device = try await ScreenDevice(message("m1"))
        let person = Person(ConnectionStatus().inboxTexts(CardTexts(.english)))
        #expect(person.texts.isEmpty)
        device.disconnect()
        _ = try? await device.inbox.sync()
        person.display.change { $0.inbox = device.inbox }
        try await person.waits("the notice") { person.sees("wifi.slash") }
        person.display.change { $0.inbox = nil }
        #expect(person.texts.isEmpty)
    }
}
