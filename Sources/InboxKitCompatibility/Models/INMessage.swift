public import Foundation
public import InboxMail

/// A mail.
///
/// Its body comes with ``reload()``, from this device where it was looked at before.
public final class INMessage: INModelObject, INRecordObject {
    /// What predicates and sort descriptors are written over.
    public typealias Record = MailMessage

    private let live: LiveObject<MailMessage>
    private var content: MailBody?
    private var listed: [MailAttachment]
    private var listing: Task<Void, Never>?

    /// - Parameter files: Those that are known.
    init(_ live: LiveObject<MailMessage>, _ files: [MailAttachment], in namespace: INNamespace) {
        self.live = live
        listed = files
        super.init(live, in: namespace)
        if files.isEmpty, live.value.hasAttachments { waitForFiles() }
    }

    deinit {
        listing?.cancel()
    }

    /// Files are listed a moment after their mail came.
    private func waitForFiles() {
        let id = ID
        let snapshots = namespace.mail.observeAttachments(Query(where: #Predicate { $0.messageID == id }))
        listing = Task { [weak self] in
            do {
                for try await snapshot in snapshots where !snapshot.items.isEmpty {
                    self?.listed = snapshot.items
                    self?.notifyOfChange()
                    return
                }
            } catch {
                // They come with `reload()`.
            }
        }
    }

    /// The mail as it is, or as it last was: what InboxKit had no names for too.
    public var value: MailMessage { live.value }
    /// Whether the mail is on this device with its body.
    public func isDataAvailable() -> Bool { content != nil && !live.isGone }

    /// The text to show; nil until ``reload()``. Never HTML, of which nothing can be trusted:
    /// `namespace.mail.body(of:)` has that.
    public var body: String? { content?.text }
    /// The files that came with it, without the pictures within its text: as soon as they are listed on this device, at
    /// the latest after ``reload()``.
    public var files: [INFile] {
        let files = content?.attachments ?? listed.filter { !$0.isInline }.map(\.file)
        return files.map { INFile($0, namespace.mail) }
    }
    /// The beginning of its text.
    public var snippet: String { value.snippet }
    /// When the server got it.
    public var date: Date { value.receivedAt }
    /// Empty where it has none.
    public var subject: String { value.subject }
    /// The thread that it belongs to.
    public var threadID: String { value.threadID }
    /// Who wrote it.
    public var from: [EmailAddress] { value.from }
    /// The recipients.
    public var to: [EmailAddress] { value.to }
    /// Who gets a copy.
    public var cc: [EmailAddress] { value.cc }
    /// Who gets a copy without the others knowing.
    public var bcc: [EmailAddress] { value.bcc }
    /// Whether it hasn't been read.
    public var unread: Bool { value.isUnread }

    /// The one object for its thread; nil where that is gone.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func thread() async throws -> INThread? { try await namespace.thread(withID: threadID) }

    /// Fetches the body and the list of files, and posts the change.
    ///
    /// - Throws: As `Mail.body(of:)`: `notConnected` and others if it isn't on this device and the server can't be
    ///   reached.
    public func reload() async throws {
        let body = try await namespace.mail.body(of: ID)
        guard body != content else { return }
        content = body
        notifyOfChange()
    }

    /// Fetches the body and the list of files, posts the change, and reports the outcome.
    public func reload(_ callback: (@MainActor (Bool, (any Error)?) -> Void)?) {
        Task {
            do {
                try await reload()
                callback?(true, nil)
            } catch {
                callback?(false, error)
            }
        }
    }

    /// Marks it read.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func markAsRead() async throws {
        let id = ID
        try await namespace.perform { _ = try await $0.markRead(messages: [id]) }.value
    }

    /// Marks it read.
    public func markAsRead(_ callback: (@MainActor (Bool, (any Error)?) -> Void)? = nil) {
        let id = ID
        namespace.perform(callback) { _ = try await $0.markRead(messages: [id]) }
    }
}
