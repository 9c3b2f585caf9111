import Foundation
import Groundwork
package import InboxClient
package import InboxModel
package import InboxTesting

/// A device of Alice's for tests of screens, with a manual clock, a scripted server and a network that a test can
/// cut.
@MainActor
package final class ScreenDevice {
    package let server = ScriptedServer(person: "alice")
    package let clock = ManualClock()
    package let transport: ScriptedTransport
    package let inbox: Inbox
    private let directory = FileManager.default.temporaryDirectory.appending(path: "inbox-screen-\(UUID())")

    /// - Parameters:
    ///   - settings: The settings of the surface.
    ///   - change: Changes the configuration.
    package init(
        _ messages: [Message],
        settings: InboxSettings?,
        surface: String,
        _ change: (inout InboxConfiguration) -> Void = { _ in }
    ) async throws {
        for message in messages { server.deliver(message) }
        if let settings { server.setSettings(settings, surface: surface) }
        transport = server.transport
        var configuration = InboxConfiguration()
        configuration.clock = clock
        configuration.transport = transport
        configuration.isLive = false
        // Devices that share a folder act as separate processes.
        configuration.sharesEngine = false
        change(&configuration)
        inbox = try await Inbox.open(
            server: URL(string: "https://inbox.example")!,
            person: server.person,
            directory: directory,
            configuration: configuration
        ) { "token" }
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    package func disconnect() {
        transport.answer { _ in throw TransportError.unreachable("no network") }
    }

    package func reconnect() {
        transport.answer { [server] in server.answer($0) }
    }
}

/// A message with an id. A smaller `minutesAgo` is newer.
package func message(
    _ id: String,
    surface: String = Message.defaultSurface,
    minutesAgo: Double = 1,
    _ change: (inout Message) -> Void = { _ in }
) -> Message {
    var message = Message(
        id: id,
        surface: surface,
        title: "Title \(id)",
        body: "Body",
        deliverAt: ManualClock().now.addingTimeInterval(-60 * minutesAgo)
    )
    change(&message)
    return message
}
