public import Foundation
import Groundwork
public import Replica

/// The person's drafts: those written on this device, and those that other devices and programs have saved on the
/// server. Their texts are on this device, and can be read and written without a network.
extension Mail {
    /// Returns the drafts of a query. By default, the last changed come first.
    ///
    /// - Throws: `MailError`: `invalidArgument` for an unsupported query (the error names the part), `storage`,
    ///   `closed`.
    @concurrent
    public func drafts(_ query: Query<MailDraft> = Query()) async throws -> [MailDraft] {
        try await fetch(query, .draft)
    }

    /// Returns the drafts of a thread, the last changed first.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func drafts(inThread id: String) async throws -> [MailDraft] {
        try await drafts(Query(where: #Predicate { $0.threadID == id }))
    }

    /// Returns the number of drafts of a query, regardless of its limit and offset.
    ///
    /// - Throws: As ``drafts(_:)``.
    @concurrent
    public func draftCount(_ query: Query<MailDraft> = Query()) async throws -> Int {
        try await count(query, .draft)
    }

    /// Returns the outcome of a draft, also of one that isn't in any list any more. It needs no network.
    ///
    /// A draft that is gone may have been sent or discarded, here, in another window or on another device. The outcome
    /// of a mail that this device has sent is known for a day, and as long as the sent mail is on this device.
    ///
    /// - Parameter id: The id of the draft (``MailDraft/id``).
    /// - Returns: Nil if this device has no trace of it: it was discarded, never saved, or sent by another device whose
    ///   mail isn't here. This device hasn't sent it within the last day.
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func outcome(ofDraft id: String) async throws -> DraftOutcome? {
        try await read { db in try db.draftOutcome(id) }
    }

    /// Observes the drafts of a query, with their states.
    ///
    /// The first snapshot is available at once. The sequence ends when the iterating task is cancelled or the mail is
    /// closed.
    public func observeDrafts(_ query: Query<MailDraft> = Query()) -> MailSnapshots<MailDraft> {
        MailSnapshots(store, changes, query, .draft, slices)
    }

    /// Returns the bytes of a draft's file. Those of a file that was attached on this device need no network.
    ///
    /// - Throws: `MailError`: `invalidArgument` if the draft has no such file; as ``download(_:progress:)`` if the
    ///   bytes are on the server only; `storage`, `closed`.
    @concurrent
    public func contents(of attachment: DraftAttachment, inDraft id: String) async throws -> Data {
        guard let file = try await draft(id: id)?.files.first(where: { $0.id == attachment.id }) else {
            throw MailError(.invalidArgument, "The draft has no such file.")
        }
        if file.isOnDevice, let bytes = try? open.outbox.files.read(file, of: id) { return bytes }
        guard let blobID = file.blobID else {
            throw MailError(.storage, "The file \(file.name) is missing or was changed on this device.")
        }
        let stored = MailFile(
            blobID: blobID,
            name: file.name,
            type: file.type,
            size: file.size,
            contentID: file.contentID,
            isInline: file.contentID != nil
        )
        return try Data(contentsOf: try await download(stored))
    }

    /// The progress of the uploads of a draft's files: the fraction of each file's bytes that is sent, from 0 to 1, by
    /// the id of the file (``DraftAttachment/id``), beginning with the present ones.
    ///
    /// Only files whose upload is under way in this process are part of it. Others are on the server
    /// (``DraftAttachment/isUploaded``), or wait. Of several changes in quick succession, only the newest is reported.
    /// With a transport of the app's own, a fraction stays at 0 until the file is on the server. The sequence ends when
    /// the iterating task is cancelled or the mail is closed.
    public func uploadProgress(ofDraft id: String) -> AsyncStream<[String: Double]> {
        uploads.stream(startingWith: open.outbox.uploads.fractions.value).mapped(keepingNewest: 1) { $0[id] ?? [:] }
    }

    /// Returns a draft with its text; nil if there is none with this id.
    ///
    /// A text that the server truncates isn't complete (``MailDraft/isComplete``).
    ///
    /// - Throws: `MailError`: `notConnected` and others if its text isn't on this device yet and the server can't be
    ///   reached, `storage`, `closed`.
    @concurrent
    public func draft(id: String) async throws -> MailDraft? {
        let query = Query<MailDraft>(where: #Predicate { $0.id == id })
        guard let draft = try await drafts(query).first else { return nil }
        guard !draft.isComplete, case .version(let emailID) = draft.basis else { return draft }
        try await fetchDraftText(of: emailID)
        return try await drafts(query).first
    }

    /// Returns the draft that a mail is a version of, with its text; nil if the mail isn't a draft.
    ///
    /// - Parameter id: The mail's id, such as that of a mail in a thread (``MailMessage/isDraft``).
    /// - Throws: As ``draft(id:)``.
    @concurrent
    public func draft(ofMessage id: String) async throws -> MailDraft? {
        guard let draftID = try await read({ db in try db.draftID(ofVersion: id) }) else { return nil }
        return try await draft(id: draftID)
    }

    /// Returns the live object of a draft, updated in place. All callers that request the same id get the same
    /// instance.
    ///
    /// - Returns: Nil if there is no draft with this id.
    /// - Throws: `MailError`: `storage`, `closed`.
    @MainActor
    public func liveDraft(_ id: String) async throws -> LiveObject<MailDraft>? {
        let objects = liveDrafts ?? liveObjects(.draft) { id in Query(where: #Predicate { $0.id == id }) }
        liveDrafts = objects
        return try await wrapping { try await objects.object(id) }
    }

    /// Returns a list of drafts for a user interface, as ``threadResults(where:sort:range:cachePolicy:)`` does for
    /// threads.
    @MainActor
    public func draftResults(
        where predicate: Predicate<MailDraft>? = nil,
        sort: [SortDescriptor<MailDraft>] = [],
        range: Range<Int> = 0..<200,
        cachePolicy: LiveResults<MailDraft>.CachePolicy = .cacheThenNetwork
    ) -> LiveResults<MailDraft> {
        results(.draft, predicate, sort, range, cachePolicy)
    }
}
