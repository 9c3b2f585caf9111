import InboxClient
import Replica

/// How much of a person's mail is on the device.
public enum MailScope: String, Hashable, Sendable {
    /// The whole mailbox.
    case everything
    /// What queries ask for, in whole threads: InboxKit's slices.
    ///
    /// What is fetched, observed or provided is remembered as a slice, asked for in the next sync, and kept up to date
    /// for as long as it is used: at most 50 of them, the longest unused goes first, and each after 30 days without
    /// use. A query without a limit asks for all that it has. One whose predicate can't be told to the server at all
    /// brings the newest only, as many as its limit, or 200. A limited list of threads has those whose latest mail
    /// *that the server finds by* is newest.
    ///
    /// A thread that was asked for by its id stays for a day, and one with changes that aren't sent until they are. All
    /// else that is in no slice goes. Counts are of what is on the device.
    case slices
}

extension ReplicaStore {
    private static let scopeSetting = "mail scope"

    /// Makes this the scope of the store: what is there stays for now, what is missing comes with the next sync, and
    /// what no slice needs goes with it.
    ///
    /// - Throws: ``StoreError``.
    func take(_ scope: MailScope) async throws {
        let before = try await read { db in try db.setting(Self.scopeSetting) } ?? MailScope.everything.rawValue
        guard before != scope.rawValue else { return }
        try await write { writer in
            try writer.set(setting: Self.scopeSetting, to: scope.rawValue)
            if scope == .everything { try writer.endSlices(.email) }
        }
    }
}
