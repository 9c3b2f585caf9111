import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A small file that is readable by its owner only.
enum PrivateFile {
    /// Replaces the file atomically: a reader, also after a crash, finds the old or the new contents. The file is
    /// readable by its owner only at all times.
    static func write(_ bytes: [UInt8], to file: URL) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let temporary = file.path + ".\(getpid()).new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(file) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: bytes)
            try handle.synchronize()
            try handle.close()
        } catch {
            unlink(temporary)
            throw Failure("\(file.path) can't be written: \(error.localizedDescription)")
        }
        guard rename(temporary, file.path) == 0 else { throw failure(file) }
    }

    /// Replaces the file as ``write(_:to:)`` does. If that fails, the file is removed: it would say what isn't so any
    /// more.
    static func writeOrRemove(_ bytes: [UInt8], to file: URL) {
        if (try? write(bytes, to: file)) == nil { unlink(file.path) }
    }

    /// - Returns: Nil if the file doesn't exist.
    static func read(_ file: URL) throws -> [UInt8]? {
        // A file that can't be accessed isn't missing: it may be in another user's folder.
        if access(file.path, F_OK) != 0 {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw Failure(
                "\(file.path) can't be read: \(String(cString: strerror(errno))). Does it belong to another user?"
            )
        }
        do {
            return [UInt8](try Data(contentsOf: file))
        } catch {
            throw Failure("\(file.path) can't be read: \(error.localizedDescription)")
        }
    }

    private static func failure(_ file: URL) -> Failure {
        Failure("\(file.path) can't be written: \(String(cString: strerror(errno))).")
    }
}
