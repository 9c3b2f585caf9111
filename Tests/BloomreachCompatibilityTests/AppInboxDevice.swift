import BloomreachCompatibility
import Eventually
import Foundation
import InboxClient
import InboxModel
import InboxTesting
import Screens

/// A device with Bloomreach's screens, a manual clock and a scripted server.
@MainActor
final class AppInboxDevice {
    let server = ScriptedServer(person: "alice")
    let clock = ManualClock()
    let transport: ScriptedTransport
    let client = Exponea()
    /// The links that were opened: `browser …` or `app …`.
    var opened: [String] = []
    private let directory = FileManager.default.temporaryDirectory.appending(path: "app-inbox-\(UUID())")

    /// - Parameters:
    ///   - messages: The messages on the server.
    ///   - consent: The consent to track messages that need one.
    ///   - style: The style of the screens.
    ///   - texts: The app's own texts.
    ///   - languages: The languages in which the app is shown.
    ///   - isStarted: Whether the app configures the client, and identifies Alice.
    init(
        _ messages: [Message] = [],
        consent: TrackingConsent = .notDetermined,
        style: AppInboxStyle = AppInboxStyle(),
        texts: [String: String] = [:],
        languages: [String] = ["en"],
        isStarted: Bool = true
    ) {
        for message in messages { server.deliver(message) }
        transport = server.transport
        client.appInboxProvider = DefaultAppInboxProvider(
            client,
            style: style,
            texts: AppInboxTexts(languages: languages) { texts[$0] }
        )
        client.appInboxLinkOpener = LinkOpener(
            inApp: { [weak self] in self?.opened.append("browser \($0)") },
            systemBrowser: { [weak self] in self?.opened.append("browser \($0)") },
            app: { [weak self] in self?.opened.append("app \($0)") }
        )
        if isStarted { start(consent: consent) }
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    func start(consent: TrackingConsent = .notDetermined, imageInset: Double? = nil, identifies: Bool = true) {
        var configuration = InboxConfiguration.keepingAll
        configuration.clock = clock
        configuration.transport = transport
        configuration.isLive = false
        configuration.trackingConsent = consent
        var settings = Exponea.InboxSettings(
            server: URL(string: "https://inbox.example")!,
            directory: directory,
            configuration: configuration
        ) { _ in "token" }
        if let imageInset { settings.appInboxDetailImageInset = imageInset }
        client.configure(settings)
        if identifies { client.identifyCustomer(customerIds: ["registered": "alice"]) }
    }

    func disconnect() {
        transport.answer { _ in throw TransportError.unreachable("no network") }
    }

    func reconnect() {
        transport.answer { [server] in server.answer($0) }
    }

    // MARK: - Screens

    func list() throws -> AppInboxListModel {
        guard let list = client.getAppInboxListViewController() as? AppInboxListModel else {
            throw Unexpected("not the default list")
        }
        return list
    }

    /// A list that has loaded, or failed.
    func shownList() async throws -> AppInboxListModel {
        let list = try list()
        guard try await eventually({ list.content != .loading }) else { throw Unexpected("the list still loads") }
        return list
    }

    func detail(_ id: String) throws -> AppInboxDetailModel {
        guard let detail = client.getAppInboxDetailViewController(id) as? AppInboxDetailModel else {
            throw Unexpected("not the default screen")
        }
        return detail
    }

    /// The parts of a message that isn't HTML.
    func shownDetail(_ id: String) async throws -> (AppInboxDetailModel, AppInboxDetail) {
        let model = try detail(id)
        guard try await eventually({ model.detail != nil }), let detail = model.detail else {
            throw Unexpected("the message isn't shown")
        }
        return (model, detail)
    }

    // MARK: - Effects

    /// The events on the server after everything that was tracked is sent: `opened a`, `clicked a go`.
    func events() async throws -> [String] {
        try await settle()
        return server.events.map { event in
            [event.type.rawValue, event.message, event.action].compactMap { $0 }.joined(separator: " ")
        }
    }

    /// Waits until everything that was tracked is stored and sent.
    func settle() async throws {
        await client.lastTracking.withLock { $0 }?.value
        _ = try await withCheckedContinuation { done in client.fetchAppInbox { done.resume(returning: $0) } }.get()
    }

    /// Whether a message is read on the device.
    func isRead(_ id: String) async -> Bool? {
        await withCheckedContinuation { done in
            client.fetchAppInboxItem(id) { (item: MessageItem?) in done.resume(returning: item?.read) }
        }
    }
}
