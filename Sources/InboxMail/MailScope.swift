import Replica

/// The part of a person's mail that a device keeps.
public enum MailScope: String, Hashable, Sendable {
    /// The whole mailbox.
    case everything
    /// The threads that queries request.
    ///
    /// Each query that is fetched, observed or provided is stored as a slice. It is requested with the next sync, and
    /// kept up to date as long as it is used. There are at most 50 slices. The least recently used one is dropped
    /// first, and any slice after 30 days without use. A query without a limit requests all its threads. A query whose
    /// predicate can't be translated to a server filter requests only the newest, up to its limit or 200. A limited
    /// list contains the threads whose latest mail *that matches the server filter* is newest.
    ///
    /// A thread that was requested by its id is kept for a day, and a thread with pending writes until they are sent.
    /// Threads in no slice are removed. Counts cover the threads on the device.
    case slices
}

extension ReplicaStore {
    private static let scopeSetting = "mail scope"

    /// Sets the scope of the store. The stored mail stays for now: the next sync fetches missing mails and removes
    /// those that no slice needs.
    ///
    /// - Throws: ``StoreError``.
    func applyScope(_ scope: MailScope) async throws {
        let before = try await read { db in try db.setting(Self.scopeSetting) } ?? MailScope.everything.rawValue
        guard before != scope.rawValue else { return }
        try await write { writer in
            try writer.set(setting: Self.scopeSetting, to: scope.rawValue)
            if scope == .everything { try writer.endSlices(.email) }
        }
    }
}
