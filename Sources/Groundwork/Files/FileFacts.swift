package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The kind and size of a file, read with one system call.
///
/// (Foundation's attributes include the owner's name, so the user database is read on each call.)
package struct FileFacts: Hashable, Sendable {
    package let isDirectory: Bool
    /// The size in bytes.
    package let size: Int

    /// Returns nil if there is no such file.
    package init?(of file: URL) {
        var status = stat()
        guard stat(file.path, &status) == 0 else { return nil }
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
        size = Int(status.st_size)
    }
}
