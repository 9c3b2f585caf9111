import Groundwork
import JMAP
import Replica

/// Lists the files of the mails that have some, once the mails are there: a server has to read such a mail for it,
/// which is no part of a first sync.
///
/// Which mails are to be asked about stands in the store, so that it goes on where it was broken off, also in another
/// process.
///
/// Guarded by the actor: which mails can't be asked about, so that they aren't after each sync again.
actor FileLists {
    private let source: BodySource
    private var unreadable: Set<String> = []

    init(_ source: BodySource) {
        self.source = source
    }

    /// Lists after each sync, until the task is cancelled or the mail is closed.
    func run(after rounds: AsyncStream<Void>) async {
        for await _ in rounds {
            // Where the network fails, there is another sync.
            try? await list()
        }
    }

    /// Lists the files that aren't, those of the newest mails first.
    ///
    /// - Parameter most: How often to ask at most; the rest comes with the next call.
    /// - Throws: ``SyncError``, ``StoreError``; what was listed until then stays.
    func list(requests most: Int = .max) async throws {
        var requests = 0
        while requests < most {
            try Task.checkCancellation()
            let ids = try await unlisted()
            guard !ids.isEmpty else { return }
            try await list(ids)
            requests += 1
        }
    }

    /// Lists those of some mails together, or one by one where an answer can't be read.
    private func list(_ ids: [String]) async throws {
        do {
            try await source.listFiles(ids)
        } catch let error as SyncError where error.isAboutTheRequest {
            guard ids.count > 1 else {
                unreadable.insert(ids[0])
                return
            }
            try await list(Array(ids.prefix(ids.count / 2)))
            try await list(Array(ids.dropFirst(ids.count / 2)))
        }
    }

    private func unlisted() async throws -> [String] {
        guard try await source.store.read({ db in try db.hasUnlistedFiles() }) else { return [] }
        let most = min(Self.atOnce, try await source.connection.currentSession().core.maxObjectsInGet)
        let unreadable = unreadable
        return try await source.store.read { db in
            let ids = try db.mailsWithUnlistedFiles(limit: most + unreadable.count)
            return Array(ids.filter { !unreadable.contains($0) }.prefix(most))
        }
    }

    private static let atOnce = 100
}
