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
    ///   lost. By default, the call throws instead, and nothing has changed. A concurrent save either adds a draft to
    ///   them or fails.
    /// - Returns: The number of mails with changes that couldn't be sent and are lost.
    /// - Throws: `MailError`: `unsentDrafts` if there are such drafts; `otherProcess` if another process has been
    ///   writing to the file for ten seconds, so that they can't be counted, and nothing has changed; `closed` if the
    ///   mail was closed before; `storage` if a file can't be deleted. The next opening deletes it. In the file of an
    ///   inbox, another process may save a draft, or begin to write, at the last moment: then it throws `unsentDrafts`
    ///   or `otherProcess`, the mail is closed, and all of it is kept.
    @concurrent
    @discardableResult
    public func signOut(discardsDrafts: Bool = false) async throws -> Int {
        // Also for the drafts that can be saved now.
        if !discardsDrafts { try checkUnsent(try await unsentDraftCount()) }
        try await hide(keepingDrafts: !discardsDrafts)
        await files.close()
        await open.pictures.close()
        await open.outbox.close()
        let unsent = await engine.sendRemainingWrites(within: 5)
        do {
            if open.sharesInboxFile {
                defer { store.remove(RecordType.mail) }
                try await store.write { writer in
                    if !discardsDrafts { try checkUnsent(try writer.db.unsentDeviceRecordCount()) }
                    try writer.removeAllMail()
                }
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

    /// Ends the mail for all instances, unless there are drafts that would be lost. No draft can be saved between the
    /// count and the end.
    private func hide(keepingDrafts keepsDrafts: Bool) async throws {
        let isFirst = Locked(false)
        let hide = { @Sendable [open] in isFirst.withLock { $0 = open.hide() } }
        do {
            try checkOpen()
            if !keepsDrafts {
                hide()
                if isFirst.withLock({ $0 }), !open.sharesInboxFile {
                    _ = try? await ReplicaStore.withSyncAllowed { try await store.markSignedOut(keepingUnsent: false) }
                }
            } else if open.sharesInboxFile {
                try await store.write { writer in
                    try checkUnsent(try writer.db.unsentDeviceRecordCount())
                    hide()
                }
            } else {
                try checkUnsent(try await store.markSignedOut(keepingUnsent: true, hiding: hide))
            }
            // Another sign-out may have come first.
            guard isFirst.withLock({ $0 }) else { throw StoreError.closed }
        } catch {
            throw MailError.wrapping(error)
        }
    }

    private func checkUnsent(_ drafts: Int) throws(MailError) {
        guard drafts == 0 else { throw MailError.unsentDrafts(drafts) }
    }
}

extension Mail {
    /// Returns the number of drafts that would be lost with this device's mail: those that the server doesn't have, and
    /// mails that wait to be sent. Drafts that can be saved or sent within five seconds aren't counted.
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
        for setting in [
            Mail.accountsSetting, Mail.limitsSetting, HeldSendingCheck.setting, AccountAddresses.setting,
            DraftRequests.Context.countingSetting,
        ] {
            try set(setting: setting, to: nil)
        }
        try removeRemotePicturePermissions()
    }
}
