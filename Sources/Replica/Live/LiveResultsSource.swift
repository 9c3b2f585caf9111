package import Groundwork

/// The source of live results.
package struct LiveResultsSource<Record: Sendable & Equatable>: Sendable {
    package struct Snapshot: Sendable {
        let records: [Record]
        /// The changes since the previous snapshot; since an empty list for the first one.
        let changes: ListChanges
        let hasSynced: Bool

        package init(records: [Record], changes: ListChanges, hasSynced: Bool) {
            self.records = records
            self.changes = changes
            self.hasSynced = hasSynced
        }
    }

    /// Shows a snapshot. Returns false to stop receiving snapshots.
    package typealias Show = @MainActor @Sendable (Snapshot) -> Bool

    let clock: any WallClock
    let id: @Sendable (Record) -> String
    let follow: @Sendable (Query<Record>, Show) async throws -> Void
    let refresh: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - id: Returns the id of a record.
    ///   - follow: Sends the snapshots of a query until the receiver returns false or the store is closed. The next
    ///     snapshot is created only after the last one was shown.
    ///   - refresh: Fetches changes from the server.
    package init(
        clock: any WallClock,
        id: @escaping @Sendable (Record) -> String,
        follow: @escaping @Sendable (Query<Record>, Show) async throws -> Void,
        refresh: @escaping @Sendable () async throws -> Void
    ) {
        self.clock = clock
        self.id = id
        self.follow = follow
        self.refresh = refresh
    }
}
