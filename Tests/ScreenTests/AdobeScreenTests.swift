import AdobeCompatibility
import Coverage
import Foundation
import InboxCards
import InboxClient
import InboxModel
import InboxTesting
import Screens
import Testing

@testable import SwiftUI

/// `InboxUI.view` and what an app sets on it, as Adobe's document says.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct AdobeScreenTests {
    private let surface = Surface(path: "inbox")
    /// The devices, which last as long as the tests: their folders do as long as they.
    private static var devices: [ScreenDevice] = []

    private func device(_ messages: [Message] = [], _ settings: InboxSettings? = nil) async throws -> ScreenDevice {
        let device = try await ScreenDevice(messages, settings: settings, surface: surface.name)
        Self.devices.append(device)
        return device
    }

    private func card(_ id: String, minutesAgo: Double = 1, _ change: (inout Message) -> Void = { _ in }) -> Message {
        message(id, surface: surface.name, minutesAgo: minutesAgo, change)
    }

    private func ui(_ device: ScreenDevice, listener: (any InboxEventListening)? = nil) -> InboxUI {
        InboxUI(
            surface: surface,
            inbox: device.inbox,
            listener: listener,
            texts: CardTexts(.english),
            timeZone: .gmt,
            clock: device.clock
        )
    }

    // MARK: - Views of the document

    @Test(.shows(.a13)) func `the view has the heading and the cards, which update automatically`() async throws {
        let device = try await device([card("m1"), card("m2", minutesAgo: 2)], InboxSettings(title: "News"))
        let ui = ui(device)
        let person = Person(ui.view)
        #expect(person.sees("Loading…") && person.sees("…"))
        try await person.waits(for: "Title m1")
        #expect(person.sees("News") && person.sees("Title m2") && !person.sees("Loading…"))
        device.server.deliver(card("m3", minutesAgo: 0))
        await ui.refreshed()
        try await person.waits(for: "Title m3")
        device.server.recall("m1")
        await ui.refreshed()
        try await person.waits(forNo: "Title m1")
    }

    @Test(.shows(.a13)) func `an observed object's view is drawn again after its changes`() async throws {
        let device = try await device([card("m1")])
        let person = Person(Observing(inboxUI: ui(device)))
        try await person.waits(for: "1 cards")
        try await person.waits(for: "Title m1")
    }

    @Test(.shows(.a18)) func `any view can be the background, also while the inbox is on screen`() async throws {
        let ui = ui(try await device([card("m1")]))
        let person = Person(ui.view)
        try await person.waits(for: "Title m1")
        let gradient = LinearGradient(colors: [.blue, .purple], startPoint: .top, endPoint: .bottom)
        ui.setBackground(Color.secondary)
        try await person.waits("the color") { person.backgrounds.contains(.secondary) }
        ui.setBackground(gradient)
        try await person.waits("the gradient") {
            person.backgrounds.contains(.blue) && person.backgrounds.contains(.purple)
        }
        #expect(!person.backgrounds.contains(.secondary))
        ui.setBackground(Image("wood"))
        try await person.waits(for: "wood")
        #expect(person.sees("Title m1"))
    }

    @Test(.shows(.a19)) func `the loading view is replaced`() async throws {
        let device = try await device([card("m1")])
        let gate = Gate()
        device.transport.answer { [server = device.server] request in
            await gate.wait()
            return server.answer(request)
        }
        let ui = ui(device)
        ui.setLoadingView { AnyView(Text("One moment")) }
        let person = Person(ui.view)
        #expect(person.texts == ["One moment"])
        await gate.open()
        try await person.waits(for: "Title m1")
        #expect(!person.sees("One moment"))
    }

    @Test(.shows(.a20)) func `the error view is replaced and receives the error`() async throws {
        let device = try await device([card("m1")])
        device.disconnect()
        let ui = ui(device)
        ui.setErrorView { error in
            AnyView(
                VStack {
                    Text("No messages: \(error as? AdobeCompatibility.InboxError == .dataUnavailable)")
                    Button("Once more") { ui.refresh() }
                }
            )
        }
        let person = Person(ui.view)
        try await person.waits(for: "No messages: true")
        device.reconnect()
        try person.taps("Once more")
        try await person.waits(for: "Title m1")
    }

    @Test func `the error view of its own has the backend's texts and tries again`() async throws {
        let settings = InboxSettings(errorTitle: "Oh no", errorMessage: "Later, please")
        let device = try await device([card("m1")], settings)
        let server = device.server
        device.transport.answer { request in
            let body = String(decoding: request.body ?? [], as: UTF8.self)
            guard !body.contains("Message/") else { throw TransportError.unreachable("no network") }
            return server.answer(request)
        }
        let person = Person(ui(device).view)
        try await person.waits(for: "Try Again")
        device.reconnect()
        try person.taps("Try Again")
        try await person.waits(for: "Title m1")
    }

    @Test(.shows(.a21)) func `the empty view is replaced and receives its settings, if there are any`() async throws {
        for message in ["Nothing new", nil] {
            let ui = ui(try await device([], message.map { InboxSettings(emptyMessage: $0) }))
            ui.setEmptyView { settings in
                AnyView(
                    VStack {
                        Text("own")
                        if let message = settings?.message { message.view } else { Text("none") }
                    }
                )
            }
            let person = Person(ui.view)
            try await person.waits(for: "own")
            #expect(person.texts == ["own", message ?? "none"])
        }
    }

    @Test(.shows(.a02)) func `the empty view of its own has the backend's text, or a text of its own`() async throws {
        let person = Person(ui(try await device([], InboxSettings(emptyMessage: "Nothing new"))).view)
        try await person.waits(for: "Nothing new")
        let other = Person(ui(try await device()).view)
        try await other.waits(for: "No content cards available")
    }

    @Test(.shows(.a22)) func `the heading is replaced and receives the backend's text, if there is one`() async throws {
        let ui = ui(try await device([card("m1")], InboxSettings(title: "News")))
        ui.setHeadingView { heading in
            AnyView(
                HStack {
                    Image(systemName: "tray.fill")
                    heading.view.font(.title2)
                }
            )
        }
        let person = Person(ui.view)
        try await person.waits(for: "News")
        #expect(person.sees("tray.fill") && person.fontName(of: "News") == "title2")
        let bare = self.ui(try await device([card("m1")]))
        bare.setHeadingView { _ in AnyView(Text("own")) }
        let other = Person(bare.view)
        try await other.waits(for: "Title m1")
        #expect(!other.sees("own"))
    }

    // MARK: - Cards

    @Test func `a tap and a button are reported, and their links are opened`() async throws {
        let device = try await device([
            card("m1") {
                $0.link = "https://shop.example/offer"
                $0.actions = [MessageAction(id: "buy", text: "Buy", link: "https://shop.example/buy")]
            }
        ])
        let listener = Listener()
        let person = Person(ui(device, listener: listener).view)
        try await person.waits(for: "Buy")
        try person.taps("Buy")
        try await person.waits("the button") { listener.calls.last == "interacted m1 buy" }
        try await person.waits("its link") { person.opened == ["https://shop.example/buy"] }
        try person.taps("Title m1")
        try await person.waits("the card") { listener.calls.last == "interacted m1 Card clicked" }
        try await person.waits("the card's link") { person.opened.last == "https://shop.example/offer" }
        try await person.waits("it is read") {
            person.elements.contains {
                $0.label.hasPrefix("Title m1") && $0.actions.map(\.label) == ["Buy", "Dismiss"]
            }
        }
    }

    @Test func `a card is dismissed by its button and by a screen reader`() async throws {
        let messages = ["m1", "m2"].map { id in card(id) { $0.dismissButton = .circle } }
        let device = try await device(messages)
        let listener = Listener()
        let person = Person(ui(device, listener: listener).view)
        try await person.waits(for: "Title m2")
        #expect(person.elements.filter { !$0.isNamed }.isEmpty)
        let first = try #require(person.elements.first { $0.label.contains("Title m1") })
        try person.activates(first.label, action: "Dismiss")
        try await person.waits(forNo: "Title m1")
        try person.taps("Dismiss")
        try await person.waits(for: "No content cards available")
        try await person.waits("the reports") { listener.calls.sorted() == ["dismissed m1", "dismissed m2"] }
    }

    @Test func `only cards on screen are displayed, and the end fetches the next page`() async throws {
        let device = try await device(
            (1...30).map { card("m\($0)", minutesAgo: Double($0)) },
            InboxSettings(capacity: 10)
        )
        let listener = Listener()
        let ui = ui(device, listener: listener)
        let person = Person(ui.view)
        try await person.waits(for: "Title m8")
        try await person.waits("eight") { listener.displayed == (1...8).map { "m\($0)" } }
        #expect(!person.sees("Title m9") && ui.state.cards.count == 10)
        try person.scrolls(to: 5)
        try await person.waits("the next page") { ui.state.cards.count == 20 }
        try person.scrolls(to: 15)
        try await person.waits("the last page") { ui.state.cards.count == 30 }
        #expect(person.sees("Title m20"))
    }

    @Test func `the end of an inbox that ends at its capacity loads nothing`() async throws {
        let device = try await device(
            (1...30).map { card("m\($0)", minutesAgo: Double($0)) },
            InboxSettings(capacity: 10)
        )
        let ui = InboxUI(
            surface: surface,
            inbox: device.inbox,
            endsAtCapacity: true,
            texts: CardTexts(.english),
            timeZone: .gmt,
            clock: device.clock
        )
        let person = Person(ui.view)
        try await person.waits(for: "Title m8")
        try person.scrolls(to: 5)
        try await person.waits(for: "Title m10")
        await ui.refreshed()
        #expect(ui.state.cards.count == 10 && ui.hasMore)
    }

    @Test func `cards that arrive while the app is away are displayed when it returns`() async throws {
        let device = try await device([])
        let listener = Listener()
        let ui = ui(device, listener: listener)
        let person = Person(ui.view)
        try await person.waits("an empty inbox") { if case .loaded = ui.state { true } else { false } }
        person.display.change { $0.scenePhase = .background }
        device.server.deliver(card("m1"))
        await ui.refreshed()
        try await person.waits(for: "Title m1")
        // A card that is displayed is reported at once, and before what follows it.
        await ui.refreshed()
        #expect(listener.displayed.isEmpty)
        person.display.change { $0.scenePhase = .active }
        try await person.waits("the card is displayed") { listener.displayed == ["m1"] }
    }

    @Test func `cards in sight are displayed again when the app returns`() async throws {
        let device = try await device([card("m1")])
        let listener = Listener()
        let ui = ui(device, listener: listener)
        let person = Person(ui.view)
        try await person.waits("the card") { listener.displayed == ["m1"] }
        // Under an alert the app is inactive, and its cards are still in sight.
        for phase in [ScenePhase.inactive, .active, .inactive, .background, .inactive, .active] {
            person.display.change { $0.scenePhase = phase }
        }
        try await person.waits("the card again") { listener.displayed.count > 1 }
        await ui.refreshed()
        #expect(listener.displayed == ["m1", "m1"])
    }

    @Test func `a card that was scrolled away isn't displayed when the app returns`() async throws {
        let device = try await device((1...30).map { card("m\($0)", minutesAgo: Double($0)) })
        let listener = Listener()
        let person = Person(ui(device, listener: listener).view)
        try await person.waits("the first cards") { listener.displayed.contains("m1") }
        try person.scrolls(to: 15)
        try await person.waits("others") { listener.displayed.contains("m16") }
        for phase in [ScenePhase.inactive, .background, .inactive, .active] {
            person.display.change { $0.scenePhase = phase }
        }
        try await person.waits("a card in sight, again") { listener.displayed.filter { $0 == "m16" }.count == 2 }
        #expect(listener.displayed.filter { $0 == "m1" }.count == 1)
    }

    @Test(.shows(.a09)) func `a pull refreshes where that is enabled`() async throws {
        let device = try await device([card("m1")])
        let ui = ui(device)
        let person = Person(ui.view)
        try await person.waits(for: "Title m1")
        await ui.refreshed()
        await #expect(throws: Unexpected.self) { try await person.pulls() }
        let list = try #require(person.display.nodes.first { if case .scroll = $0.kind { true } else { false } })
        ui.isPullToRefreshEnabled = true
        device.server.deliver(card("m2", minutesAgo: 0))
        person.display.render()
        try await person.pulls()
        try await person.waits(for: "Title m2")
        // It is the same view, which keeps its position.
        #expect(person.display.nodes.contains { $0 === list })
        ui.isPullToRefreshEnabled = false
        person.display.render()
        await #expect(throws: Unexpected.self) { try await person.pulls() }
        #expect(person.display.nodes.contains { $0 === list })
    }

    @Test(.shows(.a02)) func `the settings have the heading, and a row or a column of the same cards`() async throws {
        for layout in [InboxSettings.Layout.horizontal, .vertical] {
            let settings = InboxSettings(title: "News", layout: layout)
            let person = Person(ui(try await device([card("m1"), card("m2")], settings)).view)
            try await person.waits(for: "Title m2")
            let axes = person.display.nodes.compactMap { if case .scroll(let axes) = $0.kind { axes } else { nil } }
            #expect(axes.contains(.horizontal) == (layout == .horizontal) && person.sees("News"))
        }
    }

    @Test(.shows(.a10, .a11)) func `cards have Adobe's spacing and padding, or the app's`() async throws {
        let ui = ui(try await device([card("m1")]))
        let person = Person(ui.view)
        try await person.waits(for: "Title m1")
        func spacing() -> [CGFloat?] {
            person.display.nodes.compactMap { node in
                if case .lazyStack(let stacking) = node.kind { stacking.spacing } else { nil }
            }
        }
        func insets() -> [EdgeInsets] {
            person.display.nodes.compactMap { node in
                if case .modifier(.look(.padding(let insets))) = node.kind { insets } else { nil }
            }
        }
        let usual = EdgeInsets(top: 12, leading: 16, bottom: 12, trailing: 16)
        #expect(ui.cardSpacing == 16 && ui.contentPadding == usual)
        #expect(spacing() == [16] && insets().contains(usual))
        let other = EdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
        (ui.cardSpacing, ui.contentPadding) = (20, other)
        try await person.waits("the spacing") { spacing() == [20] }
        #expect(insets().contains(other) && !insets().contains(usual))
    }

    @Test(.shows(.a12)) func `the unread indicator is 16 points large, or has the app's size`() async throws {
        let ui = ui(try await device([card("m1")]))
        let person = Person(ui.view)
        try await person.waits(for: "Title m1")
        func sizes() -> [CGFloat] {
            person.display.nodes.compactMap { node in
                guard case .modifier(.look(.frame(let frame))) = node.kind, frame.width == frame.height else {
                    return nil
                }
                return frame.width
            }
        }
        #expect(ui.unreadIconSize == 16 && sizes() == [16])
        ui.unreadIconSize = 24
        try await person.waits("the size") { sizes() == [24] }
    }

    @Test func `a card's own view is a card anywhere in an app`() async throws {
        let ui = ui(try await device([card("m1")]))
        await ui.refreshed()
        let person = Person(try #require(ui.state.cards.first).view)
        #expect(person.sees("Title m1") && person.elements.first?.traits.contains(.isButton) == true)
    }
}

private struct Observing: View {
    @ObservedObject var inboxUI: InboxUI

    var body: some View {
        VStack {
            Text("\(inboxUI.state.cards.count) cards")
            inboxUI.view
        }
    }
}

@MainActor
private final class Listener: InboxEventListening {
    private(set) var calls: [String] = []
    private(set) var displayed: [String] = []

    func onCardDisplayed(_ card: ContentCardUI) { displayed.append(card.id) }
    func onCardDismissed(_ card: ContentCardUI) { calls.append("dismissed \(card.id)") }
    func onCardInteracted(_ card: ContentCardUI, _ interactionId: String, actionURL: URL?) -> Bool {
        calls.append("interacted \(card.id) \(interactionId)")
        return false
    }
}
