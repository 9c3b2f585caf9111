import Foundation
import Groundwork
import InboxAdapters
import InboxClient
import InboxModel

/// Tracking. A message without consent creates no event, except for the two methods that ignore consent and for links
/// with `xnpe_force_track`.
extension Exponea {
    /// Tracks that the person opened a message, if consent allows it. It doesn't mark the message as read.
    public func trackAppInboxOpened(message: MessageItem) {
        opened(message, isForced: false)
    }

    /// Tracks that the person opened a message, whatever the consent.
    public func trackAppInboxOpenedWithoutTrackingConsent(message: MessageItem) {
        opened(message, isForced: true)
    }

    /// Tracks a click on an action, if consent allows it, and marks the message as read.
    ///
    /// The event names the action by its id. An action that isn't the message's is named by its URL or title, of which
    /// the first 256 bytes count.
    public func trackAppInboxClick(action: MessageItemAction, message: MessageItem) {
        clicked(action, message, isForced: false)
    }

    /// Tracks a click on an action, whatever the consent, and marks the message as read.
    public func trackAppInboxClickWithoutTrackingConsent(action: MessageItemAction, message: MessageItem) {
        clicked(action, message, isForced: true)
    }

    private func opened(_ message: MessageItem, isForced: Bool) {
        track(message, isForced: isForced) {
            $0.openedData(platform: Self.platform)
        } _: { inbox, id, data, isForced in
            try await inbox.track(.opened, id, data: data, isForced: isForced)
        }
    }

    private func clicked(_ action: MessageItemAction, _ message: MessageItem, isForced: Bool) {
        // An address that the action doesn't open may request it, too.
        let isForced = isForced || action.url.map(ForcedTracking.isRequested) ?? false
        track(message, isForced: isForced) {
            $0.clickedData(label: action.title ?? "", url: action.url ?? "", platform: Self.platform)
        } _: { inbox, id, data, isForced in
            do {
                return try await inbox.click(id, action: action.name, data: data, isForced: isForced)
            } catch let error as InboxError where error.code == .invalidArgument {
                // A long name that is an action's link is replaced by the action's id; another one is shortened.
                return try await inbox.click(
                    id,
                    action: action.name?.shortened(to: EventLimits.action),
                    data: data,
                    isForced: isForced || action.name.map(ForcedTracking.isRequested) ?? false
                )
            }
        }
    }

    /// Tracks an event with the data of Bloomreach's events, or without the data if it exceeds the limit of an event's
    /// data.
    ///
    /// - Parameter isForced: Whether the event is tracked without consent, too. It is marked as forced only where there
    ///   is no consent, so that the server reports it; Bloomreach marks those of links with `xnpe_force_track` alone.
    private func track(
        _ message: MessageItem,
        isForced: Bool,
        _ data: @escaping @MainActor (BloomreachMessage) -> [String: EventValue],
        _ body: @escaping @MainActor (Inbox, _ id: String, [String: EventValue], _ isForced: Bool) async throws -> Bool
    ) {
        lastTracking.withLock { lastTracking in
            lastTracking = perform(after: lastTracking) { (result: Result<Bool>) in
                if case .failure(let error) = result { Self.logger.log(.error, message: error.localizedDescription) }
            } _: { inbox in
                let id = try await inbox.ownID(of: message.id)
                let stored = try await inbox.message(id: id)
                var isMarked = isForced
                if isForced, let stored { isMarked = try await inbox.trackable([stored]).isEmpty }
                do {
                    return try await body(inbox, id, stored.map { data(BloomreachMessage($0)) } ?? [:], isMarked)
                } catch let error as InboxError where error.code == .invalidArgument {
                    return try await body(inbox, id, [:], isMarked)
                }
            }
        }
    }

    #if os(iOS)
        static let platform = "iOS"
    #elseif os(macOS)
        static let platform = "macOS"
    #else
        static let platform = "other"
    #endif
}

extension MessageItemAction {
    /// The first of id, URL and title that isn't empty.
    fileprivate var name: String? { [id, url, title].lazy.compactMap { $0 }.first { !$0.isEmpty } }
}

extension String {
    /// Returns as many characters from the beginning as take at most a number of bytes.
    fileprivate func shortened(to maxBytes: Int) -> String {
        var text = prefix(maxBytes)
        while text.utf8.count > maxBytes { text.removeLast() }
        return String(text)
    }
}
