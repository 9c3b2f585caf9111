import Groundwork
import Replica

/// Fetches the bodies of the most recent mails in advance, so that they can be read without a network.
///
/// Guarded by the actor: the mails that can't be fetched, so that they aren't requested again after each sync.
actor RecentBodies {
    private let source: BodySource
    private var unfetchable: Set<String> = []

    init(_ source: BodySource) {
        self.source = source
    }

    /// Fetches bodies after each sync, until the task is cancelled or the mail is closed.
    func run(after rounds: AsyncStream<Void>) async {
        for await _ in rounds {
            // After a failure, the next sync tries again.
            try? await fetch()
        }
    }

    /// Fetches the missing bodies, newest first, as long as half of the budget is free.
    func fetch() async throws {
        var fetch = SplittingFetch(try await missing(), size: BodySource.batchSize)
        try await fetch.run { fetch, ids in
            try Task.checkCancellation()
            // The other half of the budget is for opened mails.
            let used = try await source.store.read { db in try db.bodyBytes() }
            guard used < source.configuration.bodyBudget / 2 else {
                fetch.stop()
                return true
            }
            do {
                try await source.fetch(ids, for: .prefetch)
            } catch let error as SyncError where error.maySucceedForFewerMails {
                guard !fetch.canHalve else { return false }
                unfetchable.formUnion(ids)
            }
            fetch.advance()
            return true
        }
    }

    private func missing() async throws -> [String] {
        let (count, unfetchable) = (source.configuration.recentBodies, unfetchable)
        return try await source.store.read { db in
            try db.recentMailsWithoutBody(among: count).filter { !unfetchable.contains($0) }
        }
    }
}
