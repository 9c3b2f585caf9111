import Foundation
import Groundwork
import InboxModel
import Replica

/// The person's actions on stored messages, as changes of their fields.
extension StoreWriter {
    /// Sets a field of messages that aren't deleted.
    ///
    /// - Parameter isUnset: Whether only messages without a value change.
    /// - Returns: The ids of the changed messages.
    func set(
        _ field: MessageField,
        _ date: Date?,
        _ ids: [String],
        onlyIfUnset isUnset: Bool = false
    ) throws -> [String] {
        try update(
            .message,
            field.column,
            to: date.map { JSON($0) } ?? .null,
            ids: ids,
            where: "{deletedAt} IS NULL" + (isUnset ? " AND {\(field.rawValue)} IS NULL" : "")
        )
    }

    /// Marks messages as read, and therefore as seen.
    ///
    /// - Returns: The ids of the messages that were unread.
    @discardableResult
    func markRead(_ ids: [String], at time: Date) throws -> [String] {
        let changed = try set(.readAt, time, ids, onlyIfUnset: true)
        _ = try set(.seenAt, time, changed, onlyIfUnset: true)
        return changed
    }

    /// Deletes messages.
    ///
    /// - Returns: The ids of the messages that were stored and not deleted.
    func markDeleted(_ ids: [String], at time: Date) throws -> [String] { try set(.deletedAt, time, ids) }

    /// Restores deleted messages.
    ///
    /// - Returns: The ids of the messages that were deleted.
    func restore(_ ids: [String]) throws -> [String] {
        try update(.message, MessageField.deletedAt.column, to: .null, ids: ids)
    }

    /// Makes all stored messages unread, and restores those that were deleted.
    ///
    /// - Returns: The ids of the changed messages.
    func resetStatus() throws -> [String] {
        let ids = try db.messages(in: [.read, .deleted])
        let changed = Set(try restore(ids)).union(try set(.readAt, nil, ids))
        return ids.filter(changed.contains)
    }
}

extension MessageField {
    fileprivate var column: RecordColumn { RecordColumn(rawValue, .date, isWritable: true) }
}
