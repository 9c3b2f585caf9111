import Foundation
import Groundwork
public import InboxModel
import Replica

/// What is told of the person's doings.
///
/// An event is stored before the call returns, needs no network, and reaches the server by itself: once, in the order
/// in which it happened, with the time when it happened. Up to 10,000 wait on the device; past that the oldest are
/// dropped, those of type `displayed` first, and ``InboxStatus/droppedEvents`` says how many. A message without consent
/// leaves no event at all (``TrackingConsent``), unless it is forced. One about a message that has expired or was
/// recalled by the time the server hears of it is refused (``refusedActions``). Marking as read, archiving and the like
/// leave no event; the server hears of them as changes, and with each whether the person agreed to their being told to
/// anyone but their own devices.
extension Inbox {
    /// Tells of something that happened with messages.
    ///
    /// - Parameters:
    ///   - type: What happened. What counts as `displayed` is said in ``DisplayRule``.
    ///   - ids: The messages. Those that aren't on this device are passed over.
    ///   - action: The id of the action that it is about, or whatever names a part of the message; at most 256 bytes.
    ///   - data: Whatever else the app wants to report; at most 50 pairs and 4,096 bytes of JSON.
    ///   - isForced: Whether to tell it without consent too. The event then says so, with `tracking_forced` in its
    ///     data.
    /// - Returns: The ids of the messages of which an event was left, in the given order.
    /// - Throws: ``InboxError``: `invalidArgument` names what is wrong; `storage`, `diskFull`, `closed`. Then nothing
    ///   has changed.
    @concurrent
    @discardableResult
    public func track(
        _ type: EventType,
        _ ids: [String],
        action: String? = nil,
        data: [String: EventValue] = [:],
        isForced: Bool = false
    ) async throws -> [String] {
        try await leave(Occurrence(type: type, action: action, data: data, isForced: isForced), ids) { _, ids, _ in ids
        }
    }

    /// Tells of something that happened with a message, as the form with several does.
    ///
    /// - Returns: Whether an event was left: not without consent, and not where the message isn't on this device.
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

    /// The person clicked messages, or the same action of each: tells of it where consent allows, and reads the
    /// messages, in one transaction.
    ///
    /// A link with `xnpe_force_track` is told of without consent too (`ForcedTracking`).
    ///
    /// - Parameters: As those of `track`. The action is that action's id, its value or its link, told by its
    ///   id; or whatever else names a part of the message.
    /// - Returns: The ids of the messages of which an event was left, in the given order.
    /// - Throws: The same.
    @concurrent
    @discardableResult
    public func click(
        _ ids: [String],
        action: String? = nil,
        data: [String: EventValue] = [:],
        isForced: Bool = false
    ) async throws -> [String] {
        let occurrence = Occurrence(type: .clicked, action: action, data: data, isForced: isForced)
        let fallback = trackingConsent
        return try await leave(occurrence, ids) { writer, ids, now in
            let read = try writer.markRead(ids, at: now)
            try writer.noteConsent(to: read, otherwise: fallback)
            return ids
        }
    }

    /// The person clicked a message, or one of its actions, as the form with several says.
    ///
    /// - Returns: Whether an event was left.
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

    /// The person sent messages away: tells of it where consent allows, and deletes them, in one transaction.
    ///
    /// - Returns: The ids of the messages that were deleted, in the given order.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. Then nothing has changed.
    @concurrent
    @discardableResult
    public func dismiss(_ ids: [String]) async throws -> [String] {
        let deleted = Locked<[String]>([])
        let fallback = trackingConsent
        try await leave(Occurrence(type: .dismissed), ids) { writer, ids, now in
            let ids = try writer.markDeleted(ids, at: now)
            try writer.noteConsent(to: ids, otherwise: fallback)
            deleted.withLock { $0 = ids }
            return ids
        }
        return deleted.withLock { $0 }
    }

    /// The person sent a message away, as the form with several says.
    ///
    /// - Returns: Whether it was there, and is deleted now.
    @concurrent
    @discardableResult
    public func dismiss(_ id: String) async throws -> Bool { try await !dismiss([id]).isEmpty }

    /// Does something with messages, and stores events of those for which it gives the ids, in one transaction.
    ///
    /// - Returns: The ids of the messages of which an event was left.
    @discardableResult
    private func leave(
        _ occurrence: Occurrence,
        _ ids: [String],
        _ body: @Sendable (StoreWriter, [String], Date) throws -> [String]
    ) async throws -> [String] {
        let now = clock.now
        let (fallback, random) = (trackingConsent, random)
        do {
            // Its action, which may be a long value, when it is known by which id the message names it.
            var whole = occurrence
            whole.action = nil
            try whole.check()
            return try await write { writer in
                var events: [MessageEvent] = []
                for id in try body(writer, ids, now) {
                    guard let message = try writer.db.storedMessage(id: id) else { continue }
                    let occurrence = occurrence.naming(message)
                    try occurrence.check()
                    let isForced = occurrence.isForced || occurrence.isForced(by: message)
                    let isAllowed = try writer.db.allowsTracking(message, otherwise: fallback)
                    guard isForced || isAllowed else { continue }
                    let uid = random.token(length: 22)
                    var event = occurrence.event(of: id, uid: uid, at: now, isForced: isForced)
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
