import Foundation
import Replica

extension Mail {
    /// Signs the person out of this device: what they did is tried for five seconds more, then the mails, bodies and
    /// attachments are deleted here, and nowhere else.
    ///
    /// Everything else throws `closed` from now on, also through others that have the same mail open in this process.
    ///
    /// - Returns: How many mails have changes that couldn't be sent, and are lost.
    /// - Throws: `MailError`: `closed` where it was closed before; `storage` where a file can't be deleted: the next
    ///   opening deletes it.
    @concurrent
    @discardableResult
    public func signOut() async throws -> Int {
        guard !isClosed, open.hide() else { throw MailError.wrapping(StoreError.closed) }
        await files.close()
        if !open.isBeside { await store.markLeft() }
        let unsent = await engine.sendRemainingWrites(within: 5)
        do {
            if open.isBeside {
                try await store.write { writer in try writer.forgetMail() }
                store.stopKeeping(RecordType.mail)
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
    /// Deletes all mail that lies beside an inbox.
    func forgetMail() throws {
        try forget(RecordType.mail)
        try set(setting: Mail.accountsSetting, to: nil)
    }
}
