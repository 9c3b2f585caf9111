import Foundation
import Groundwork
import InboxClient

/// Something that a person does with messages: stored first, then sent if the server can be reached.
struct PersonalAction {
    let options: ActionOptions
    /// What was done, after a number: "read".
    let done: String
    /// What to say where all of them were so already.
    let already: String
    /// Does it, and gives the ids that were changed.
    let perform: (Inbox, [Message]) async throws -> [String]

    /// - Parameter references: Which messages; nil where the action itself knows.
    /// - Throws: ``Failure`` where a reference means no message.
    func run(_ references: [String]?) async throws {
        let inbox = try await options.deviceOptions.device.open()
        var messages: [Message] = []
        if let references {
            messages = try await MessageReferences.find(references, in: inbox, offline: options.offline)
        }
        let refusals = Refusals(inbox.refusedActions)
        let changed = try await perform(inbox, messages)
        let outcome = try await SyncOutcome.trying(inbox, offline: options.offline)
        let pending = try await inbox.status().pendingWrites
        await inbox.close()
        let report = ActionReport(
            changed: changed,
            done: done,
            already: already,
            isSynced: outcome.isSynced,
            reason: outcome.reason,
            pendingWrites: pending,
            refused: await refusals.all()
        )
        try report.show(json: options.json)
    }
}
