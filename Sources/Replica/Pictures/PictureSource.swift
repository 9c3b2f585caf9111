package import Foundation
package import GRDB
package import Groundwork

/// The pictures of records from the web: those that are stored, and others fetched and stored.
///
/// A record's pictures are fetched by one caller at a time. The next one waits, and finds the pictures that were stored
/// meanwhile.
///
/// Guarded by the actor: the records that are fetched now, the callers that wait for each, the requests under way, and
/// whether the source is closed.
package actor PictureSource {
    private let store: ReplicaStore
    private let injectedTransport: (any Transport)?
    private let budget: Int
    private let limits: PictureLimits
    /// Made with the first fetch, because many stores have no pictures.
    private lazy var fetcher = PictureFetcher(
        injectedTransport ?? URLSessionTransport(redirects: .never),
        clock: store.clock,
        limits: limits
    )

    private struct Key: Hashable {
        let type: String
        let id: String
    }

    private typealias Fetch = Task<[String: PictureFetcher.Outcome], any Error>

    /// The callers that wait, by the record that another one fetches the pictures of.
    private var waiters: [Key: WaitQueue] = [:]
    private var fetches: [Key: Fetch] = [:]
    private var isClosed = false

    /// - Parameters:
    ///   - transport: The transport of requests; nil for the system's URL loading.
    ///   - budget: The maximum size of the stored pictures of a type, in bytes.
    package init(
        _ store: ReplicaStore,
        transport: (any Transport)?,
        budget: Int,
        limits: PictureLimits = PictureLimits()
    ) {
        (self.store, injectedTransport, self.budget, self.limits) = (store, transport, budget, limits)
    }

    /// Returns the bytes of a record's pictures by address. A picture that couldn't be loaded is left out.
    ///
    /// - Parameters:
    ///   - addresses: The pictures that the record shows, each once, in their order. Those beyond the maximum number
    ///     are left out.
    ///   - fetches: Whether those that aren't stored are fetched. If not, the network isn't used.
    ///   - isCurrent: Whether the record in the store still shows these pictures. Otherwise fetched pictures aren't
    ///     stored.
    /// - Throws: ``StoreError``; `CancellationError` if the caller is cancelled.
    package func pictures(
        _ addresses: [String],
        of type: RecordType,
        id: String,
        fetches: Bool,
        isCurrent: @escaping @Sendable (Database) throws -> Bool = { _ in true }
    ) async throws -> [String: Data] {
        let addresses = Array(addresses.prefix(limits.count))
        let key = Key(type: type.name, id: id)
        guard fetches, !addresses.isEmpty else { return try await stored(addresses, of: type, id).pictures }
        try await begin(key)
        defer { end(key) }
        let found = try await stored(addresses, of: type, id)
        let due = addresses.filter { found.pictures[$0] == nil && !found.failed.contains($0) }
        guard !due.isEmpty else { return found.pictures }
        let outcomes = try await fetch(due, used: found.size, key)
        do {
            try await store.write { [budget] writer in
                guard try isCurrent(writer.db) else { return }
                try writer.store(outcomes, of: type, id: id)
                try writer.dropPictures(of: type, over: budget)
            }
        } catch StoreError.full, StoreError.busy, StoreError.database {
            // They are shown, and fetched again the next time.
        }
        return outcomes.reduce(into: found.pictures) { pictures, outcome in
            if case .picture(_, let bytes) = outcome.value { pictures[outcome.key] = Data(bytes) }
        }
    }

    private func stored(_ addresses: [String], of type: RecordType, _ id: String) async throws -> StoredPictures {
        guard !addresses.isEmpty else { return StoredPictures() }
        let now = store.clock.now.milliseconds
        let found = try await store.read { db in try db.storedPictures(addresses, of: type, id: id, at: now) }
        if !found.pictures.isEmpty, now - found.usedAt > Self.useInterval {
            // Pictures can be shown even if the store can't be written.
            _ = try? await store.write { writer in try writer.noteUseOfPictures(of: type, id: id) }
        }
        return found
    }

    /// The precision with which the last use of pictures is stored, in milliseconds.
    static let useInterval = 3_600_000

    private func fetch(_ due: [String], used: Int, _ key: Key) async throws -> [String: PictureFetcher.Outcome] {
        guard !isClosed else { throw StoreError.closed }
        let task = Fetch { [fetcher] in try await fetcher.fetch(due, used: used) }
        fetches[key] = task
        defer { fetches[key] = nil }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch is CancellationError where isClosed {
            throw StoreError.closed
        }
    }

    /// Waits until no other caller fetches a record's pictures.
    private func begin(_ key: Key) async throws {
        if let queue = waiters[key] {
            try await queue.wait()
        } else {
            waiters[key] = WaitQueue()
        }
    }

    /// Lets the next caller begin.
    private func end(_ key: Key) {
        if waiters[key]?.resumeFirst() != true { waiters[key] = nil }
    }

    /// Cancels the requests under way, and rejects new ones.
    package func close() {
        isClosed = true
        for fetch in fetches.values { fetch.cancel() }
    }
}
