import Foundation
import GRDB
import Groundwork

/// The repair of a damaged file: a new file with the pending writes that could be read takes its place.
enum StoreRepair {
    /// Builds a new store next to the damaged one, then moves both. If the process is terminated at any point, nothing
    /// is lost: ``finish(_:)`` completes the repair.
    static func rebuild(
        _ location: StoreLocation,
        _ types: [RecordType],
        because reason: DatabaseError
    ) throws(StoreError) -> ReplicaRepair {
        let lock = FileLock(location.rebuilt.lock)
        // If the lock is held, another process is rebuilding the store.
        guard lock.acquire() else { throw .damaged(reason) }
        defer {
            try? FileManager.default.removeItem(at: location.rebuilt.lock)
            lock.release()
        }
        do {
            try remove(location.rebuilt.database)
            let new = try StoreOpening.pool(location.rebuilt, types)
            // Until the files have moved, no other process may write to the old one.
            let reader = PendingSalvage(location, like: location.rebuilt)
            defer { reader.close() }
            let found = reader.read(types)
            try new.write { db in
                try found.insert(into: db)
                let writer = StoreWriter(db: db, now: 0)
                for type in types {
                    if found.mayHaveLostEntries { try writer.insertMissingAnnotations(type) }
                    try writer.deleteOrphanedAnnotations(type)
                }
            }
            try new.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
            try new.close()
            try remove(location.damaged.database)
            for (old, aside) in zip(location.database, location.damaged.database)
            where FileManager.default.fileExists(atPath: old.path) {
                try FileManager.default.moveItem(at: old, to: aside)
            }
            try finishMoving(location)
            return ReplicaRepair(
                reason: reason.message ?? "SQLite error \(reason.resultCode.rawValue)",
                damagedFile: location.damaged.file,
                carriedOver: Set(found.entries.map { [$0.type, $0.id] }).count,
                isComplete: found.isComplete
            )
        } catch {
            throw ReplicaStore.storeError(error)
        }
    }

    /// Finishes an interrupted rebuild. If the damaged file was already moved, the new one takes its place. Otherwise
    /// the new one is deleted.
    static func finish(_ location: StoreLocation) throws(StoreError) {
        guard FileManager.default.fileExists(atPath: location.rebuilt.file.path) else { return }
        let lock = FileLock(location.rebuilt.lock)
        guard lock.acquire() else {
            throw .damaged(DatabaseError(resultCode: .SQLITE_CORRUPT, message: "another process is rebuilding it"))
        }
        defer {
            try? FileManager.default.removeItem(at: location.rebuilt.lock)
            lock.release()
        }
        do {
            if FileManager.default.fileExists(atPath: location.file.path) {
                try remove(location.rebuilt.database)
            } else {
                try finishMoving(location)
            }
        } catch {
            throw ReplicaStore.storeError(error)
        }
    }

    private static func finishMoving(_ location: StoreLocation) throws {
        // A log next to the new file would be taken for its own.
        try remove(Array(location.database.dropFirst()))
        try FileManager.default.moveItem(at: location.rebuilt.file, to: location.file)
        try remove(location.rebuilt.database + [location.damageNote])
    }

    private static func remove(_ files: [URL]) throws {
        for file in files where FileManager.default.fileExists(atPath: file.path) {
            try FileManager.default.removeItem(at: file)
        }
    }
}
