import Groundwork
import Replica

/// The session of one person, until another person is identified: their inbox, which is opened once, and again if that
/// failed or the file was found damaged.
final class InboxSession: Sendable {
    let identity: Identity

    fileprivate struct State {
        /// The one that is open, or the last that was.
        var inbox: Inbox?
        /// Makes the inbox ready. While it runs, all who want the inbox wait for the same.
        var preparation: Task<Inbox, any Error>?
        /// How often it was to be emptied, and up to which of these it was.
        var (emptyings, emptied) = (0, 0)
        var isOver = false
        /// What was hidden at the end and has to be left.
        var hidden: Inbox?
    }

    // Guarded by the lock: the end comes in one step, and no inbox is opened past it unnoticed.
    private let state = Locked(State())
    private let folder: InboxFolder
    private let previous: SignOutTask?

    /// Begins to open the inbox.
    ///
    /// - Parameter previous: The same person's signing out, which has to be over: it deletes the file.
    init(_ identity: Identity, _ folder: InboxFolder, after previous: SignOutTask?) {
        self.identity = identity
        self.folder = folder
        self.previous = previous
        prepare()
    }

    /// The inbox, opened and emptied as it has to be.
    func inbox() async throws -> Inbox { try await prepare().value }

    /// From now on, ``inbox()`` gives nothing of before.
    func empty() {
        state.withLock { $0.emptyings += 1 }
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
                    // Who asks next tries again.
                    self.state.withLock { $0.preparation = nil }
                    throw error
                }
            }
            state.preparation = preparation
            return preparation
        }
    }

    private func ready() async throws -> Inbox {
        try await previous?.finish()
        while true {
            let inbox = try await openInbox()
            // In one step: what is to be emptied after this is so by another preparation.
            let wanted = state.withLock { state in
                if state.emptied == state.emptyings { state.preparation = nil }
                return state.emptied == state.emptyings ? nil : state.emptyings
            }
            guard let wanted else { return inbox }
            try await inbox.clearAll()
            state.withLock { $0.emptied = wanted }
        }
    }

    /// The inbox as it is, or a new one where its file has to be opened again.
    private func openInbox() async throws -> Inbox {
        if let inbox = state.withLock({ $0.inbox }) {
            guard inbox.store.hasToBeReopened else { return inbox }
            await inbox.close()
        }
        guard !state.withLock({ $0.isOver }) else { throw InboxError.wrapping(StoreError.closed) }
        let inbox = try await folder.open(identity.person)
        state.withLock { state in
            state.inbox = inbox
            if state.isOver { state.hide() }
        }
        return inbox
    }

    /// Hides the inbox, also one that is being opened.
    func end() {
        state.withLock { state in
            state.isOver = true
            state.hide()
        }
    }

    /// Sends the pending writes of the inbox of a session that has ended, and deletes it.
    ///
    /// - Returns: False if there was no open inbox.
    /// - Throws: ``InboxError`` if something is left.
    func leave() async throws -> Bool {
        _ = try? await state.withLock { $0.preparation }?.value
        let hidden = state.withLock { state in
            defer { state.hidden = nil }
            return state.hidden
        }
        guard let hidden else { return false }
        _ = try await hidden.leave()
        return true
    }
}

extension InboxSession.State {
    fileprivate mutating func hide() {
        if let inbox, inbox.hide() { hidden = inbox }
    }
}
