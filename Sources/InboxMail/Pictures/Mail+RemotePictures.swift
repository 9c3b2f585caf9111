import Foundation
import Groundwork
import Replica

extension Mail {
    /// Allows pictures from the web for a mail or a sender, until it is revoked or the person signs out.
    ///
    /// - Throws: `MailError`: `invalidArgument` if the id or address is empty or longer than 512 bytes; `storage`,
    ///   `diskFull`, `closed`.
    @concurrent
    public func allowRemotePictures(_ permission: RemotePicturePermission) async throws {
        let setting = try Self.setting(of: permission)
        try await write { writer in
            try writer.removePermissionsOfMissingMails()
            try writer.set(setting: setting, to: "true")
        }
    }

    /// Revokes a permission. Another one may still allow the pictures of a mail: a mail's own, or that for its sender.
    ///
    /// Pictures that were fetched aren't shown any more. They stay on this device until their mail or the budget
    /// deletes them.
    ///
    /// - Throws: As ``allowRemotePictures(_:)``.
    @concurrent
    public func revokeRemotePictures(_ permission: RemotePicturePermission) async throws {
        let setting = try Self.setting(of: permission)
        try await write { writer in try writer.set(setting: setting, to: nil) }
    }

    /// Returns the permissions. Addresses are in the form in which they are compared.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func remotePicturePermissions() async throws -> Set<RemotePicturePermission> {
        try await read { db in try db.remotePicturePermissions() }
    }

    /// Returns whether the person has allowed the pictures of a mail on the web: by a permission for the mail, or by
    /// one for its only sender, unless the mail is junk.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func allowsRemotePictures(of message: MailMessage) async throws -> Bool {
        try await read { db in try db.allowsRemotePictures(of: message) }
    }

    /// Observes the permissions: those of now, then all after each change. The sequence ends when the iterating task is
    /// cancelled or the mail is closed. It throws `MailError` with the code `storage`.
    public func observeRemotePictures() -> AsyncThrowingStream<Set<RemotePicturePermission>, any Error> {
        let wakes = changes.stream(startingWith: ())
        // Retains the store and not the mail, so that an unused one is closed.
        return AsyncThrowingStream { [store] continuation in
            let task = Task {
                var last: Set<RemotePicturePermission>?
                do {
                    for await _ in wakes {
                        let permissions = try await store.read { db in try db.remotePicturePermissions() }
                        if permissions != last { continuation.yield(permissions) }
                        last = permissions
                    }
                    continuation.finish()
                } catch StoreError.closed {
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: MailError.wrapping(error))
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private static func setting(of permission: RemotePicturePermission) throws -> String {
        guard let setting = permission.setting else {
            throw MailError(.invalidArgument, "An id or address has 1 to \(RemotePicturePermission.maxLength) bytes.")
        }
        return setting
    }
}
