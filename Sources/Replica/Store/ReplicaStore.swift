import Foundation
package import GRDB
import GRDBSQLite
package import Groundwork

/// One person's records on this device: a SQLite file.
///
/// Every change goes through ``write(records:_:)``: one transaction, after which the observers of ``changes`` are
/// notified. Reads run concurrently. All work happens off the main actor.
package final class ReplicaStore: Sendable {
    package let location: StoreLocation
    /// The types that the store keeps.
    package var types: [RecordType] { typeList.withLock { $0.all } }
    // Guarded by its lock: set on the writer's thread, read by any thread.
    let typeList: Locked<TypeList>
    package let changes = Broadcast<Void>()
    /// The number of live queries that observe the store.
    let observers = ObserverCount()
    package let clock: any WallClock
    /// The repair, if the file was damaged when it was opened.
    package let repair: ReplicaRepair?
    let pool: DatabasePool
    /// The identity of the file that the pool has open.
    private let identity: FileIdentity?
    /// The path of the file, which each read and write looks at.
    private let path: String
    private let writeHook: WriteHook?
    /// The number of calls that use the writer or wait for it. Guarded by its lock: any thread begins one.
    let writes = Locked(0)

    /// Cached facts about the file, read without a query.
    ///
    /// Guarded by its lock. It is set on the writer's thread from values that are read within a transaction, before the
    /// commit, so that it is never older than the readable data. It is also set after another process has written.
    let state = Locked(State())

    struct State {
        var isClosed = false
        /// Whether a sign-out is under way. Syncing may finish; all other calls find the store closed.
        var isSigningOut = false
        /// The time at which the next row changes its phase or expires, in milliseconds; nil for never.
        var nextDue: Int?
        /// The counts, by type.
        var counts: [String: RecordCounts] = [:]
    }

    /// Cached facts as of a commit, read within its transaction.
    private struct CachedFacts {
        let nextDue: Int?
        let counts: [String: RecordCounts]

        init(_ db: Database, _ types: TypeList) throws {
            nextDue = try ReplicaStore.nextDue(db, types)
            counts = try types.counted.reduce(into: [:]) { counts, type in counts[type.name] = try db.counts(type) }
        }
    }

    private func setCachedFacts(_ facts: CachedFacts) {
        state.withLock { state in
            state.nextDue = facts.nextDue
            state.counts = facts.counts
        }
    }

    /// Returns the counts of a type as of the last commit, or of the one under way, without a query. Returns
    /// ``RecordCounts/none`` during a sign-out.
    package func counts(_ type: RecordType) -> RecordCounts {
        state.withLock { $0.isSigningOut ? .none : $0.counts[type.name] ?? .none }
    }

    /// Opens the file. Creates it and its folder if they don't exist, and rebuilds it if it is damaged.
    ///
    /// - Parameters:
    ///   - checkedSize: A file of up to this number of bytes is checked for damage. In a larger one, SQLite reports
    ///     damage when it reads the damaged page.
    ///   - writeHook: For tests: called at each moment of a write, which it may abort.
    /// - Throws: ``StoreError``.
    package init(
        at location: StoreLocation,
        types: [RecordType],
        clock: any WallClock,
        checkedSize: Int = 4 * 1_048_576,
        writeHook: WriteHook? = nil
    ) throws(StoreError) {
        self.location = location
        typeList = Locked(TypeList(types))
        self.clock = clock
        self.writeHook = writeHook
        (pool, repair) = try StoreOpening.open(location, types, checkedSize: checkedSize)
        path = location.file.path
        identity = FileIdentity(ofPath: path)
        do {
            try pool.writeWithoutTransaction { db in
                if try Int.fetchOne(db, sql: "SELECT version FROM store") != Schema.version {
                    try db.inTransaction {
                        try retrySetAsideAndDerive(db, types)
                        try db.execute(sql: "UPDATE store SET version = ?", arguments: [Schema.version])
                        return .commit
                    }
                }
                try refreshCachedFacts(db)
            }
        } catch {
            throw Self.storeError(error)
        }
    }

    /// Reads the records again that an older version set aside, and derives records again.
    func retrySetAsideAndDerive(_ db: Database, _ types: [RecordType]) throws {
        let writer = StoreWriter(db: db, now: clock.now.milliseconds)
        for type in types { try writer.retrySetAside(type) }
        try writer.derive(TypeList(types))
    }

    /// Updates the cached facts from the file. It is called on the writer's thread.
    func refreshCachedFacts(_ db: Database) throws {
        setCachedFacts(try CachedFacts(db, typeList.withLock { $0 }))
    }

    /// Reads in one transaction, after ``advance()`` if a row is due.
    ///
    /// Rows that are still due after two calls of ``advance()`` are read unchanged, so that a rule that keeps a row due
    /// can't block reads. The same applies if the file can't be written. If the disk is full, the rows are advanced in
    /// a transaction that is rolled back, so that the data on the device can always be read.
    ///
    /// - Throws: ``StoreError``, or the closure's error.
    @concurrent
    package func read<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws -> T {
        try checkOpen()
        var outcome = isDue ? try await advanceIfPossible() : AdvanceResult.advanced
        if outcome == .advanced {
            do {
                return try await read(ignoringDueRows: false, body)
            } catch is RowsDueError {
                outcome = try await advanceIfPossible()
            }
        }
        if outcome == .diskFull, let result = try await readInRolledBackTransaction(body) { return result }
        return try await read(ignoringDueRows: true, body)
    }

    /// Reads from a snapshot of the file.
    ///
    /// - Throws: ``RowsDueError`` as well, unless `ignoringDueRows` is set.
    private func read<T: Sendable>(
        ignoringDueRows: Bool,
        _ body: @Sendable (Database) throws -> T
    ) async throws -> T {
        do {
            return try await pool.read { db in
                try self.checkFileIsCurrent(db)
                // Another process may have written a row that is due earlier than the cached time.
                if !ignoringDueRows, try self.isDue(db) { throw RowsDueError() }
                return try body(db)
            }
        } catch let error as RowsDueError {
            throw error
        } catch {
            throw await failure(error)
        }
    }

    /// A row is due. It has to be advanced before the read.
    private struct RowsDueError: Error {}

    private func isDue(_ db: Database) throws -> Bool {
        try Self.nextDue(db, typeList.withLock { $0 }).map { $0 <= clock.now.milliseconds } ?? false
    }

    /// Writes in one transaction.
    ///
    /// - Parameter records: About the number of records that it changes; nil if it may be any. With few, the
    ///   transaction may run on the calling thread (``onWriter(isSmall:_:)``).
    /// - Throws: ``StoreError``, or the closure's error. Nothing has changed then.
    @concurrent
    @discardableResult
    package func write<T: Sendable>(
        records: Int? = nil,
        _ body: @Sendable (StoreWriter) throws -> T
    ) async throws -> T {
        let maySync = Self.isSyncing
        try checkOpen()
        let now = clock.now.milliseconds
        do {
            try writeHook?(.begins)
            let (result, hasChanged) = try await onWriter(isSmall: records.map { $0 <= 20 } ?? false) { db in
                var result: T?
                var hasChanged = false
                let types = typeList.withLock { $0 }
                let earlier = state.withLock { ($0.nextDue, $0.counts) }
                do {
                    try db.inTransaction {
                        try self.checkFileIsCurrent(db, maySync: maySync)
                        let before = db.totalChangesCount
                        let writer = StoreWriter(db: db, now: now)
                        try writer.advance(types)
                        result = try body(writer)
                        try writer.derive(types)
                        hasChanged = db.totalChangesCount != before
                        // Before the commit, so that a reader of the new rows never finds older counts in memory.
                        if hasChanged { setCachedFacts(try CachedFacts(db, types)) }
                        try writeHook?(.commits)
                        return .commit
                    }
                } catch {
                    // Still on the writer's thread, so no other write has changed the state since.
                    state.withLock { ($0.nextDue, $0.counts) = earlier }
                    throw error
                }
                return (result, hasChanged)
            }
            try writeHook?(.isCommitted)
            if hasChanged { changes.send(()) }
            guard let result else { throw StoreError.closed }
            return result
        } catch {
            throw await failure(error)
        }
    }

    /// Runs a closure with the connection that writes.
    ///
    /// A small transaction runs on the calling thread while no other one is under way: the switch to the writer's
    /// thread and back takes longer than the transaction itself. So no more than one thread for each store waits for
    /// the disk here, and none waits for another transaction: neither of this process, nor of another one.
    func onWriter<T: Sendable>(isSmall: Bool = false, _ body: @Sendable (Database) throws -> T) async throws -> T {
        let isFree = writes.withLock { count in
            count += 1
            return count == 1
        }
        defer { writes.withLock { $0 -= 1 } }
        if isSmall, isFree {
            try Task.checkCancellation()
            do {
                return try onCallingThread(body)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                // Another process writes. The writer's thread waits for it.
            }
        }
        return try await pool.writeWithoutTransaction(body)
    }

    private func onCallingThread<T>(_ body: (Database) throws -> T) throws -> T {
        try pool.writeWithoutTransaction { db in
            // The file was closed meanwhile, which the body's first statement reports.
            guard let connection = db.sqliteConnection else { return try body(db) }
            sqlite3_busy_timeout(connection, 0)
            defer { sqlite3_busy_timeout(connection, CInt(StoreOpening.patience * 1_000)) }
            return try body(db)
        }
    }

    private enum AdvanceResult {
        case advanced
        /// The disk is full.
        case diskFull
        /// The file can't be written for another reason.
        case notWritable
    }

    private func advanceIfPossible() async throws -> AdvanceResult {
        do {
            try await advance()
            return .advanced
        } catch StoreError.full {
            return .diskFull
        } catch StoreError.busy, StoreError.database {
            return .notWritable
        }
    }

    /// Reads after advancing the rows in a transaction that is rolled back, which requires no space on the disk.
    ///
    /// - Returns: Nil if this fails too, without damage to the file.
    private func readInRolledBackTransaction<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws -> T? {
        do {
            return try await onWriter { db in
                var result: T?
                try db.inTransaction {
                    try checkFileIsCurrent(db)
                    let revision = try db.revision()
                    let types = typeList.withLock { $0 }
                    let writer = StoreWriter(db: db, now: clock.now.milliseconds)
                    try writer.advance(types)
                    try writer.derive(types)
                    // The revision is restored, so that an observer that has read this one reads the rows again when
                    // they are actually written.
                    try db.execute(sql: "UPDATE store SET revision = ?", arguments: [revision])
                    let counts = try CachedFacts(db, types).counts
                    state.withLock { $0.counts = counts }
                    result = try body(db)
                    return .rollback
                }
                return result
            }
        } catch let error as DatabaseError where ![.SQLITE_CORRUPT, .SQLITE_TOOBIG].contains(error.resultCode) {
            return nil
        } catch {
            throw await failure(error)
        }
    }

    private var isDue: Bool {
        nextDue.map { $0 <= clock.now } ?? false
    }

    /// Returns a number that changes when another process has written: SQLite's `data_version` of this process's only
    /// writing connection.
    func dataVersion() async throws -> Int {
        try checkOpen()
        do {
            return try await onWriter { db in
                // The file itself is checked too. Its removal changes no data version.
                try self.checkFileIsCurrent(db)
                return try Int.fetchOne(db, sql: "PRAGMA data_version") ?? 0
            }
        } catch {
            throw await failure(error)
        }
    }

    /// Applies the changes of another process, and notifies the observers.
    func readExternalChanges() async throws {
        try checkOpen()
        if isDue { _ = try await advanceIfPossible() }
        do {
            try await onWriter { db in
                try db.inTransaction(.deferred) {
                    try checkFileIsCurrent(db)
                    // On the writer's thread, as after a commit, so that the cached facts never become older.
                    try refreshCachedFacts(db)
                    return .commit
                }
            }
        } catch {
            throw await failure(error)
        }
        changes.send(())
    }

    /// Whether the store is neither closed nor about to be deleted by a sign-out.
    package var isInUse: Bool { state.withLock { !$0.isClosed && !$0.isSigningOut } }

    /// Whether the store was closed, by its owner or because of a sign-out in another process.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Closes the file. From now on every call throws ``StoreError/closed``.
    package func close() async {
        guard !state.withLock({ exchange(&$0.isClosed, with: true) }) else { return }
        changes.finish()
        await onNewThread { [pool] in
            // The pool closes its writer before its readers, so SQLite doesn't checkpoint the log by itself. If a read
            // is under way, the log stays and no data is lost. A reader of another process may be stopped or hang, so
            // the checkpoint doesn't wait for it as long as a write would.
            _ = try? pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA busy_timeout = \(Self.closingPatience)")
                try db.checkpoint(.truncate)
                // An empty log would be created again at the next opening, with two syncs of the disk, so a value
                // without meaning is written to it. The restart of the log has to be on the disk before later writes,
                // hence `NORMAL`: otherwise the former contents of the log could be applied to the file again after a
                // power failure.
                try db.execute(sql: "PRAGMA synchronous = NORMAL; UPDATE store SET session = ifnull(session, 0) + 1")
            }
            // Waits for the reads under way.
            try? pool.close()
        }
    }

    /// The time for which the checkpoint of ``close()`` waits for readers, in milliseconds.
    private static let closingPatience = 100

    func checkOpen() throws(StoreError) {
        let isOpen = state.withLock { !$0.isClosed && (!$0.isSigningOut || Self.isSyncing) }
        guard isOpen else { throw .closed }
    }

    /// Checks within a transaction that no other process has signed the store out or replaced its file.
    ///
    /// - Parameter maySync: Whether the transaction may follow ``hide()``. A write may not that was called before and
    ///   isn't part of syncing: it would be lost with the file.
    /// - Throws: ``StoreError/closed`` if one has.
    func checkFileIsCurrent(_ db: Database, maySync: Bool = true) throws {
        if state.withLock({ $0.isSigningOut }) {
            guard maySync else { throw StoreError.closed }
            return
        }
        guard try !db.isSignedOut(), isFileCurrent else { throw StoreError.closed }
    }

    /// Whether the file at the path is still the open one.
    var isFileCurrent: Bool { identity != nil && FileIdentity(ofPath: path) == identity }

    /// Handles a failed transaction: closes a store whose file was signed out, removed or replaced, and marks a damaged
    /// one, which the next opening rebuilds.
    func failure(_ error: any Error) async -> any Error {
        // A connection that is opened late finds no file, another file, or a closing pool.
        if error is DatabaseError, isClosed || !isFileCurrent {
            await close()
            return StoreError.closed
        }
        switch error is DatabaseError ? Self.storeError(error) : error {
        case StoreError.closed:
            // During a sign-out, syncing may continue.
            if !state.withLock({ $0.isSigningOut }) { await close() }
            return StoreError.closed
        case StoreError.damaged(let error):
            _ = FileManager.default.createFile(atPath: location.damageNote.path, contents: nil)
            return StoreError.damaged(error)
        case let error: return error
        }
    }

    static func storeError(_ error: any Error) -> StoreError {
        if let error = error as? StoreError { return error }
        return StoreError(error as? DatabaseError ?? DatabaseError(message: String(describing: error)))
    }
}

/// Sets a value, and returns the former one.
func exchange<T>(_ value: inout T, with new: T) -> T {
    let old = value
    value = new
    return old
}
