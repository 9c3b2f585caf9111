import Foundation
import Groundwork
import Replica

extension Mail {
    /// Signs the person out of this device. Pending writes are sent for up to five seconds. Then the mails, bodies and
    /// attachments are deleted, on this device only.
    ///
    /// All other calls throw `closed` from now on, including those of other instances in this process that share the
    /// mail.
    ///
    /// - Parameter discardsDrafts: Whether drafts that the server doesn't have, and mails that wait to be sent, may be
    ///   lost. By default, the call throws instead, and nothing has changed.
    /// - Returns: The number of mails with changes that couldn't be sent and are lost.
    /// - Throws: `MailError`: `unsentDrafts` if there are such drafts; `closed` if the mail was closed before;
    ///   `storage` if a file can't be deleted. The next opening deletes it.
    @concurrent
    @discardableResult
    public func signOut(discardsDrafts: Bool = false) async throws -> Int {
        if !discardsDrafts {
            let unsent = try await unsentDraftCount()
            guard unsent == 0 else { throw MailError.unsentDrafts(unsent) }
        }
        guard !isClosed, open.hide() else { throw MailError.wrapping(StoreError.closed) }
        await files.close()
        await open.pictures.close()
        await open.outbox.close()
        if !open.sharesInboxFile { await store.markSignedOut() }
        let unsent = await engine.sendRemainingWrites(within: 5)
        do {
            if open.sharesInboxFile {
                try await store.write { writer in try writer.removeAllMail() }
                store.remove(RecordType.mail)
                try files.deleteAll()
                open.outbox.files.removeAll()
            } else {
                try await store.destroy()
            }
        } catch {
            throw MailError.wrapping(error)
        }
        return unsent
    }
}

extension Mail {
    /// Returns the number of drafts that would be lost with this device's mail: those that the server doesn't have, and
    /// mails that wait to be sent. What can be saved or sent at once, within five seconds, isn't among them.
    ///
    /// It is for the question before ``signOut(discardsDrafts:)``.
    ///
    /// - Throws: `MailError`: `storage`, `diskFull`, `closed`.
    @concurrent
    public func unsentDraftCount() async throws -> Int {
        try await saveDraftsNow()
        return try await read { db in try db.unsentDeviceRecordCount() }
    }

    /// Saves on the server, for up to five seconds, the drafts whose last change is too recent to be saved by itself.
    private func saveDraftsNow() async throws {
        try await write { writer in try writer.makeDraftsDue() }
        let outbox = open.outbox
        _ = try? await withDeadline(seconds: 5, clock: configuration.clock) { try await outbox.flush() }
    }
}

extension MailError {
    package static func unsentDrafts(_ count: Int) -> MailError {
        let drafts = count == 1 ? "1 draft isn't" : "\(count) drafts aren't"
        return MailError(
            .unsentDrafts,
            "\(drafts) sent or saved on the server. Send or discard them, or sign out with discardsDrafts."
        )
    }

    static func unsentOtherDrafts(_ count: Int) -> MailError {
        MailError(
            .unsentDrafts,
            """
            This inbox has the mail of other credentials, with drafts that aren't sent or saved on the server: \
            \(count). Open it with those and sign out of it, or set MailConfiguration.discardsOtherDrafts.
            """
        )
    }
}

extension StoreWriter {
    /// Deletes all mail in the file of an inbox.
    func removeAllMail() throws {
        try erase(RecordType.mail)
        for setting in [Mail.accountsSetting, Mail.limitsSetting, OwnAddresses.setting] {
            try set(setting: setting, to: nil)
        }
        try removeRemotePicturePermissions()
    }
}
