import Foundation
import InboxClient
import InboxModel

/// Zeta's calls on the inbox of the identified person.
final class ZTAppInbox: NSObject, ZTAppInboxManagable {
    private let current: CurrentInbox

    init(_ current: CurrentInbox) {
        self.current = current
    }

    func fetchMessages() async throws -> [ZTAppInboxMessage] {
        try await current.fetchMessages().map(ZTAppInboxMessage.init)
    }

    func getUnreadMessages() async throws -> [ZTAppInboxMessage] {
        try await current.withInbox { try await $0.messages(.unread).map(ZTAppInboxMessage.init) }
    }

    func getReadMessages() async throws -> [ZTAppInboxMessage] {
        try await current.withInbox { try await $0.messages(.read).map(ZTAppInboxMessage.init) }
    }

    // Counts the cached messages, as Zeta documents for all its queries.
    func getMessageCount() async throws -> Int { try await count(.inbox) }
    func getUnreadMessageCount() async throws -> Int { try await count(.unread) }
    func getReadMessageCount() async throws -> Int { try await count(.read) }

    private func count(_ filter: MessageFilter) async throws -> Int {
        try await current.withInbox { try await $0.countOnDevice(filter) }
    }

    func getMessage(for messageId: String) async throws -> ZTAppInboxMessage? {
        try await current.withInbox { inbox in
            let id = try await Self.ownID(of: messageId, in: inbox)
            return try await inbox.message(id: id).map(ZTAppInboxMessage.init)
        }
    }

    func markMessageAsRead(messageId: String) async throws {
        try await current.withInbox { inbox in
            let id = try await Self.ownID(of: messageId, in: inbox)
            try await Self.requireKnown(id, in: inbox)
            _ = try await inbox.markRead(id) as Bool
        }
    }

    func markAllMessagesAsRead(ids: [String]) async throws -> [String] {
        try await current.withInbox { inbox in
            let own = try await inbox.ids(ids, orInAdditionalData: Self.idKey)
            _ = try await inbox.markRead(own)
            return try await Self.given(ids, own, in: inbox, status: .read)
        }
    }

    func markMessageAsDeleted(messageId: String) async throws {
        try await current.withInbox { inbox in
            let id = try await Self.ownID(of: messageId, in: inbox)
            try await Self.requireKnown(id, in: inbox)
            _ = try await inbox.delete(id) as Bool
        }
    }

    func markAllMessagesAsDeleted(ids: [String]) async throws -> [String] {
        try await current.withInbox { inbox in
            let own = try await inbox.ids(ids, orInAdditionalData: Self.idKey)
            _ = try await inbox.delete(own)
            return try await Self.given(ids, own, in: inbox, status: .deleted)
        }
    }

    func clearAll() async throws {
        try await current.withInbox { try await $0.clearAll(resettingStatus: true) }
    }

    /// The key of the additional data where an import has kept Zeta's id.
    private static let idKey = "messageId"

    /// Returns the id of the message that was imported with Zeta's id. Any other id is returned unchanged.
    private static func ownID(of id: String, in inbox: Inbox) async throws -> String {
        try await inbox.ids([id], orInAdditionalData: idKey).first ?? id
    }

    /// Returns those of the given ids whose messages have a status, each once.
    ///
    /// - Parameter own: The ids of the messages that the given ids name.
    private static func given(
        _ ids: [String],
        _ own: [String],
        in inbox: Inbox,
        status: MessageStatus
    ) async throws -> [String] {
        let updated = Set(try await inbox.ids(own, in: [status]))
        var listed: Set<String> = []
        return zip(ids, own).filter { updated.contains($1) && listed.insert($1).inserted }.map(\.0)
    }

    private static func requireKnown(_ id: String, in inbox: Inbox) async throws {
        guard try await inbox.ids([id], in: Set(MessageStatus.allCases)).isEmpty else { return }
        throw InboxError(.unknownMessage, "There is no message with this id on the device. Fetch messages first.")
    }

    func onMessageClicked(messageId: String, actionValue: String) async throws {
        let action = actionValue.isEmpty ? nil : actionValue
        try await current.withInbox { inbox in
            let id = try await Self.ownID(of: messageId, in: inbox)
            try await Self.requireKnown(id, in: inbox)
            _ = try await inbox.click(id, action: action) as Bool
        }
    }
}
