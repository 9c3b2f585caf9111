import Foundation
import Groundwork
import HTMLViews
import InboxCards
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Screens
import Testing

@testable import SwiftUI

/// A message on a screen of its own.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct MessageDetailTests {
    private func person(_ device: ScreenDevice, _ id: String = "m1") -> Person {
        Person(MessageDetail(id).shown(with: device.inbox))
    }

    @Test func `a message has its title, time, text and buttons, and is read once it is shown`() async throws {
        let device = try await ScreenDevice(
            message("m1") {
                $0.link = "https://shop.example/offer"
                $0.actions = [MessageAction(id: "buy", text: "Buy", link: "https://shop.example/buy")]
            },
            isSynced: true
        )
        let person = person(device)
        #expect(person.sees("Loading…"))
        try await person.waits(for: "Body")
        #expect(person.texts.first == "Title m1" && person.texts.count == 5, "\(person.texts)")
        let title = person.elements.first { $0.label == "Title m1" }
        #expect(title?.traits.contains(.isHeader) == true)
        try await person.waits("it is read") { try await device.ids(in: .read) == ["m1"] }
        try person.taps("Buy")
        try await person.waits("the link") { person.opened == ["https://shop.example/buy"] }
        try person.taps("See More")
        try await person.waits("the card's link") { person.opened.last == "https://shop.example/offer" }
        // The clicks are reported by their actions; that of the card itself has none.
        try await person.waits("the clicks") {
            try await device.inbox.sync()
            return device.server.events.filter { $0.type == .clicked }.map(\.action) == ["buy", nil]
        }
    }

    @Test func `a message that isn't on the device is fetched, and a failure can be tried again`() async throws {
        let device = try await ScreenDevice(isSynced: true)
        device.disconnect()
        device.server.deliver(message("m1"))
        let person = person(device)
        try await person.waits(for: "Something Went Wrong")
        device.reconnect()
        try person.taps("Try Again")
        try await person.waits(for: "Title m1")
    }

    /// A picture without a text says nothing, but the button in its place does.
    @Test func `a screen reader finds the button to load a picture again`() async throws {
        let device = try await ScreenDevice(
            message("m1") { $0.media = Media(url: "https://cdn.example.com/a.png") },
            isSynced: true
        )
        let isReachable = Locked(false)
        device.transport.answer { [server = device.server] request in
            guard request.url.host() == "cdn.example.com" else { return server.answer(request) }
            guard isReachable.withLock({ $0 }) else { throw TransportError.unreachable("no network") }
            return TransportResponse(status: 200, body: Array("GIF89a".utf8), url: request.url)
        }
        let person = person(device)
        try await person.waits("the button") { person.elements.contains { $0.label == "Try Again" } }
        isReachable.withLock { $0 = true }
        try person.taps("Try Again")
        try await person.waits("the picture") { !person.elements.contains { $0.label == "Try Again" } }
        #expect(!person.elements.contains { $0.label == "" || $0.label == "Loading…" }, "\(person.elements)")
    }

    @Test func `a recalled or unknown message is gone`() async throws {
        let device = try await ScreenDevice(message("m1"), isSynced: true)
        let person = person(device)
        try await person.waits(for: "Title m1")
        device.server.recall("m1")
        try await device.inbox.sync()
        try await person.waits(for: "This message is no longer available.")
        #expect(!person.sees("Title m1"))
        try await self.person(device, "never").waits(for: "This message is no longer available.")
    }

    @Test func `a message's HTML is shown in place of its text, and its links are opened`() async throws {
        let device = try await ScreenDevice(
            message("m1") { $0.html = "<p onclick='no()'>Hello <a href='https://shop.example/a'>here</a></p>" },
            isSynced: true
        )
        let person = person(device)
        try await person.waits("the document") { person.texts.contains { $0.contains("Hello") } }
        #expect(!person.sees("Body") && !person.texts.contains { $0.contains("no()") })
        let view = try #require(person.webViews.first)
        try await person.waits("its height") { view.intrinsicContentSize.height == 320 }
        view.onLink?("https://shop.example/a")
        try await person.waits("the link") { person.opened == ["https://shop.example/a"] }
    }

    @Test func `an HTML document that can't be shown has an error and a retry button`() async throws {
        let device = try await ScreenDevice(message("m1") { $0.html = "<p>Hello" }, isSynced: true)
        let person = person(device)
        try await person.waits("the document") { person.webViews.first?.page != nil }
        person.webViews.first?.onFailure?(Unexpected("WebKit has ended"))
        try await person.waits(for: "The message couldn't be shown.")
        try person.taps("Try Again")
        try await person.waits("the document") { person.texts.contains { $0.contains("Hello") } }
    }

    @Test func `without an inbox there is no message`() {
        let person = Person(MessageDetail("m1").shown(with: nil))
        #expect(person.texts == ["No Messages", "New messages appear here."])
    }
}
