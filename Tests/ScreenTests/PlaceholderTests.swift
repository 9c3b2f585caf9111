import InboxCards
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Screens
import Testing

@testable import SwiftUI

/// What is shown in place of messages.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct PlaceholderTests {
    /// A screen with the app's own views.
    private struct Own: View {
        let inbox: Inbox?

        var body: some View {
            InboxScreen { placeholder in
                switch placeholder {
                case .loading: Text("own loading")
                case .empty(let tab): Text("own empty \(tab)")
                case .noMatches: Text("own no matches")
                case .failed(let error): Text("own \(error.code)")
                case .signedOut: Text("own signed out")
                }
            }
            .shown(with: inbox)
        }
    }

    @Test func `an inbox is loading, then empty, in each tab`() async throws {
        let device = try await ScreenDevice()
        let gate = Gate()
        device.transport.answer { [server = device.server] request in
            await gate.wait()
            return server.answer(request)
        }
        let person = Person(at: device.inbox)
        try await person.waits(for: "Loading…")
        #expect(person.sees("…") && !person.sees("No Messages"))
        await gate.open()
        try await person.waits(for: "No Messages")
        #expect(person.sees("New messages appear here.") && !person.sees("Loading…"))
        for (tab, text) in [
            ("Unread", "No unread messages"), ("Archived", "The archive is empty."),
            ("Snoozed", "No snoozed messages."),
        ] {
            try person.taps(tab)
            try await person.waits(for: text)
        }
    }

    @Test func `a failure can be tried again, by the button and by a pull`() async throws {
        for isPull in [false, true] {
            let device = try await ScreenDevice(message("m1"))
            device.disconnect()
            let person = Person(at: device.inbox)
            try await person.waits(for: "Something Went Wrong")
            #expect(person.sees("Your messages couldn’t be loaded.") && person.sees("Try Again"))
            device.reconnect()
            if isPull { try await person.pulls() } else { try person.taps("Try Again") }
            try await person.waits(for: "Title m1")
            #expect(!person.sees("Try Again"))
        }
    }

    @Test func `an app's own views replace each of them`() async throws {
        #expect(Person(Own(inbox: nil)).texts == ["own signed out"])
        let device = try await ScreenDevice()
        let gate = Gate()
        device.transport.answer { [server = device.server] request in
            await gate.wait()
            return server.answer(request)
        }
        let person = Person(Own(inbox: device.inbox))
        try await person.waits(for: "own loading")
        await gate.open()
        try await person.waits(for: "own empty inbox")
        try person.taps("Archived")
        try await person.waits(for: "own empty archived")
        try person.types("shoes")
        try await person.waits(for: "own no matches")
        let broken = try await ScreenDevice()
        broken.disconnect()
        try await Person(Own(inbox: broken.inbox)).waits(for: "own notConnected")
    }

    @Test func `offline, known messages are shown with a line about the connection`() async throws {
        let device = try await ScreenDevice(message("m1"), isSynced: true)
        device.disconnect()
        let model = InboxScreenModel(device.inbox)
        let person = Person(InboxList(model).shown(with: device.inbox))
        try await person.waits(for: "Title m1")
        // A pull would share a refresh that is under way.
        try await person.waits("the end of the first refresh") { !model.list.isRefreshing }
        try await person.waits(for: "You’re offline. Messages may be out of date.")
        device.reconnect()
        try await person.pulls()
        try await person.waits(forNo: "You’re offline. Messages may be out of date.")
        #expect(person.sees("Title m1"))
    }

    @Test func `offline, the line about the connection is shown once, by the list`() async throws {
        let device = try await ScreenDevice(message("m1"))
        device.disconnect()
        let model = InboxScreenModel(device.inbox)
        let screen = VStack {
            ConnectionStatus()
            InboxList(model)
        }
        let person = Person(screen.shown(with: device.inbox))
        let line = "You’re offline. Messages may be out of date."
        try await person.waits(for: "Something Went Wrong")
        try await person.waits(for: line)
        #expect(person.texts.filter { $0 == line }.count == 1)
    }

    @Test func `cards and what is in their place lie on the page's color`() async throws {
        for messages in [[], [message("m1")]] {
            let device = try await ScreenDevice(messages, settings: nil, surface: Message.defaultSurface)
            let person = Person(at: device.inbox)
            try await person.waits(for: messages.isEmpty ? "No Messages" : "Title m1")
            #expect(person.backgrounds.contains(Color(CardColor.page)))
        }
    }

    @Test func `a closed inbox is a failure`() async throws {
        let device = try await ScreenDevice(message("m1"), isSynced: true)
        let person = Person(at: device.inbox)
        try await person.waits(for: "Title m1")
        await device.inbox.close()
        try await person.waits(for: "Something Went Wrong")
    }
}
