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
/// ``identify(_:keepingMessages:)`` and ``anonymize()`` take effect before they return: nothing of the person before is
/// shown or given to anybody from then on, not even what a fetch brings that was under way. Whoever is identified still
/// is when the app starts again; a signing out that failed, or that the end of the app broke off, is finished then.
///
/// What fails, such as opening the inbox on a full disk, is tried again at the next use; a file that was found damaged
/// is opened anew then.
///
/// An extension that is handed a push looks who it is for, without a current inbox of its own:
///
/// ```swift
/// if let person = CurrentInbox.identifiedPerson(directory: folder, server: url) {
///     let inbox = try await Inbox.open(server: url, person: person, directory: folder, configuration: quiet) {
///         try await token(person)
///     }
///     try await inbox.receive(push: payload)
/// }
/// ```
public final class CurrentInbox: Sendable {
    /// The server's URL.
    public let server: URL
    /// The folder for the inboxes.
    public let directory: URL

    private struct State {
        var turn: InboxTurn?
        var lastNumber = 0
        /// The signing out of those before, until nothing of them is left.
        var departures: [Identity: (number: Int, departure: Departure)] = [:]
    }

    // Guarded by the lock: who is identified changes in one step, and the remembered person with it, from whatever
    // thread.
    private let state = Locked(State())
    private let folder: InboxFolder
    private let remembered: RememberedPerson

    /// Opens the inbox of the person who was identified when the app last ran, if any.
    ///
    /// Where that was on another server, nobody is identified, and what the folder has of that inbox is deleted;
    /// nothing is sent.
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
        folder = InboxFolder(server: server, directory: directory, configuration: configuration, token: token)
        remembered = RememberedPerson(directory: directory)
        var memory = remembered.memory
        if let identified = memory.identified, identified.server != server.absoluteString {
            memory.identified = nil
            memory.departing.insert(identified)
            remembered.change { $0 = memory }
        }
        state.withLock { state in
            for identity in memory.departing { depart(identity, nil, &state) }
            if let identity = memory.identified { begin(identity, &state) }
        }
    }

    // MARK: - Who

    /// Who is identified; nil for nobody.
    public var person: String? { state.withLock { $0.turn?.identity.person } }

    /// Who is identified by a current inbox with this folder and server, perhaps in another process; nil for nobody.
    ///
    /// Only looks into a small file: for an extension, which opens the person's inbox itself.
    public static func identifiedPerson(directory: URL, server: URL) -> String? {
        RememberedPerson(directory: directory).memory.identified
            .flatMap { $0.server == server.absoluteString ? $0.person : nil }
    }

    /// From now on, the inbox is this person's.
    ///
    /// Somebody else's is hidden at once and signed out (``Inbox/signOut()``) while this one is in use already. Where
    /// the person is the same, the messages on this device are removed first (``Inbox/clearAll()``), and until that has
    /// succeeded every use throws: the next sync brings them again.
    ///
    /// - Parameters:
    ///   - person: The app's own id for the person, 1–256 bytes of UTF-8, compared by bytes. Whether it is one shows
    ///     when the inbox is used.
    ///   - keepingMessages: Whether the messages stay on this device where the person is the same.
    public func identify(_ person: String, keepingMessages: Bool = false) {
        state.withLock { state in
            let identity = folder.identity(person)
            if let turn = state.turn, turn.identity == identity {
                if !keepingMessages { turn.empty() }
            } else {
                endTurn(&state)
                begin(identity, &state)
                remember(state)
            }
        }
    }

    /// From now on, nobody is identified. The inbox of whoever was is hidden at once, and signed out
    /// (``Inbox/signOut()``).
    public func anonymize() {
        state.withLock { state in
            endTurn(&state)
            remember(state)
        }
    }

    // MARK: - The inbox

    /// The inbox of whoever is identified.
    ///
    /// Whoever keeps it finds it closed when somebody else is identified, and when it has to be opened again because
    /// its file was found damaged. It isn't theirs to close.
    ///
    /// - Throws: ``InboxError``: `notIdentified`; what ``Inbox/open(server:person:directory:configuration:token:)``
    ///   throws.
    public var inbox: Inbox {
        get async throws { try await withInbox { $0 } }
    }

    /// Does something with the inbox of whoever is identified, and gives the outcome only while it still is that
    /// person.
    ///
    /// That is looked at on the caller's actor, with no wait before the return: who calls this and identifies people on
    /// the main actor never gets to see what was somebody else's.
    ///
    /// - Throws: ``InboxError``: `notIdentified`; `closed` where somebody else was identified meanwhile; what the
    ///   closure throws.
    public func withInbox<T>(_ body: (Inbox) async throws -> T) async throws -> T {
        guard let turn = state.withLock({ $0.turn }) else {
            throw InboxError(.notIdentified, "Nobody is identified: call identify(_:) first.")
        }
        let inbox: Inbox
        do {
            inbox = try await turn.inbox()
        } catch {
            try check(turn)
            throw error
        }
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

    /// One message: from this device where it is known, else after one sync; nil where the server doesn't have it
    /// either.
    ///
    /// - Throws: ``InboxError``: as ``withInbox(_:)`` and ``Inbox/fetchMessage(id:)``.
    public func fetchMessage(id: String) async throws -> Message? {
        try await withInbox { try await $0.fetchMessage(id: id) }
    }

    private func check(_ turn: InboxTurn) throws {
        guard state.withLock({ $0.turn === turn }) else {
            throw InboxError(.closed, "Somebody else was identified meanwhile, or nobody.")
        }
    }

    // MARK: - Turns

    private func begin(_ identity: Identity, _ state: inout State) {
        state.turn = InboxTurn(identity, folder, after: state.departures[identity]?.departure)
    }

    /// Hides the inbox of whoever is identified, and signs out in a task of its own.
    private func endTurn(_ state: inout State) {
        guard let turn = state.turn else { return }
        state.turn = nil
        turn.end()
        depart(turn.identity, turn, &state)
    }

    /// Signs a person out in a task; who it is stays remembered until nothing is left.
    ///
    /// - Parameter turn: The person's, where it is over just now.
    private func depart(_ identity: Identity, _ turn: InboxTurn?, _ state: inout State) {
        state.lastNumber += 1
        let number = state.lastNumber
        let departure = Departure {
            if (try? await turn?.leave()) != true { try await self.folder.delete(identity) }
            self.state.withLock { state in
                // The same person may have come and left again.
                guard state.departures[identity]?.number == number else { return }
                state.departures[identity] = nil
                self.remembered.change { $0.departing.remove(identity) }
            }
        }
        state.departures[identity] = (number, departure)
    }

    private func remember(_ state: State) {
        remembered.change { memory in
            memory.identified = state.turn?.identity
            memory.departing.formUnion(state.departures.keys)
        }
    }
}
