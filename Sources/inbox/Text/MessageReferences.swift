import Foundation
import InboxClient

extension Message: Referenceable {
    static let noun = "message"
    static let listCommand = "inbox list"

    /// The message on one line: its title, or otherwise the beginning of its text.
    var headline: String {
        let title = title.plainLine
        if !title.isEmpty { return title }
        let body = body.plainLine
        if !body.isEmpty { return body }
        return media.map { $0.alt?.plainLine ?? "" }.flatMap { $0.isEmpty ? nil : $0 } ?? CardDrawing.noText
    }
}

/// Resolves message ids on the command line.
enum MessageReferences {
    /// Returns the referenced messages. If this device doesn't know a message, it syncs once. If the device knows a
    /// message but doesn't hold it, the message is fetched.
    ///
    /// - Throws: ``Failure`` for an ending that matches no message or several; `InboxError`.
    static func find(_ references: [String], in inbox: Inbox, offline: Bool) async throws -> [Message] {
        try await References.find(references, offline: offline) {
            try await all(in: inbox)
        } sync: {
            let outcome = try await SyncOutcome.attempt(inbox, offline: false)
            if outcome.isSynced { try await fetchUnknown(references, in: inbox) }
            return (outcome, outcome.reason)
        }
    }

    /// Fetches the referenced messages that this device doesn't hold.
    private static func fetchUnknown(_ references: [String], in inbox: Inbox) async throws {
        let known = References(known: try await all(in: inbox))
        let unknown = references.filter { !known.containsAll([$0]) }
        guard !unknown.isEmpty else { return }
        do {
            try await inbox.fetchMessages(withIDSuffixes: unknown)
        } catch let error as InboxError where error.code != .storage && error.code != .closed {
            Output.note("inbox: Some messages couldn't be fetched: \(error.description)")
        }
    }

    private static func all(in inbox: Inbox) async throws -> [Message] {
        try await inbox.messages(.active) + inbox.messages(.deleted)
    }
}
