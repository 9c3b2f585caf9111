import Groundwork
import Replica

/// The session of one person, until another person is identified. It opens the person's inbox once, and again if that
/// failed or if the file was found damaged.
final class InboxSession: Sendable {
    let identity: Identity

    fileprivate struct State {
        /// The open inbox, or the last one that was open.
        var inbox: Inbox?
        /// Opens and clears the inbox. All callers that request the inbox meanwhile await the same task.
        var preparation: Task<Inbox, any Error>?
        /// The number of requests to clear the inbox, and the number that are completed.
        var (requestedClears, completedClears) = (0, 0)
        var hasEnded = false
        /// The inbox that was hidden at the end of the session and isn't signed out yet.
        var hidden: Inbox?
    }

    // Guarded by the lock: the session ends in one step, and an inbox that is opened afterwards is hidden.
    private let state = Locked(State())
    private let folder: InboxFolder
    private let previous: SignOutTask?
    private let keptDrafts: @Sendable () -> Void

    /// Creates a session and starts to open the inbox.
    ///
    /// - Parameters:
    ///   - previous: The previous sign-out of the same person. The session awaits it, because it deletes the file.
    ///   - keptDrafts: Called when the previous sign-out has kept the file for its unsent drafts. This session
    ///     continues with it.
    init(
        _ identity: Identity,
        _ folder: InboxFolder,
        after previous: SignOutTask?,
        keptDrafts: @escaping @Sendable () -> Void
    ) {
        self.identity = identity
        self.folder = folder
        self.previous = previous
        self.keptDrafts = keptDrafts
        prepare()
    }

    /// Returns the open inbox, after all requested clears.
    func inbox() async throws -> Inbox { try await prepare().value }

    /// Removes the messages of the inbox. From now on, ``inbox()`` returns no earlier messages.
    func empty() {
        state.withLock { $0.requestedClears += 1 }
        prepare()
    }

    @discardableResult
    func prepare() -> Task<Inbox, any Error> {
        state.withLock { state in
            if let preparation = state.preparation { return preparation }
            let preparation = Task {
                do {
                    return try await ready()
                } catch {
                    // The next caller retries.
                    self.state.withLock { $0.preparation = nil }
                    throw error
                }
            }
            state.preparation = preparation
            return preparation
        }
    }

    private func ready() async throws -> Inbox {
        if state.withLock({ $0.inbox == nil }) {
            do {
                try await previous?.finish()
            } catch let error as InboxError where error.code == .unsentDrafts {
                keptDrafts()
                // The drafts stay. The messages from before don't.
                state.withLock { $0.requestedClears += 1 }
            }
        }
        while true {
            let inbox = try await openInbox()
            // In one step: a clear that is requested later starts another preparation.
            let wanted = state.withLock { state in
                if state.completedClears == state.requestedClears { state.preparation = nil }
                return state.completedClears == state.requestedClears ? nil : state.requestedClears
            }
            guard let wanted else { return inbox }
            try await inbox.clearAll()
            state.withLock { $0.completedClears = wanted }
        }
    }

    /// Returns the open inbox, or opens it again if its file requires that.
    private func openInbox() async throws -> Inbox {
        if let inbox = state.withLock({ $0.inbox }) {
            guard inbox.store.needsReopening else { return inbox }
            await inbox.close()
        }
        guard !state.withLock({ $0.hasEnded }) else { throw InboxError.wrapping(StoreError.closed) }
        let inbox = try await folder.open(identity.person)
        state.withLock { state in
            state.inbox = inbox
            if state.hasEnded { state.hide() }
        }
        return inbox
    }

    /// Ends the session and hides the inbox, including one that is being opened.
    func end() {
        state.withLock { state in
            state.hasEnded = true
            state.hide()
        }
    }

    /// Signs out the inbox after the session has ended: sends its pending writes and deletes it.
    ///
    /// - Returns: False if there was no open inbox.
    /// - Throws: ``InboxError`` if some of the data remains: `unsentDrafts` if all of it does, for unsent drafts of
    ///   mail.
    func finishSignOut() async throws -> Bool {
        _ = try? await state.withLock { $0.preparation }?.value
        let hidden = state.withLock { state in
            defer { state.hidden = nil }
            return state.hidden
        }
        guard let hidden else { return false }
        _ = try await hidden.finishSignOut(keepsDrafts: true)
        return true
    }
}

extension InboxSession.State {
    fileprivate mutating func hide() {
        if let inbox, inbox.hide() { hidden = inbox }
    }
}
