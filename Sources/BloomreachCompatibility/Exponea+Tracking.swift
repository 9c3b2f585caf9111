import Foundation
import Groundwork
import InboxAdapters
import InboxClient
import InboxModel

/// What is told of the person's doings. A message without consent leaves no event, but for the two that don't ask and
/// for links with `xnpe_force_track`.
extension Exponea {
    /// Tells that the person opened a message, where consent allows. It isn't marked read by that.
    public func trackAppInboxOpened(message: MessageItem) {
        opened(message, isForced: false)
    }

    /// Tells that the person opened a message, whatever they said to being tracked.
    public func trackAppInboxOpenedWithoutTrackingConsent(message: MessageItem) {
        opened(message, isForced: true)
    }

    /// Tells that the person clicked an action, where consent allows, and marks the message read.
    public func trackAppInboxClick(action: MessageItemAction, message: MessageItem) {
        clicked(action, message, isForced: false)
    }

    /// Tells that the person clicked an action, whatever they said to being tracked, and marks the message read.
    public func trackAppInboxClickWithoutTrackingConsent(action: MessageItemAction, message: MessageItem) {
        clicked(action, message, isForced: true)
    }

    private func opened(_ message: MessageItem, isForced: Bool) {
        track(message) {
            $0.openedData(platform: Self.platform)
        } _: { inbox, data in
            try await inbox.track(.opened, message.id, data: data, isForced: isForced)
        }
    }

    private func clicked(_ action: MessageItemAction, _ message: MessageItem, isForced: Bool) {
        track(message) {
            $0.clickedData(label: action.title ?? "", url: action.url ?? "", platform: Self.platform)
        } _: { inbox, data in
            try await inbox.click(message.id, action: action.name, data: data, isForced: isForced)
        }
    }

    /// Tells of something with the data that Bloomreach's events have; without it where it is more than an event may
    /// have.
    private func track(
        _ message: MessageItem,
        _ data: @escaping @MainActor (BloomreachMessage) -> [String: EventValue],
        _ body: @escaping @MainActor (Inbox, [String: EventValue]) async throws -> Bool
    ) {
        lastTold.withLock { lastTold in
            lastTold = perform(after: lastTold) { (result: Result<Bool>) in
                if case .failure(let error) = result { Self.logger.log(.error, message: error.localizedDescription) }
            } _: { inbox in
                let data = try await inbox.message(id: message.id).map { data(BloomreachMessage($0)) } ?? [:]
                do {
                    return try await body(inbox, data)
                } catch let error as InboxError where error.code == .invalidArgument {
                    return try await body(inbox, [:])
                }
            }
        }
    }

    #if os(iOS)
        private static let platform = "iOS"
    #elseif os(macOS)
        private static let platform = "macOS"
    #else
        private static let platform = "other"
    #endif
}

extension MessageItemAction {
    fileprivate var name: String? { id ?? url ?? title }
}
