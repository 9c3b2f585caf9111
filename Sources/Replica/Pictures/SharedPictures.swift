package import Foundation
import GRDB
package import Groundwork

/// The pictures that records share, each known by its address alone: those that are stored, and others fetched and
/// stored.
///
/// They are in the table of the pictures of records (`PictureTable`), in rows whose record's id is the address, and
/// share the budget of the type. The least recently used ones are deleted first, and those that weren't used for
/// ``unusedTime``: several records may show a picture, so that none of them deletes it.
///
/// Callers for one address share one load. It is cancelled with its last caller. Some loads fetch at the same time, at
/// most `PictureLimits.concurrent`; the others wait in their order.
///
/// Guarded by the actor: the loads under way with their callers, those that wait to fetch, the number of those that
/// fetch, and whether it is closed.
package actor SharedPictures {
    /// The outcome of a load.
    package enum Outcome: Hashable, Sendable {
        case picture(Data)
        /// It can't be loaded now. Another attempt may succeed.
        case unreachable
        /// It can't be shown: it is too large, of another type, doesn't exist or isn't fetched from such an address.
        case unusable
    }

    private struct Load {
        let number: Int
        let task: Task<Outcome, any Error>
        var callers: Set<Int>
    }

    /// The time without use after which a picture is deleted, in milliseconds: 30 days.
    package static let unusedTime = 30 * 86_400_000

    private let store: ReplicaStore
    private let type: RecordType
    private let injectedTransport: (any Transport)?
    private let budget: Int
    private let limits: PictureLimits
    /// Made with the first fetch, because many stores have no pictures.
    private lazy var fetcher = PictureFetcher(
        injectedTransport ?? URLSessionTransport(redirects: .never),
        clock: store.clock,
        limits: limits
    )
    private var loads: [String: Load] = [:]
    private let waiters = WaitQueue()
    private var fetchCount = 0
    private var lastNumber = 0
    private var isClosed = false

    /// - Parameters:
    ///   - type: The type of the records that show the pictures.
    ///   - transport: The transport of requests; nil for the system's URL loading.
    ///   - budget: The maximum size of the stored pictures of the type, in bytes.
    package init(
        _ store: ReplicaStore,
        type: RecordType,
        transport: (any Transport)?,
        budget: Int,
        limits: PictureLimits = PictureLimits()
    ) {
        (self.store, self.type, injectedTransport, self.budget, self.limits) = (store, type, transport, budget, limits)
    }

    /// Returns a picture: the stored one, or else the one that is fetched and stored.
    ///
    /// - Throws: ``StoreError``; `CancellationError` if the caller is cancelled.
    package func picture(_ address: String) async throws -> Outcome {
        guard !isClosed else { throw StoreError.closed }
        let caller = nextNumber()
        let load = join(address, caller)
        do {
            let outcome = try await withTaskCancellationHandler {
                try await load.value
            } onCancel: {
                Task { await self.leave(address, caller) }
            }
            try Task.checkCancellation()
            return outcome
        } catch is CancellationError where isClosed {
            throw StoreError.closed
        }
    }

    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private func join(_ address: String, _ caller: Int) -> Task<Outcome, any Error> {
        if let load = loads[address] {
            loads[address]?.callers.insert(caller)
            return load.task
        }
        let number = nextNumber()
        let task = Task {
            defer { if loads[address]?.number == number { loads[address] = nil } }
            return try await load(address)
        }
        loads[address] = Load(number: number, task: task, callers: [caller])
        return task
    }

    /// Removes a caller that was cancelled, and cancels the load with the last one. The next caller begins another.
    private func leave(_ address: String, _ caller: Int) {
        guard loads[address]?.callers.remove(caller) != nil, loads[address]?.callers.isEmpty == true else { return }
        loads.removeValue(forKey: address)?.task.cancel()
    }

    private func load(_ address: String) async throws -> Outcome {
        guard PictureAddress.url(address) != nil else { return .unusable }
        if let stored = try await stored(address) { return stored }
        try await beginFetch()
        defer { endFetch() }
        guard let outcome = try await fetcher.fetch([address], used: 0)[address] else { return .unreachable }
        // What may be there at the next attempt isn't stored as a failure.
        if outcome == .failed(.unreachable) { return .unreachable }
        do {
            try await store.write { [budget, type] writer in
                try writer.store([address: outcome], of: type, sharedAs: address)
                try writer.dropPictures(of: type, over: budget)
                try writer.dropSharedPictures(of: type, unusedFor: Self.unusedTime)
            }
        } catch StoreError.full, StoreError.busy, StoreError.database {
            // It is shown, and fetched again the next time.
        }
        if case .picture(_, let bytes) = outcome { return .picture(Data(bytes)) }
        return .unusable
    }

    /// Returns the stored outcome of a picture; nil if it has to be fetched.
    private func stored(_ address: String) async throws -> Outcome? {
        let now = store.clock.now.milliseconds
        let found = try await store.read { [type] db in
            try db.storedPictures([address], of: type, id: address, at: now)
        }
        if found.failed.contains(address) { return .unusable }
        guard let picture = found.pictures[address] else { return nil }
        if now - found.usedAt > PictureSource.useInterval {
            // Pictures can be shown even if the store can't be written.
            _ = try? await store.write { [type] writer in try writer.noteUseOfPictures(of: type, id: address) }
        }
        return .picture(picture)
    }

    /// Waits until another picture may be fetched.
    private func beginFetch() async throws {
        guard fetchCount >= limits.concurrent else {
            fetchCount += 1
            return
        }
        try await waiters.wait()
    }

    /// Lets the next load fetch.
    private func endFetch() {
        if !waiters.resumeFirst() { fetchCount -= 1 }
    }

    /// For tests: the number of callers of an address's load.
    func callerCount(_ address: String) -> Int { loads[address]?.callers.count ?? 0 }
    /// For tests: the number of loads that wait to fetch.
    var waitingCount: Int { waiters.count }

    /// Cancels the loads under way, and rejects new ones.
    package func close() {
        isClosed = true
        for load in loads.values { load.task.cancel() }
    }
}

extension StoreWriter {
    /// Deletes shared pictures of a type that weren't used for a time in milliseconds.
    fileprivate func dropSharedPictures(of type: RecordType, unusedFor time: Int) throws {
        try db.cachedStatement(sql: "DELETE FROM picture WHERE type = ? AND id = url AND usedAt < ?")
            .execute(arguments: [type.name, now - time])
    }
}
