import Foundation
import Replica

extension Mail {
    /// Signs the person out of this device. Pending writes are sent for up to five seconds. Then the mails, bodies and
    /// attachments are deleted, on this device only.
    ///
    /// All other calls throw `closed` from now on, including those of other instances in this process that share the
    /// mail.
    ///
    /// - Returns: The number of mails with changes that couldn't be sent and are lost.
    /// - Throws: `MailError`: `closed` if the mail was closed before; `storage` if a file can't be deleted. The next
    ///   opening deletes it.
    @concurrent
    @discardableResult
    public func signOut() async throws -> Int {
        guard !isClosed, open.hide() else { throw MailError.wrapping(StoreError.closed) }
        await files.close()
        await open.pictures.close()
        if !open.sharesInboxFile { await store.markSignedOut() }
        let unsent = await engine.sendRemainingWrites(within: 5)
        do {
            if open.sharesInboxFile {
                try await store.write { writer in try writer.removeAllMail() }
                store.remove(RecordType.mail)
                try files.deleteAll()
            } else {
                try await store.destroy()
            }
        } catch {
            throw MailError.wrapping(error)
        }
        return unsent
    }
}

extension StoreWriter {
    /// Deletes all mail in the file of an inbox.
    func removeAllMail() throws {
        try erase(RecordType.mail)
        try set(setting: Mail.accountsSetting, to: nil)
        try removeRemotePicturePermissions()
    }
}
