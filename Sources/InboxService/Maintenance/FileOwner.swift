import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The owner of a database. Files that are created next to it or in its place get the same owner, since root often
/// maintains a server that runs as another user.
struct FileOwner {
    private let user: uid_t
    private let group: gid_t
    /// Nil if the file doesn't exist yet.
    private let mode: Int?

    /// Reads the owner of a file, or of its folder if the file doesn't exist yet.
    ///
    /// - Returns: Nil if the attributes of neither can be read.
    init?(of file: URL) {
        let file = file.resolvingSymlinksInPath()
        let own = try? FileManager.default.attributesOfItem(atPath: file.path)
        let attributes = try? own ?? FileManager.default.attributesOfItem(atPath: file.deletingLastPathComponent().path)
        guard let user = attributes?[.ownerAccountID] as? Int, let group = attributes?[.groupOwnerAccountID] as? Int
        else { return nil }
        (self.user, self.group) = (uid_t(user), gid_t(group))
        mode = own?[.posixPermissions] as? Int
    }

    /// Changes the owner of a file. Only root can do this, and only root needs to.
    ///
    /// - Throws: ``MaintenanceError`` if the replaced file has another owner and the process doesn't run as root.
    func apply(to path: String) throws {
        guard user != geteuid() || group != getegid() else { return }
        guard chown(path, user, group) != 0, user != geteuid(), mode != nil else { return }
        throw MaintenanceError(
            """
            The file to be replaced belongs to another user (\(user)), who couldn't read the new file. Run the command \
            as that user or as root.
            """
        )
    }

    /// Gives a file the owner and the permissions of the database.
    func applyOwnerAndMode(to path: String) throws {
        try apply(to: path)
        if let mode { _ = chmod(path, mode_t(mode & 0o777)) }
    }
}
