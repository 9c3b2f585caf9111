/// The same of one thread or one mail: each does what its form with several says, and gives whether any mail was
/// changed.
extension Mail {
    /// Marks all mails of a thread read.
    @concurrent
    @discardableResult
    public func markRead(thread id: String) async throws -> Bool { try await !markRead(threads: [id]).isEmpty }

    /// Marks a mail read.
    @concurrent
    @discardableResult
    public func markRead(message id: String) async throws -> Bool { try await !markRead(messages: [id]).isEmpty }

    /// Notes that the person has seen in a list that a thread is there, as ``markSeen(threads:)`` says.
    @concurrent
    @discardableResult
    public func markSeen(thread id: String) async throws -> Bool { try await !markSeen(threads: [id]).isEmpty }

    /// Marks a thread unread, as ``markUnread(threads:)`` says.
    @concurrent
    @discardableResult
    public func markUnread(thread id: String) async throws -> Bool { try await !markUnread(threads: [id]).isEmpty }

    /// Marks a mail unread.
    @concurrent
    @discardableResult
    public func markUnread(message id: String) async throws -> Bool { try await !markUnread(messages: [id]).isEmpty }

    /// Stars a thread, as ``star(threads:)`` says.
    @concurrent
    @discardableResult
    public func star(thread id: String) async throws -> Bool { try await !star(threads: [id]).isEmpty }

    /// Stars a mail.
    @concurrent
    @discardableResult
    public func star(message id: String) async throws -> Bool { try await !star(messages: [id]).isEmpty }

    /// Takes the star from all mails of a thread.
    @concurrent
    @discardableResult
    public func unstar(thread id: String) async throws -> Bool { try await !unstar(threads: [id]).isEmpty }

    /// Takes the star from a mail.
    @concurrent
    @discardableResult
    public func unstar(message id: String) async throws -> Bool { try await !unstar(messages: [id]).isEmpty }

    /// Takes a thread out of the inbox, into the archive.
    ///
    /// - Throws: As ``archive(threads:)``.
    @concurrent
    @discardableResult
    public func archive(thread id: String) async throws -> Bool { try await !archive(threads: [id]).isEmpty }

    /// Brings a thread from the archive back into the inbox.
    ///
    /// - Throws: As ``archive(threads:)``.
    @concurrent
    @discardableResult
    public func unarchive(thread id: String) async throws -> Bool { try await !unarchive(threads: [id]).isEmpty }

    /// Moves a thread into the trash, out of all other mailboxes.
    ///
    /// - Throws: As ``trash(threads:)``.
    @concurrent
    @discardableResult
    public func trash(thread id: String) async throws -> Bool { try await !trash(threads: [id]).isEmpty }

    /// Moves a thread into a mailbox, as ``move(threads:to:)`` says.
    ///
    /// - Throws: As ``move(threads:to:)``.
    @concurrent
    @discardableResult
    public func move(thread id: String, to mailbox: String) async throws -> Bool {
        try await !move(threads: [id], to: mailbox).isEmpty
    }

    /// Puts a thread into a mailbox besides those in which it is: a label.
    ///
    /// - Throws: As ``move(threads:to:)``.
    @concurrent
    @discardableResult
    public func addLabel(_ mailbox: String, toThread id: String) async throws -> Bool {
        try await !addLabel(mailbox, toThreads: [id]).isEmpty
    }

    /// Takes a thread out of a mailbox, as ``removeLabel(_:fromThreads:)`` says.
    ///
    /// - Throws: As ``archive(threads:)``.
    @concurrent
    @discardableResult
    public func removeLabel(_ mailbox: String, fromThread id: String) async throws -> Bool {
        try await !removeLabel(mailbox, fromThreads: [id]).isEmpty
    }
}
