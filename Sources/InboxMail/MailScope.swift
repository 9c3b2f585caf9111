import Replica

/// How much of a person's mail is on the device.
public enum MailScope: String, Hashable, Sendable {
    /// The whole mailbox.
    case everything
    /// The threads that queries request: InboxKit's slices.
    ///
    /// Each query that is fetched, observed or provided is stored as a slice, requested with the next sync, and kept up
    /// to date for as long as it is used. There are at most 50 slices; the least recently used one is removed first,
    /// and each after 30 days without use. A query without a limit requests all its threads. A query whose predicate
    /// can't be translated to a server filter requests the newest only, as many as its limit, or 200. A limited list of
    /// threads has those whose latest mail *that the server finds* is newest.
    ///
    /// A thread that was requested by its id stays for a day, and one with pending writes until they are sent. Threads
    /// in no slice are removed. Counts cover what is on the device.
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
