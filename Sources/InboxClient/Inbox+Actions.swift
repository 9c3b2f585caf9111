public import Foundation
import Groundwork
import InboxModel
import Replica

/// What a person does with messages.
///
/// Each is durable and shown before the call returns, needs no network, and reaches the server and the other devices by
/// itself. Each takes one id or many. With one it gives whether the message was changed. With many it gives the ids
/// that were changed, in the given order: those of messages that aren't on this device, that are deleted, or that were
/// so already are not among them.
extension Inbox {
    /// Marks messages read, and so also seen.
    ///
    /// - Throws: ``InboxError``: `storage`, `closed`. Then nothing has changed.
    @concurrent
    @discardableResult
    public func markRead(_ ids: [String]) async throws -> [String] {
        let now = clock.now
        return try await act { writer in try writer.markRead(ids, at: now) }
    }

    /// Marks a message read, and so also seen.
    ///
    /// - Returns: Whether it was unread.
    @concurrent
    @discardableResult
    public func markRead(_ id: String) async throws -> Bool { try await !markRead([id]).isEmpty }

    /// Marks all messages of the inbox read, and so also seen: up to the state that this device shows, also those that
    /// it doesn't hold.
    ///
    /// It is one pending write, whatever their number. A message that comes later stays unread.
    ///
    /// - Parameter surface: Only those of this surface; nil for all.
    /// - Returns: The ids that were changed, so far as this device knows them, newest delivery first.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. Then nothing has changed.
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
                    ).json.objectValue ?? JSONObject(),
                    inOrder: "time DESC, id DESC"
                )
            {
                return changed
            }
            // One by one before the first sync, while a full sync is due, and with a server that doesn't support such a
            // write.
            let unread = try writer.reached(.message, scope: surface, inOrder: "time DESC, id DESC")
            return try writer.markRead(unread, at: now)
        }
    }

    /// Marks messages unread. They stay seen.
    @concurrent
    @discardableResult
    public func markUnread(_ ids: [String]) async throws -> [String] { try await set(.readAt, nil, ids) }

    /// Marks a message unread. It stays seen.
    ///
    /// - Returns: Whether it was read.
    @concurrent
    @discardableResult
    public func markUnread(_ id: String) async throws -> Bool { try await !markUnread([id]).isEmpty }

    /// Notes that the person had messages on screen.
    @concurrent
    @discardableResult
    public func markSeen(_ ids: [String]) async throws -> [String] {
        try await set(.seenAt, clock.now, ids, onlyWhere: "{seenAt} IS NULL")
    }

    /// Notes that the person had a message on screen.
    ///
    /// - Returns: Whether it was unseen.
    @concurrent
    @discardableResult
    public func markSeen(_ id: String) async throws -> Bool { try await !markSeen([id]).isEmpty }

    /// Puts messages into the archive.
    @concurrent
    @discardableResult
    public func archive(_ ids: [String]) async throws -> [String] {
        try await set(.archivedAt, clock.now, ids, onlyWhere: "{archivedAt} IS NULL")
    }

    /// Puts a message into the archive.
    ///
    /// - Returns: Whether it wasn't there.
    @concurrent
    @discardableResult
    public func archive(_ id: String) async throws -> Bool { try await !archive([id]).isEmpty }

    /// Takes messages out of the archive, back into the inbox.
    @concurrent
    @discardableResult
    public func unarchive(_ ids: [String]) async throws -> [String] { try await set(.archivedAt, nil, ids) }

    /// Takes a message out of the archive, back into the inbox.
    ///
    /// - Returns: Whether it was in the archive.
    @concurrent
    @discardableResult
    public func unarchive(_ id: String) async throws -> Bool { try await !unarchive([id]).isEmpty }

    /// Takes messages out of the way until a time, at which they return to the inbox by themselves.
    @concurrent
    @discardableResult
    public func snooze(_ ids: [String], until time: Date) async throws -> [String] {
        try await set(.snoozedUntil, time, ids)
    }

    /// Takes a message out of the way until a time, at which it returns to the inbox by itself.
    ///
    /// - Returns: Whether it wasn't snoozed until that time already.
    @concurrent
    @discardableResult
    public func snooze(_ id: String, until time: Date) async throws -> Bool {
        try await !snooze([id], until: time).isEmpty
    }

    /// Brings snoozed messages back now.
    @concurrent
    @discardableResult
    public func unsnooze(_ ids: [String]) async throws -> [String] { try await set(.snoozedUntil, nil, ids) }

    /// Brings a snoozed message back now.
    ///
    /// - Returns: Whether it had been snoozed.
    @concurrent
    @discardableResult
    public func unsnooze(_ id: String) async throws -> Bool { try await !unsnooze([id]).isEmpty }

    /// Deletes messages: hidden on every device, and gone for good after 30 days.
    @concurrent
    @discardableResult
    public func delete(_ ids: [String]) async throws -> [String] {
        let now = clock.now
        return try await act { writer in try writer.markDeleted(ids, at: now) }
    }

    /// Deletes a message: hidden on every device, and gone for good after 30 days.
    ///
    /// - Returns: Whether it was there.
    @concurrent
    @discardableResult
    public func delete(_ id: String) async throws -> Bool { try await !delete([id]).isEmpty }

    /// Brings deleted messages back.
    @concurrent
    @discardableResult
    public func undelete(_ ids: [String]) async throws -> [String] {
        try await act { writer in
            try writer.update(
                .message,
                MessageField.deletedAt.column,
                to: .null,
                ids: ids,
                where: "{deletedAt} IS NOT NULL"
            )
        }
    }

    /// Brings a deleted message back.
    ///
    /// - Returns: Whether it was deleted.
    @concurrent
    @discardableResult
    public func undelete(_ id: String) async throws -> Bool { try await !undelete([id]).isEmpty }

    private func set(
        _ field: MessageField,
        _ date: Date?,
        _ ids: [String],
        onlyWhere condition: String = "true"
    ) async throws -> [String] {
        let value = date.map { JSON($0) } ?? .null
        return try await act { writer in try writer.set(field, value, ids, onlyWhere: condition) }
    }

    /// Does something to messages, and says beside it whether consent holds.
    private func act(_ body: @Sendable (StoreWriter) throws -> [String]) async throws -> [String] {
        let fallback = trackingConsent
        return try await write { writer in
            let changed = try body(writer)
            try writer.noteConsent(to: changed, otherwise: fallback)
            return changed
        }
    }
}

extension StoreWriter {
    /// Marks messages read, and so also seen.
    ///
    /// - Returns: The ids of those that were unread.
    @discardableResult
    func markRead(_ ids: [String], at time: Date) throws -> [String] {
        let changed = try set(.readAt, JSON(time), ids, onlyWhere: "{readAt} IS NULL")
        _ = try set(.seenAt, JSON(time), changed, onlyWhere: "{seenAt} IS NULL")
        return changed
    }

    /// Deletes messages.
    ///
    /// - Returns: The ids of those that were there.
    func markDeleted(_ ids: [String], at time: Date) throws -> [String] {
        try set(.deletedAt, JSON(time), ids, onlyWhere: "true")
    }

    /// Gives a field of messages that aren't deleted a value.
    fileprivate func set(
        _ field: MessageField,
        _ value: JSON,
        _ ids: [String],
        onlyWhere condition: String
    ) throws -> [String] {
        try update(.message, field.column, to: value, ids: ids, where: "{deletedAt} IS NULL AND (\(condition))")
    }
}

extension MessageField {
    fileprivate var column: RecordColumn { RecordColumn(rawValue, .date, isWritable: true) }
}
