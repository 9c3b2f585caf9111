import Replica

extension Inbox {
    /// Signs the person out: deletes all that this device holds of the inbox.
    ///
    /// Hidden at once: from the call on, everything else throws `closed`, and observing ends, also in other processes
    /// that have the inbox open, such as an extension. What the person did and the server doesn't know yet is tried for
    /// 5 seconds, with the token at hand. Then the file is deleted, whatever became of it. Opened again, the inbox is
    /// empty until it has synced.
    ///
    /// - Returns: How many messages had changes that couldn't be sent, and are lost. Events that couldn't be sent are
    ///   lost too, and not counted.
    /// - Throws: ``InboxError``: `closed` where it is closed already; `storage` where the file can't be deleted: it
    ///   stays closed, and the next opening deletes it.
    @concurrent
    @discardableResult
    public func signOut() async throws -> Int {
        guard hide() else { throw InboxError.wrapping(StoreError.closed) }
        return try await leave()
    }

    /// The first half of ``signOut()``: from now on, everything else throws `closed`, in this process.
    ///
    /// - Returns: False where it is closed already.
    func hide() -> Bool { !isClosed && open.hide() }

    /// The second half of ``signOut()``, of a hidden inbox.
    @concurrent
    func leave() async throws -> Int {
        await store.markLeft()
        let unsent = await engine.sendRemainingWrites(within: 5)
        do {
            try await store.destroy()
        } catch {
            throw InboxError.wrapping(error)
        }
        return unsent
    }

    /// Removes all messages from this device, and from no other. The next sync brings the newest again; until it has,
    /// ``InboxSnapshot/hasSynced`` is false.
    ///
    /// What the person did and the server doesn't know yet stays, and is sent. Deleted messages stay deleted, and can
    /// be brought back. To remove everything of a person who leaves, use ``signOut()``.
    ///
    /// - Throws: ``InboxError``: `storage`, `diskFull`, `closed`. Then nothing has changed.
    @concurrent
    public func clearAll() async throws {
        try await write { writer in try writer.clear(.message, leaving: "{deletedAt} IS NOT NULL") }
    }
}
