import Foundation
package import Groundwork
public import InboxModel
import Replica

/// An action on messages that a person can undo.
public struct UndoableAction: Hashable, Sendable {
    /// The kind of the action: a change of messages.
    public typealias Kind = MessageChange

    /// The action's kind.
    public let kind: Kind
    /// The ids of the messages that the action changed. Messages that already had the value are left out.
    public let ids: [String]
    /// The times until which messages were snoozed before.
    private let snoozedUntil: [String: Date]

    /// Performs an action.
    ///
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    package init(_ kind: Kind, of ids: [String], in inbox: Inbox) async throws {
        self.kind = kind
        switch kind {
        case .snooze, .unsnooze:
            let query = Query<Message>(where: #Predicate { ids.contains($0.id) && $0.snoozedUntil != nil })
            let snoozed = try await inbox.fetch(query, in: .active)
            snoozedUntil = snoozed.reduce(into: [:]) { $0[$1.id] = $1.snoozedUntil ?? .distantPast }
        default:
            snoozedUntil = [:]
        }
        self.ids = try await inbox.perform(kind, ids)
    }

    /// Marks all messages of the inbox, or of a surface, as read.
    ///
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    package init(markingAllReadIn inbox: Inbox, surface: String?) async throws {
        (kind, snoozedUntil) = (.markRead, [:])
        ids = try await inbox.markAllRead(surface: surface)
    }

    /// Restores the messages as they were before the action: a message that was snoozed is snoozed until the same time
    /// again. One that was marked as unread is read as of now.
    ///
    /// - Returns: The ids of the changed messages. Those that have changed since aren't among them.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`.
    @discardableResult
    package func undo(in inbox: Inbox) async throws -> [String] {
        switch kind {
        case .markRead: return try await inbox.perform(.markUnread, ids)
        case .markUnread: return try await inbox.perform(.markRead, ids)
        case .archive: return try await inbox.perform(.unarchive, ids)
        case .unarchive: return try await inbox.perform(.archive, ids)
        case .delete: return try await inbox.perform(.undelete, ids)
        case .undelete: return try await inbox.perform(.delete, ids)
        case .snooze, .unsnooze:
            var changed: [String] = []
            let others = ids.filter { snoozedUntil[$0] == nil }
            if !others.isEmpty { changed += try await inbox.perform(.unsnooze, others) }
            let times = Dictionary(grouping: ids.filter { snoozedUntil[$0] != nil }) { snoozedUntil[$0] }
            for case (let time?, let ids) in times { changed += try await inbox.perform(.snooze(until: time), ids) }
            return changed
        }
    }
}

extension UndoableAction {
    /// The action as JSON, for a process that undoes it later.
    package var json: JSON {
        var object = JSONObject([("change", .string(kind.name)), ("ids", JSON(ids))])
        if case .snooze(let time) = kind { object.add("until", JSON(time)) }
        let times = snoozedUntil.sorted { $0.key < $1.key }.map { ($0.key, JSON($0.value)) }
        if !times.isEmpty { object.add("snoozedUntil", .object(JSONObject(times))) }
        return .object(object)
    }

    /// Reads ``json``.
    ///
    /// - Throws: `JSONValueError` for the first invalid part.
    package init(reading reader: JSONReader) throws {
        let name = try reader.required("change")
        guard let kind = Kind(try name.string(), until: try reader.member("until")?.date()) else {
            throw name.failure("isn't a change")
        }
        self.kind = kind
        ids = try reader.required("ids").elements().map { try $0.string() }
        var times: [String: Date] = [:]
        for member in try reader.member("snoozedUntil")?.object().members ?? [] {
            times[member.name] = try JSONReader(member.value).date()
        }
        snoozedUntil = times
    }
}

extension MessageChange {
    /// The name in JSON.
    fileprivate var name: String {
        switch self {
        case .markRead: "markRead"
        case .markUnread: "markUnread"
        case .archive: "archive"
        case .unarchive: "unarchive"
        case .snooze: "snooze"
        case .unsnooze: "unsnooze"
        case .delete: "delete"
        case .undelete: "undelete"
        }
    }

    fileprivate init?(_ name: String, until time: Date?) {
        let changes = [.markRead, .markUnread, .archive, .unarchive, .unsnooze, .delete, .undelete] as [MessageChange]
        let all = changes + (time.map { [.snooze(until: $0)] } ?? [])
        guard let change = all.first(where: { $0.name == name }) else { return nil }
        self = change
    }
}

extension Inbox {
    /// Performs a change. Returns the ids of the changed messages.
    @discardableResult
    fileprivate func perform(_ change: MessageChange, _ ids: [String]) async throws -> [String] {
        switch change {
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
