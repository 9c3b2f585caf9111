public import Foundation
import Groundwork

/// The inbox of the app's current user: one person at a time, or none.
///
/// ```swift
/// let current = CurrentInbox(server: url, directory: folder) { person in try await myBackend.inboxToken(of: person) }
/// current.identify("alice")                       // after signing in
/// let messages = try await current.fetchMessages()
/// current.anonymize()                             // after signing out
/// ```
///
/// ``identify(_:keepingMessages:)`` and ``anonymize()`` take effect before they return. From then on nothing of the
/// previous person is shown or returned, not even the result of a fetch that was under way. The identified person is
/// remembered when the app starts again. A sign-out that failed, or that was interrupted by the end of the app, is
/// completed then.
///
/// Drafts of mail in the same file that the mail server doesn't have aren't lost: the file stays, hidden, until the
/// person is identified again and they are sent or discarded. To sign out without them, sign out of the mail first,
/// with its `signOut(discardsDrafts: true)`.
///
/// A failure, such as opening the inbox on a full disk, is retried at the next use. A file that was found damaged is
/// opened again then.
///
/// An extension that receives a push reads its recipient without a current inbox of its own:
///
/// ```swift
/// if let person = CurrentInbox.identifiedPerson(directory: folder, server: url) {
///     let inbox = try await Inbox.open(server: url, person: person, directory: folder, configuration: quiet) {
///         try await myBackend.inboxToken(of: person)
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
        var session: InboxSession?
        var lastNumber = 0
        /// The sign-outs of previous people, until their data is deleted.
        var signOuts: [Identity: (number: Int, signOut: SignOutTask)] = [:]
    }

    // Guarded by the lock: the session and the remembered person change in one step, on any thread.
    private let state = Locked(State())
    private let folder: InboxFolder
    private let remembered: RememberedPerson

    /// Opens the inbox of the person who was identified when the app last ran, if any.
    ///
    /// If that was on another server, no person is identified, and the folder's data of that inbox is deleted. Nothing
    /// is sent.
    ///
    /// - Parameters:
    ///   - server: The URL of the inbox server, `http` or `https`.
    ///   - directory: A folder for the app's inboxes, which no other current inbox uses. It is created if it doesn't
    ///   exist.
    ///   - configuration: The settings of the inboxes.
    ///   - token: Returns a token of the person, as in ``Inbox/open(server:person:directory:configuration:token:)``.
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
        var contents = remembered.contents
        if let identified = contents.identified, identified.server != server.absoluteString {
            contents.identified = nil
            contents.signingOut.insert(identified)
            remembered.change { $0 = contents }
        }
        state.withLock { state in
            for identity in contents.signingOut { signOut(identity, nil, &state) }
            if let identity = contents.identified { begin(identity, &state) }
        }
    }

    // MARK: - Identification

    /// The identified person, or nil.
    public var person: String? { state.withLock { $0.session?.identity.person } }

    /// Returns the person who is identified by a current inbox with this folder and server, in any process, or nil.
    ///
    /// The method only reads a small file. It is for an extension, which opens the person's inbox itself.
    public static func identifiedPerson(directory: URL, server: URL) -> String? {
        RememberedPerson(directory: directory).contents.identified
            .flatMap { $0.server == server.absoluteString ? $0.person : nil }
    }

    /// Makes this person's inbox the current one.
    ///
    /// The inbox of another person is hidden at once and signed out (``Inbox/signOut(discardsDrafts:)``), while this
    /// one is already in use. For the same person, the messages on this device are removed first
    /// (``Inbox/clearAll(resettingStatus:)``); until that has succeeded every use throws. The next sync fetches them
    /// again.
    ///
    /// - Parameters:
    ///   - person: The app's own id of the person, 1 to 256 bytes of UTF-8, compared by bytes. It is checked when the
    ///   inbox is used.
    ///   - keepingMessages: Whether the messages stay on this device if the person is the same.
    public func identify(_ person: String, keepingMessages: Bool = false) {
        state.withLock { state in
            let identity = folder.identity(person)
            if let session = state.session, session.identity == identity {
                if !keepingMessages { session.empty() }
            } else {
                endSession(&state)
                begin(identity, &state)
                remember(state)
            }
        }
    }

    /// Ends the identification. The inbox of the previous person is hidden at once, and signed out
    /// (``Inbox/signOut(discardsDrafts:)``).
    public func anonymize() {
        state.withLock { state in
            endSession(&state)
            remember(state)
        }
    }

    // MARK: - The inbox

    /// The inbox of the identified person.
    ///
    /// It is closed when another person is identified, and when it has to be opened again because its file was found
    /// damaged. The caller must not close it.
    ///
    /// - Throws: ``InboxError``: `notIdentified`, and the errors of
    ///   ``Inbox/open(server:person:directory:configuration:token:)``.
    public var inbox: Inbox {
        get async throws { try await withInbox { $0 } }
    }

    /// Runs a closure with the inbox of the identified person, and returns its result only if that person is still
    /// identified.
    ///
    /// The check runs on the caller's actor, without suspension before the return: a caller that identifies people on
    /// the main actor, and calls this there, never receives data of another person.
    ///
    /// - Throws: ``InboxError``: `notIdentified`; `closed` if another person was identified meanwhile; the closure's
    ///   errors.
    public func withInbox<T>(_ body: (Inbox) async throws -> T) async throws -> T {
        guard let session = state.withLock({ $0.session }) else {
            throw InboxError(.notIdentified, "No person is identified: call identify(_:) first.")
        }
        let inbox: Inbox
        do {
            inbox = try await session.inbox()
        } catch {
            try check(session)
            throw error
        }
        try check(session)
        let outcome = try await body(inbox)
        try check(session)
        return outcome
    }

    /// Syncs, then returns the messages of the inbox, newest delivery first.
    ///
    /// - Parameter surface: The surface of the messages. Nil for all.
    /// - Throws: ``InboxError``: as ``withInbox(_:)`` and ``Inbox/fetchMessages(surface:)``.
    public func fetchMessages(surface: String? = nil) async throws -> [Message] {
        try await withInbox { try await $0.fetchMessages(surface: surface) }
    }

    /// Returns one message: from this device if it is known, otherwise after one sync. Nil if the server doesn't have
    /// it either.
    ///
    /// - Throws: ``InboxError``: as ``withInbox(_:)`` and ``Inbox/fetchMessage(id:)``.
    public func fetchMessage(id: String) async throws -> Message? {
        try await withInbox { try await $0.fetchMessage(id: id) }
    }

    private func check(_ session: InboxSession) throws {
        guard state.withLock({ $0.session === session }) else {
            throw InboxError(.closed, "The person has changed or signed out meanwhile.")
        }
    }

    // MARK: - Sessions

    private func begin(_ identity: Identity, _ state: inout State) {
        let before = state.signOuts[identity]
        state.session = InboxSession(identity, folder, after: before?.signOut) { [weak self] in
            if let self, let before { self.endSignOut(identity, before.number) }
        }
    }

    /// Forgets a sign-out that is completed, or that was refused and whose person is identified again.
    private func endSignOut(_ identity: Identity, _ number: Int) {
        state.withLock { state in
            // The same person may have been identified and signed out again.
            guard state.signOuts[identity]?.number == number else { return }
            state.signOuts[identity] = nil
            remembered.change { $0.signingOut.remove(identity) }
        }
    }

    /// Hides the inbox of the identified person, if any, and signs out in a separate task.
    private func endSession(_ state: inout State) {
        guard let session = state.session else { return }
        state.session = nil
        session.end()
        signOut(session.identity, session, &state)
    }

    /// Signs a person out in a task. The person stays remembered until all data is deleted.
    ///
    /// - Parameter session: The person's session, if it has just ended.
    private func signOut(_ identity: Identity, _ session: InboxSession?, _ state: inout State) {
        state.lastNumber += 1
        let number = state.lastNumber
        let signOut = SignOutTask {
            var isDone = false
            do {
                isDone = try await session?.finishSignOut() ?? false
            } catch let error as InboxError where error.code == .unsentDrafts {
                throw error
            } catch {}
            if !isDone { try await self.folder.delete(identity) }
            self.endSignOut(identity, number)
        }
        state.signOuts[identity] = (number, signOut)
    }

    private func remember(_ state: State) {
        remembered.change { contents in
            contents.identified = state.session?.identity
            contents.signingOut.formUnion(state.signOuts.keys)
        }
    }
}
