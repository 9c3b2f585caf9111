import Groundwork
import JMAP
import Replica

/// Lists the files of the mails that have some, after the mails were synced. A server has to read each such mail in
/// full for its list, which would delay a first sync.
///
/// The store records the mails whose files aren't listed yet, so that an interrupted listing resumes, also in another
/// process.
///
/// Guarded by the actor: the mails whose parts can't be read, so that they aren't requested again after each sync.
actor FileLists {
    private let source: BodySource
    private var unreadable: Set<String> = []

    init(_ source: BodySource) {
        self.source = source
    }

    /// Lists files after each sync, until the task is cancelled or the mail is closed.
    func run(after rounds: AsyncStream<Void>) async {
        for await _ in rounds {
            // After a failure, the next sync tries again.
            try? await list()
        }
    }

    /// Lists the files that aren't listed yet, those of the newest mails first.
    ///
    /// - Parameter maxRequests: The maximum number of requests. The rest is listed by the next call.
    /// - Throws: ``SyncError``, ``StoreError``. Files that were listed until then are kept.
    func list(requests maxRequests: Int = .max) async throws {
        var requests = 0
        while requests < maxRequests {
            try Task.checkCancellation()
            let ids = try await unlisted()
            guard !ids.isEmpty else { return }
            var fetch = SplittingFetch(ids, size: ids.count)
            try await fetch.run { fetch, ids in
                do {
                    try await source.listFiles(ids)
                } catch let error as SyncError where error.maySucceedForFewerMails {
                    guard !fetch.canHalve else { return false }
                    unreadable.formUnion(ids)
                }
                fetch.advance()
                return true
            }
            requests += 1
        }
    }

    private func unlisted() async throws -> [String] {
        guard try await source.store.read({ db in try db.hasUnlistedFiles() }) else { return [] }
        let limit = min(Self.batchSize, try await source.connection.currentSession().core.maxObjectsInGet)
        let unreadable = unreadable
        return try await source.store.read { db in
            let ids = try db.mailsWithUnlistedFiles(limit: limit + unreadable.count)
            return Array(ids.filter { !unreadable.contains($0) }.prefix(limit))
        }
    }

    private static let batchSize = 100
}
