import InboxClient
import InboxMail

/// An action of the person on threads: stored first, then sent if the server can be reached.
struct ThreadCommandAction {
    let options: ActionOptions
    /// The past participle that follows the number: "archived".
    let doneText: String
    /// The text to print if no thread needed the change.
    let unchangedText: String
    /// Performs the action, and returns the ids of the changed mails.
    let perform: (Mail, [String]) async throws -> [String]

    /// Runs the action on the referenced threads, syncs, and prints what was changed.
    ///
    /// - Throws: ``Failure`` if a reference matches no thread.
    func run(_ references: [String]) async throws {
        let (report, refusals) = try await options.deviceOptions.device.withMail { mail, _ in
            let threads = try await ThreadReferences.find(references, in: mail, offline: options.offline)
            let refusals = RefusalCollector(mail.refusedActions)
            let changed = Set(try await perform(mail, threads.map(\.id)))
            let outcome = try await SyncOutcome.attempt(mail, offline: options.offline)
            let pending = try await mail.status().pendingWrites
            let report = { (refused: [RefusedAction]) in
                ActionReport(
                    changed: threads.filter { !changed.isDisjoint(with: $0.messageIDs) }.map(\.id),
                    doneText: doneText,
                    unchangedText: unchangedText,
                    outcome: outcome,
                    reason: outcome.mailReason(mail),
                    pendingWrites: pending,
                    refused: refused
                )
            }
            return (report, refusals)
        }
        try report(await refusals.all()).show(json: options.json)
    }
}
