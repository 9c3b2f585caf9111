import Foundation
import InboxClient

/// An action of a person of a demo on a message.
struct DemoAction: Sendable {
    /// The kind of action, by its name in the file of messages.
    enum Kind: String, CaseIterable, Sendable {
        case readBy
        case archivedBy
        /// Until the same time of the next day.
        case snoozedBy
    }

    let kind: Kind
    /// The message's id.
    let id: String

    /// Performs a person's actions on a new device of theirs, which is signed out afterwards.
    ///
    /// - Parameter directory: The device's directory. It is deleted.
    /// - Throws: `InboxError`; ``ServerAPIError``.
    static func perform(_ actions: [DemoAction], by person: String, in directory: URL, _ api: ServerAPI) async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        var configuration = InboxConfiguration()
        configuration.isLive = false
        let inbox = try await Inbox.open(
            server: api.url,
            person: person,
            directory: directory,
            configuration: configuration
        ) { try await api.makeToken(for: person).text }
        try await inbox.sync()
        let tomorrow = Date(timeIntervalSinceNow: 86_400)
        for action in actions {
            switch action.kind {
            case .readBy: try await inbox.markRead(action.id)
            case .archivedBy: try await inbox.archive(action.id)
            case .snoozedBy: try await inbox.snooze(action.id, until: tomorrow)
            }
        }
        try await inbox.sync()
        _ = try await inbox.signOut()
    }
}
