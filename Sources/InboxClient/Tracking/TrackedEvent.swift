import Foundation
import Groundwork
import InboxModel

/// An event that isn't yet assigned to messages and their consent.
struct TrackedEvent: Sendable {
    var type: EventType
    var action: String?
    var data: [String: EventValue] = [:]
    var isForced = false

    /// Validates the event as the server does.
    ///
    /// - Throws: ``InboxError`` `invalidArgument` that names the part.
    func check() throws {
        let event = event(of: "id", uid: "uid", at: Date(milliseconds: 0), isForced: false)
        do {
            _ = try MessageEvent(checking: JSONReader(event.json))
        } catch {
            throw InboxError(.invalidArgument, error.sentence(about: "The event"))
        }
    }

    /// Returns the event with the action's id in place of its value or link: actions are counted by their ids.
    func naming(_ message: Message) -> TrackedEvent {
        guard type == .clicked, let action, !action.isEmpty else { return self }
        let actions = message.actions
        let match =
            actions.first { $0.id == action } ?? actions.first { $0.value == action }
            ?? actions.first { $0.link == action }
        guard let match else { return self }
        var named = self
        named.action = match.id
        return named
    }

    /// Whether the link of the action requests tracking without consent.
    func isForced(by message: Message) -> Bool {
        guard type == .clicked, let action else { return false }
        return ForcedTracking.isRequested(by: action)
            || message.actions.contains { candidate in
                [candidate.id, candidate.value, candidate.link].contains(action)
                    && ForcedTracking.isRequested(by: candidate.link)
            }
    }

    func event(of message: String, uid: String, at time: Date, isForced: Bool) -> MessageEvent {
        var data = data
        if isForced { data[MessageEvent.forcedKey] = .bool(true) }
        var event = MessageEvent(uid: uid, message: message, type: type, action: action, at: time, data: data)
        // Marking as read is a separate write, so that a later "unread" takes precedence even if the event is sent
        // after it.
        if type == .clicked { event.reads = false }
        return event
    }
}
