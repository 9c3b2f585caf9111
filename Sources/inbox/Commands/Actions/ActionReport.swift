import Groundwork
import InboxClient

/// What became of something that a person did.
struct ActionReport {
    /// The ids of what was changed.
    let changed: [String]
    /// What was done, after a number: "read".
    let done: String
    /// What to say where nothing was changed.
    let already: String
    let isSynced: Bool
    /// Why it isn't sent.
    let reason: String?
    let pendingWrites: Int
    let refused: [RefusedAction]

    /// - Throws: ``Failure`` where the server refused something.
    func show(json: Bool) throws {
        if json {
            let object: JSON = [
                "changed": JSON(changed), "sent": .bool(isSynced && pendingWrites == 0),
                "pendingWrites": JSON(pendingWrites),
            ]
            Output.line(object.description)
        } else {
            Output.line(text)
        }
        guard refused.isEmpty else {
            throw Failure(
                "The server refused \(counted(refused.count, "change")), which has been taken back: \(refused[0].reason)."
            )
        }
    }

    private var text: String {
        let what = changed.isEmpty ? already : "\(changed.count) \(done)."
        if let reason, pendingWrites > 0 { return "\(what) Waiting to be sent: \(reason)." }
        guard isSynced, !changed.isEmpty else { return what }
        return pendingWrites == 0 ? "\(what) Sent." : "\(what) Waiting to be sent."
    }
}

/// Collects what the server refuses while a command runs.
struct Refusals {
    private let task: Task<[RefusedAction], Never>

    init(_ stream: AsyncStream<RefusedAction>) {
        task = Task {
            var all: [RefusedAction] = []
            for await refusal in stream { all.append(refusal) }
            return all
        }
    }

    /// All of them, once what was acted on is closed.
    func all() async -> [RefusedAction] { await task.value }
}
