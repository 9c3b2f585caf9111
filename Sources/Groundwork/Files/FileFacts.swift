package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a path leads to, by one call of the system.
///
/// (Foundation's attributes include the owner's name, for which tables of users are read each time.)
package struct FileFacts: Hashable, Sendable {
    package let isDirectory: Bool
    /// In bytes.
    package let size: Int

    /// Nil where there is nothing.
    package init?(of file: URL) {
        var status = stat()
        guard stat(file.path, &status) == 0 else { return nil }
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
        size = Int(status.st_size)
    }
}
