public import Foundation
import Groundwork
public import Replica

/// One person's mail on this device, from any JMAP server (RFC 8620, RFC 8621).
///
/// ```swift
/// let mail = try await Mail.open(server: url, credentials: .basic(user: "anna") { password }, directory: folder)
/// for try await snapshot in mail.observeThreads(Query(where: #Predicate { $0.isInInbox })) {
///     show(snapshot.items, badge: snapshot.counts.unreadInInbox)
/// }
/// ```
///
/// Reads come from a file on the device and work without a network. A change is stored in that file before the call
/// returns, shows at once, and is sent when the server can be reached. All work happens off the main actor.
///
/// The device keeps all mails of the account, or those that queries request (``MailScope``), without their bodies. The
/// bodies of the newest mails are fetched in advance, others when they are opened. They are kept within a budget
/// (``MailConfiguration``).
///
/// The connection lives as long as the mail is retained; ``close()`` ends it earlier.
///
/// The mail of one account can be opened several times in a process. All instances share the file and the connection,
/// which are closed with the last instance; ``close()`` ends only the instance on which it is called. The first
/// instance determines the configuration of the connection and of the caches (poll intervals, budgets, clock,
/// transport, logger). The connection is kept while at least one instance is live, and passwords or tokens are
/// requested from the one that was opened last. Signing out through one instance closes all.
public final class Mail: Sendable {
    /// The server's URL.
    public let server: URL
    /// The name with which the person signs in.
    public let user: String
    /// The id of the account; nil for the primary one (``accounts()``).
    public let account: String?

    /// The inbox whose file contains the mail; nil if the mail has a file of its own.
    public let inbox: Inbox?

    /// The repair of a damaged file when it was opened; nil if the file was intact.
    public let repair: ReplicaRepair?

    package let store: ReplicaStore
    /// Sends an element for each change of the store, until this instance is closed.
    let changes: Broadcast<Void>
    /// The progress of the first sync, the connection's states and the refused writes, until this instance is closed.
    let steps: Broadcast<SyncProgress?>
    let states: Broadcast<ConnectionState>
    let refusals: Broadcast<RefusedWrite>
    /// The uploads of drafts' files, until this instance is closed.
    let uploads: Broadcast<DraftUploads.Fractions>
    let engine: SyncEngine
    let connection: ServerConnection
    package let configuration: MailConfiguration
    let files: FileCache
    let bodySource: BodySource
    let fileLists: FileLists
    /// The registry of slices; nil if the device keeps all mail.
    let slices: SliceRegistry?
    let open: OpenMail
    /// Identifies this instance among the users of the store.
    private let access: MailAccess
    // Guarded by its lock, because any thread may close the mail.
    private let isMarkedClosed = Locked(false)
    @MainActor var liveThreads: LiveObjects<MailThread>?
    @MainActor var liveMessages: LiveObjects<MailMessage>?
    @MainActor var liveMailboxes: LiveObjects<Mailbox>?
    @MainActor var liveDrafts: LiveObjects<MailDraft>?
    @MainActor var liveAttachments: LiveObjects<MailAttachment>?
    @MainActor var liveContacts: LiveObjects<MailContact>?

    private init(_ access: MailAccess, in inbox: Inbox?, _ open: OpenMail) {
        (server, user, account) = (access.server, access.credentials.user, access.account)
        (self.access, self.inbox, self.open) = (access, inbox, open)
        configuration = access.configuration
        repair = open.store.repair
        (store, engine, connection, slices) = (open.store, open.engine, open.connection, open.slices)
        (files, bodySource, fileLists) = (open.files, open.bodySource, open.fileLists)
        changes = open.changes.branch()
        steps = engine.progress.branch()
        states = engine.connectionState.branch()
        refusals = engine.refusals.branch()
        uploads = open.outbox.uploads.fractions.branch()
    }

    deinit {
        if markClosed() { endStreams() }
        guard open.leave(access) else { return }
        let open = open
        Task { await open.close() }
    }

    /// Opens a person's mail. It waits for the file on this device only, never for the network.
    ///
    /// - Parameters:
    ///   - server: The URL of the mail server: `https`, or `http` for this machine only. The session is at its
    ///   `/.well-known/jmap` (RFC 8620, section 2.2), or at the URL itself if it has a path.
    ///   - credentials: The person's credentials.
    ///   - account: The id of one of the accounts of ``accounts()``. Nil for the primary one.
    ///   - directory: A folder for the app's mail, with a file for each person on each server, and for each named
    ///   account. It is created if it doesn't exist. By default ``defaultDirectory``. An app whose extensions show mail
    ///   too gives a folder of their app group.
    ///   - scope: The part of the mail that the device keeps. A changed scope is applied by the next sync. It has to be
    ///   the same in all processes of the app.
    ///   - configuration: The settings.
    /// - Throws: `MailError`: `invalidArgument`, also if the mail is open in this process with another scope or kind of
    ///   credentials; `storage` or `diskFull` if the file can't be opened; `newerVersion` if a newer version of the app
    ///   has changed it. A damaged file is rebuilt from the server; ``repair`` reports it.
    @concurrent
    public static func open(
        server: URL,
        credentials: MailCredentials,
        account: String? = nil,
        directory: URL = Mail.defaultDirectory,
        scope: MailScope = .everything,
        configuration: MailConfiguration = MailConfiguration()
    ) async throws -> Mail {
        try check(server, credentials)
        let access = MailAccess(server, credentials, account, scope, configuration)
        let location = StoreLocation(directory: directory, server: server, person: access.person)
        do {
            let open = try await OpenMail.open(location.name, for: access) {
                Task {
                    let store = try ReplicaStore(
                        at: location,
                        types: RecordType.mail(scope),
                        clock: configuration.clock,
                        writeHook: configuration.writeHook
                    )
                    try await store.applyScope(scope)
                    try await store.applyOwnAddresses(of: access)
                    return OpenMail(store, access, sharesInboxFile: false)
                }
            }
            return Mail(access, in: nil, open)
        } catch {
            throw MailError.wrapping(error)
        }
    }

    /// The folder of this app's mail: `Mail`, in a folder named by the app's bundle identifier (or by the program, if
    /// it has none) in the user's Application Support directory. On Linux that is `$XDG_DATA_HOME`, by default
    /// `~/.local/share`.
    public static var defaultDirectory: URL { StoreLocation.appDirectory("Mail") }

    /// Opens a person's mail in the file of their inbox. Both can then be shown in one list
    /// (``observeEntries(limit:)``), read in one transaction, with one count of unread entries.
    ///
    /// It requires an open inbox and shares its file: signing out of the inbox deletes both.
    ///
    /// - Parameters:
    ///   - server: The URL of the mail server, as in
    ///   ``open(server:credentials:account:directory:scope:configuration:)``.
    ///   - credentials: The person's credentials. If they are another person's than the last time, the earlier mail is
    ///   removed first, unless it has drafts that the server doesn't have
    ///   (``MailConfiguration/discardsOtherDrafts``).
    ///   - account: The id of one of the accounts of ``accounts()``. Nil for the primary one.
    ///   - inbox: The person's inbox. Its file holds the mail of one account at a time.
    ///   - scope: The part of the mail that the device keeps, as in
    ///   ``open(server:credentials:account:directory:scope:configuration:)``.
    ///   - configuration: The settings. The clock is the inbox's.
    /// - Throws: `MailError`: `invalidArgument`, also if other mail is open in this inbox's file, or the same mail with
    ///   other settings; `unsentDrafts` if the earlier mail of another person has drafts that would be lost; `storage`,
    ///   `diskFull`, `newerVersion`, `closed`.
    @concurrent
    public static func open(
        server: URL,
        credentials: MailCredentials,
        account: String? = nil,
        in inbox: Inbox,
        scope: MailScope = .everything,
        configuration: MailConfiguration = MailConfiguration()
    ) async throws -> Mail {
        try check(server, credentials)
        var configuration = configuration
        configuration.clock = inbox.store.clock
        let access = MailAccess(server, credentials, account, scope, configuration)
        do {
            // The store's identity is part of the name, because an inbox that doesn't share its store has mail of its
            // own.
            let name = "\(inbox.store.location.name) beside \(ObjectIdentifier(inbox.store))"
            let open = try await OpenMail.open(name, for: access) {
                Task {
                    try await prepare(inbox.store, for: access)
                    return OpenMail(inbox.store, access, sharesInboxFile: true)
                }
            }
            return Mail(access, in: inbox, open)
        } catch {
            throw MailError.wrapping(error)
        }
    }

    /// Adds a person's mail to the store of an inbox. Another person's mail is removed first.
    private static func prepare(_ store: ReplicaStore, for access: MailAccess) async throws {
        guard try store.add(RecordType.mail(access.scope)) else {
            throw store.isClosed
                ? StoreError.closed
                : MailError(.invalidArgument, "Mail is already open in this inbox. Close it first.")
        }
        do {
            if try await store.read({ db in try db.setting(ownerSetting) }) != access.ownerDigest {
                // Another process may have the earlier mail open.
                try await store.write { writer in
                    let unsent = try writer.db.unsentDeviceRecordCount()
                    if unsent > 0, !access.configuration.discardsOtherDrafts {
                        throw MailError.unsentOtherDrafts(unsent)
                    }
                    try writer.removeAllMail()
                    // If the process ends before the files are deleted, everything is repeated.
                    try writer.set(setting: ownerSetting, to: nil)
                }
                try FileCache.deleteAll(in: store.location.files)
                DraftFiles(store.location).removeAll()
                try await store.write { writer in try writer.set(setting: ownerSetting, to: access.ownerDigest) }
            }
            try await store.applyScope(access.scope)
            try await store.applyOwnAddresses(of: access)
        } catch {
            store.remove(RecordType.mail)
            throw error
        }
    }

    /// The setting that identifies the owner of the mail in an inbox's file.
    private static var ownerSetting: String { "mail of" }

    private static func check(_ server: URL, _ credentials: MailCredentials) throws {
        guard server.allowsCredentials else {
            throw MailError(
                .invalidArgument,
                "The server's URL must start with https:// and have a host. http:// is allowed only for this machine."
            )
        }
        guard (1...256).contains(credentials.user.utf8.count) else {
            throw MailError(.invalidArgument, "The user's name has 1 to 256 bytes.")
        }
        guard credentials.scheme != .basic || !credentials.user.contains(":") else {
            throw MailError(.invalidArgument, "The user's name must not contain a colon (RFC 7617).")
        }
    }

    /// Closes this instance. The last one in this process also ends the connection and closes the file, unless the file
    /// is an inbox's. Every later call throws `MailError` with the code `closed`.
    public func close() async {
        let isFirst = markClosed()
        if open.leave(access) { await open.close() }
        // After the store is closed, so that a woken observer finds nothing to read.
        if isFirst { endStreams() }
    }

    /// Makes every call through this instance throw.
    ///
    /// - Returns: False if it was closed before.
    private func markClosed() -> Bool {
        isMarkedClosed.withLock { isMarkedClosed in
            defer { isMarkedClosed = true }
            return !isMarkedClosed
        }
    }

    /// Ends the streams of this instance.
    private func endStreams() {
        changes.finish()
        steps.finish()
        states.send(.closed)
        states.finish()
        refusals.finish()
        uploads.finish()
    }

    /// Whether this instance was closed or the person has signed out. The store may also be closed independently.
    var isClosed: Bool { isMarkedClosed.withLock { $0 } || open.hasEnded }

    func checkOpen() throws(StoreError) {
        if isClosed { throw .closed }
    }
}

/// An error of a person's mail. Its description contains neither mails nor passwords or tokens.
public typealias MailError = ReplicaError
