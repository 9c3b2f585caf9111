import Foundation
import Groundwork
import InboxCards
import InboxClient
import InboxModel
import InboxTesting
import InboxViews

/// A device whose inbox is on screen: a clock that moves by hand, a server and a network that a test can break, and a listener that
/// writes down what it hears.
@MainActor
final class Screen {
    let server: ScriptedServer
    let clock = ManualClock()
    let transport: ScriptedTransport
    let inbox: Inbox
    let listener = Recorder()
    private(set) var ui: InboxUI!
    private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("inbox-screen-\(UUID())")

    init(
        _ messages: [Message] = [],
        settings: InboxSettings? = nil,
        isOffline: Bool = false,
        syncsFirst: Bool = false,
        requiresSettings: Bool = false,
        customizer: (any CardCustomizing)? = nil,
        configure: (inout InboxConfiguration) -> Void = { _ in }
    ) async throws {
        server = ScriptedServer(person: "alice")
        for message in messages { server.deliver(message) }
        if let settings { server.setSettings(settings, surface: "inbox") }
        transport = server.transport
        var configuration = InboxConfiguration()
        configuration.clock = clock
        configuration.transport = transport
        configuration.isLive = false
        configure(&configuration)
        inbox = try await Inbox.open(
            server: URL(string: "https://inbox.example")!,
            person: server.person,
            directory: directory,
            configuration: configuration
        ) { "token" }
        if syncsFirst { try await inbox.sync() }
        if isOffline { disconnect() }
        ui = InboxUI(
            surface: .inbox,
            inbox: inbox,
            customizer: customizer,
            listener: listener,
            requiresSettings: requiresSettings,
            texts: CardTexts(.english),
            timeZone: .gmt,
            clock: clock
        )
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    func disconnect() {
        transport.answer { _ in throw TransportError.unreachable("no network") }
    }

    func reconnect() {
        transport.answer { [server] in server.answer($0) }
    }

    /// The ids of the cards on screen.
    var ids: [String] { ui.state.cards.map(\.id) }

    /// Refreshes, and waits for the end of it.
    func refresh() async {
        await ui.refreshed()
    }
}

/// Writes down what it hears.
@MainActor
final class Recorder: InboxEventListening {
    private(set) var heard: [String] = []
    private(set) var errors: [any Error] = []
    /// Whether it deals with links by itself.
    var handlesLinks = false

    func forget() { heard = [] }

    func onLoading(_ inbox: InboxUI) { heard.append("loading") }
    func onSuccess(_ inbox: InboxUI) { heard.append("success") }
    func onError(_ inbox: InboxUI, _ error: any Error) {
        heard.append("error")
        errors.append(error)
    }
    func onCardCreated(_ card: ContentCardUI) { heard.append("created \(card.id)") }
    func onCardDisplayed(_ card: ContentCardUI) { heard.append("displayed \(card.id)") }
    func onCardDismissed(_ card: ContentCardUI) { heard.append("dismissed \(card.id)") }
    func onCardInteracted(_ card: ContentCardUI, _ interactionId: String, actionURL: URL?) -> Bool {
        heard.append("interacted \(card.id) \(interactionId) \(actionURL?.absoluteString ?? "-")")
        return handlesLinks
    }
}

/// A message of that id, the earlier the newer.
func message(_ id: String, minutesAgo: Double = 1, _ change: (inout Message) -> Void = { _ in }) -> Message {
    var message = Message(
        id: id,
        title: "Title \(id)",
        body: "Body",
        deliverAt: ManualClock().now.addingTimeInterval(-60 * minutesAgo)
    )
    change(&message)
    return message
}

/// Waits for something that other tasks bring about, for at most half a minute.
@MainActor
func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    let deadline = Date().addingTimeInterval(30)
    while Date() < deadline {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(2))
    }
    return false
}
