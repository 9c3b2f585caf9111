import Foundation
import Groundwork

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension PrivateFile {
    /// Replaces the file as `PrivateFile.write(_:to:)` does.
    ///
    /// - Throws: ``Failure`` that names the file.
    static func replace(_ file: URL, with bytes: [UInt8]) throws {
        do {
            try write(bytes, to: file)
        } catch {
            throw Failure("\(file.path) can't be written: \(error.fileReason).")
        }
    }

    /// Replaces the file as ``replace(_:with:)`` does. If that fails, the file is removed, since its contents are
    /// outdated.
    static func replaceOrRemove(_ file: URL, with bytes: [UInt8]) {
        if (try? write(bytes, to: file)) == nil { unlink(file.path) }
    }

    /// Makes a file readable by its owner only, if it isn't, and writes a note about that. Another program may have
    /// copied it.
    ///
    /// - Parameter secret: The noun for the secret in it; nil if it has none.
    static func protect(_ file: URL, secret: String?) {
        let mode = permissions(of: file)
        guard mode & 0o077 != 0, chmod(file.path, 0o600) == 0, permissions(of: file) & 0o077 == 0 else { return }
        guard let secret else { return }
        Output.note(
            """
            inbox: \(file.path) had the mode \(String(mode, radix: 8)) and has 600 now. If other users of this machine \
            may have read it, log in with another \(secret).
            """
        )
    }

    /// Returns the permission bits of a file; 0 if it doesn't exist.
    private static func permissions(of file: URL) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes?[.posixPermissions] as? Int ?? 0) & 0o777
    }

    /// Returns the bytes of a file, or nil if it doesn't exist.
    ///
    /// - Throws: ``Failure`` if it can't be read.
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
            throw Failure("\(file.path) can't be read: \(error.fileReason).")
        }
    }
}
