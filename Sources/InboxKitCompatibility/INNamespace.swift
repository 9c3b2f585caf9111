import Foundation
public import InboxMail
import MailSignIn
import Replica

/// A mail account. Its providers list the account's threads, mails, drafts and contacts.
@MainActor
public final class INNamespace {
    /// The underlying mail, for features that InboxKit doesn't have.
    public let mail: Mail
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The id of the account on this device.
    public let ID: String
    /// The name with which the person signs in, usually the address.
    public var emailAddress: String { mail.user }

    private let threads = UniqueObjects<INThread>()
    private let messages = UniqueObjects<INMessage>()
    private let drafts = UniqueObjects<INDraft>()
    private let contacts = UniqueObjects<INContact>()
    /// The mailboxes after the last commit, which determine the tags and their names.
    private(set) var mailboxes: [Mailbox]
    /// The tokens of a sign-in in the browser; nil for other accounts.
    var keeper: TokenKeeper?
    private var observation: Task<Void, Never>?
    /// The last action. The next one waits for it, so that changes are made in the order of the calls.
    private var lastAction: Task<Void, any Error>?

    init(_ mail: Mail) async throws {
        self.mail = mail
        ID = ([mail.server.absoluteString, mail.user] + [mail.account].compactMap { $0 }).joined(separator: " ")
        mailboxes = try await mail.mailboxes()
        let snapshots = mail.observeMailboxes()
        observation = Task { [weak self, clock = mail.store.clock] in
            // While the store can't be read, the mailboxes stay as they are.
            await RepeatedObservation(clock).follow {
                snapshots
            } show: { [weak self] snapshot in
                self?.mailboxes = snapshot.items
                return self != nil
            }
        }
    }

    deinit {
        observation?.cancel()
    }

    // MARK: - Models

    /// Returns a list of the account's threads; all of them until a predicate is set.
    public func newThreadProvider() -> INThreadProvider {
        let mail = mail
        return INThreadProvider(
            self,
            ProviderSource(
                provider: { mail.threadResults(where: $0, sort: $1, range: $2, cachePolicy: $3) },
                fetch: { try await mail.threads($0) },
                object: { [self] in try await thread(withID: $0) },
                properties: { [self] in
                    let tags = tags()
                    return { name in .named(name) { INTag.condition(of: $0, among: tags) } }
                }
            )
        )
    }

    /// Returns a list of the account's mails; all of them until a predicate is set.
    public func newMessageProvider() -> INMessageProvider {
        let mail = mail
        return INMessageProvider(
            self,
            ProviderSource(
                provider: { mail.messageResults(where: $0, sort: $1, range: $2, cachePolicy: $3) },
                fetch: { try await mail.messages($0) },
                object: { [self] in try await message(withID: $0) },
                properties: { { .named($0) } }
            )
        )
    }

    /// Returns a list of the account's drafts, the last changed first; all of them until a predicate is set.
    public func newDraftsProvider() -> INDraftProvider {
        let mail = mail
        return INDraftProvider(
            self,
            ProviderSource(
                provider: { mail.draftResults(where: $0, sort: $1, range: $2, cachePolicy: $3) },
                fetch: { try await mail.drafts($0) },
                object: { [self] in try await draft(withID: $0) },
                properties: { { .named($0) } }
            )
        )
    }

    /// Returns a list of the people that the account has written to and heard from, the most used first; all of them
    /// until a predicate is set.
    public func newContactProvider() -> INContactProvider {
        let mail = mail
        return INContactProvider(
            self,
            ProviderSource(
                provider: { mail.contactResults(where: $0, sort: $1, range: $2, cachePolicy: $3) },
                fetch: { try await mail.contacts($0) },
                object: { [self] in try await contact(withID: $0) },
                properties: { { .named($0) } }
            )
        )
    }

    /// Returns the unique object of a thread; nil if it isn't on this device.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func thread(withID id: String) async throws -> INThread? {
        try await threads.object(id) { try await mail.liveThread(id).map { INThread($0, in: self) } }
    }

    /// Returns the unique object of a mail; nil if it isn't on this device.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func message(withID id: String) async throws -> INMessage? {
        try await messages.object(id) {
            guard let live = try await mail.liveMessage(id) else { return nil }
            return INMessage(live, try await mail.attachments(ofMessage: id), in: self)
        }
    }

    /// Returns the unique object of a draft; nil if there is none with this id.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func draft(withID id: String) async throws -> INDraft? {
        try await drafts.object(id) { try await mail.liveDraft(id).map { INDraft($0, in: self) } }
    }

    /// Returns the unique object of a contact; nil if there is none with this id.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func contact(withID id: String) async throws -> INContact? {
        try await contacts.object(id) { try await mail.liveContact(id).map { INContact($0, in: self) } }
    }

    /// Returns the unique object of an address, in any spelling.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func contact(for address: EmailAddress) async throws -> INContact {
        let live = try await mail.liveContact(for: address)
        return await contacts.object(live.id) { INContact(live, in: self) } ?? INContact(live, in: self)
    }

    /// Returns the unique objects of addresses, each once.
    func contacts(for addresses: [EmailAddress]) async throws -> [INContact] {
        var found: [INContact] = []
        for address in addresses {
            let contact = try await contact(for: address)
            if !found.contains(where: { $0 === contact }) { found.append(contact) }
        }
        return found
    }

    /// Returns the contacts for a text that the person is typing, the most used and latest first.
    ///
    /// - Throws: As `Mail.contacts(matching:limit:)`.
    public func contacts(matching text: String, limit: Int = 20) async throws -> [INContact] {
        var found: [INContact] = []
        for contact in try await mail.contacts(matching: text, limit: limit) {
            if let object = try await self.contact(withID: contact.id) { found.append(object) }
        }
        return found
    }

    /// Makes a new draft the unique object of its id.
    func add(_ draft: INDraft) { drafts.add(draft) }

    // MARK: - Actions

    /// Performs an action after the previous ones.
    func perform(_ body: @escaping @Sendable (Mail) async throws -> Void) -> Task<Void, any Error> {
        let (previous, mail) = (lastAction, mail)
        let task = Task {
            _ = await previous?.result
            try await body(mail)
        }
        lastAction = task
        return task
    }

    /// Performs an action after the previous ones, and reports its outcome.
    func perform(
        _ callback: (@MainActor (Bool, (any Error)?) -> Void)?,
        _ body: @escaping @Sendable (Mail) async throws -> Void
    ) {
        let task = perform(body)
        guard let callback else { return }
        Task {
            switch await task.result {
            case .success: callback(true, nil)
            case .failure(let error): callback(false, error)
            }
        }
    }

    /// Whether the mail is open. After a sign-out it isn't.
    var isOpen: Bool { mail.connectionState != .closed }

    /// Returns the number of drafts that a sign-out would lose, after the previous actions; 0 if the mail is closed.
    ///
    /// - Throws: As `Mail.unsentDraftCount()`.
    func unsentDraftCount() async throws -> Int {
        _ = await lastAction?.result
        do {
            return try await mail.unsentDraftCount()
        } catch {
            guard isOpen else { return 0 }
            throw error
        }
    }

    /// Signs out, after the previous actions.
    func signOut(discardsDrafts: Bool) async throws -> Int {
        _ = await lastAction?.result
        return try await mail.signOut(discardsDrafts: discardsDrafts)
    }
}
