public import InboxModel
import Replica

extension Inbox {
    /// The messages on this device, newest delivery first, ties by id.
    ///
    /// - Parameters:
    ///   - filter: Which ones.
    ///   - surface: Only those of this surface; nil for all.
    ///   - limit: At most so many; nil for all.
    ///   - offset: How many to pass over.
    /// - Throws: ``InboxError``: `invalidArgument` for a negative number, `storage`, `closed`.
    @concurrent
    public func messages(
        _ filter: MessageFilter = .inbox,
        surface: String? = nil,
        limit: Int? = nil,
        offset: Int = 0
    ) async throws -> [Message] {
        guard limit ?? 0 >= 0, offset >= 0 else {
            throw InboxError(.invalidArgument, "limit and offset must not be negative.")
        }
        return try await read { db in try db.messages(filter, surface: surface, limit: limit, offset: offset) }
    }

    /// One message; nil where it isn't known on this device, has expired, or was deleted.
    ///
    /// - Throws: ``InboxError``: `storage`, `closed`.
    @concurrent
    public func message(id: String) async throws -> Message? {
        try await read { db in try db.message(id: id) }
    }

    /// How many messages there are on this device.
    ///
    /// - Parameter surface: Only those of this surface; nil for all.
    /// - Throws: ``InboxError``: `storage`, `closed`.
    @concurrent
    public func counts(surface: String? = nil) async throws -> MessageCounts {
        try await read { db in try db.messageCounts(surface: surface) }
    }

    /// What there is to see, and again whenever it changes: by the server, by the person, by another process, by time.
    ///
    /// The first snapshot comes at once. Of several changes in quick succession, the newest is told. Ends when the iterating task
    /// is cancelled or the inbox is closed.
    ///
    /// - Parameters: As in ``messages(_:surface:limit:offset:)``.
    /// - Returns: A sequence that throws ``InboxError``: `storage`.
    public func observe(
        _ filter: MessageFilter = .inbox,
        surface: String? = nil,
        limit: Int? = nil
    ) -> AsyncThrowingStream<InboxSnapshot, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: InboxSnapshot.self,
            throwing: (any Error).self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let store = store
        let task = Task {
            var last: InboxSnapshot?
            do {
                for await _ in store.changes.stream(startingWith: ()) {
                    let snapshot = try await store.read { db in
                        InboxSnapshot(
                            messages: try db.messages(filter, surface: surface, limit: limit, offset: 0),
                            counts: try db.messageCounts(surface: surface),
                            pendingWrites: try db.pendingCount()
                        )
                    }
                    if snapshot != last { continuation.yield(snapshot) }
                    last = snapshot
                }
                continuation.finish()
            } catch {
                let error = InboxError.wrapping(error)
                continuation.finish(throwing: (error as? InboxError)?.code == .closed ? nil : error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
