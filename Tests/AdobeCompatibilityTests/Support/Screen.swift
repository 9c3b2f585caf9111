import AdobeCompatibility
import Foundation
import InboxCards
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Screens

/// A device whose inbox is on screen, with a listener that records its calls.
@MainActor
final class Screen {
    let device: ScreenDevice
    let listener = Recorder()
    private(set) var ui: InboxUI!

    init(
        _ messages: [Message] = [],
        settings: InboxSettings? = nil,
        isOffline: Bool = false,
        syncsFirst: Bool = false,
        requiresSettings: Bool = false,
        customizer: (any CardCustomizing)? = nil
    ) async throws {
        device = try await ScreenDevice(messages, settings: settings, surface: AdobeDevice.surface.name)
        if syncsFirst { try await inbox.sync() }
        if isOffline { device.disconnect() }
        ui = InboxUI(
            surface: AdobeDevice.surface,
            inbox: inbox,
            customizer: customizer,
            listener: listener,
            requiresSettings: requiresSettings,
            texts: CardTexts(.english),
            timeZone: .gmt,
            clock: clock
        )
    }

    var server: ScriptedServer { device.server }
    var clock: ManualClock { device.clock }
    var inbox: Inbox { device.inbox }

    /// The ids of the cards on screen.
    var ids: [String] { ui.state.cards.map(\.id) }

    /// Refreshes, and waits until the refresh has ended.
    func refresh() async {
        await ui.refreshed()
    }
}
