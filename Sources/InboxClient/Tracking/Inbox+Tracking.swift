import Foundation
import Groundwork
public import InboxModel
import Replica

/// Analytics events.
///
/// An event is stored before the call returns, without a network, and is sent automatically: once, in order, with the
/// time at which it happened. Up to 10,000 events are queued on the device. Beyond that the oldest are dropped, those
/// of type `displayed` first, and ``InboxStatus/droppedEvents`` counts them. A message without consent creates no event
/// (``TrackingConsent``), unless it is forced. An event about a message that has expired or was recalled when the
/// server receives it is refused (``refusedActions``). Marking as read, archiving and similar actions create no event.
/// The server receives them as changes, each with the person's consent to report it beyond the person's own devices.
extension Inbox {
    /// Tracks an event of messages.
    ///
    /// - Parameters:
    ///   - type: The type of the event. ``DisplayRule`` defines `displayed`.
    ///   - ids: The messages. Those that aren't on this device are ignored.
    ///   - action: The id of the action, or any name of a part of the message; at most 256 bytes.
    ///   - data: Additional values; at most 50 pairs and 4,096 bytes of JSON.
    ///   - isForced: Whether to track it without consent too. The event then has `tracking_forced` in its data.
    /// - Returns: The ids of the messages for which an event was stored, in the given order.
    /// - Throws: ``InboxError``: `invalidArgument` names the problem; `storage`, `diskFull`, `closed`. On error,
    ///   nothing has changed.
    @concurrent
    @discardableResult
    public func track(
        _ type: EventType,
        _ ids: [String],
        action: String? = nil,
        data: [String: EventValue] = [:],
        isForced: Bool = false
    ) async throws -> [String] {
        try await enqueue(TrackedEvent(type: type, action: action, data: data, isForced: isForced), ids) { _, ids, _ in
            ids
        }
    }

    /// Tracks an event of a message, as `track(_:_:action:data:isForced:)` does with several.
    ///
    /// - Returns: Whether an event was stored: not without consent, and not if the message isn't on this device.
    /// - Throws: As `track(_:_:action:data:isForced:)` with several.
    @concurrent
    @discardableResult
    public func track(
        _ type: EventType,
        _ id: String,
        action: String? = nil,
        data: [String: EventValue] = [:],
        isForced: Bool = false
    ) async throws -> Bool {
        try await !track(type, [id], action: action, data: data, isForced: isForced).isEmpty
    }

    /// Tracks a click on messages, or on the same action of each, if consent allows it, and marks them as read, in one
    /// transaction.
    ///
    /// A link with `xnpe_force_track` is tracked without consent too (`ForcedTracking`).
    ///
    /// - Parameters: As `track(_:_:action:data:isForced:)`. The action is an action's id, its value or its link, and
    ///   is tracked by the action's id. It may also be any other name of a part of the message.
    /// - Returns: The ids of the messages for which an event was stored, in the given order.
    /// - Throws: As `track(_:_:action:data:isForced:)`.
    @concurrent
    @discardableResult
    public func click(
        _ ids: [String],
        action: String? = nil,
        data: [String: EventValue] = [:],
        isForced: Bool = false
    ) async throws -> [String] {
        let event = TrackedEvent(type: .clicked, action: action, data: data, isForced: isForced)
        let fallback = trackingConsent
        return try await enqueue(event, ids) { writer, ids, now in
            let read = try writer.markRead(ids, at: now)
            try writer.noteConsent(to: read, otherwise: fallback)
            return ids
        }
    }

    /// Tracks a click on a message or on one of its actions, as the overload for several messages does.
    ///
    /// - Returns: Whether an event was stored.
    /// - Throws: As `track(_:_:action:data:isForced:)`.
    @concurrent
    @discardableResult
    public func click(
        _ id: String,
        action: String? = nil,
        data: [String: EventValue] = [:],
        isForced: Bool = false
    ) async throws -> Bool {
        try await !click([id], action: action, data: data, isForced: isForced).isEmpty
    }

    /// Dismisses messages: tracks the dismissal if consent allows it, and deletes the messages, in one transaction.
    ///
    /// - Returns: The ids of the deleted messages, in the given order.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func dismiss(_ ids: [String]) async throws -> [String] {
        let deleted = Locked<[String]>([])
        let fallback = trackingConsent
        try await enqueue(TrackedEvent(type: .dismissed), ids) { writer, ids, now in
            let ids = try writer.markDeleted(ids, at: now)
            try writer.noteConsent(to: ids, otherwise: fallback)
            deleted.withLock { $0 = ids }
            return ids
        }
        return deleted.withLock { $0 }
    }

    /// Dismisses a message, as ``dismiss(_:)`` does with several.
    ///
    /// - Returns: Whether it was on this device and is deleted now.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func dismiss(_ id: String) async throws -> Bool { try await !dismiss([id]).isEmpty }

    /// Applies an action to messages and stores an event of each message that it returns, in one transaction.
    ///
    /// - Returns: The ids of the messages for which an event was stored.
    @discardableResult
    private func enqueue(
        _ tracked: TrackedEvent,
        _ ids: [String],
        _ body: @Sendable (StoreWriter, [String], Date) throws -> [String]
    ) async throws -> [String] {
        let now = clock.now
        let (fallback, random) = (trackingConsent, random)
        do {
            // The action may be a long value, which is replaced by an id. It is checked for each message.
            var withoutAction = tracked
            withoutAction.action = nil
            try withoutAction.check()
            return try await write(records: ids.count) { writer in
                var events: [MessageEvent] = []
                for id in try body(writer, ids, now) {
                    guard let message = try writer.db.storedMessage(id: id) else { continue }
                    let named = tracked.naming(message)
                    try named.check()
                    let isForced = named.isForced || named.isForced(by: message)
                    let isAllowed = try writer.db.allowsTracking(message, otherwise: fallback)
                    guard isForced || isAllowed else { continue }
                    let uid = random.token(length: 22)
                    var event = named.event(of: id, uid: uid, at: now, isForced: isForced)
                    if message.consentCategory != nil || message.grantedConsentCategory != nil {
                        event.consent = isAllowed
                    }
                    events.append(event)
                }
                try writer.enqueue(
                    .event,
                    events.map { QueuedRecord(uid: $0.uid, json: $0.json, isExpendable: $0.type == .displayed) }
                )
                return events.map(\.message)
            }
        } catch {
            throw InboxError.wrapping(error)
        }
    }
}
