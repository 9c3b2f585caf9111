import InboxModel

/// The changes of an action of a person: enough to reverse exactly that.
///
/// An undo changes a message only while its date is still the one that the action set. If the action removed the date,
/// the message must be unchanged since, because a missing date doesn't show when it was removed. So an undo is applied
/// once, however often it is sent, and never reverts a later action of the person.
package struct DoneAction: Hashable, Sendable {
    /// A message that the action changed.
    package struct Entry: Hashable, Sendable {
        package let id: MessageID
        /// The date before the action, in milliseconds since 1970, or nil for none.
        let before: Int?
        /// The sequence of the action's change of the message in the person's inbox, if the action removed the date.
        let sequence: Int?
    }

    /// The kind of an action.
    package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        case read, unread, archived, unarchived, snoozed, unsnoozed, deleted, undeleted
        /// All messages were marked as read. They aren't listed: the date of reading identifies them.
        case allRead
    }

    package let kind: Kind
    /// The date that the action set, in milliseconds since 1970, or nil if it removed the dates.
    package let after: Int?
    package let entries: [Entry]
    /// The number of messages that it changed.
    package let count: Int

    /// The field that was changed.
    var field: MessageField {
        switch kind {
        case .read, .unread, .allRead: .readAt
        case .archived, .unarchived: .archivedAt
        case .snoozed, .unsnoozed: .snoozedUntil
        case .deleted, .undeleted: .deletedAt
        }
    }

    init(_ change: MessageChange, after: Int?, _ entries: [Entry]) {
        kind =
            switch change {
            case .markRead: .read
            case .markUnread: .unread
            case .archive: .archived
            case .unarchive: .unarchived
            case .snooze: .snoozed
            case .unsnooze: .unsnoozed
            case .delete: .deleted
            case .undelete: .undeleted
            }
        (self.after, self.entries, count) = (after, entries, entries.count)
    }

    /// - Parameter count: The number of messages that were marked as read at that time.
    package init(allReadAt time: Int, count: Int) {
        (kind, after, entries, self.count) = (.allRead, time, [], count)
    }

    // MARK: As bytes

    /// The action as bytes, for a page that offers to undo it.
    package var bytes: [UInt8] {
        var bytes = [kind.rawValue]
        Self.append(after, to: &bytes)
        Self.append(count, to: &bytes)
        for entry in entries {
            Self.append(entry.id.rawValue, to: &bytes)
            Self.append(entry.before, to: &bytes)
            Self.append(entry.sequence, to: &bytes)
        }
        return bytes
    }

    /// Reads ``bytes``. Returns nil for any others.
    package init?(bytes: some Sequence<UInt8>) {
        var rest = Array(bytes)[...]
        guard let kind = rest.popFirst().flatMap({ Kind(rawValue: $0) }), let after = Self.next(&rest),
            case let count?? = Self.next(&rest), count >= 0
        else { return nil }
        var entries: [Entry] = []
        while !rest.isEmpty {
            guard case let id?? = Self.next(&rest), let before = Self.next(&rest),
                let sequence = Self.next(&rest)
            else { return nil }
            entries.append(Entry(id: MessageID(rawValue: id), before: before, sequence: sequence))
        }
        guard kind == .allRead ? entries.isEmpty && after != nil : entries.count == count else { return nil }
        (self.kind, self.after, self.entries, self.count) = (kind, after, entries, count)
    }

    /// Appends a byte with the number of the bytes that follow, from 1 to 8, and these. 0 stands for nil.
    private static func append(_ value: Int?, to bytes: inout [UInt8]) {
        guard let value else { return bytes.append(0) }
        let all = UInt64(bitPattern: Int64(value))
        let length = max(1, 8 - all.leadingZeroBitCount / 8)
        bytes.append(UInt8(length))
        for index in (0..<length).reversed() { bytes.append(UInt8(truncatingIfNeeded: all >> (8 * UInt64(index)))) }
    }

    /// Removes a value from the start. The outer nil stands for no value at all.
    private static func next(_ bytes: inout ArraySlice<UInt8>) -> Int?? {
        guard let length = bytes.popFirst(), length <= 8, bytes.count >= length else { return nil }
        guard length > 0 else { return .some(nil) }
        var value: UInt64 = 0
        for _ in 0..<length { value = value << 8 | UInt64(bytes.removeFirst()) }
        return Int(Int64(bitPattern: value))
    }
}

extension PersonInbox {
    /// Returns the messages of an action that are still as it made them, in its order, and whether all are as they were
    /// before it.
    package func messages(of done: DoneAction) throws -> (stillDone: [MessageID], isUndone: Bool) {
        var (still, isUndone) = ([MessageID](), true)
        for entry in done.entries {
            guard let message = try message(entry.id) else {
                isUndone = false
                continue
            }
            if try isUnchanged(done, entry, message.personal[done.field]) { still.append(entry.id) }
            isUndone = isUndone && message.personal[done.field] == entry.before
        }
        return (still, isUndone)
    }

    /// Returns whether a message is still as an action made it.
    ///
    /// - Parameter date: The message's date of the action's field.
    func isUnchanged(_ done: DoneAction, _ entry: DoneAction.Entry, _ date: Int?) throws -> Bool {
        guard date == done.after else { return false }
        return try done.after != nil || sequence(of: entry.id) == entry.sequence
    }

    /// Returns the sequence of the latest change of a message's row, or 0 without a row.
    func sequence(of id: MessageID) throws -> Int {
        try db.value("SELECT sequence FROM delivery WHERE message = ? AND person = ?", [id.rawValue, person.id]) ?? 0
    }
}
