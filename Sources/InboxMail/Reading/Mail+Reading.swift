public import Foundation
public import Replica

extension Mail {
    // MARK: - Threads

    /// Returns the threads of a query. By default, those with the latest mail come first.
    ///
    /// - Throws: `MailError`: `invalidArgument` for an unsupported query (the error names the part), `storage`,
    ///   `closed`.
    @concurrent
    public func threads(_ query: Query<MailThread> = Query()) async throws -> [MailThread] {
        try await fetch(query, .thread)
    }

    /// Returns the number of threads of a query, regardless of its limit and offset.
    ///
    /// - Throws: As ``threads(_:)``.
    @concurrent
    public func threadCount(_ query: Query<MailThread> = Query()) async throws -> Int {
        try await count(query, .thread)
    }

    /// Observes the threads of a query, whether the server, the person or another process changes them.
    ///
    /// The first snapshot is available at once. A thread that no longer matches is removed from the list. The sequence
    /// ends when the iterating task is cancelled or the mail is closed.
    public func observeThreads(_ query: Query<MailThread> = Query()) -> MailSnapshots<MailThread> {
        MailSnapshots(store, changes, query, .thread, slices)
    }

    /// Returns a thread; nil if it isn't on this device.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func thread(id: String) async throws -> MailThread? {
        try await threads(Query(where: #Predicate { $0.id == id })).first
    }

    /// Returns the live object of a thread, updated in place. All callers that request the same id get the same
    /// instance.
    ///
    /// - Returns: Nil if it isn't on this device.
    /// - Throws: `MailError`: `storage`, `closed`.
    @MainActor
    public func liveThread(_ id: String) async throws -> LiveObject<MailThread>? {
        let objects = liveThreads ?? liveObjects(.thread) { id in Query(where: #Predicate { $0.id == id }) }
        liveThreads = objects
        try? await slices?.open(threads: [id], mails: [])
        return try await wrapping { try await objects.object(id) }
    }

    /// Returns a list of threads for a user interface, which is kept up to date. It becomes empty when the mail is
    /// closed or released.
    ///
    /// - Parameters:
    ///   - predicate: The condition of the threads; nil for all.
    ///   - sort: The order. If it is empty, the threads with the latest mail come first.
    ///   - range: The range of the list. It may grow later.
    ///   - cachePolicy: Whether changes are requested from the server too, at the beginning and when the predicate or
    ///   the order changes.
    @MainActor
    public func threadResults(
        where predicate: Predicate<MailThread>? = nil,
        sort: [SortDescriptor<MailThread>] = [],
        range: Range<Int> = 0..<200,
        cachePolicy: LiveResults<MailThread>.CachePolicy = .cacheThenNetwork
    ) -> LiveResults<MailThread> {
        results(.thread, predicate, sort, range, cachePolicy)
    }

    // MARK: - Mails

    /// Returns the mails of a query, by default newest first.
    ///
    /// - Throws: As ``threads(_:)``.
    @concurrent
    public func messages(_ query: Query<MailMessage> = Query()) async throws -> [MailMessage] {
        try await fetch(query, .email)
    }

    /// Returns the mails of a thread, oldest first.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func messages(inThread id: String) async throws -> [MailMessage] {
        try await messages(Query(where: #Predicate { $0.threadID == id }, sort: [SortDescriptor(\.receivedAt)]))
    }

    /// Returns the number of mails of a query, regardless of its limit and offset.
    ///
    /// - Throws: As ``threads(_:)``.
    @concurrent
    public func messageCount(_ query: Query<MailMessage> = Query()) async throws -> Int {
        try await count(query, .email)
    }

    /// Observes the mails of a query.
    public func observeMessages(_ query: Query<MailMessage> = Query()) -> MailSnapshots<MailMessage> {
        MailSnapshots(store, changes, query, .email, slices)
    }

    /// Returns a mail; nil if it isn't on this device.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func message(id: String) async throws -> MailMessage? {
        try await messages(Query(where: #Predicate { $0.id == id })).first
    }

    /// Returns the live object of a mail, updated in place. All callers that request the same id get the same instance.
    ///
    /// - Returns: Nil if it isn't on this device.
    /// - Throws: `MailError`: `storage`, `closed`.
    @MainActor
    public func liveMessage(_ id: String) async throws -> LiveObject<MailMessage>? {
        let objects = liveMessages ?? liveObjects(.email) { id in Query(where: #Predicate { $0.id == id }) }
        liveMessages = objects
        try? await slices?.open(threads: [], mails: [id])
        return try await wrapping { try await objects.object(id) }
    }

    /// Returns a list of mails for a user interface, as ``threadResults(where:sort:range:cachePolicy:)`` does for
    /// threads.
    @MainActor
    public func messageResults(
        where predicate: Predicate<MailMessage>? = nil,
        sort: [SortDescriptor<MailMessage>] = [],
        range: Range<Int> = 0..<200,
        cachePolicy: LiveResults<MailMessage>.CachePolicy = .cacheThenNetwork
    ) -> LiveResults<MailMessage> {
        results(.email, predicate, sort, range, cachePolicy)
    }

    // MARK: - Identities and counts

    /// Returns the names and addresses with which the person may send. Empty if the account can't send.
    ///
    /// A value that the server doesn't provide, such as the address with Cyrus and a plain user name, comes from
    /// ``MailConfiguration/sender``, or is the user's name if that is an address.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func identities() async throws -> [MailIdentity] {
        try await read { [configuration, user] db in
            try db.identities(sender: configuration.sender, user: user)
        }
    }

    /// Returns the numbers of threads on this device.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func counts() async throws -> MailCounts { try await read { db in MailCounts(try db.counts(.thread)) } }

    /// The numbers of threads after the last commit, for badges. They are kept in memory and need no query.
    public var latestCounts: MailCounts { MailCounts(isClosed ? .none : store.counts(.thread)) }
}
