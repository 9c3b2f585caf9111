import AdobeCompatibility
import Foundation
import Groundwork
import InboxClient
import InboxTesting

/// A device of Alice's whose inbox is the app's, with a scripted server behind it.
@MainActor
final class AdobeDevice {
    static let surface = Surface(path: "inbox")

    let server = ScriptedServer(person: "alice")
    let clock = ManualClock()
    let transport: ScriptedTransport
    let inbox: Inbox
    private let directory = FileManager.default.temporaryDirectory.appending(path: "inbox-adobe-\(UUID())")

    init(_ messages: [Message] = [], settings: InboxSettings? = InboxSettings()) async throws {
        for message in messages { server.deliver(message) }
        if let settings { server.setSettings(settings, surface: Self.surface.name) }
        transport = server.transport
        var configuration = InboxConfiguration()
        configuration.clock = clock
        configuration.transport = transport
        configuration.isLive = false
        inbox = try await Inbox.open(
            server: URL(string: "https://inbox.example")!,
            person: server.person,
            directory: directory,
            configuration: configuration
        ) { "token" }
        Messaging.setInbox(inbox)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// An inbox on screen by the test's clock, once it has loaded.
    func screen(_ listener: (any InboxEventListening)? = nil) async -> InboxUI {
        let ui = InboxUI(surface: Self.surface, inbox: inbox, listener: listener, clock: clock)
        await ui.refreshed()
        return ui
    }

    func disconnect() {
        transport.answer { _ in throw TransportError.unreachable("no network") }
    }
}

/// A message on the surface, the earlier the newer.
@MainActor
func message(_ id: String, minutesAgo: Double = 1, _ change: (inout Message) -> Void = { _ in }) -> Message {
    var message = Message(
        id: id,
        surface: AdobeDevice.surface.name,
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
