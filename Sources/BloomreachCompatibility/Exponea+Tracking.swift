import Foundation
import InboxClient
import InboxModel

/// What is told of the person's doings. A message without consent leaves no event, but for the two that don't ask and for links with
/// `xnpe_force_track`.
extension Exponea {
    /// Tells that the person opened a message, where consent allows. It isn't marked read by that.
    public func trackAppInboxOpened(message: MessageItem) {
        track { try await $0.track(.opened, message.id) }
    }

    /// Tells that the person opened a message, whatever they said to being tracked.
    public func trackAppInboxOpenedWithoutTrackingConsent(message: MessageItem) {
        track { try await $0.track(.opened, message.id, isForced: true) }
    }

    /// Tells that the person clicked an action, where consent allows, and marks the message read.
    public func trackAppInboxClick(action: MessageItemAction, message: MessageItem) {
        track { try await $0.click(message.id, action: action.name, data: action.data) }
    }

    /// Tells that the person clicked an action, whatever they said to being tracked, and marks the message read.
    public func trackAppInboxClickWithoutTrackingConsent(action: MessageItemAction, message: MessageItem) {
        track { try await $0.click(message.id, action: action.name, data: action.data, isForced: true) }
    }

    private func track(_ body: @escaping @MainActor (Inbox) async throws -> Bool) {
        perform { result in
            if case .failure(let error) = result { Self.logger.log(.error, message: error.localizedDescription) }
        } _: {
            try await body($0)
        }
    }
}

extension MessageItemAction {
    fileprivate var name: String? { id ?? url ?? title }

    fileprivate var data: [String: EventValue] {
        [("cta", title), ("url", url)].reduce(into: [:]) { data, pair in data[pair.0] = pair.1.map(EventValue.string) }
    }
}
