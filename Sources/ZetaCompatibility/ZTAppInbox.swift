import Foundation
import InboxClient

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
        try await current.withInbox { try await $0.message(id: messageId).map(ZTAppInboxMessage.init) }
    }

    func markMessageAsRead(messageId: String) async throws {
        try await current.withInbox { inbox in
            try await Self.requireKnown(messageId, in: inbox)
            _ = try await inbox.markRead(messageId) as Bool
        }
    }

    func markAllMessagesAsRead(ids: [String]) async throws -> [String] {
        try await current.withInbox { inbox in
            _ = try await inbox.markRead(ids)
            return try await inbox.ids(ids, in: [.read])
        }
    }

    func markMessageAsDeleted(messageId: String) async throws {
        try await current.withInbox { inbox in
            try await Self.requireKnown(messageId, in: inbox)
            _ = try await inbox.delete(messageId) as Bool
        }
    }

    func markAllMessagesAsDeleted(ids: [String]) async throws -> [String] {
        try await current.withInbox { inbox in
            _ = try await inbox.delete(ids)
            return try await inbox.ids(ids, in: [.deleted])
        }
    }

    func clearAll() async throws {
        try await current.withInbox { try await $0.clearAll(resettingStatus: true) }
    }

    private static func requireKnown(_ id: String, in inbox: Inbox) async throws {
        guard try await inbox.ids([id], in: Set(MessageStatus.allCases)).isEmpty else { return }
        throw InboxError(.unknownMessage, "There is no message with this id on the device. Fetch messages first.")
    }

    func onMessageClicked(messageId: String, actionValue: String) async throws {
        let action = actionValue.isEmpty ? nil : actionValue
        try await current.withInbox { inbox in
            try await Self.requireKnown(messageId, in: inbox)
            _ = try await inbox.click(messageId, action: action) as Bool
        }
    }
}
