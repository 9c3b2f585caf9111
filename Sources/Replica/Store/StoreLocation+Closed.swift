import Foundation
import Groundwork

extension StoreLocation {
    /// Whether any file of the store exists.
    package var exists: Bool { all.contains { FileManager.default.fileExists(atPath: $0.path) } }

    /// Deletes a store that isn't open in this process.
    ///
    /// - Throws: ``StoreError``: `closed` if another process syncs it or is about to delete it, `database` if a file
    ///   can't be deleted.
    package func deleteClosed() throws(StoreError) {
        let lock = FileLock(lock)
        guard lock.acquire() else { throw .closed }
        defer { lock.release() }
        try delete()
    }
}

extension ReplicaStore {
    /// Whether the store is unusable until it is opened again: damage was found in the file, or another process
    /// replaced it.
    package var needsReopening: Bool {
        let files = FileManager.default
        return files.fileExists(atPath: location.damageNote.path)
            || (files.fileExists(atPath: location.file.path) && !isFileCurrent)
    }
}
