package import Foundation
import GRDB
import Groundwork

extension ReplicaStore {
    /// The time at which the next row changes its phase by itself or expires; nil for never.
    package var nextDue: Date? {
        state.withLock { $0.nextDue }.map { Date(milliseconds: $0) }
    }

    /// Advances the rows each time one is due, until the task is cancelled or the store is closed.
    package func advanceWhenDue() async {
        let sleeper = Locked<Task<Void, Never>?>(nil)
        // The last due time that was announced although it couldn't be stored. Each is announced once.
        let announced = Locked<Date?>(nil)
        for await _ in changes.stream(startingWith: ()) {
            let due = nextDue
            let next = due.map { due in
                Task { [weak self, clock] in
                    var next = due
                    // The advance is retried if the store can't be written, such as on a full disk. Meanwhile each read
                    // advances the rows for itself.
                    while (try? await clock.sleep(until: next)) != nil, let self, self.isInUse {
                        if (try? await self.advance()) != nil {
                            // A wait that the clock was set back in has ended early.
                            guard clock.now < due else { return }
                            next = due
                            continue
                        }
                        if announced.withLock({ exchange(&$0, with: due) }) != due { self.changes.send(()) }
                        next = clock.now.addingTimeInterval(Self.advanceRetryInterval)
                    }
                }
            }
            sleeper.withLock { sleeper in
                sleeper?.cancel()
                sleeper = next
            }
        }
        sleeper.withLock { $0?.cancel() }
    }

    /// The time between two attempts to advance the rows, in seconds.
    private static let advanceRetryInterval: Double = 5

    /// Advances the rows to the present time: updates the phase of each due row, and the counts.
    package func advance() async throws {
        try await write { _ in }
    }

    /// Returns the time at which the next row of some types changes its phase or expires, in milliseconds; nil for
    /// never.
    static func nextDue(_ db: Database, _ types: TypeList) throws -> Int? {
        try types.due.compactMap { type in
            let outline =
                type.outline == nil
                ? "" : "UNION ALL SELECT min(due) FROM \"\(type.outlineTable)\" WHERE due IS NOT NULL"
            return try Int.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT min(due) FROM (
                            SELECT min(due) AS due FROM "\(type.table)" WHERE due IS NOT NULL
                            UNION ALL
                            SELECT min(provisionalUntil) FROM "\(type.table)" WHERE provisionalUntil IS NOT NULL
                            \(outline))
                        """
                )
            )
        }.min()
    }
}
