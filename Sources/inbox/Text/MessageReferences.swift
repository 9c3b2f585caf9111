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
        return media.map { $0.alt?.plainLine ?? "" }.flatMap { $0.isEmpty ? nil : $0 } ?? "(no text)"
    }
}

/// Resolves message ids on the command line.
enum MessageReferences {
    /// Returns the referenced messages. If this device doesn't know a message, it syncs once. If the device knows a
    /// message but doesn't hold it, the message is fetched.
    ///
    /// - Throws: ``Failure`` for an ending that matches no message or several; `InboxError`.
    static func find(_ references: [String], in inbox: Inbox, offline: Bool) async throws -> [Message] {
        var known = try await all(in: inbox)
        if !known.containsAll(references), !offline {
            let outcome = try await SyncOutcome.attempt(inbox, offline: false)
            if let reason = outcome.reason { Output.note("inbox: Not up to date: \(reason).") }
            known = try await all(in: inbox)
            let unknown = references.filter { !known.containsAll([$0]) }
            if outcome.isSynced, !unknown.isEmpty {
                do {
                    try await inbox.fetchMessages(withIDSuffixes: unknown)
                } catch let error as InboxError where error.code != .storage && error.code != .closed {
                    Output.note("inbox: Some messages couldn't be fetched: \(error.description)")
                }
                known = try await all(in: inbox)
            }
        }
        return try known.resolve(references)
    }

    private static func all(in inbox: Inbox) async throws -> References<Message> {
        let active = try await inbox.messages(.active)
        return References(known: try await active + inbox.messages(.deleted))
    }
}
