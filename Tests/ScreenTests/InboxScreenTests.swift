import InboxCards
import InboxClient
import InboxModel
import InboxViews
import Screens
@testable import SwiftUI
import Testing

@Suite(.timeLimit(.minutes(2)))
@MainActor
struct InboxScreenTests {
    @Test
    func `a tap opens a message, which is read then, and the way back leads to the list`() async throws {
        let device = try await ScreenDevice([message("m1"), message("m2")], settings: nil, surface: "inbox")
        let person = Person(InboxScreen().inbox(device.inbox).inboxTexts(CardTexts(.english))) { $0.isCompact = true }
        try await person.waits(for: "Title m1")
        #expect(person.sees("Inbox (2)"))
        try person.taps("Title m1")
        try await person.waits(for: "Body")
        #expect(!person.sees("Title m2"))
        try person.goesBack()
        try await person.waits(for: "Inbox (1)")
        #expect(person.sees("Title m2"))
    }
}
