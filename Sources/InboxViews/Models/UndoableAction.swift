public import Foundation
import InboxClient
import InboxModel
import Replica

/// An action on messages that a person can undo.
public struct UndoableAction: Hashable, Sendable {
    /// What is done with the messages.
    public enum Kind: Hashable, Sendable {
        case markRead
        case markUnread
        case archive
        /// Moves messages from the archive to the inbox.
        case unarchive
        /// Hides messages until a time.
        case snooze(until: Date)
        /// Returns snoozed messages to the inbox.
        case unsnooze
        case delete
        /// Restores deleted messages.
        case undelete
    }

    /// What was done.
    public let kind: Kind
    /// The messages that it changed. Those that were as the action makes them aren't among them.
    public let ids: [String]
    /// The times until which messages were snoozed before.
    private let snoozedUntil: [String: Date]

    /// Performs an action.
    ///
    /// - Throws: `InboxError`: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    init(_ kind: Kind, of ids: [String], in inbox: Inbox) async throws {
        self.kind = kind
        switch kind {
        case .snooze, .unsnooze:
            let query = Query<Message>(where: #Predicate { ids.contains($0.id) && $0.snoozedUntil != nil })
            let snoozed = try await inbox.fetch(query, in: .active)
            snoozedUntil = Dictionary(uniqueKeysWithValues: snoozed.map { ($0.id, $0.snoozedUntil ?? .distantPast) })
        default:
            snoozedUntil = [:]
        }
        self.ids = try await inbox.perform(kind, ids)
    }

    /// Marks all messages of the inbox, or of a surface, as read.
    ///
    /// - Throws: `InboxError`: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    init(markingAllReadIn inbox: Inbox, surface: String?) async throws {
        (kind, snoozedUntil) = (.markRead, [:])
        ids = try await inbox.markAllRead(surface: surface)
    }

    /// Restores the messages as they were before the action: a message that was snoozed is snoozed until the same time
    /// again. One that was marked as unread is read as of now.
    ///
    /// - Throws: `InboxError`: `storage`, `diskFull`, `closed`.
    func undo(in inbox: Inbox) async throws {
        switch kind {
        case .markRead: try await inbox.perform(.markUnread, ids)
        case .markUnread: try await inbox.perform(.markRead, ids)
        case .archive: try await inbox.perform(.unarchive, ids)
        case .unarchive: try await inbox.perform(.archive, ids)
        case .delete: try await inbox.perform(.undelete, ids)
        case .undelete: try await inbox.perform(.delete, ids)
        case .snooze, .unsnooze:
            let others = ids.filter { snoozedUntil[$0] == nil }
            if !others.isEmpty { try await inbox.perform(.unsnooze, others) }
            let times = Dictionary(grouping: ids.filter { snoozedUntil[$0] != nil }) { snoozedUntil[$0] }
            for case (let time?, let ids) in times { try await inbox.perform(.snooze(until: time), ids) }
        }
    }
}

extension Inbox {
    /// Performs an action. Returns the ids of the changed messages.
    @discardableResult
    fileprivate func perform(_ kind: UndoableAction.Kind, _ ids: [String]) async throws -> [String] {
        switch kind {
        case .markRead: try await markRead(ids)
        case .markUnread: try await markUnread(ids)
        case .archive: try await archive(ids)
        case .unarchive: try await unarchive(ids)
        case .snooze(let time): try await snooze(ids, until: time)
        case .unsnooze: try await unsnooze(ids)
        case .delete: try await delete(ids)
        case .undelete: try await undelete(ids)
        }
    }
}
