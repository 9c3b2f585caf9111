package import GRDB
package import Groundwork

/// The live objects of a store, each once.
@MainActor
package final class LiveObjects<Record: Sendable & Equatable> {
    private struct Held {
        weak var object: LiveObject<Record>?
    }

    private let store: ReplicaStore
    private let changes: Broadcast<Void>
    private let table: QueryTable<Record>
    private let isShown: @Sendable (Database, String) throws -> Record?
    // Of the main actor. Entries whose object is gone are dropped when something changes.
    private var held: [String: Held] = [:]
    private var watching: Task<Void, Never>?
    /// The revision up to which the objects are current.
    private var revision = 0

    /// - Parameters:
    ///   - changes: Tells when to look again, and the end; nil for whenever the store changes, until it is closed.
    ///   - read: Reads a record that is there to be seen; nil for any other.
    package init(
        _ store: ReplicaStore,
        _ table: QueryTable<Record>,
        changes: Broadcast<Void>? = nil,
        read: @escaping @Sendable (Database, String) throws -> Record?
    ) {
        self.store = store
        self.changes = changes ?? store.changes
        self.table = table
        isShown = read
    }

    deinit {
        watching?.cancel()
        // Nobody keeps them up to date any more.
        let objects = held.values.compactMap(\.object)
        Task { @MainActor in
            for object in objects { object.update(nil) }
        }
    }

    /// The object for an id; nil where there is no such record to be seen, and nobody holds its object.
    ///
    /// - Throws: ``StoreError``.
    package func object(_ id: String) async throws -> LiveObject<Record>? {
        if let object = held[id]?.object { return object }
        while true {
            let (value, read) = try await store.read { [isShown] db in (try isShown(db, id), try db.revision()) }
            // Somebody else may have asked meanwhile.
            if let object = held[id]?.object { return object }
            // What was committed since the read, and is known here, would be missed.
            if watching != nil, read < revision { continue }
            guard let value else { return nil }
            let object = LiveObject(id: id, value: value)
            held[id] = Held(object: object)
            if watching == nil { watch(from: read) }
            return object
        }
    }

    private func watch(from revision: Int) {
        self.revision = revision
        let signals = changes.stream(startingWith: ())
        watching = Task { [weak self, store] in
            for await _ in signals {
                // Again where an object came while the rows were read, whose change may not be among them.
                while true {
                    guard let known = self?.revision, let ids = self?.ids else { return }
                    let news = try? await store.read { [weak self] db in
                        (try self?.news(db, of: ids, after: known) ?? [:], try db.revision())
                    }
                    guard let self else { return }
                    guard let (news, revision) = news else { break }
                    for (id, record) in news { held[id]?.object?.update(record) }
                    held = held.filter { $0.value.object != nil }
                    if held.isEmpty {
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

    /// The store was closed.
    private func end() {
        guard !Task.isCancelled else { return }
        watching = nil
        let objects = held.values.compactMap(\.object)
        held = [:]
        for object in objects { object.update(nil) }
    }

    private var ids: Set<String> { Set(held.keys) }

    /// The records of those ids that changed.
    private nonisolated func news(_ db: Database, of ids: Set<String>, after revision: Int) throws -> [String: Record?]
    {
        var changed = ids
        if let news = try table.news(db, after: revision) {
            changed.formIntersection(Set(news.changed.map { table.id($0.record) }).union(news.removed))
        }
        var records: [String: Record?] = [:]
        for id in changed { records.updateValue(try isShown(db, id), forKey: id) }
        return records
    }
}
