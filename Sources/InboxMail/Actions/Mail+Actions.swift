import Replica

/// The person's actions on mails and threads.
///
/// An action is durable and visible before the call returns. It needs no network, and is sent to the server
/// automatically. Concurrent changes of the same mails by other clients are kept, because each keyword and each mailbox
/// is written separately.
///
/// Each action takes many ids or one (`threads:` and `thread:`, `messages:` and `message:`). With many ids it returns
/// the ids of the mails that were changed; with one id, whether any mail was changed. Threads and mails that aren't on
/// this device are ignored.
extension Mail {
    /// Marks all mails of threads as read.
    ///
    /// - Throws: `MailError`: `storage`, `diskFull`, `closed`. If it throws, nothing has changed.
    @concurrent
    @discardableResult
    public func markRead(threads ids: [String]) async throws -> [String] {
        try await perform(.markRead, threads: ids).messageIDs
    }

    /// Marks mails as read.
    ///
    /// - Throws: As ``markRead(threads:)``.
    @concurrent
    @discardableResult
    public func markRead(messages ids: [String]) async throws -> [String] {
        try await set([Keyword.seen: true], ids)
    }

    /// Records that the person has seen these threads in a list, without reading them. None of their mails is unseen
    /// any more (``MailThread/unseenCount``), on any device. They stay unread.
    ///
    /// It is stored on the server as a custom keyword of the unread mails, `swift-inbox-noticed`, which other programs
    /// ignore.
    ///
    /// - Throws: As ``markRead(threads:)``.
    @concurrent
    @discardableResult
    public func markSeen(threads ids: [String]) async throws -> [String] {
        try await write { writer in
            let unread = try ids.flatMap { try writer.db.messageIDs(inThread: $0, without: Keyword.seen) }
            return try writer.update(.email, RecordType.keywords, members: [Keyword.seenInList: true], ids: unread)
        }
    }

    /// Marks the latest received mail of each thread as unread, which makes the thread unread.
    ///
    /// - Throws: As ``markRead(threads:)``.
    @concurrent
    @discardableResult
    public func markUnread(threads ids: [String]) async throws -> [String] {
        try await perform(.markUnread, threads: ids).messageIDs
    }

    /// Marks mails as unread.
    ///
    /// - Throws: As ``markRead(threads:)``.
    @concurrent
    @discardableResult
    public func markUnread(messages ids: [String]) async throws -> [String] {
        try await set([Keyword.seen: false], ids)
    }

    /// Stars the latest received mail of each thread, which makes the thread starred.
    ///
    /// - Throws: As ``markRead(threads:)``.
    @concurrent
    @discardableResult
    public func star(threads ids: [String]) async throws -> [String] {
        try await perform(.star, threads: ids).messageIDs
    }

    /// Stars mails.
    ///
    /// - Throws: As ``markRead(threads:)``.
    @concurrent
    @discardableResult
    public func star(messages ids: [String]) async throws -> [String] {
        try await set([Keyword.flagged: true], ids)
    }

    /// Removes the star from all mails of threads.
    ///
    /// - Throws: As ``markRead(threads:)``.
    @concurrent
    @discardableResult
    public func unstar(threads ids: [String]) async throws -> [String] {
        try await perform(.unstar, threads: ids).messageIDs
    }

    /// Removes the star from mails.
    ///
    /// - Throws: As ``markRead(threads:)``.
    @concurrent
    @discardableResult
    public func unstar(messages ids: [String]) async throws -> [String] {
        try await set([Keyword.flagged: false], ids)
    }

    /// Moves threads from the inbox to the archive.
    ///
    /// - Throws: `MailError`: `invalidArgument` if the account has no inbox or no archive, `storage`, `diskFull`,
    ///   `closed`. If it throws, nothing has changed.
    @concurrent
    @discardableResult
    public func archive(threads ids: [String]) async throws -> [String] {
        try await perform(.archive, threads: ids).messageIDs
    }

    /// Moves threads from the archive back to the inbox.
    ///
    /// - Throws: As ``archive(threads:)``.
    @concurrent
    @discardableResult
    public func unarchive(threads ids: [String]) async throws -> [String] {
        try await perform(.unarchive, threads: ids).messageIDs
    }

    /// Moves threads to the trash, and removes them from all other mailboxes.
    ///
    /// - Throws: `MailError`: `invalidArgument` if the account has no trash, `storage`, `diskFull`, `closed`. If it
    ///   throws, nothing has changed.
    @concurrent
    @discardableResult
    public func trash(threads ids: [String]) async throws -> [String] {
        try await perform(.trash, threads: ids).messageIDs
    }

    /// Moves threads to a mailbox, and removes them from all others except those for sent mails and drafts.
    ///
    /// - Parameters:
    ///   - ids: The ids of the threads.
    ///   - mailbox: The id of the mailbox.
    /// - Throws: `MailError`: `invalidArgument` if the mailbox doesn't exist, `storage`, `diskFull`, `closed`. If it
    ///   throws, nothing has changed.
    @concurrent
    @discardableResult
    public func move(threads ids: [String], to mailbox: String) async throws -> [String] {
        try await perform(.move(to: mailbox), threads: ids).messageIDs
    }

    /// Adds threads to a mailbox, as a label. They stay in their other mailboxes.
    ///
    /// - Throws: As ``move(threads:to:)``.
    @concurrent
    @discardableResult
    public func addLabel(_ mailbox: String, toThreads ids: [String]) async throws -> [String] {
        try await move(ids) { roles in
            try roles.check(mailbox)
            return { _ in [mailbox: true] }
        }
    }

    /// Removes threads from a mailbox. Mails that are in no other mailbox are moved to the archive.
    ///
    /// - Throws: As ``archive(threads:)``.
    @concurrent
    @discardableResult
    public func removeLabel(_ mailbox: String, fromThreads ids: [String]) async throws -> [String] {
        try await move(ids) { roles in
            try roles.check(mailbox)
            let archive = try? roles.id(.archive)
            return { names in
                guard names.contains(mailbox) else { return [:] }
                if names.names.count > 1 { return [mailbox: false] }
                guard let archive, archive != mailbox else {
                    throw MailError(
                        .invalidArgument,
                        "A mail must be in at least one mailbox. Move it to another one instead."
                    )
                }
                return [mailbox: false, archive: true]
            }
        }
    }

    // MARK: - Shared

    private func set(_ keywords: [String: Bool], _ ids: [String]) async throws -> [String] {
        try await write(records: ids.count) { writer in
            try writer.update(.email, RecordType.keywords, members: keywords, ids: ids)
        }
    }

    private func move(
        _ threads: [String],
        _ plan: @Sendable (MailboxDirectory) throws -> (MemberSet) throws -> [String: Bool]
    ) async throws -> [String] {
        try await write { writer in
            let changes = try plan(MailboxDirectory(writer.db))
            var moved: [String] = []
            for id in try threads.flatMap({ try writer.db.messageIDs(inThread: $0) }) {
                let mailboxes = try writer.db.mailboxes(ofMessage: id)
                moved += try writer.update(.email, RecordType.mailboxIds, members: try changes(mailboxes), ids: [id])
            }
            return moved
        }
    }
}
