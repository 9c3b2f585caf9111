import Foundation
import Coverage
import InboxCards
import InboxClient
import InboxModel
import InboxViews
import Screens
import Testing

@testable import SwiftUI

/// A message's card alone, and the button of the inbox.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct MessageCardTests {
    private struct Card: View {
        @LiveMessage var message: Message?
        var open: (@MainActor (Message) -> Void)?

        init(_ id: String, open: (@MainActor (Message) -> Void)? = nil) {
            _message = LiveMessage(id)
            self.open = open
        }

        var body: some View {
            if let message { MessageCard(message, open: open) } else { Text("none") }
        }
    }

    private struct Framed: InboxCardStyle {
        func makeBody(configuration: Configuration) -> some View {
            VStack {
                Text(configuration.isUnread ? "new" : "old")
                configuration.content
            }
        }
    }

    private func offer(_ message: inout Message) {
        message.link = "https://shop.example/offer"
        message.actions = [MessageAction(id: "buy", text: "Buy", link: "https://shop.example/buy")]
    }

    @Test(.rulesOut(.brazeSwift184)) func `a card alone in an app shows its message and opens its link`() async throws {
        let device = try await ScreenDevice(message("m1", offer), isSynced: true)
        let person = Person(Card("m1").shown(with: device.inbox))
        #expect(person.texts == ["none"])
        try await person.waits(for: "Title m1")
        #expect(person.sees("Body") && person.sees("Buy"))
        #expect(person.elements.first?.label.hasPrefix("Unread, Title m1, Body") == true)
        try person.taps("Title m1")
        try await person.waits("the link") { person.opened == ["https://shop.example/offer"] }
        try await person.waits("it is read") { person.elements.first?.label.hasPrefix("Title m1") == true }
        #expect(try await device.ids(in: .read) == ["m1"])
    }

    @Test func `a button of a card opens its own link, by touch and by a screen reader`() async throws {
        let device = try await ScreenDevice(message("m1", offer), isSynced: true)
        let person = Person(Card("m1").shown(with: device.inbox))
        try await person.waits(for: "Buy")
        try person.taps("Buy")
        try await person.waits("the link") { person.opened == ["https://shop.example/buy"] }
        let element = try #require(person.elements.first)
        #expect(element.actions.map(\.label) == ["Buy"] && element.traits.contains(.isButton))
        try person.activates(element.label, action: "Buy")
        try await person.waits("it again") { person.opened == Array(repeating: "https://shop.example/buy", count: 2) }
        try person.activates(try #require(person.elements.first).label)
        try await person.waits("the card's") { person.opened.last == "https://shop.example/offer" }
    }

    @Test func `an app opens a card itself`() async throws {
        let device = try await ScreenDevice(message("m1", offer), isSynced: true)
        var opened: [String] = []
        let person = Person(Card("m1") { opened.append($0.id) }.shown(with: device.inbox))
        try await person.waits(for: "Title m1")
        try person.taps("Body")
        #expect(opened == ["m1"] && person.opened.isEmpty)
    }

    @Test func `an app's opener opens the links`() async throws {
        let device = try await ScreenDevice(message("m1", offer), isSynced: true)
        var opened: [String] = []
        let open: LinkOpener.URLHandler = { opened.append($0.absoluteString) }
        let opener = LinkOpener(inApp: open, systemBrowser: open, app: open)
        let person = Person(Card("m1").inboxLinkOpener(opener).shown(with: device.inbox))
        try await person.waits(for: "Buy")
        try person.taps("Buy")
        try await person.waits("the link") { opened == ["https://shop.example/buy"] }
        #expect(person.opened.isEmpty)
    }

    @Test(arguments: [UnreadIndicator.Placement.topLeft, .topRight, .bottomLeft, .bottomRight])
    func `the unread indicator is beside a card's content, in the corner of its choice`(
        _ placement: UnreadIndicator.Placement
    ) async throws {
        let device = try await ScreenDevice(
            [message("m1") { ($0.media, $0.templateID) = (Media(icon: "star"), "LargeImage") }],
            settings: InboxSettings(unreadIndicator: UnreadIndicator(placement: placement)),
            surface: Message.defaultSurface
        )
        try await device.inbox.sync()
        let person = Person(Card("m1").shown(with: device.inbox))
        try await person.waits(for: "Title m1")
        // A card that names its template has its time too.
        #expect(person.texts.prefix(3) == ["star", "Title m1", "Body"] && person.texts.count == 4)
        func room() -> EdgeInsets? {
            for node in person.display.nodes {
                guard case .modifier(.look(.padding(let insets))) = node.kind else { continue }
                if insets.leading == 20 || insets.trailing == 20 { return insets }
            }
            return nil
        }
        let isLeading = placement == .topLeft || placement == .bottomLeft
        let side = EdgeInsets(top: 0, leading: isLeading ? 20 : 0, bottom: 0, trailing: isLeading ? 0 : 20)
        try await person.waits("the indicator") { room() == side && person.hasIndicator }
        // The card looks the same once it is read.
        try await device.inbox.markRead("m1")
        try await person.waits("no indicator") { !person.hasIndicator }
        #expect(room() != nil)
    }

    @Test func `an app's style draws the cards, which follow the message`() async throws {
        let device = try await ScreenDevice(message("m1"), isSynced: true)
        let person = Person(InboxScreen().inboxCardStyle(Framed()).shown(with: device.inbox))
        try await person.waits(for: "Title m1")
        #expect(person.sees("new"))
        try await device.inbox.markRead("m1")
        try await person.waits(for: "old")
        #expect(!person.sees("new") && person.sees("Title m1"))
    }

    @Test func `a larger text size enlarges a card's texts`() async throws {
        let device = try await ScreenDevice(message("m1"), isSynced: true)
        let person = Person(Card("m1").shown(with: device.inbox))
        try await person.waits(for: "Title m1")
        let size = try #require(person.size(of: "Title m1"))
        person.display.change { $0.textScale = 2 }
        #expect(person.size(of: "Title m1") == 2 * size)
    }

    @Test func `the button of the inbox has the number of unread messages`() async throws {
        let messages = (1...120).map { number in message("m\(number)", minutesAgo: Double(number)) }
        let device = try await ScreenDevice(messages, settings: nil, surface: "inbox")
        var isOpened = false
        let person = Person(InboxButton { isOpened = true }.shown(with: device.inbox))
        #expect(person.elements.map(\.label) == ["Inbox"] && person.elements.first?.value == "No unread messages")
        #expect(!person.sees("0"))
        try await device.inbox.sync()
        try await person.waits(for: "99+")
        #expect(person.elements.first?.value == "120 unread messages")
        try await device.inbox.markRead(messages.dropFirst(2).map(\.id))
        try await person.waits(for: "2")
        try person.taps("Inbox")
        #expect(isOpened)
        try await device.inbox.markRead(["m1", "m2"])
        try await person.waits(forNo: "2")
    }
}

extension Person {
    /// Whether a circle as large as the unread indicator is on screen.
    fileprivate var hasIndicator: Bool {
        display.nodes.contains { node in
            guard case .modifier(.look(.frame(let frame))) = node.kind else { return false }
            return frame.width == 16 && frame.height == 16
        }
    }
}
