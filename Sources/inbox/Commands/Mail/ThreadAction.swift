import InboxClient
import InboxMail

/// Something that a person does with threads: stored first, then sent if the server can be reached.
struct ThreadAction {
    let options: ActionOptions
    /// What was done, after a number: "archived".
    let done: String
    /// What to say where all of them were so already.
    let already: String
    /// Does it, and gives the ids of the mails that were changed.
    let perform: (Mail, [String]) async throws -> [String]

    /// - Throws: ``Failure`` where a reference means no thread.
    func run(_ references: [String]) async throws {
        let (report, refusals) = try await options.deviceOptions.device.withMail { mail, _ in
            let threads = try await ThreadReferences.find(references, in: mail, offline: options.offline)
            let refusals = Refusals(mail.refusedActions)
            let changed = Set(try await perform(mail, threads.map(\.id)))
            let outcome = try await SyncOutcome.trying(mail, offline: options.offline)
            let pending = try await mail.status().pendingWrites
            let report = { (refused: [RefusedAction]) in
                ActionReport(
                    changed: threads.filter { !changed.isDisjoint(with: $0.messageIDs) }.map(\.id),
                    done: done,
                    already: already,
                    isSynced: outcome.isSynced,
                    reason: outcome.mailReason,
                    pendingWrites: pending,
                    refused: refused
                )
            }
            return (report, refusals)
        }
        try report(await refusals.all()).show(json: options.json)
    }
}
