import InboxMail

/// A change of threads by a key.
enum ThreadChange: Hashable, Sendable {
    case markRead, markUnread, archive, unarchive, star, unstar

    /// Returns the change that a key makes to threads: a key that is an archive for one in the inbox moves the others
    /// back, and a key that stars one without a star takes the stars of the others.
    ///
    /// - Returns: Nil if the key is no change, or if there are no threads.
    init?(key: Character, of threads: [MailThread]) {
        guard !threads.isEmpty else { return nil }
        switch key {
        case "a": self = threads.contains(where: \.isInInbox) ? .archive : .unarchive
        case "s": self = threads.allSatisfy(\.isStarred) ? .unstar : .star
        default: self.init(key: key)
        }
    }

    /// Returns the change that a key makes to a thread of which nothing else is known.
    init?(key: Character) {
        switch key {
        case "a": self = .archive
        case "s": self = .star
        case "r": self = .markRead
        case "u": self = .markUnread
        default: return nil
        }
    }

    /// The past participle that follows the number of threads.
    var doneText: String {
        switch self {
        case .markRead: "marked as read"
        case .markUnread: "marked as unread"
        case .archive: "archived"
        case .unarchive: "back in the inbox"
        case .star: "starred"
        case .unstar: "unstarred"
        }
    }

    /// The text if no thread needed the change.
    var unchangedText: String {
        switch self {
        case .markRead: "Already read."
        case .markUnread: "Already unread."
        case .archive: "Not in the inbox."
        case .unarchive: "Not in the archive."
        case .star: "Already starred."
        case .unstar: "Not starred."
        }
    }
}

/// A change that was made, and can be undone.
struct ThreadAction: Sendable {
    let change: ThreadChange
    /// The threads that were changed, and the mails of them.
    let threads: [String]
    private let mails: [String]

    /// Changes threads on this device, and with it what is sent.
    ///
    /// - Throws: `MailError`.
    init(_ change: ThreadChange, of threads: [MailThread], in mail: Mail) async throws {
        let ids = threads.map(\.id)
        let mails =
            switch change {
            case .markRead: try await mail.markRead(threads: ids)
            case .markUnread: try await mail.markUnread(threads: ids)
            case .archive: try await mail.archive(threads: ids)
            case .unarchive: try await mail.unarchive(threads: ids)
            case .star: try await mail.star(threads: ids)
            case .unstar: try await mail.unstar(threads: ids)
            }
        (self.change, self.mails) = (change, mails)
        let changed = Set(mails)
        self.threads = threads.filter { !changed.isDisjoint(with: $0.messageIDs) }.map(\.id)
    }

    /// Undoes the change of exactly its mails; of an archived thread, all of its mails in the archive are moved back.
    ///
    /// - Throws: `MailError`.
    func undo(in mail: Mail) async throws {
        switch change {
        case .markRead: try await mail.markUnread(messages: mails)
        case .markUnread: try await mail.markRead(messages: mails)
        case .archive: try await mail.unarchive(threads: threads)
        case .unarchive: try await mail.archive(threads: threads)
        case .star: try await mail.unstar(messages: mails)
        case .unstar: try await mail.star(messages: mails)
        }
    }

    /// What was done, in a sentence.
    var text: String { threads.isEmpty ? change.unchangedText : "\(threads.count) \(change.doneText)." }
}
