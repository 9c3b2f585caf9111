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
        _ = try await current.withInbox { try await $0.markRead(messageId) as Bool }
    }

    func markAllMessagesAsRead(ids: [String]) async throws -> [String] {
        try await current.withInbox { try await $0.markRead(ids) }
    }

    func markMessageAsDeleted(messageId: String) async throws {
        _ = try await current.withInbox { try await $0.delete(messageId) as Bool }
    }

    func markAllMessagesAsDeleted(ids: [String]) async throws -> [String] {
        try await current.withInbox { try await $0.delete(ids) }
    }

    func clearAll() async throws {
        try await current.withInbox { try await $0.clearAll() }
    }

    func onMessageClicked(messageId: String, actionValue: String) async throws {
        let action = actionValue.isEmpty ? nil : actionValue
        _ = try await current.withInbox { try await $0.click(messageId, action: action) }
    }
}
