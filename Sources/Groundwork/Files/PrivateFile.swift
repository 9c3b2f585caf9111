package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Small files that only their owner can read.
package enum PrivateFile {
    /// Replaces the file. A reader finds the old or the new contents whole, also after a crash or a power failure: both
    /// the contents and the name are synced to disk. The file is readable by its owner only at all times; so is its
    /// folder if it is created here.
    ///
    /// - Throws: `CocoaError` if the folder can't be created or the contents written, such as on a full disk;
    ///   `POSIXError` if the file can't be created or replaced. The old contents stay.
    package static func write(_ bytes: [UInt8], to file: URL) throws {
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        removeUnfinished(of: file, before: Date(timeIntervalSinceNow: -3_600))
        // Each of several writers has a file of its own.
        let new = "\(file.path).\(UUID().uuidString).new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(file) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: bytes)
            try handle.synchronize()
            try handle.close()
            guard rename(new, file.path) == 0 else { throw failure(file) }
        } catch {
            unlink(new)
            throw error
        }
        try syncFolder(folder)
    }

    /// Removes the file, if it exists, and unfinished contents of a process that died while writing. A write that is
    /// under way fails.
    ///
    /// - Throws: `POSIXError` if the file can't be removed.
    package static func remove(_ file: URL) throws {
        removeUnfinished(of: file, before: .distantFuture)
        guard unlink(file.path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw failure(file) }
    }

    /// Removes new contents that were last written before a time and haven't replaced the file.
    private static func removeUnfinished(of file: URL, before time: Date) {
        let (folder, name) = (file.deletingLastPathComponent(), file.lastPathComponent)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for other in names where other.hasPrefix("\(name).") && other.hasSuffix(".new") {
            let path = folder.appendingPathComponent(other, isDirectory: false).path
            let facts = try? FileManager.default.attributesOfItem(atPath: path)
            if let written = facts?[.modificationDate] as? Date, written < time { unlink(path) }
        }
    }

    /// Syncs a folder, so that a new name in it lasts.
    ///
    /// - Throws: `POSIXError`.
    package static func syncFolder(_ folder: URL) throws {
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(folder) }
        defer { close(descriptor) }
        // Some file systems can't sync a folder.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(folder) }
    }

    private static func failure(_ file: URL) -> any Error {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO, userInfo: [NSFilePathErrorKey: file.path])
    }
}
