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
        let refusals = Refusals(inbox)
        let changed = try await perform(inbox, messages)
        let outcome = try await SyncOutcome.trying(inbox, offline: options.offline)
        let pending = try await inbox.status().pendingWrites
        await inbox.close()
        let refused = await refusals.all()
        if options.json {
            let object: JSON = [
                "changed": JSON(changed), "sent": .bool(outcome.isSynced && pending == 0),
                "pendingWrites": JSON(pending),
            ]
            Output.line(object.description)
        } else {
            Output.line(text(changed, outcome, pending))
        }
        guard refused.isEmpty else {
            throw Failure(
                "The server refused \(counted(refused.count, "change")), which has been taken back: \(refused[0].reason)."
            )
        }
    }

    private func text(_ changed: [String], _ outcome: SyncOutcome, _ pending: Int) -> String {
        let what = changed.isEmpty ? already : "\(changed.count) \(done)."
        if let reason = outcome.reason, pending > 0 {
            return "\(what) Waiting to be sent: \(reason)."
        }
        guard outcome.isSynced, !changed.isEmpty else { return what }
        return pending == 0 ? "\(what) Sent." : "\(what) Waiting to be sent."
    }
}

/// Collects what the server refuses while a command runs.
private struct Refusals {
    private let task: Task<[RefusedAction], Never>

    init(_ inbox: Inbox) {
        let stream = inbox.refusedActions
        task = Task {
            var all: [RefusedAction] = []
            for await refusal in stream { all.append(refusal) }
            return all
        }
    }

    /// All of them, once the inbox is closed.
    func all() async -> [RefusedAction] { await task.value }
}
