import Foundation
import GRDB
import Groundwork

extension ReplicaStore {
    /// Whether the task at hand brings store and server together, which goes on for a while after ``hide()``.
    @TaskLocal static var isSyncing = false

    /// Closes the store to everything but syncing, in this process, at once and permanently: the person signs out.
    ///
    /// Calls throw ``StoreError/closed`` from now on, and the streams of ``changes`` end.
    ///
    /// - Returns: False if it was closed or hidden before.
    package func hide() -> Bool {
        let isFirst = memory.withLock { memory in
            guard !memory.isClosed, !memory.isBeingLeft else { return false }
            memory.isBeingLeft = true
            return true
        }
        if isFirst { changes.finish() }
        return isFirst
    }

    /// Shuts a hidden store in every other process too: the file itself says so, and they neither read nor write it any
    /// more.
    package func markLeft() async {
        // Where it can't be written, say because the disk is full, the others notice that the file is gone.
        try? await pool.write { db in try db.markLeft() }
    }

    /// Closes the store and deletes its files.
    ///
    /// - Throws: ``StoreError`` where a file can't be deleted. The file is marked: the next opening deletes it.
    package func destroy() async throws(StoreError) {
        // The person may have signed in again meanwhile. (Checked while the file is open, so that its inode number
        // isn't reused.)
        let isOurs = isStillThere
        await close()
        guard isOurs else { return }
        try location.delete()
    }
}

extension StoreLocation {
    /// Deletes all files of the store, the database before its log: without it, the log means nothing.
    func delete() throws(StoreError) {
        for file in all where FileManager.default.fileExists(atPath: file.path) {
            do {
                try FileManager.default.removeItem(at: file)
            } catch {
                throw .database(DatabaseError(resultCode: .SQLITE_IOERR, message: error.localizedDescription))
            }
        }
    }
}

extension Database {
    /// In the file's header, where it needs no table, and each transaction sees it.
    private static let leftMark = 0x51_6E_ED

    func markLeft() throws {
        try execute(sql: "PRAGMA user_version = \(Self.leftMark)")
    }

    func isLeft() throws -> Bool {
        try Int.fetchOne(cachedStatement(sql: "PRAGMA user_version")) == Self.leftMark
    }
}
