package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Creates empty files that only their owner may read.
package enum EmptyFile {
    /// Creates the file unless it exists.
    ///
    /// An existing file is neither changed nor opened, so several callers may create the same file concurrently and use
    /// it right after. (Opening and closing an existing file would release SQLite's locks on it, which belong to the
    /// process.)
    ///
    /// - Returns: False if the file doesn't exist and can't be created.
    package static func create(at file: URL) -> Bool {
        let new = "\(file.path).\(UUID().uuidString).new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        defer { unlink(new) }
        // `link` fails if the name exists.
        return link(new, file.path) == 0 || errno == EEXIST
    }
}
