package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Makes a file that only its owner may read, where there is none.
package enum EmptyFile {
    /// What is there already is neither changed nor opened: several may make the same file at once, and go on with it
    /// right after. (To open and close a file again would take SQLite's locks from it, which belong to the process.)
    ///
    /// - Returns: False where the file can't be made, and isn't there.
    package static func make(at file: URL) -> Bool {
        let new = "\(file.path).\(UUID().uuidString).new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        defer { unlink(new) }
        // Takes the name only where nobody has it.
        return link(new, file.path) == 0 || errno == EEXIST
    }
}
