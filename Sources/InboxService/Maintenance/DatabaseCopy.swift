import Foundation
import GRDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A copy of a database under a temporary name. It takes its final name only when it is complete, checked and synced to
/// the disk.
struct DatabaseCopy {
    /// The final name.
    let destination: URL
    private var temporary: String { destination.path + ".partial" }

    /// The number of pages per step. The progress is reported a few times a second.
    private static let step: CInt = 1_024

    /// Copies, checks and renames the database.
    ///
    /// The source may be written to in the meantime: the copy has its state at the beginning.
    ///
    /// - Parameters:
    ///   - finish: Modifies the copy before the check.
    ///   - replace: Called before the copy takes its final name, with its temporary path.
    ///   - progress: Receives the number of copied pages and the total.
    func make(
        of source: URL,
        finish: (DatabaseQueue) throws -> Void = { _ in },
        replace: (_ temporary: String) throws -> Void = { _ in },
        progress: @escaping (_ done: Int, _ total: Int) -> Void
    ) throws {
        try removeTemporary()
        do {
            try copy(source, finish, progress)
            try sync(temporary)
            try replace(temporary)
            try sync(destination.deletingLastPathComponent().path)
            guard rename(temporary, destination.path) == 0 else { throw failure(destination.path) }
            try sync(destination.deletingLastPathComponent().path)
        } catch {
            try? removeTemporary()
            throw error
        }
    }

    private func copy(
        _ source: URL,
        _ finish: (DatabaseQueue) throws -> Void,
        _ progress: @escaping (Int, Int) -> Void
    ) throws {
        // Created first, so that only its owner can read it at any time.
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(temporary) }
        close(descriptor)
        let from = try Self.openReadOnly(source)
        do {
            let to = try DatabaseQueue(path: temporary)
            // In a read transaction, so that concurrent commits don't restart the backup.
            try from.backup(to: to, pagesPerStep: Self.step) { step in
                progress(step.completedPageCount, step.totalPageCount)
            }
            try to.writeWithoutTransaction { db in
                // One file, without a log next to it. The journal isn't on the disk, since an incomplete copy is never
                // used.
                _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
                _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = MEMORY")
                // Deleted data is overwritten, as in the server's database.
                try db.execute(sql: "PRAGMA secure_delete = ON")
            }
            try finish(to)
            try to.read { db in
                let problems = try String.fetchAll(db, sql: "PRAGMA integrity_check(10)")
                guard problems == ["ok"] else {
                    throw MaintenanceError(
                        "\(source.path) is damaged, so the copy was discarded: \(problems.joined(separator: "; "))"
                    )
                }
            }
            try to.close()
            try from.close()
        } catch let error as DatabaseError {
            throw MaintenanceError(error, at: error.resultCode == .SQLITE_FULL ? temporary : source.path)
        }
    }

    /// Opens a database for reading.
    ///
    /// - Parameter remedy: A sentence on how to fix a damaged file.
    /// - Throws: ``MaintenanceError`` if it isn't a server's database.
    static func openReadOnly(_ file: URL, remedy: String? = nil) throws -> DatabaseQueue {
        try requireFile(file)
        do {
            let queue = try DatabaseFile.queue(file)
            if try queue.read(UnfinishedMove.isIn) {
                throw MaintenanceError(UnfinishedMove.description(of: file.path))
            }
            guard try queue.read({ db in try !DatabaseFile.isEmpty(db) && DatabaseFile.isInboxDatabase(db) }) else {
                throw MaintenanceError("\(file.path) \(DatabaseFile.foreignDescription)")
            }
            return queue
        } catch let error as DatabaseError {
            throw MaintenanceError(error, at: file.path, remedy: remedy)
        }
    }

    /// Checks that a path leads to a file.
    ///
    /// - Throws: ``MaintenanceError`` if there is no file of the name, or if it is a folder.
    static func requireFile(_ file: URL) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) else {
            throw MaintenanceError("There is no file \(file.path).")
        }
        guard !isFolder.boolValue else {
            throw MaintenanceError("\(file.path) is a folder. Specify a file, such as inbox.sqlite.")
        }
    }

    private func removeTemporary() throws {
        for path in [temporary, temporary + "-journal"] where unlink(path) != 0 && errno != ENOENT {
            throw failure(path)
        }
    }

    /// Waits until the file or folder is on the disk.
    private func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        #if canImport(Darwin)
            // On Apple platforms `fsync` may leave data in the disk's cache. Not every file system supports this call.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw failure(path) }
    }

    private func failure(_ path: String) -> MaintenanceError {
        MaintenanceError("\(path) can't be written: \(String(cString: strerror(errno))).")
    }
}
