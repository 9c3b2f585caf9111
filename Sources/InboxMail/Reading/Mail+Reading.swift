public import Foundation
public import Replica

extension Mail {
    // MARK: - Threads

    /// The threads of a query, those with the latest mail first where it doesn't say.
    ///
    /// - Throws: `MailError`: `invalidArgument` for a query that can't be read (it names the part), `storage`,
    ///   `closed`.
    @concurrent
    public func threads(_ query: Query<MailThread> = Query()) async throws -> [MailThread] {
        try await fetch(query, .thread)
    }

    /// How many threads a query has, its limit and offset set aside.
    ///
    /// - Throws: As ``threads(_:)``.
    @concurrent
    public func threadCount(_ query: Query<MailThread> = Query()) async throws -> Int {
        try await count(query, .thread)
    }

    /// The threads of a query, and again whenever they change: by the server, by the person, by another process.
    ///
    /// The first snapshot comes at once. One that stops matching leaves the list by itself. Ends when the iterating
    /// task is cancelled or the mail is closed.
    public func observeThreads(_ query: Query<MailThread> = Query()) -> MailSnapshots<MailThread> {
        MailSnapshots(store, changes, query, .thread, slices)
    }

    /// One thread; nil where it isn't on this device.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func thread(id: String) async throws -> MailThread? {
        try await threads(Query(where: #Predicate { $0.id == id })).first
    }

    /// The one live object for a thread, changed in place: whoever asks for the same id holds the same instance.
    ///
    /// - Returns: Nil where it isn't on this device.
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
    ///   - predicate: The condition of the threads. Nil for all.
    ///   - sort: The order. If it is empty, the threads with the latest mail come first.
    ///   - range: The range of the list. It may grow later.
    ///   - cachePolicy: Whether the server is asked too, at the beginning and when the predicate or the order changes.
    @MainActor
    public func threadProvider(
        where predicate: Predicate<MailThread>? = nil,
        sort: [SortDescriptor<MailThread>] = [],
        range: Range<Int> = 0..<200,
        cachePolicy: ModelProvider<MailThread>.CachePolicy = .cacheThenNetwork
    ) -> ModelProvider<MailThread> {
        provider(.thread, predicate, sort, range, cachePolicy)
    }

    // MARK: - Mails

    /// The mails of a query, newest first where it doesn't say.
    ///
    /// - Throws: As ``threads(_:)``.
    @concurrent
    public func messages(_ query: Query<MailMessage> = Query()) async throws -> [MailMessage] {
        try await fetch(query, .email)
    }

    /// The mails of a thread, oldest first.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func messages(inThread id: String) async throws -> [MailMessage] {
        try await messages(Query(where: #Predicate { $0.threadID == id }, sort: [SortDescriptor(\.receivedAt)]))
    }

    /// How many mails a query has, its limit and offset set aside.
    ///
    /// - Throws: As ``threads(_:)``.
    @concurrent
    public func messageCount(_ query: Query<MailMessage> = Query()) async throws -> Int {
        try await count(query, .email)
    }

    /// The mails of a query, and again whenever they change.
    public func observeMessages(_ query: Query<MailMessage> = Query()) -> MailSnapshots<MailMessage> {
        MailSnapshots(store, changes, query, .email, slices)
    }

    /// One mail; nil where it isn't on this device.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func message(id: String) async throws -> MailMessage? {
        try await messages(Query(where: #Predicate { $0.id == id })).first
    }

    /// The one live object for a mail, changed in place: whoever asks for the same id holds the same instance.
    ///
    /// - Returns: Nil where it isn't on this device.
    /// - Throws: `MailError`: `storage`, `closed`.
    @MainActor
    public func liveMessage(_ id: String) async throws -> LiveObject<MailMessage>? {
        let objects = liveMessages ?? liveObjects(.email) { id in Query(where: #Predicate { $0.id == id }) }
        liveMessages = objects
        try? await slices?.open(threads: [], mails: [id])
        return try await wrapping { try await objects.object(id) }
    }

    /// A list of mails for screens, as ``threadProvider(where:sort:range:cachePolicy:)`` is one of threads.
    @MainActor
    public func messageProvider(
        where predicate: Predicate<MailMessage>? = nil,
        sort: [SortDescriptor<MailMessage>] = [],
        range: Range<Int> = 0..<200,
        cachePolicy: ModelProvider<MailMessage>.CachePolicy = .cacheThenNetwork
    ) -> ModelProvider<MailMessage> {
        provider(.email, predicate, sort, range, cachePolicy)
    }

    // MARK: - Identities and counts

    /// The names and addresses with which the person may send. Empty if the server doesn't provide them.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func identities() async throws -> [MailIdentity] {
        try await read { db in try db.identities() }
    }

    /// How many threads there are on this device.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func counts() async throws -> MailCounts { try await read { db in MailCounts(try db.counts(.thread)) } }

    /// How many threads there were after the last commit, for badges: from memory, no query.
    public var latestCounts: MailCounts { MailCounts(isClosed ? .none : store.counts(.thread)) }
}
