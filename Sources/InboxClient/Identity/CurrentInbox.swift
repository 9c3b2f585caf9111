public import Foundation
import Groundwork

/// The inbox of whoever uses the app now: one person's at a time, or nobody's.
///
/// ```swift
/// let current = CurrentInbox(server: url, directory: folder) { person in try await myBackend.inboxToken(of: person) }
/// current.identify("alice")                       // after signing in
/// let messages = try await current.fetchMessages()
/// current.anonymize()                             // after signing out
/// ```
///
/// ``identify(_:keepingMessages:)`` and ``anonymize()`` take effect before they return: nothing of the person before is shown or given to
/// anybody from then on, not even what a fetch brings that was under way. Whoever is identified still is when the app starts again; a
/// signing out that the end of the app broke off is finished then.
public final class CurrentInbox: Sendable {
    /// The server's URL.
    public let server: URL
    /// The folder for the inboxes.
    public let directory: URL

    /// The time of one person, until somebody else is identified.
    private struct Turn {
        let number: Int
        let person: String
        var opening: Task<Inbox, any Error>
        /// What came of `opening`, so that it can be hidden without waiting.
        var inbox: Inbox?
    }

    private struct State {
        var turn: Turn?
        var lastNumber = 0
        /// The signing out of those before, which the same person's next turn has to wait for: it deletes the file.
        var departures: [String: (number: Int, task: Task<Void, Never>)] = [:]

        var memory: RememberedPerson.Memory {
            RememberedPerson.Memory(person: turn?.person, departing: departures.keys.sorted())
        }
    }

    // Guarded by the lock: who is identified changes in one step, and the remembered person with it, from whatever thread.
    private let state = Locked(State())
    private let configuration: InboxConfiguration
    private let token: @Sendable (String) async throws -> String
    private let remembered: RememberedPerson

    /// Opens the inbox of the person who was identified when the app last ran, if any.
    ///
    /// - Parameters:
    ///   - server: Where the inbox server is, an `http` or `https` URL.
    ///   - directory: A folder for the app's inboxes, which no other current inbox uses. Made where it doesn't exist.
    ///   - configuration: What may be set.
    ///   - token: Gives a token of that person's, as in ``Inbox/open(server:person:directory:configuration:token:)``.
    public init(
        server: URL,
        directory: URL,
        configuration: InboxConfiguration = InboxConfiguration(),
        token: @escaping @Sendable (_ person: String) async throws -> String
    ) {
        self.server = server
        self.directory = directory
        self.configuration = configuration
        self.token = token
        remembered = RememberedPerson(directory: directory, server: server)
        let memory = remembered.memory
        state.withLock { state in
            for person in memory.departing {
                state.lastNumber += 1
                depart(person, state.lastNumber, &state) {
                    // Where the file was marked as left, opening deletes it.
                    let inbox = try await self.openInbox(person)
                    try await inbox.signOut()
                }
            }
            if let person = memory.person { begin(person, &state) }
        }
    }

    // MARK: - Who

    /// Who is identified; nil for nobody.
    public var person: String? { state.withLock { $0.turn?.person } }

    /// From now on, the inbox is this person's.
    ///
    /// Somebody else's is hidden at once and signed out (``Inbox/signOut()``) while this one is in use already. Where the person is the same,
    /// the messages on this device are removed first (``Inbox/clearAll()``): the next sync brings them again.
    ///
    /// - Parameters:
    ///   - person: The app's own id for the person, 1–256 bytes of UTF-8. Whether it is one shows when the inbox is used.
    ///   - keepingMessages: Whether the messages stay on this device where the person is the same.
    public func identify(_ person: String, keepingMessages: Bool = false) {
        state.withLock { state in
            if let turn = state.turn, turn.person == person {
                if !keepingMessages { state.turn?.opening = Task { try await self.emptied(turn) } }
            } else {
                endTurn(&state)
                begin(person, &state)
                remembered.set(state.memory)
            }
        }
    }

    /// From now on, nobody is identified. The inbox of whoever was is hidden at once, and signed out (``Inbox/signOut()``).
    public func anonymize() {
        state.withLock { state in
            endTurn(&state)
            remembered.set(state.memory)
        }
    }

    // MARK: - The inbox

    /// The inbox of whoever is identified.
    ///
    /// Whoever keeps it finds it closed when somebody else is identified. It isn't theirs to close.
    ///
    /// - Throws: ``InboxError``: `notIdentified`; what ``Inbox/open(server:person:directory:configuration:token:)`` throws.
    public var inbox: Inbox {
        get async throws { try await withInbox { $0 } }
    }

    /// Does something with the inbox of whoever is identified, and gives the outcome only while it still is that person.
    ///
    /// That is looked at on the caller's actor, with no wait before the return: who calls this and identifies people on the main actor
    /// never gets to see what was somebody else's.
    ///
    /// - Throws: ``InboxError``: `notIdentified`; `closed` where somebody else was identified meanwhile; what the closure throws.
    public func withInbox<T>(_ body: (Inbox) async throws -> T) async throws -> T {
        guard let turn = state.withLock({ $0.turn }) else {
            throw InboxError(.notIdentified, "Nobody is identified: call identify(_:) first.")
        }
        let inbox = try await turn.opening.value
        try check(turn)
        let outcome = try await body(inbox)
        try check(turn)
        return outcome
    }

    /// Syncs, then gives the messages of the inbox, newest delivery first.
    ///
    /// - Parameter surface: Only those of this surface; nil for all.
    /// - Throws: ``InboxError``: as ``withInbox(_:)`` and ``Inbox/fetchMessages(surface:)``.
    public func fetchMessages(surface: String? = nil) async throws -> [Message] {
        try await withInbox { try await $0.fetchMessages(surface: surface) }
    }

    /// One message: from this device where it is known, else after one sync; nil where the server doesn't have it either.
    ///
    /// - Throws: ``InboxError``: as ``withInbox(_:)`` and ``Inbox/fetchMessage(id:)``.
    public func fetchMessage(id: String) async throws -> Message? {
        try await withInbox { try await $0.fetchMessage(id: id) }
    }

    private func check(_ turn: Turn) throws {
        guard state.withLock({ $0.turn?.number == turn.number }) else {
            throw InboxError(.closed, "Somebody else was identified meanwhile, or nobody.")
        }
    }

    // MARK: - Turns

    private func begin(_ person: String, _ state: inout State) {
        state.lastNumber += 1
        let number = state.lastNumber
        let departure = state.departures[person]?.task
        let opening = Task {
            await departure?.value
            return try await self.open(person, number)
        }
        state.turn = Turn(number: number, person: person, opening: opening)
    }

    private func open(_ person: String, _ number: Int) async throws -> Inbox {
        let inbox = try await openInbox(person)
        state.withLock { state in
            if state.turn?.number == number { state.turn?.inbox = inbox }
        }
        return inbox
    }

    private func openInbox(_ person: String) async throws -> Inbox {
        try await Inbox.open(
            server: server,
            person: person,
            directory: directory,
            configuration: configuration
        ) { [token] in
            try await token(person)
        }
    }

    /// The same inbox without messages; opened anew where that had failed.
    private func emptied(_ turn: Turn) async throws -> Inbox {
        let inbox: Inbox
        do {
            inbox = try await turn.opening.value
        } catch {
            inbox = try await open(turn.person, turn.number)
        }
        try await inbox.clearAll()
        return inbox
    }

    /// Hides the inbox of whoever is identified, and signs out in a task of its own.
    private func endTurn(_ state: inout State) {
        guard let turn = state.turn else { return }
        state.turn = nil
        let hidden = turn.inbox.flatMap { $0.hide() ? $0 : nil }
        depart(turn.person, turn.number, &state) {
            if let hidden {
                _ = try await hidden.leave()
            } else {
                // Opened when the turn was over: nobody got it.
                try await turn.opening.value.signOut()
            }
        }
    }

    /// Signs a person out in a task, and remembers that until it is done.
    private func depart(
        _ person: String,
        _ number: Int,
        _ state: inout State,
        _ leave: @escaping @Sendable () async throws -> Void
    ) {
        let task = Task {
            try? await leave()
            self.state.withLock { state in
                guard state.departures[person]?.number == number else { return }
                state.departures[person] = nil
                remembered.set(state.memory)
            }
        }
        state.departures[person] = (number, task)
    }
}
