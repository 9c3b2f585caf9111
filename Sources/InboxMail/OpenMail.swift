import Foundation
import Groundwork
import Replica

/// The open store of one person's mail with its sync engine, shared by all ``Mail`` instances for it in this process.
///
/// The engine keeps the settings of the first instance. It is live as long as at least one of them is live. The last
/// instance closes everything.
final class OpenMail: Sendable {
    /// The settings that have to be equal in all instances that share it.
    struct SharedSettings: Hashable, Sendable {
        /// The digest of the server, the user and the account.
        let ownerDigest: String
        let scope: MailScope
        let scheme: AuthorizationScheme
    }

    let store: ReplicaStore
    let engine: SyncEngine
    let connection: ServerConnection
    let files: FileCache
    let pictures: PictureSource
    let bodySource: BodySource
    let fileLists: FileLists
    /// Saves and sends the drafts.
    let outbox: Outbox
    /// The registry of slices; nil if the device keeps all mail.
    let slices: SliceRegistry?
    /// Sends an element for each change of the store, until the mail is closed.
    let changes: Broadcast<Void>
    /// Whether the mail is in the file of an inbox.
    let sharesInboxFile: Bool
    private let sharedSettings: SharedSettings
    private let tokens: TokenClosures
    private let recentBodies: Int
    /// Counts the mails that were on this device before contacts were derived.
    private let countingEarlierMails: Task<Void, Never>

    // Guarded by the lock: instances are opened and closed on any thread.
    private let users = Locked(SharedUsers())

    init(_ store: ReplicaStore, _ access: MailAccess, sharesInboxFile: Bool) {
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
            domain: sharesInboxFile ? .inInboxFile : .primary,
            account: access.account,
            settings: configuration.syncSettings,
            clock: configuration.clock,
            random: configuration.random,
            logger: configuration.logger
        )
        (self.store, self.engine, self.connection, self.tokens) = (store, engine, connection, tokens)
        (self.sharesInboxFile, sharedSettings, recentBodies) = (
            sharesInboxFile, access.sharedSettings, configuration.recentBodies
        )
        slices = SliceRegistry(store, engine.slices, access.scope)
        files = FileCache(
            folder: store.location.files,
            budget: configuration.fileBudget,
            connection: connection,
            clock: configuration.clock,
            account: { try await engine.account(for: .email) }
        )
        pictures = PictureSource(store, transport: configuration.transport, budget: configuration.pictureBudget)
        bodySource = BodySource(store: store, engine: engine, connection: connection, configuration: configuration)
        fileLists = FileLists(bodySource)
        outbox = Outbox(
            store: store,
            engine: engine,
            connection: connection,
            bodySource: bodySource,
            configuration: configuration,
            user: access.credentials.user
        )
        // A branch, so that its observers end with the mail and not with the inbox.
        changes = store.changes.branch()
        countingEarlierMails = Task(priority: .utility) { await store.countEarlierMails() }
    }

    /// Returns the open mail of a name in this process, or opens it.
    ///
    /// - Throws: ``MailError`` `invalidArgument` if it is open with other shared settings; the errors of `new`.
    static func open(
        _ name: String,
        for access: MailAccess,
        opening new: () -> Task<OpenMail, any Error>
    ) async throws -> OpenMail {
        // Without a shared engine, the unique name makes it behave as in another process.
        let name = access.configuration.sharesEngine ? name : "\(name) of \(access.instanceID)"
        return try await openMailRegistry.open(name, joining: { try $0.join(access) }, opening: new)
    }

    /// Adds a `Mail` to the users of the store.
    ///
    /// - Returns: False if it can't be used any more and has to be opened again.
    private func join(_ access: MailAccess) throws -> Bool {
        let isLive = access.configuration.isLive
        guard store.isInUse, !store.needsReopening, !hasEnded else { return false }
        try check(access.sharedSettings)
        let hasJoined = users.withLock { users in
            // Added before the live task begins, whose first request needs a token.
            tokens.add(access.credentials.token, of: access.instanceID)
            let hasJoined = users.join(access.instanceID, isLive: isLive) { keepLive(after: $0) }
            if !hasJoined { tokens.remove(of: access.instanceID) }
            return hasJoined
        }
        // The caller may have signed in again since the last password or token was rejected.
        if hasJoined { Task { [engine] in await engine.renewRejectedToken() } }
        return hasJoined
    }

    private func check(_ other: SharedSettings) throws {
        let difference =
            if sharedSettings.ownerDigest != other.ownerDigest {
                "Another person's mail is already open in this inbox"
            } else if sharedSettings.scope != other.scope {
                "The mail is already open with the scope \(sharedSettings.scope.rawValue)"
            } else if sharedSettings.scheme != other.scheme {
                "The mail is already open with another kind of credentials"
            } else {
                nil as String?
            }
        if let difference { throw MailError(.invalidArgument, "\(difference). Close it first.") }
    }

    /// Starts the live task. It retains the engine but no `Mail`, so that unused instances are deallocated.
    private func keepLive(after ended: Task<Void, Never>?) -> Task<Void, Never> {
        Task { [engine, fileLists, bodySource, recentBodies, outbox] in
            await ended?.value
            // Subscribed before the first sync, so that no round is missed.
            let (forLists, forBodies, forDrafts) = (engine.rounds(), engine.rounds(), engine.rounds())
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await fileLists.run(after: forLists) }
                if recentBodies > 0 { group.addTask { await RecentBodies(bodySource).run(after: forBodies) } }
                group.addTask { await outbox.run() }
                group.addTask { await outbox.run(after: forDrafts) }
                group.addTask { await engine.runLive() }
            }
        }
    }

    /// Removes an instance.
    ///
    /// - Returns: Whether it was the last one, so that ``close()`` has to follow.
    func leave(_ access: MailAccess) -> Bool {
        tokens.remove(of: access.instanceID)
        let isLast = users.withLock { $0.leave(access.instanceID) }
        if isLast { openMailRegistry.remove(self) }
        return isLast
    }

    /// Whether the last instance has left or the person has signed out.
    var hasEnded: Bool { users.withLock { $0.hasEnded } }

    /// Ends the mail for all instances at once, because the person signs out. Only the final sync can follow.
    ///
    /// - Returns: False if it has ended already.
    func hide() -> Bool {
        // The store of an inbox stays open.
        guard sharesInboxFile || store.hide() else { return false }
        let isFirst = users.withLock { $0.end() }
        openMailRegistry.remove(self)
        changes.finish()
        return isFirst
    }

    /// Ends the connection, and closes the file unless it is an inbox's.
    func close() async {
        users.withLock { $0.stop() }
        changes.finish()
        countingEarlierMails.cancel()
        await files.close()
        await pictures.close()
        await outbox.close()
        await engine.close()
        await countingEarlierMails.value
        if sharesInboxFile { store.remove(RecordType.mail) } else { await store.close() }
    }
}

/// The location of a person's mail, and how a caller has opened it.
final class MailAccess: Sendable {
    let server: URL
    let credentials: MailCredentials
    /// The account's id; nil for the primary one.
    let account: String?
    let scope: MailScope
    let configuration: MailConfiguration
    /// The identity of the instance.
    let instanceID = UUID()

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

    /// The name of the store. The zero byte can occur neither in the user's name nor in an account's id.
    var person: String {
        (["mail", credentials.user] + (account.map { [$0] } ?? [])).joined(separator: "\u{0}")
    }

    /// A digest that identifies the mail's owner without revealing it.
    var ownerDigest: String { StoreLocation.digest(of: server.absoluteString + "\u{0}" + person) }

    var sharedSettings: OpenMail.SharedSettings {
        OpenMail.SharedSettings(ownerDigest: ownerDigest, scope: scope, scheme: credentials.scheme)
    }
}

/// The open mail of this process, by the paths of the files.
private let openMailRegistry = SharedInstances<OpenMail>()

extension StoreDomain {
    /// Mail in the file of an inbox.
    fileprivate static let inInboxFile = StoreDomain("second", label: "mail")
}
