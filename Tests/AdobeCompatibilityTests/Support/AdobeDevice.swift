import AdobeCompatibility
import InboxClient
import InboxTesting
import Screens

/// A device of Alice's whose inbox is the app's, with a scripted server.
@MainActor
final class AdobeDevice {
    static let surface = Surface(path: "inbox")

    let device: ScreenDevice

    init(_ messages: [Message] = [], settings: InboxSettings? = InboxSettings()) async throws {
        device = try await ScreenDevice(messages, settings: settings, surface: Self.surface.name)
        Messaging.setInbox(inbox)
    }

    var server: ScriptedServer { device.server }
    var clock: ManualClock { device.clock }
    var inbox: Inbox { device.inbox }

    /// An inbox on screen that has loaded, with the test's clock.
    func screen(_ listener: (any InboxEventListening)? = nil) async -> InboxUI {
        let ui = InboxUI(surface: Self.surface, inbox: inbox, listener: listener, clock: clock)
        await ui.refreshed()
        return ui
    }

    func disconnect() { device.disconnect() }
}

/// A message on the surface. A smaller `minutesAgo` is newer.
@MainActor
func message(_ id: String, minutesAgo: Double = 1, _ change: (inout Message) -> Void = { _ in }) -> Message {
    Screens.message(id, surface: AdobeDevice.surface.name, minutesAgo: minutesAgo, change)
}
