import Groundwork
import InboxClient

/// The result of an action of the person.
struct ActionReport {
    /// The ids of the changed items.
    let changed: [String]
    /// The past participle that follows the number: "read".
    let doneText: String
    /// The text to print if nothing was changed.
    let unchangedText: String
    let outcome: SyncOutcome
    /// The reason why the changes weren't sent.
    let reason: String?
    let pendingWrites: Int
    let refused: [RefusedAction]

    /// Prints the report.
    ///
    /// - Throws: ``Failure`` if the server refused a change; with the code `notLoggedIn` if it doesn't accept the
    ///   login.
    func show(json: Bool) throws {
        if json {
            let object: JSON = [
                "changed": JSON(changed), "sent": .bool(outcome.isSynced && pendingWrites == 0),
                "pendingWrites": JSON(pendingWrites),
            ]
            Output.line(object.description)
        } else {
            Output.line(text)
        }
        guard refused.isEmpty else {
            throw Failure(
                "\(counted(refused.count, "change")) refused by the server and undone: \(refused[0].reason)."
            )
        }
        // The text has the reason if changes wait.
        try outcome.requireLogin(reporting: !json && pendingWrites > 0 ? nil : reason)
    }

    private var text: String {
        let what = changed.isEmpty ? unchangedText : "\(changed.count) \(doneText)."
        if let reason, pendingWrites > 0 { return "\(what) Waiting to be sent: \(reason)." }
        guard outcome.isSynced, !changed.isEmpty else { return what }
        return pendingWrites == 0 ? "\(what) Sent." : "\(what) Waiting to be sent."
    }
}

/// Collects the changes that the server refuses while a command runs.
struct RefusalCollector {
    private let task: Task<[RefusedAction], Never>

    init(_ stream: AsyncStream<RefusedAction>) {
        task = Task {
            var all: [RefusedAction] = []
            for await refusal in stream { all.append(refusal) }
            return all
        }
    }

    /// Returns all refused changes. Call it after the inbox or mail is closed, which ends the stream.
    func all() async -> [RefusedAction] { await task.value }
}
