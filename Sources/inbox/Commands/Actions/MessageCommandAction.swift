import Foundation
import Groundwork
import InboxClient

/// An action of the person on messages: stored first, then sent if the server can be reached.
struct MessageCommandAction {
    let options: ActionOptions
    /// The past participle that follows the number: "read".
    let doneText: String
    /// The text to print if no message needed the change.
    let unchangedText: String
    /// Performs the action, and returns the ids of the changed messages.
    let perform: (Inbox, [Message]) async throws -> [String]

    /// - Parameter references: The references to the messages. Nil if the action selects them itself.
    /// - Throws: ``Failure`` if a reference matches no message.
    func run(_ references: [String]?) async throws {
        let inbox = try await options.deviceOptions.device.open()
        var messages: [Message] = []
        if let references {
            messages = try await MessageReferences.find(references, in: inbox, offline: options.offline)
        }
        let refusals = RefusalCollector(inbox.refusedActions)
        let changed = try await perform(inbox, messages)
        let outcome = try await SyncOutcome.attempt(inbox, offline: options.offline)
        let pending = try await inbox.status().pendingWrites
        await inbox.close()
        let report = ActionReport(
            changed: changed,
            doneText: doneText,
            unchangedText: unchangedText,
            isSynced: outcome.isSynced,
            reason: outcome.reason,
            pendingWrites: pending,
            refused: await refusals.all()
        )
        try report.show(json: options.json)
    }
}
