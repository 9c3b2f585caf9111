import Foundation
import Groundwork

extension StoreLocation {
    /// Whether anything of a store is there.
    package var exists: Bool { all.contains { FileManager.default.fileExists(atPath: $0.path) } }

    /// Deletes a store that isn't open in this process.
    ///
    /// - Throws: ``StoreError``: `closed` where another process syncs it, or is about to delete it; `database` where a
    ///   file can't be deleted.
    package func deleteClosed() throws(StoreError) {
        let lock = FileLock(lock)
        guard lock.acquire() else { throw .closed }
        defer { lock.release() }
        try delete()
    }
}

extension ReplicaStore {
    /// Whether it is of no more use, and opening it again helps: the file was found damaged, or another process has put
    /// a new one in its place.
    package var hasToBeReopened: Bool {
        let files = FileManager.default
        return files.fileExists(atPath: location.damageNote.path)
            || (files.fileExists(atPath: location.file.path) && !isStillThere)
    }
}
