import Groundwork
import Replica

/// Registers queries as slices of the replica, if the device keeps only those.
struct SliceRegistry: Sendable {
    let store: ReplicaStore
    let uses: SliceUses
    /// The type of mails, whose window is slices.
    private let type: RecordType

    /// - Returns: Nil if the store keeps everything.
    init?(_ store: ReplicaStore, _ uses: SliceUses, _ scope: MailScope) {
        guard scope == .slices, let type = store.types.first(where: { $0.name == RecordType.email.name }) else {
            return nil
        }
        (self.store, self.uses, self.type) = (store, uses, type)
    }

    /// The use of a query.
    struct RegisteredUse: Sendable {
        /// A token to retain as long as the query is in use; nil if nothing has to be fetched.
        var use: SliceUse?
        /// Whether the use is stored, or nothing has to be.
        var isStored = true
    }

    /// Records the use of a query, before the stored records are read. They can be read even if the write fails.
    func use<Item>(_ query: Query<Item>, _ table: QueryTable<Item>) async -> RegisteredUse {
        let types = [RecordType.thread.name, RecordType.email.name, RecordType.attachment.name]
        guard types.contains(table.type.name), let read = try? StoreQuery(query, table) else { return RegisteredUse() }
        switch MailSlice(read) {
        case .nothing: return RegisteredUse()
        case .byID(let threads, let mails): return await begin(nil) { try await open(threads: threads, mails: mails) }
        case .slice(let slice):
            let isFileQuery = table.type.name == RecordType.attachment.name
            let use = uses.begin(slice.key, isFileQuery ? MailSlice.withFiles : StoreQuery.matcher(query, table))
            return await begin(use) { try await store(slice) }
        }
    }

    private func begin(_ use: SliceUse?, _ write: () async throws -> Void) async -> RegisteredUse {
        do {
            try await write()
            return RegisteredUse(use: use)
        } catch {
            return RegisteredUse(use: use, isStored: false)
        }
    }

    func store(_ slice: Slice) async throws {
        let now = store.clock.now.milliseconds
        guard try await !store.read({ db in try db.isInUse(slice, at: now) }) else { return }
        try await store.write { writer in try writer.use(slice, of: type, active: uses.active) }
    }

    func open(threads: [String], mails: [String]) async throws {
        let now = store.clock.now.milliseconds
        let stale = try await store.read { db in
            let names = Set(threads).union(try db.groupNames(type, RecordGroups.threads.column, of: mails).values)
            return try db.groupsNotOpened(type, names.sorted(), since: now - Self.openInterval)
        }
        guard !stale.isEmpty else { return }
        try await store.write { writer in try writer.open(stale, of: type) }
    }

    /// The precision with which the opening of a thread is recorded, in milliseconds.
    private static var openInterval: Int { 3_600_000 }
}
