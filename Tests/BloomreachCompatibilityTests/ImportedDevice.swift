import BloomreachCompatibility
import Eventually
import Foundation
import Groundwork
import InboxClient
import RunningServer
import Screens

/// A device of Alice's with Bloomreach's screens, on a running server with messages that were imported from Bloomreach.
@MainActor
final class ImportedDevice {
    let client = Exponea()
    /// The links that were opened: `in app …`, `browser …` or `app …`.
    private(set) var opened: [String] = []
    private let server: RunningServer

    /// - Parameters:
    ///   - texts: The app's own texts.
    ///   - consent: The consent to track messages that need one.
    init(_ server: RunningServer, texts: [String: String] = [:], consent: TrackingConsent = .notDetermined) {
        self.server = server
        client.appInboxProvider = DefaultAppInboxProvider(
            client,
            texts: AppInboxTexts(languages: ["en"]) { texts[$0] }
        )
        client.appInboxLinkOpener = LinkOpener(
            inApp: { [weak self] in self?.opened.append("in app \($0)") },
            systemBrowser: { [weak self] in self?.opened.append("browser \($0)") },
            app: { [weak self] in self?.opened.append("app \($0)") }
        )
        configure(consent: consent)
        client.identifyCustomer(customerIds: ["registered": "alice"])
    }

    func configure(consent: TrackingConsent = .notDetermined) {
        client.configure(for: server, consent: consent)
    }

    /// Imports messages by the backend's API.
    func importMessages(_ messages: JSON...) async throws {
        let body: JSON = ["person": "alice", "messages": .array(messages)]
        let answer = try await server.rest("POST", "v1/import/bloomreach", body)
        guard answer["imported"]?.intValue == messages.count else { throw Unexpected("not imported: \(answer)") }
    }

    func fetch() async throws -> [MessageItem] {
        try await withCheckedContinuation { done in client.fetchAppInbox { done.resume(returning: $0) } }.get()
    }

    /// The only message, after a fetch.
    func onlyItem() async throws -> MessageItem {
        let items = try await fetch()
        guard let item = items.first, items.count == 1 else { throw Unexpected("\(items.count) messages") }
        return item
    }

    func item(_ id: String) async -> MessageItem? {
        await withCheckedContinuation { done in
            client.fetchAppInboxItem(id) { (item: MessageItem?) in done.resume(returning: item) }
        }
    }

    func markRead(_ id: String) async -> Bool {
        await withCheckedContinuation { done in client.markAppInboxAsRead(id) { done.resume(returning: $0) } }
    }

    /// The screen of a message that isn't HTML, and its parts.
    func shownDetail(_ id: String) async throws -> (AppInboxDetailModel, AppInboxDetail) {
        guard let model = client.getAppInboxDetailViewController(id) as? AppInboxDetailModel else {
            throw Unexpected("not the default screen")
        }
        guard try await eventually({ model.detail != nil }), let detail = model.detail else {
            throw Unexpected("the message isn't shown")
        }
        return (model, detail)
    }

    /// The events of Alice on the server, oldest first, after everything that was tracked is sent.
    func events() async throws -> [JSON] {
        await client.lastTracking.withLock { $0 }?.value
        _ = try await fetch()
        return try await server.rest("GET", "v1/people/alice/export")["events"]?.arrayValue ?? []
    }
}

/// Returns a message of Bloomreach's that is a push.
func push(_ content: JSON, id: String = "0703") -> JSON {
    ["id": .string(id), "type": "push", "create_time": 1_673_346_347, "content": content]
}
