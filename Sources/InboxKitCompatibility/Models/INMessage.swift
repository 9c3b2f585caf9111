public import Foundation
public import InboxMail
public import InboxMailViews
import Replica

/// A mail.
///
/// ``reload()`` provides the body, from this device if it is stored there.
public final class INMessage: INModelObject, INRecordObject {
    /// The type over which predicates and sort descriptors are written.
    public typealias Record = MailMessage

    private let live: LiveObject<MailMessage>
    private var content: MailBody?
    private var listedFiles: [MailAttachment]
    private var filesTask: Task<Void, Never>?

    /// - Parameter files: The files that are listed already.
    init(_ live: LiveObject<MailMessage>, _ files: [MailAttachment], in namespace: INNamespace) {
        self.live = live
        listedFiles = files
        super.init(id: live.id, in: namespace)
        observe(live)
        if files.isEmpty, live.value.hasAttachments { waitForFiles() }
    }

    deinit {
        filesTask?.cancel()
    }

    /// Waits for the list of files, which follows shortly after the mail.
    private func waitForFiles() {
        let id = ID
        let snapshots = namespace.mail.observeAttachments(Query(where: #Predicate { $0.messageID == id }))
        filesTask = Task { [weak self, clock = namespace.mail.store.clock] in
            await RepeatedObservation(clock).follow {
                snapshots
            } show: { [weak self] snapshot in
                guard !snapshot.items.isEmpty else { return true }
                self?.listedFiles = snapshot.items
                self?.notifyOfChange()
                return false
            }
        }
    }

    /// The mail in its current or last known state, with properties that InboxKit doesn't have.
    public var value: MailMessage { live.value }
    /// Whether the mail is on this device and its body is loaded.
    public func isDataAvailable() -> Bool { content != nil && !live.isGone }

    /// The text to show; nil until ``reload()``. It is never HTML, which can't be trusted: `namespace.mail.body(of:)`
    /// has that.
    public var body: String? { content?.text }
    /// The files, without inline images. They are available when they are listed on this device, at the latest after
    /// ``reload()``.
    public var files: [INFile] {
        let files = content?.attachments ?? listedFiles.filter { !$0.isInline }.map(\.file)
        return files.map { INFile($0, namespace.mail) }
    }
    /// The beginning of the text.
    public var snippet: String { value.snippet }
    /// The time at which the server received the mail.
    public var date: Date { value.receivedAt }
    /// The subject; empty if there is none.
    public var subject: String { value.subject }
    /// The id of the mail's thread.
    public var threadID: String { value.threadID }
    /// The authors.
    public var from: [EmailAddress] { value.from }
    /// The recipients.
    public var to: [EmailAddress] { value.to }
    /// The recipients of a copy (Cc).
    public var cc: [EmailAddress] { value.cc }
    /// The recipients of a blind copy (Bcc), hidden from the others.
    public var bcc: [EmailAddress] { value.bcc }
    /// Whether the mail is unread.
    public var unread: Bool { value.isUnread }

    /// Returns the unique object of the mail's thread; nil if it isn't on this device.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func thread() async throws -> INThread? { try await namespace.thread(withID: threadID) }

    /// Returns the unique objects of the authors.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func fromContacts() async throws -> [INContact] { try await namespace.contacts(for: from) }

    /// Returns the unique objects of the recipients: ``to``, ``cc`` and ``bcc``, each once, the first hundred.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func recipientContacts() async throws -> [INContact] {
        try await namespace.contacts(for: Array((to + cc + bcc).prefix(100)))
    }

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

    // MARK: - Answers

    /// Returns a draft that replies to the authors, with the text quoted. It is kept once it is saved.
    ///
    /// - Throws: As `Mail.reply(to:locale:)`.
    public func newReply() async throws -> INDraft { INDraft(try await namespace.mail.reply(to: ID), in: namespace) }

    /// Returns a draft that replies to the authors and the other recipients, without the person, each once.
    ///
    /// - Throws: As `Mail.reply(to:locale:)`.
    public func newReplyToAll() async throws -> INDraft {
        INDraft(try await namespace.mail.replyAll(to: ID), in: namespace)
    }

    /// Returns a draft that forwards the mail with its files. It is kept once it is saved.
    ///
    /// - Throws: As `Mail.forward(_:locale:)`.
    public func newForward() async throws -> INDraft { INDraft(try await namespace.mail.forward(ID), in: namespace) }

    /// Returns the state of a screen with the mail's body: cleaned HTML or text, with quotations folded and pictures on
    /// the web hidden. It begins to load at once. `INMessageContentView` shows it; in SwiftUI `MailBodyView` does.
    public func newBodyModel() -> MailBodyModel { MailBodyModel(value, in: namespace.mail) }

    // MARK: - Actions

    /// Marks the mail as read.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func markAsRead() async throws {
        let id = ID
        try await namespace.perform { _ = try await $0.markRead(messages: [id]) }.value
    }

    /// Marks the mail as read.
    public func markAsRead(_ callback: (@MainActor (Bool, (any Error)?) -> Void)? = nil) {
        let id = ID
        namespace.perform(callback) { _ = try await $0.markRead(messages: [id]) }
    }
}
