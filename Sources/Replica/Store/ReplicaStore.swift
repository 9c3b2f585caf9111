package import Foundation
package import GRDB
package import Groundwork

/// One person's records on this device: a SQLite file.
///
/// Whatever changes it goes through ``write(_:)``: one transaction, after which everyone who listens to ``changes`` is told. Reads
/// run beside it. Nothing here runs on the caller's thread but handing over.
package final class ReplicaStore: Sendable {
    package let location: StoreLocation
    package let types: [RecordType]
    package let changes = Broadcast<Void>()
    package let clock: any WallClock
    private let pool: DatabasePool
    private let writeHook: WriteHook?

    /// What is known of the file without asking it.
    ///
    /// Guarded by its lock. Set after each commit from values read within the transaction, and when another process has written.
    private let memory = Locked(Memory())

    private struct Memory {
        var isClosed = false
        /// When the first row changes its phase by itself.
        var nextDue: Int?
    }

    /// Opens the file, making it and its folder where they don't exist.
    ///
    /// - Parameter writeHook: For tests: told of each moment of a write, which it may break off.
    /// - Throws: ``StoreError``.
    package init(
        at location: StoreLocation,
        types: [RecordType],
        clock: any WallClock,
        writeHook: WriteHook? = nil
    ) throws(StoreError) {
        self.location = location
        self.types = types
        self.clock = clock
        self.writeHook = writeHook
        let folder = location.file.deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .directory(path: folder.path, reason: error.localizedDescription)
        }
        do {
            var configuration = Configuration()
            configuration.label = "swift-inbox"
            // Another process may be in the middle of a commit.
            configuration.busyMode = .timeout(10)
            try Self.makePrivate(location.file)
            pool = try DatabasePool(path: location.file.path, configuration: configuration)
            // An action is durable before its call returns, also when the power fails. (Opening a pool sets NORMAL, so after it.)
            try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
            try Schema.migrator(types: types).migrate(pool)
            let due = try pool.read { [types] db in try Self.nextDue(db, types) }
            memory.withLock { $0.nextDue = due }
        } catch {
            throw Self.storeError(error)
        }
    }

    /// Reads in one transaction, after ``advance()`` where something fell due.
    ///
    /// - Throws: ``StoreError``, or what the closure throws.
    @concurrent
    package func read<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws -> T {
        try checkOpen()
        if isDue { try await advance() }
        do {
            return try await pool.read(body)
        } catch {
            throw Self.rethrown(error)
        }
    }

    /// Writes in one transaction.
    ///
    /// - Throws: ``StoreError``, or what the closure throws; then nothing has changed.
    @concurrent
    @discardableResult
    package func write<T: Sendable>(_ body: @Sendable (StoreWriter) throws -> T) async throws -> T {
        try checkOpen()
        let now = clock.now.milliseconds
        do {
            try writeHook?(.begins)
            let (result, hasChanged) = try await pool.write { [types, memory, writeHook] db in
                let before = db.totalChangesCount
                let writer = StoreWriter(db: db, now: now)
                try writer.advance(types)
                let result = try body(writer)
                let hasChanged = db.totalChangesCount != before
                if hasChanged {
                    let due = try Self.nextDue(db, types)
                    // Not before it is committed, and before the next write begins.
                    db.afterNextTransaction { _ in memory.withLock { $0.nextDue = due } }
                }
                try writeHook?(.commits)
                return (result, hasChanged)
            }
            try writeHook?(.isCommitted)
            if hasChanged { changes.send(()) }
            return result
        } catch {
            throw Self.rethrown(error)
        }
    }

    /// Lets time pass: rows whose phase has changed by now get their new one, and the counts follow.
    package func advance() async throws {
        try await write { _ in }
    }

    /// When the first row changes its phase by itself; nil for never.
    package var nextDue: Date? {
        memory.withLock { $0.nextDue }.map { Date(milliseconds: $0) }
    }

    /// Lets time pass whenever a row falls due, until the task is cancelled or the store closed.
    package func keepTime() async {
        let sleeper = Locked<Task<Void, Never>?>(nil)
        for await _ in changes.stream(startingWith: ()) {
            let due = nextDue
            let next = due.map { due in
                Task { [weak self, clock] in
                    guard (try? await clock.sleep(until: due)) != nil else { return }
                    // A store that can't be written now is advanced by the next read.
                    try? await self?.advance()
                }
            }
            sleeper.withLock { sleeper in
                sleeper?.cancel()
                sleeper = next
            }
        }
        sleeper.withLock { $0?.cancel() }
    }

    private var isDue: Bool {
        nextDue.map { $0 <= clock.now } ?? false
    }

    /// A number that changes when another process has written: what SQLite tells the only connection of this process that writes.
    func foreignVersion() async throws -> Int {
        try checkOpen()
        return try await pool.writeWithoutTransaction { db in try Int.fetchOne(db, sql: "PRAGMA data_version") ?? 0 }
    }

    /// Looks at what another process has written, and tells everyone.
    func noticeForeignChange() async throws {
        let due = try await read { [types] db in try Self.nextDue(db, types) }
        memory.withLock { $0.nextDue = due }
        changes.send(())
    }

    /// Closes the file. From now on every call throws ``StoreError/closed``.
    package func close() async {
        guard !memory.withLock({ exchange(&$0.isClosed, with: true) }) else { return }
        changes.finish()
        await onItsOwnThread { [pool] in
            // The pool closes its writer before its readers, so that SQLite doesn't fold the log into the file by itself. Where
            // somebody reads, the log stays, and nothing is lost.
            _ = try? pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
            // Waits for the reads under way.
            try? pool.close()
        }
    }

    /// Closes the store and deletes its files.
    package func destroy() async {
        await close()
        for file in location.all { try? FileManager.default.removeItem(at: file) }
    }

    /// Makes the file, where there is none, so that nobody else on the machine can read it. SQLite gives its log the same permissions.
    private static func makePrivate(_ file: URL) throws {
        guard !FileManager.default.fileExists(atPath: file.path) else { return }
        let isMade = FileManager.default.createFile(
            atPath: file.path,
            contents: nil,
            attributes: [.posixPermissions: 0o600]
        )
        // Two processes may open a new store at once: the other may have made it.
        guard isMade || FileManager.default.fileExists(atPath: file.path) else {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "unable to make the file")
        }
    }

    private func checkOpen() throws(StoreError) {
        if memory.withLock({ $0.isClosed }) { throw .closed }
    }

    private static func nextDue(_ db: Database, _ types: [RecordType]) throws -> Int? {
        try types.compactMap { type in
            try Int.fetchOne(
                db.cachedStatement(sql: "SELECT min(due) FROM \"\(type.table)\" WHERE due IS NOT NULL")
            )
        }.min()
    }

    private static func rethrown(_ error: any Error) -> any Error {
        error is DatabaseError ? storeError(error) : error
    }

    private static func storeError(_ error: any Error) -> StoreError {
        if let error = error as? StoreError { return error }
        guard let error = error as? DatabaseError else {
            return .database(DatabaseError(message: String(describing: error)))
        }
        return .database(error)
    }
}

private func exchange<T>(_ value: inout T, with new: T) -> T {
    let old = value
    value = new
    return old
}
