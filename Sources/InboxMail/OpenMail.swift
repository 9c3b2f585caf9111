import Foundation
import Groundwork
import Replica

/// The open store of one person's mail and what keeps it up to date: what all ``Mail`` objects for it in this process
/// share.
///
/// The engine keeps the settings of the first of them. It is live while one of them is meant to be; all is closed with
/// the last.
final class OpenMail: Sendable {
    /// What those who share it have to agree in.
    struct Terms: Hashable, Sendable {
        /// Whose mail it is: the server, the user and the account.
        let whose: String
        let scope: MailScope
        let scheme: AuthorizationScheme
    }

    let store: ReplicaStore
    let engine: SyncEngine
    let connection: ServerConnection
    let files: FileCache
    let bodySource: BodySource
    let fileLists: FileLists
    /// Nil where everything is held.
    let slices: SliceRegistry?
    /// Sends an element for each change of the store, until the mail is closed.
    let changes: Broadcast<Void>
    /// Whether it lies in the file of an inbox.
    let isBeside: Bool
    private let terms: Terms
    private let tokens: TokenClosures
    private let recentBodies: Int

    // Guarded by the lock: mails come and go on any thread.
    private let users = Locked(OpenUsers())

    init(_ store: ReplicaStore, _ access: MailAccess, isBeside: Bool) {
        let configuration = access.configuration
        let tokens = TokenClosures()
        let connection = ServerConnection(
            server: access.server,
            person: nil,
            scheme: access.credentials.scheme,
            token: { try await tokens.newest() },
            transport: configuration.transport ?? URLSessionTransport(),
            clock: configuration.clock
        )
        let engine = SyncEngine(
            store: store,
            connection: connection,
            types: RecordType.mail(access.scope),
            domain: isBeside ? .besideInbox : .primary,
            account: access.account,
            settings: configuration.syncSettings,
            clock: configuration.clock,
            random: configuration.random,
            logger: configuration.logger
        )
        (self.store, self.engine, self.connection, self.tokens) = (store, engine, connection, tokens)
        (self.isBeside, terms, recentBodies) = (isBeside, access.terms, configuration.recentBodies)
        slices = SliceRegistry(store, engine.slices, access.scope)
        files = FileCache(
            folder: store.location.files,
            budget: configuration.fileBudget,
            connection: connection,
            clock: configuration.clock,
            account: { try await engine.account(for: .email) }
        )
        bodySource = BodySource(store: store, engine: engine, connection: connection, configuration: configuration)
        fileLists = FileLists(bodySource)
        // What listens here ends with the mail, not with the inbox.
        changes = store.changes.branch()
    }

    /// Opens what is named so, or joins those of this process that have it open.
    ///
    /// - Throws: ``MailError`` `invalidArgument` where it is open in another way; what opening throws.
    static func open(
        _ name: String,
        for access: MailAccess,
        opening new: () -> Task<OpenMail, any Error>
    ) async throws -> OpenMail {
        // With an engine of its own it behaves as in another process: its name is unique.
        let name = access.configuration.sharesEngine ? name : "\(name) of \(access.use)"
        return try await openMails.open(name, joining: { try $0.join(access) }, opening: new)
    }

    /// - Returns: False where it is of no more use to anybody who opens the mail now.
    private func join(_ access: MailAccess) throws -> Bool {
        let isLive = access.configuration.isLive
        guard store.isInUse, !store.hasToBeReopened, !isOver else { return false }
        try check(access.terms)
        let hasJoined = users.withLock { users in
            // Before the live task begins: its first request needs a token.
            tokens.add(access.credentials.token, of: access.use)
            let hasJoined = users.join(access.use, isLive: isLive) { keepLive(after: $0) }
            if !hasJoined { tokens.remove(of: access.use) }
            return hasJoined
        }
        // Whoever opens it now may have signed in since the last password or token was refused.
        if hasJoined { Task { [engine] in await engine.renewRejectedToken() } }
        return hasJoined
    }

    private func check(_ other: Terms) throws {
        let difference =
            if terms.whose != other.whose {
                "There is another person's mail beside this inbox"
            } else if terms.scope != other.scope {
                "The mail is open with the scope \(terms.scope.rawValue)"
            } else if terms.scheme != other.scheme {
                "The mail is open with another kind of credentials"
            } else {
                nil as String?
            }
        if let difference { throw MailError(.invalidArgument, "\(difference) already: close it first.") }
    }

    /// The task retains the engine but no mail, so that unused ones are deallocated.
    private func keepLive(after ended: Task<Void, Never>?) -> Task<Void, Never> {
        Task { [engine, fileLists, bodySource, recentBodies] in
            await ended?.value
            // Listened to from before the first sync on.
            let (forLists, forBodies) = (engine.rounds(), engine.rounds())
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await fileLists.run(after: forLists) }
                if recentBodies > 0 { group.addTask { await RecentBodies(bodySource).run(after: forBodies) } }
                group.addTask { await engine.runLive() }
            }
        }
    }

    /// A mail uses it no longer.
    ///
    /// - Returns: Whether it was the last: ``close()`` has to follow.
    func leave(_ access: MailAccess) -> Bool {
        tokens.remove(of: access.use)
        let isLast = users.withLock { $0.leave(access.use) }
        if isLast { openMails.forget(self) }
        return isLast
    }

    /// Whether the last has left it, or the person signs out.
    var isOver: Bool { users.withLock { $0.isOver } }

    /// Ends it for everybody at once: the person signs out. All but the last sync is over.
    ///
    /// - Returns: False where it is over already.
    func hide() -> Bool {
        // In a file of its own it is shut for other processes too.
        guard isBeside || store.hide() else { return false }
        let isFirst = users.withLock { $0.end() }
        openMails.forget(self)
        changes.finish()
        return isFirst
    }

    /// Ends the connection and closes the file, unless it is an inbox's.
    func close() async {
        users.withLock { $0.stop() }
        changes.finish()
        await files.close()
        await engine.close()
        if isBeside { store.stopKeeping(RecordType.mail) } else { await store.close() }
    }
}

/// The location of a person's mail, and how a caller has opened it.
final class MailAccess: Sendable {
    let server: URL
    let credentials: MailCredentials
    /// Nil for the primary one.
    let account: String?
    let scope: MailScope
    let configuration: MailConfiguration
    /// The identity of the caller.
    let use = UUID()

    init(
        _ server: URL,
        _ credentials: MailCredentials,
        _ account: String?,
        _ scope: MailScope,
        _ configuration: MailConfiguration
    ) {
        (self.server, self.credentials, self.account) = (server, credentials, account)
        (self.scope, self.configuration) = (scope, configuration)
    }

    /// Names the store. The zero byte can be part of neither the user's name nor an account's id.
    var person: String {
        (["mail", credentials.user] + (account.map { [$0] } ?? [])).joined(separator: "\u{0}")
    }

    /// A digest that identifies the mail's owner without revealing it.
    var whose: String { StoreLocation.digest(of: server.absoluteString + "\u{0}" + person) }

    var terms: OpenMail.Terms { OpenMail.Terms(whose: whose, scope: scope, scheme: credentials.scheme) }
}

/// The mails that are open in this process, by the paths of their files, for the same reason as inboxes are known.
private let openMails = OpenTogether<OpenMail>()

extension StoreDomain {
    /// Mail in the file of an inbox.
    fileprivate static let besideInbox = StoreDomain("second")
}
