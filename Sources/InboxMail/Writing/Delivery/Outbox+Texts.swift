import Replica

extension Outbox {
    /// Settles unknown outcomes after each sync, and fetches the texts of the drafts' versions, so that drafts can be
    /// read and written without a network.
    func run(after rounds: AsyncStream<Void>) async {
        for await _ in rounds {
            try? await settleUnknownOutcomes()
            try? await fetchTexts()
        }
    }

    /// Fetches the texts of the drafts' versions that aren't on this device, or are cut.
    func fetchTexts() async throws {
        let (missing, sizes) = try await store.read { [maxBodySize = configuration.maxBodySize] db in
            let ids = try db.draftVersionsWithoutText(maxBodySize: maxBodySize, limit: Self.batchSize)
            return (ids, try db.mailSizes(ids))
        }
        // One that the server cuts is requested once.
        var rest = missing.filter { !requestedTexts.contains($0) }[...]
        while let first = rest.first {
            var (some, size) = ([first], sizes[first] ?? 0)
            rest = rest.dropFirst()
            while let next = rest.first, some.count < BodySource.batchSize,
                size + (sizes[next] ?? 0) <= Self.maxTextsSize
            {
                some.append(next)
                size += sizes[next] ?? 0
                rest = rest.dropFirst()
            }
            try await bodySource.fetch(some, for: .prefetch, isWhole: true)
            requestedTexts.formUnion(some)
        }
    }

    /// The size of the mails whose texts are fetched in one request, in bytes; that of one may be larger.
    private static let maxTextsSize = 4 * 1_048_576
}
