public import Foundation
public import Replica

/// The files of the mails on this device (``MailAttachment``): known without opening a mail, and without network.
///
/// They are listed after a sync, those of the newest mails first; what is broken off goes on with the next. An opened
/// mail's are listed with its body. A file's bytes come with ``download(_:progress:)``.
extension Mail {
    /// The files of a query, those of the newest mails first where it doesn't say, each mail's in their order.
    ///
    /// With the scope `slices` it asks for mails with files too, as other queries do for what they have
    /// (``MailScope``): the newest, as many as the limit. Without a limit all are asked for, where the query has no
    /// conditions but on the date; else 200.
    ///
    /// - Throws: `MailError`: `invalidArgument` for a query that can't be read (it names the part), `storage`,
    ///   `closed`.
    @concurrent
    public func attachments(_ query: Query<MailAttachment> = Query()) async throws -> [MailAttachment] {
        try await fetch(query, .attachment)
    }

    /// The files of a thread's mails, those of the newest mail first.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func attachments(inThread id: String) async throws -> [MailAttachment] {
        try await attachments(Query(where: #Predicate { $0.threadID == id }))
    }

    /// The files of a mail, pictures that stand within its text too, in their order.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func attachments(ofMessage id: String) async throws -> [MailAttachment] {
        try await attachments(Query(where: #Predicate { $0.messageID == id }))
    }

    /// How many files a query has, its limit and offset set aside.
    ///
    /// - Throws: As ``attachments(_:)``.
    @concurrent
    public func attachmentCount(_ query: Query<MailAttachment> = Query()) async throws -> Int {
        try await count(query, .attachment)
    }

    /// The files of a query, and again whenever they change.
    ///
    /// The first snapshot comes at once. Ends when the iterating task is cancelled or the mail is closed.
    public func observeAttachments(_ query: Query<MailAttachment> = Query()) -> MailSnapshots<MailAttachment> {
        MailSnapshots(store, changes, query, .attachment, slices)
    }

    /// One file; nil where its mail isn't on this device.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func attachment(id: String) async throws -> MailAttachment? {
        try await attachments(Query(where: #Predicate { $0.id == id })).first
    }

    /// The one live object for a file: whoever asks for the same id holds the same instance. It is gone when its mail
    /// is.
    ///
    /// - Returns: Nil where its mail isn't on this device.
    /// - Throws: `MailError`: `storage`, `closed`.
    @MainActor
    public func liveAttachment(_ id: String) async throws -> LiveObject<MailAttachment>? {
        let objects = liveAttachments ?? liveObjects(.attachment) { id in Query(where: #Predicate { $0.id == id }) }
        liveAttachments = objects
        try? await slices?.open(threads: [], mails: [MailAttachment.messageID(of: id)])
        return try await wrapping { try await objects.object(id) }
    }

    /// A list of files for screens, as ``threadProvider(where:sort:range:cachePolicy:)`` is one of threads.
    @MainActor
    public func attachmentProvider(
        where predicate: Predicate<MailAttachment>? = nil,
        sort: [SortDescriptor<MailAttachment>] = [],
        range: Range<Int> = 0..<200,
        cachePolicy: ModelProvider<MailAttachment>.CachePolicy = .cacheThenNetwork
    ) -> ModelProvider<MailAttachment> {
        provider(.attachment, predicate, sort, range, cachePolicy)
    }
}
