import Groundwork
import Replica

extension Inbox {
    /// Signs the person out and deletes all data of the inbox on this device.
    ///
    /// The inbox is hidden at once: every other call throws `closed`, and observation ends, including in other
    /// processes that have the inbox open, such as an extension. For up to 5 seconds, the pending writes are sent with
    /// the current token. Then the file is deleted, even if sending failed. An inbox that is opened again is empty
    /// until it has synced.
    ///
    /// - Parameter discardsDrafts: Whether drafts of mail in the same file that the mail server doesn't have may be
    ///   lost. By default, the call throws instead, and nothing has changed.
    /// - Returns: The number of messages with changes that couldn't be sent and are lost. Events that couldn't be sent
    ///   are lost too, and aren't counted.
    /// - Throws: ``InboxError``: `unsentDrafts` if there are such drafts; `otherProcess` if another process has been
    ///   writing to the file for ten seconds, so that they can't be counted, and nothing has changed; `closed` if the
    ///   inbox is already closed; `storage` if the file can't be deleted. Then the inbox stays closed, and the next
    ///   opening deletes the file.
    @concurrent
    @discardableResult
    public func signOut(discardsDrafts: Bool = false) async throws -> Int {
        if discardsDrafts {
            guard hide() else { throw InboxError.wrapping(StoreError.closed) }
        } else {
            let isFirst = Locked(false)
            do {
                guard !isClosed else { throw StoreError.closed }
                let drafts = try await store.markSignedOut(keepingUnsent: true) { isFirst.withLock { $0 = hide() } }
                guard drafts == 0 else { throw InboxError.unsentDrafts(drafts) }
                // Another sign-out may have come first.
                guard isFirst.withLock({ $0 }) else { throw StoreError.closed }
            } catch {
                throw InboxError.wrapping(error)
            }
        }
        return try await finishSignOut()
    }

    /// Performs the first half of ``signOut(discardsDrafts:)``: from now on, every other call in this process throws
    /// `closed`.
    ///
    /// - Returns: False if the inbox is already closed.
    func hide() -> Bool { !isClosed && open.hide() }

    /// Marks the file as signed out, unless it has drafts of mail that the mail server doesn't have. No draft can be
    /// saved between the count and the mark. It may be called on a hidden inbox too.
    ///
    /// - Returns: The number of such drafts.
    func markSignedOut(keepingDrafts keepsDrafts: Bool = true) async throws -> Int {
        do {
            return try await ReplicaStore.withSyncAllowed {
                try await store.markSignedOut(keepingUnsent: keepsDrafts)
            }
        } catch {
            throw InboxError.wrapping(error)
        }
    }

    /// Performs the second half of ``signOut(discardsDrafts:)``, on a hidden inbox.
    ///
    /// - Parameter keepsDrafts: Whether a file with unsent drafts of mail stays, closed. The call throws then, and if
    ///   they can't be counted.
    @concurrent
    func finishSignOut(keepsDrafts: Bool = false) async throws -> Int {
        await open.pictures.close()
        var drafts = 0
        if keepsDrafts {
            do {
                drafts = try await markSignedOut()
            } catch {
                await store.close()
                throw error
            }
        } else {
            _ = try? await markSignedOut(keepingDrafts: false)
        }
        let unsent = await engine.sendRemainingWrites(within: 5)
        guard drafts == 0 else {
            await store.close()
            throw InboxError.unsentDrafts(drafts)
        }
        do {
            try await store.destroy()
        } catch {
            throw InboxError.wrapping(error)
        }
        return unsent
    }

    /// Removes all messages from this device only. The next sync fetches the newest messages again. Until then,
    /// ``InboxSnapshot/hasSynced`` is false.
    ///
    /// Pending writes are kept and sent. Deleted messages stay deleted, and can be restored. Use
    /// ``signOut(discardsDrafts:)`` to remove all data of a person.
    ///
    /// - Parameter resetsStatus: Whether the messages that were on this device become unread and are restored if they
    ///   were deleted: pending writes, which reach the server and the other devices.
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. On error, nothing has changed.
    @concurrent
    public func clearAll(resettingStatus resetsStatus: Bool = false) async throws {
        let fallback = trackingConsent
        try await write { writer in
            if resetsStatus { try writer.noteConsent(to: try writer.resetStatus(), otherwise: fallback) }
            try writer.clear(.message, keeping: [MessagePhase.deleted.rawValue])
        }
    }
}

extension InboxError {
    static func unsentDrafts(_ count: Int) -> InboxError {
        InboxError(
            .unsentDrafts,
            """
            Drafts of mail aren't sent or saved on the server: \(count). Send or discard them, or sign out with \
            discardsDrafts.
            """
        )
    }
}
