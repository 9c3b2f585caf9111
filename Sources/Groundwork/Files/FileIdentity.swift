package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Which file a path leads to: another one after the file was deleted and made anew, or another moved into its place.
///
/// Holds as long as somebody has the file open: the number of one that is gone may be given again.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Nil where there is no such file.
    package init?(of file: URL) {
        var status = stat()
        guard stat(file.path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
