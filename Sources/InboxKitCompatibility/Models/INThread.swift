public import Foundation
public import InboxMail

/// A conversation.
///
/// An action is stored before an awaited call returns, needs no network, and is sent to the server automatically. Calls
/// without `await` are performed in the order in which they are made.
public final class INThread: INModelObject, INRecordObject {
    /// The type over which predicates and sort descriptors are written.
    public typealias Record = MailThread
    /// A closure that receives the outcome of an action: whether it succeeded, and the error if not.
    public typealias Callback = @MainActor (Bool, (any Error)?) -> Void

    private let live: LiveObject<MailThread>

    init(_ live: LiveObject<MailThread>, in namespace: INNamespace) {
        self.live = live
        super.init(id: live.id, in: namespace)
        observe(live)
    }

    /// The thread in its current or last known state, with properties that InboxKit doesn't have.
    public var value: MailThread { live.value }
    /// Whether the thread is on this device; false once it is gone.
    public func isDataAvailable() -> Bool { !live.isGone }

    /// The subject of the first mail; empty if it has none.
    public var subject: String { value.subject }
    /// The beginning of the latest mail's text.
    public var snippet: String { value.snippet }
    /// The authors and recipients of the mails, each once.
    public var participants: [EmailAddress] { value.participants }
    /// The time at which the latest mail was received.
    public var lastMessageDate: Date { value.lastMessageDate }
    /// The ids of the mails, oldest first.
    public var messageIDs: [String] { value.messageIDs }
    /// Whether one of the mails is unread.
    public var unread: Bool { value.isUnread }
    /// The ids of the tags, such as ``INTagIDInbox``.
    public var tagIDs: [String] { tags().map(\.ID) }

    /// Returns the ids of the thread's drafts, the last changed first, also of those that only this device has.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func draftIDs() async throws -> [String] {
        let id = ID
        return try await namespace.mail.drafts(Query(where: #Predicate { $0.threadID == id })).map(\.id)
    }

    /// Returns the unique objects of the ``participants``.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func contacts() async throws -> [INContact] { try await namespace.contacts(for: participants) }

    /// Returns the tags of the thread: first its states, then the mailboxes that contain its mails.
    public func tags() -> [INTag] { namespace.tags().filter { $0.applies(to: value) } }

    /// Whether the thread has a tag.
    public func hasTag(withID id: String) -> Bool { tags().contains { $0.ID == id } }

    /// Returns a list of the thread's mails, oldest first.
    ///
    /// Its predicate selects the thread, and a replacement has to include that condition, such as
    /// `#Predicate { $0.threadID == id && $0.isUnread }`.
    public func newMessageProvider() -> INMessageProvider {
        let provider = namespace.newMessageProvider()
        let id = ID
        provider.itemFilterPredicate = #Predicate { $0.threadID == id }
        provider.itemSortDescriptors = [SortDescriptor(\.receivedAt)]
        return provider
    }

    /// Returns a list of the thread's drafts, the last changed first.
    ///
    /// Its predicate selects the thread, and a replacement has to include that condition.
    public func newDraftsProvider() -> INDraftProvider {
        let provider = namespace.newDraftsProvider()
        let id = ID
        provider.itemFilterPredicate = #Predicate { $0.threadID == id }
        return provider
    }

    // MARK: - Actions

    /// Moves the thread from the inbox to the archive.
    ///
    /// - Throws: `MailError`: `invalidArgument` if the account has no inbox or no archive, `storage`, `closed`.
    public func archive() async throws { try await perform { try await $0.archive(threads: $1) } }
    /// Moves the thread from the inbox to the archive.
    public func archive(_ callback: Callback? = nil) { perform(callback) { try await $0.archive(threads: $1) } }

    /// Moves the thread from the archive back to the inbox.
    ///
    /// - Throws: As ``archive()``.
    public func unarchive() async throws { try await perform { try await $0.unarchive(threads: $1) } }
    /// Moves the thread from the archive back to the inbox.
    public func unarchive(_ callback: Callback? = nil) { perform(callback) { try await $0.unarchive(threads: $1) } }

    /// Marks all mails of the thread as read.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func markAsRead() async throws { try await perform { try await $0.markRead(threads: $1) } }
    /// Marks all mails of the thread as read.
    public func markAsRead(_ callback: Callback? = nil) { perform(callback) { try await $0.markRead(threads: $1) } }

    /// Records that the person has seen the thread in a list. It stays unread.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func markAsSeen() async throws { try await perform { try await $0.markSeen(threads: $1) } }
    /// Records that the person has seen the thread in a list. It stays unread.
    public func markAsSeen(_ callback: Callback? = nil) { perform(callback) { try await $0.markSeen(threads: $1) } }

    /// Stars the thread's latest received mail.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func star() async throws { try await perform { try await $0.star(threads: $1) } }
    /// Stars the thread's latest received mail.
    public func star(_ callback: Callback? = nil) { perform(callback) { try await $0.star(threads: $1) } }

    /// Removes the star from all mails of the thread.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func unstar() async throws { try await perform { try await $0.unstar(threads: $1) } }
    /// Removes the star from all mails of the thread.
    public func unstar(_ callback: Callback? = nil) { perform(callback) { try await $0.unstar(threads: $1) } }

    private typealias Action = @Sendable (Mail, [String]) async throws -> [String]

    private func perform(_ action: @escaping Action) async throws {
        let id = ID
        try await namespace.perform { mail in _ = try await action(mail, [id]) }.value
    }

    private func perform(_ callback: Callback?, _ action: @escaping Action) {
        let id = ID
        namespace.perform(callback) { mail in _ = try await action(mail, [id]) }
    }
}
