public import Foundation
import Groundwork
import InboxModel
import Replica

/// Actions of the person on messages.
///
/// Each action is stored and visible before the call returns, needs no network, and is sent to the server and the other
/// devices automatically. Each action takes one id or several. With one id it returns whether the message changed. With
/// several ids it returns the ids of the changed messages, in the given order. Messages that aren't on this device,
/// that are deleted, or that already have the value are omitted.
extension Inbox {
    /// Marks messages as read, and therefore as seen.
    ///
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func markRead(_ ids: [String]) async throws -> [String] {
        let now = clock.now
        return try await act(on: ids.count) { writer in try writer.markRead(ids, at: now) }
    }

    /// Marks a message as read, and therefore as seen.
    ///
    /// - Returns: Whether the message was unread.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func markRead(_ id: String) async throws -> Bool { try await !markRead([id]).isEmpty }

    /// Marks all messages of the inbox as read, and therefore as seen: all messages up to the state that this device
    /// shows, including those that the device doesn't hold.
    ///
    /// The action is one pending write, regardless of the number of messages. A message that arrives later stays
    /// unread.
    ///
    /// - Parameter surface: The surface of the messages. Nil for all.
    /// - Returns: The ids of the changed messages, as far as this device knows them, newest delivery first.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func markAllRead(surface: String? = nil) async throws -> [String] {
        let (now, fallback) = (clock.now, trackingConsent)
        return try await act { writer in
            if let state = try writer.db.syncPosition(.message)?.state,
                let changed = try writer.updateAll(
                    .message,
                    scope: surface,
                    to: MarkAllRead(
                        upToState: state,
                        at: now,
                        surface: surface,
                        consent: try writer.db.consentState(otherwise: fallback)
                    ).json.objectValue ?? JSONObject()
                )
            {
                return changed
            }
            // Messages are marked individually before the first sync, while a full sync is pending, and if the server
            // doesn't support such a write.
            let unread = try writer.reached(.message, scope: surface)
            return try writer.markRead(unread, at: now)
        }
    }

    /// Marks messages as unread. They stay seen.
    ///
    /// - Returns: The ids of the changed messages.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func markUnread(_ ids: [String]) async throws -> [String] { try await set(.readAt, nil, ids) }

    /// Marks a message as unread. It stays seen.
    ///
    /// - Returns: Whether the message was read.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func markUnread(_ id: String) async throws -> Bool { try await !markUnread([id]).isEmpty }

    /// Marks messages as seen: the person has had them on screen.
    ///
    /// - Returns: The ids of the changed messages.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func markSeen(_ ids: [String]) async throws -> [String] {
        try await set(.seenAt, clock.now, ids, onlyIfUnset: true)
    }

    /// Marks a message as seen: the person has had it on screen.
    ///
    /// - Returns: Whether the message was unseen.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func markSeen(_ id: String) async throws -> Bool { try await !markSeen([id]).isEmpty }

    /// Moves messages to the archive.
    ///
    /// - Returns: The ids of the changed messages.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func archive(_ ids: [String]) async throws -> [String] {
        try await set(.archivedAt, clock.now, ids, onlyIfUnset: true)
    }

    /// Moves a message to the archive.
    ///
    /// - Returns: Whether the message wasn't in the archive.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func archive(_ id: String) async throws -> Bool { try await !archive([id]).isEmpty }

    /// Moves messages from the archive back to the inbox.
    ///
    /// - Returns: The ids of the changed messages.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func unarchive(_ ids: [String]) async throws -> [String] { try await set(.archivedAt, nil, ids) }

    /// Moves a message from the archive back to the inbox.
    ///
    /// - Returns: Whether the message was in the archive.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func unarchive(_ id: String) async throws -> Bool { try await !unarchive([id]).isEmpty }

    /// Hides messages from the inbox until a time, at which they return automatically, by the device's clock. A time in
    /// the past returns them at once.
    ///
    /// - Returns: The ids of the changed messages.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func snooze(_ ids: [String], until time: Date) async throws -> [String] {
        try await set(.snoozedUntil, time, ids)
    }

    /// Hides a message from the inbox until a time, at which it returns automatically, by the device's clock. A time in
    /// the past returns it at once.
    ///
    /// - Returns: False if the message was already snoozed until that time.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func snooze(_ id: String, until time: Date) async throws -> Bool {
        try await !snooze([id], until: time).isEmpty
    }

    /// Returns snoozed messages to the inbox now.
    ///
    /// - Returns: The ids of the changed messages.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func unsnooze(_ ids: [String]) async throws -> [String] { try await set(.snoozedUntil, nil, ids) }

    /// Returns a snoozed message to the inbox now.
    ///
    /// - Returns: Whether the message was snoozed.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func unsnooze(_ id: String) async throws -> Bool { try await !unsnooze([id]).isEmpty }

    /// Deletes messages. They are hidden on every device at once, and removed permanently after 30 days.
    ///
    /// - Returns: The ids of the changed messages.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func delete(_ ids: [String]) async throws -> [String] {
        let now = clock.now
        return try await act(on: ids.count) { writer in try writer.markDeleted(ids, at: now) }
    }

    /// Deletes a message. It is hidden on every device at once, and removed permanently after 30 days.
    ///
    /// - Returns: Whether the message was on this device and not deleted.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func delete(_ id: String) async throws -> Bool { try await !delete([id]).isEmpty }

    /// Restores deleted messages.
    ///
    /// - Returns: The ids of the changed messages.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func undelete(_ ids: [String]) async throws -> [String] {
        try await act(on: ids.count) { writer in try writer.restore(ids) }
    }

    /// Restores a deleted message.
    ///
    /// - Returns: Whether the message was deleted.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    @discardableResult
    public func undelete(_ id: String) async throws -> Bool { try await !undelete([id]).isEmpty }

    private func set(
        _ field: MessageField,
        _ date: Date?,
        _ ids: [String],
        onlyIfUnset isUnset: Bool = false
    ) async throws -> [String] {
        try await act(on: ids.count) { writer in try writer.set(field, date, ids, onlyIfUnset: isUnset) }
    }

    /// Applies an action to messages and stores the current consent with it, in one transaction.
    ///
    /// - Parameter count: The number of messages; nil if it may be any.
    private func act(
        on count: Int? = nil,
        _ body: @Sendable (StoreWriter) throws -> [String]
    ) async throws -> [String] {
        let fallback = trackingConsent
        return try await write(records: count) { writer in
            let changed = try body(writer)
            try writer.noteConsent(to: changed, otherwise: fallback)
            return changed
        }
    }
}
