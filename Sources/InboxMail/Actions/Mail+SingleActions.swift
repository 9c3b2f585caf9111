/// The person's actions on one thread or one mail. Each has the effect of its form with several ids, and returns
/// whether any mail was changed.
extension Mail {
    /// Marks all mails of a thread as read.
    ///
    /// - Throws: As ``markRead(threads:)``.
    @concurrent
    @discardableResult
    public func markRead(thread id: String) async throws -> Bool { try await !markRead(threads: [id]).isEmpty }

    /// Marks a mail as read.
    ///
    /// - Throws: As ``markRead(threads:)``.
    @concurrent
    @discardableResult
    public func markRead(message id: String) async throws -> Bool { try await !markRead(messages: [id]).isEmpty }

    /// Records that the person has seen a thread in a list, as ``markSeen(threads:)`` does.
    ///
    /// - Throws: As ``markRead(threads:)``.
    @concurrent
    @discardableResult
    public func markSeen(thread id: String) async throws -> Bool { try await !markSeen(threads: [id]).isEmpty }

    /// Marks a thread as unread, as ``markUnread(threads:)`` does.
    ///
    /// - Throws: As ``markRead(threads:)``.
    @concurrent
    @discardableResult
    public func markUnread(thread id: String) async throws -> Bool { try await !markUnread(threads: [id]).isEmpty }

    /// Marks a mail as unread.
    ///
    /// - Throws: As ``markRead(threads:)``.
    @concurrent
    @discardableResult
    public func markUnread(message id: String) async throws -> Bool { try await !markUnread(messages: [id]).isEmpty }

    /// Stars a thread, as ``star(threads:)`` does.
    ///
    /// - Throws: As ``markRead(threads:)``.
    @concurrent
    @discardableResult
    public func star(thread id: String) async throws -> Bool { try await !star(threads: [id]).isEmpty }

    /// Stars a mail.
    ///
    /// - Throws: As ``markRead(threads:)``.
    @concurrent
    @discardableResult
    public func star(message id: String) async throws -> Bool { try await !star(messages: [id]).isEmpty }

    /// Removes the star from all mails of a thread.
    ///
    /// - Throws: As ``markRead(threads:)``.
    @concurrent
    @discardableResult
    public func unstar(thread id: String) async throws -> Bool { try await !unstar(threads: [id]).isEmpty }

    /// Removes the star from a mail.
    ///
    /// - Throws: As ``markRead(threads:)``.
    @concurrent
    @discardableResult
    public func unstar(message id: String) async throws -> Bool { try await !unstar(messages: [id]).isEmpty }

    /// Moves a thread from the inbox to the archive.
    ///
    /// - Throws: As ``archive(threads:)``.
    @concurrent
    @discardableResult
    public func archive(thread id: String) async throws -> Bool { try await !archive(threads: [id]).isEmpty }

    /// Moves a thread from the archive back to the inbox.
    ///
    /// - Throws: As ``archive(threads:)``.
    @concurrent
    @discardableResult
    public func unarchive(thread id: String) async throws -> Bool { try await !unarchive(threads: [id]).isEmpty }

    /// Moves a thread to the trash, and removes it from all other mailboxes.
    ///
    /// - Throws: As ``trash(threads:)``.
    @concurrent
    @discardableResult
    public func trash(thread id: String) async throws -> Bool { try await !trash(threads: [id]).isEmpty }

    /// Moves a thread to a mailbox, as ``move(threads:to:)`` does.
    ///
    /// - Throws: As ``move(threads:to:)``.
    @concurrent
    @discardableResult
    public func move(thread id: String, to mailbox: String) async throws -> Bool {
        try await !move(threads: [id], to: mailbox).isEmpty
    }

    /// Adds a thread to a mailbox, as a label. It stays in its other mailboxes.
    ///
    /// - Throws: As ``move(threads:to:)``.
    @concurrent
    @discardableResult
    public func addLabel(_ mailbox: String, toThread id: String) async throws -> Bool {
        try await !addLabel(mailbox, toThreads: [id]).isEmpty
    }

    /// Removes a thread from a mailbox, as ``removeLabel(_:fromThreads:)`` does.
    ///
    /// - Throws: As ``archive(threads:)``.
    @concurrent
    @discardableResult
    public func removeLabel(_ mailbox: String, fromThread id: String) async throws -> Bool {
        try await !removeLabel(mailbox, fromThreads: [id]).isEmpty
    }
}
