import InboxClient
import InboxModel
import InboxTesting
import Screens

/// A device whose messages are on screen.
@MainActor
final class Screen {
    let device: ScreenDevice

    init(_ messages: [Message] = [], isOffline: Bool = false, syncsFirst: Bool = false) async throws {
        device = try await ScreenDevice(messages, settings: nil, surface: "inbox")
        if syncsFirst { try await inbox.sync() }
        if isOffline { device.disconnect() }
    }

    var server: ScriptedServer { device.server }
    var clock: ManualClock { device.clock }
    var inbox: Inbox { device.inbox }
}
