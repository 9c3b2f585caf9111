public import Foundation
public import InboxMail

/// A conversation.
///
/// What is done to it is stored before a call that is awaited returns, needs no network, and reaches the server by
/// itself. The calls that aren't awaited are done in the order in which they are made.
public final class INThread: INModelObject, INRecordObject {
    /// What predicates and sort descriptors are written over.
    public typealias Record = MailThread
    /// Receives the outcome of an action: whether it succeeded, and the error if not.
    public typealias Callback = @MainActor (Bool, (any Error)?) -> Void

    private let live: LiveObject<MailThread>

    init(_ live: LiveObject<MailThread>, in namespace: INNamespace) {
        self.live = live
        super.init(live, in: namespace)
    }

    /// The thread as it is, or as it last was: what InboxKit had no names for too.
    public var value: MailThread { live.value }
    /// Whether the thread is on this device; false once it is gone.
    public func isDataAvailable() -> Bool { !live.isGone }

    /// That of the first mail; empty where it has none.
    public var subject: String { value.subject }
    /// The beginning of the latest mail's text.
    public var snippet: String { value.snippet }
    /// Who wrote and who got the mails; each once.
    public var participants: [EmailAddress] { value.participants }
    /// When the latest mail came.
    public var lastMessageDate: Date { value.lastMessageDate }
    /// The ids of its mails, the oldest first.
    public var messageIDs: [String] { value.messageIDs }
    /// Whether one of its mails is unread.
    public var unread: Bool { value.isUnread }
    /// The ids of its tags, such as ``INTagIDInbox``.
    public var tagIDs: [String] { tags().map(\.ID) }

    /// What it is tagged with: what is so of it, then the mailboxes in which its mails are.
    public func tags() -> [INTag] { namespace.tags().filter { $0.isOn(value) } }

    /// Whether it has a tag.
    public func hasTag(withID id: String) -> Bool { tags().contains { $0.ID == id } }

    /// A list of the thread's mails, the oldest first.
    ///
    /// Its predicate is the thread itself. One that asks for more says so too:
    /// `#Predicate { $0.threadID == id && $0.isUnread }`.
    public func newMessageProvider() -> INMessageProvider {
        let provider = namespace.newMessageProvider()
        let id = ID
        provider.itemFilterPredicate = #Predicate { $0.threadID == id }
        provider.itemSortDescriptors = [SortDescriptor(\.receivedAt)]
        return provider
    }

    // MARK: - What the person does

    /// Takes the thread out of the inbox, into the archive.
    ///
    /// - Throws: `MailError`: `invalidArgument` where the account has no inbox or no archive, `storage`, `closed`.
    public func archive() async throws { try await perform { try await $0.archive(threads: $1) } }
    /// Takes the thread out of the inbox, into the archive.
    public func archive(_ callback: Callback? = nil) { perform(callback) { try await $0.archive(threads: $1) } }

    /// Brings the thread from the archive back into the inbox.
    ///
    /// - Throws: As ``archive()``.
    public func unarchive() async throws { try await perform { try await $0.unarchive(threads: $1) } }
    /// Brings the thread from the archive back into the inbox.
    public func unarchive(_ callback: Callback? = nil) { perform(callback) { try await $0.unarchive(threads: $1) } }

    /// Marks all of its mails read.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func markAsRead() async throws { try await perform { try await $0.markRead(threads: $1) } }
    /// Marks all of its mails read.
    public func markAsRead(_ callback: Callback? = nil) { perform(callback) { try await $0.markRead(threads: $1) } }

    /// Notes that the person has seen in a list that the thread is there; it stays unread.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func markAsSeen() async throws { try await perform { try await $0.markSeen(threads: $1) } }
    /// Notes that the person has seen in a list that the thread is there; it stays unread.
    public func markAsSeen(_ callback: Callback? = nil) { perform(callback) { try await $0.markSeen(threads: $1) } }

    /// Stars the thread's latest mail.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func star() async throws { try await perform { try await $0.star(threads: $1) } }
    /// Stars the thread's latest mail.
    public func star(_ callback: Callback? = nil) { perform(callback) { try await $0.star(threads: $1) } }

    /// Takes the star from all of its mails.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    public func unstar() async throws { try await perform { try await $0.unstar(threads: $1) } }
    /// Takes the star from all of its mails.
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
