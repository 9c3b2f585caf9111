package import GRDB
package import Groundwork

/// The live objects of a store, at most one per record.
@MainActor
package final class LiveObjects<Record: Sendable & Equatable> {
    private struct Entry {
        weak var object: LiveObject<Record>?
    }

    private let store: ReplicaStore
    private let changes: Broadcast<Void>
    private let table: QueryTable<Record>
    private let fetch: @Sendable (Database, String) throws -> Record?
    // Isolated to the main actor. Entries whose object was released are removed at the next change.
    private var entries: [String: Entry] = [:]
    private var watching: Task<Void, Never>?
    /// The revision up to which the objects are current.
    private var revision = 0

    /// - Parameters:
    ///   - changes: Signals that the objects may have changed. When it finishes, the objects are gone. Nil for the
    ///     store's changes, which finish when the store is closed.
    ///   - read: Returns a record; nil if it isn't visible.
    package init(
        _ store: ReplicaStore,
        _ table: QueryTable<Record>,
        changes: Broadcast<Void>? = nil,
        read: @escaping @Sendable (Database, String) throws -> Record?
    ) {
        self.store = store
        self.changes = changes ?? store.changes
        self.table = table
        fetch = read
    }

    deinit {
        watching?.cancel()
        // The objects are no longer updated.
        let objects = entries.values.compactMap(\.object)
        Task { @MainActor in
            for object in objects { object.update(nil) }
        }
    }

    /// Returns the object of a record; nil if no such record is visible and its object isn't referenced.
    ///
    /// - Throws: ``StoreError``.
    package func object(_ id: String) async throws -> LiveObject<Record>? {
        try await object(id, ifMissing: nil)
    }

    /// Returns the object of a record. If no such record is visible, the object is gone and has another value until
    /// there is one.
    ///
    /// - Throws: ``StoreError``.
    package func object(_ id: String, orGone value: Record) async throws -> LiveObject<Record> {
        let object = try await object(id, ifMissing: value)
        guard let object else { throw StoreError.closed }
        return object
    }

    private func object(_ id: String, ifMissing substitute: Record?) async throws -> LiveObject<Record>? {
        if let object = entries[id]?.object { return object }
        while true {
            let (value, read) = try await store.read { [fetch] db in (try fetch(db, id), try db.revision()) }
            // Another caller may have created the object during the read.
            if let object = entries[id]?.object { return object }
            // Without another read, the object would miss a commit that the other objects already reflect.
            if watching != nil, read < revision { continue }
            guard let shown = value ?? substitute else { return nil }
            let object = LiveObject(id: id, value: shown, isGone: value == nil)
            entries[id] = Entry(object: object)
            if watching == nil { watch(from: read) }
            return object
        }
    }

    private func watch(from revision: Int) {
        self.revision = revision
        let signals = changes.stream(startingWith: ())
        watching = Task { [weak self, store] in
            for await _ in signals {
                // Repeated if an object was added during the read, because its change may be missing from the result.
                while true {
                    guard let known = self?.revision, let ids = self?.ids else { return }
                    let changed = try? await store.read { [weak self] db in
                        (try self?.changedRecords(db, of: ids, after: known) ?? [:], try db.revision())
                    }
                    guard let self else { return }
                    guard let (changed, revision) = changed else { break }
                    for (id, record) in changed { entries[id]?.object?.update(record) }
                    entries = entries.filter { $0.value.object != nil }
                    if entries.isEmpty {
                        watching = nil
                        return
                    }
                    guard self.ids.isSubset(of: ids) else { continue }
                    self.revision = max(self.revision, revision)
                    break
                }
            }
            self?.end()
        }
    }

    /// Ends all objects after the store was closed.
    private func end() {
        guard !Task.isCancelled else { return }
        watching = nil
        let objects = entries.values.compactMap(\.object)
        entries = [:]
        for object in objects { object.update(nil) }
    }

    private var ids: Set<String> { Set(entries.keys) }

    /// Returns the records that have changed since a revision, of the given ids: nil for a record that is no longer
    /// visible. If the changes aren't known, all ids are read.
    private nonisolated func changedRecords(_ db: Database, of ids: Set<String>, after revision: Int) throws -> [String:
        Record?]
    {
        var changed = ids
        if let changes = try table.changes(db, after: revision) {
            changed.formIntersection(Set(changes.changed.map { table.id($0.record) }).union(changes.removed))
        }
        var records: [String: Record?] = [:]
        for id in changed { records.updateValue(try fetch(db, id), forKey: id) }
        return records
    }
}
