/// What a model provider reads from.
package struct ModelSource<Record: Sendable & Equatable>: Sendable {
    package struct Snapshot: Sendable {
        let records: [Record]
        /// From the snapshot before; from nothing for the first.
        let changes: ListChanges
        let hasSynced: Bool

        package init(records: [Record], changes: ListChanges, hasSynced: Bool) {
            self.records = records
            self.changes = changes
            self.hasSynced = hasSynced
        }
    }

    /// Shows a snapshot. False where nobody wants another.
    package typealias Show = @MainActor @Sendable (Snapshot) -> Bool

    let id: @Sendable (Record) -> String
    let follow: @Sendable (Query<Record>, Show) async throws -> Void
    let refresh: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - id: Tells records apart.
    ///   - follow: Gives what a query has, and again whenever that changes, until it is no longer wanted or the store
    ///     is closed. Makes the next snapshot only when the last was shown.
    ///   - refresh: Asks the server what is new.
    package init(
        id: @escaping @Sendable (Record) -> String,
        follow: @escaping @Sendable (Query<Record>, Show) async throws -> Void,
        refresh: @escaping @Sendable () async throws -> Void
    ) {
        self.id = id
        self.follow = follow
        self.refresh = refresh
    }
}
