public import Foundation
public import Replica

/// The files of the mails on this device (``MailAttachment``), known without opening a mail and without a network.
///
/// Files are listed after a sync, those of the newest mails first. An interrupted listing resumes after the next sync.
/// The files of an opened mail are listed with its body. ``download(_:progress:)`` fetches the bytes of a file.
extension Mail {
    /// Returns the files of a query. By default, those of the newest mails come first, in the order within their mail.
    ///
    /// With the scope `slices`, the query also requests mails with files (``MailScope``): the newest, up to its limit.
    /// Without a limit, all are requested if the query's only conditions are on the date; otherwise 200.
    ///
    /// - Throws: `MailError`: `invalidArgument` for an unsupported query (the error names the part), `storage`,
    ///   `closed`.
    @concurrent
    public func attachments(_ query: Query<MailAttachment> = Query()) async throws -> [MailAttachment] {
        try await fetch(query, .attachment)
    }

    /// Returns the files of a thread's mails, those of the newest mail first.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func attachments(inThread id: String) async throws -> [MailAttachment] {
        try await attachments(Query(where: #Predicate { $0.threadID == id }))
    }

    /// Returns the files of a mail, including inline images, in order.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func attachments(ofMessage id: String) async throws -> [MailAttachment] {
        try await attachments(Query(where: #Predicate { $0.messageID == id }))
    }

    /// Returns the number of files of a query, regardless of its limit and offset.
    ///
    /// - Throws: As ``attachments(_:)``.
    @concurrent
    public func attachmentCount(_ query: Query<MailAttachment> = Query()) async throws -> Int {
        try await count(query, .attachment)
    }

    /// Observes the files of a query.
    ///
    /// The first snapshot is available at once. The sequence ends when the iterating task is cancelled or the mail is
    /// closed.
    public func observeAttachments(_ query: Query<MailAttachment> = Query()) -> MailSnapshots<MailAttachment> {
        MailSnapshots(store, changes, query, .attachment, slices)
    }

    /// Returns a file; nil if its mail isn't on this device.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func attachment(id: String) async throws -> MailAttachment? {
        try await attachments(Query(where: #Predicate { $0.id == id })).first
    }

    /// Returns the live object of a file. All callers that request the same id get the same instance. The object is
    /// gone when its mail is.
    ///
    /// - Returns: Nil if its mail isn't on this device.
    /// - Throws: `MailError`: `storage`, `closed`.
    @MainActor
    public func liveAttachment(_ id: String) async throws -> LiveObject<MailAttachment>? {
        let objects = liveAttachments ?? liveObjects(.attachment) { id in Query(where: #Predicate { $0.id == id }) }
        liveAttachments = objects
        try? await slices?.open(threads: [], mails: [MailAttachment.messageID(of: id)])
        return try await wrapping { try await objects.object(id) }
    }

    /// Returns a list of files for a user interface, as ``threadResults(where:sort:range:cachePolicy:)`` does for
    /// threads.
    @MainActor
    public func attachmentResults(
        where predicate: Predicate<MailAttachment>? = nil,
        sort: [SortDescriptor<MailAttachment>] = [],
        range: Range<Int> = 0..<200,
        cachePolicy: LiveResults<MailAttachment>.CachePolicy = .cacheThenNetwork
    ) -> LiveResults<MailAttachment> {
        results(.attachment, predicate, sort, range, cachePolicy)
    }
}
