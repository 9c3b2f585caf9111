import Foundation
import GRDB
import Groundwork

extension ReplicaStore {
    /// Whether the current task syncs the store. Syncing may continue for a while after ``hide()``.
    @TaskLocal static var isSyncing = false

    /// Runs work that may continue for a while after ``hide()``, as syncing may.
    package static func withSyncAllowed<T>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> T
    ) async rethrows -> T {
        try await $isSyncing.withValue(true) { try await body() }
    }

    /// Closes the store in this process for everything but syncing, at once and permanently, because the person signs
    /// out.
    ///
    /// Later calls throw ``StoreError/closed``, and the streams of ``changes`` end.
    ///
    /// - Returns: False if the store was closed or hidden before.
    package func hide() -> Bool {
        let isFirst = state.withLock { state in
            guard !state.isClosed, !state.isSigningOut else { return false }
            state.isSigningOut = true
            return true
        }
        if isFirst { changes.finish() }
        return isFirst
    }

    /// Hides the store and marks its file as signed out, so that other processes neither read nor write it.
    ///
    /// Documents that would be lost are counted in the same transaction: no process can store one between the count and
    /// the mark.
    ///
    /// - Parameters:
    ///   - keepsUnsent: Whether a store with such documents stays as it is.
    ///   - hide: Hides the store, within the transaction, unless it is hidden already.
    /// - Returns: The number of such documents; 0 if the file is marked. Without `keepsUnsent`, it is 0.
    /// - Throws: ``StoreError``. Nothing has changed then.
    @concurrent
    package func markSignedOut(
        keepingUnsent keepsUnsent: Bool,
        hiding hide: @Sendable () -> Void = {}
    ) async throws -> Int {
        let maySync = Self.isSyncing
        try checkOpen()
        do {
            return try await onWriter { db in
                var unsent: Int?
                do {
                    try db.inTransaction {
                        try self.checkFileIsCurrent(db, maySync: maySync)
                        let count = keepsUnsent ? try db.unsentDeviceRecordCount() : 0
                        unsent = count
                        guard count == 0 else { return .rollback }
                        hide()
                        try db.markSignedOut()
                        return .commit
                    }
                } catch  where unsent == 0 {
                    // The mark can't be written, such as on a full disk. Other processes notice that the file is gone.
                }
                return unsent ?? 0
            }
        } catch {
            throw await failure(error)
        }
    }

    /// Closes the store and deletes its files.
    ///
    /// - Throws: ``StoreError`` if a file can't be deleted. The file is marked, and the next opening deletes it.
    package func destroy() async throws(StoreError) {
        // After a new sign-in the path may lead to another file. This is checked while the file is open, so that its
        // inode number isn't reused.
        let isOurs = isFileCurrent
        await close()
        guard isOurs else { return }
        try location.delete()
    }
}

extension StoreLocation {
    /// Deletes all files of the store. The database goes before its log, because the log is useless without it.
    func delete() throws(StoreError) {
        for file in all where FileManager.default.fileExists(atPath: file.path) {
            do {
                try FileManager.default.removeItem(at: file)
            } catch {
                throw .database(DatabaseError(resultCode: .SQLITE_IOERR, message: error.fileReason))
            }
        }
    }
}

extension Database {
    /// The `user_version` of a store whose person has signed out. It is in the file's header, where it requires no
    /// table and every transaction sees it.
    private static let signedOutUserVersion = 0x51_6E_ED

    func markSignedOut() throws {
        try execute(sql: "PRAGMA user_version = \(Self.signedOutUserVersion)")
    }

    func isSignedOut() throws -> Bool {
        try Int.fetchOne(cachedStatement(sql: "PRAGMA user_version")) == Self.signedOutUserVersion
    }
}
