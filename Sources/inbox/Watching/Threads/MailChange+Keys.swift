import InboxMail

extension MailChange {
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
    fileprivate var doneText: String {
        switch self {
        case .markRead: "marked as read"
        case .markUnread: "marked as unread"
        case .archive: "archived"
        case .unarchive: "back in the inbox"
        case .star: "starred"
        case .unstar: "unstarred"
        case .trash: "moved to the trash"
        case .move: "moved"
        }
    }

    /// The text if no thread needed the change.
    fileprivate var unchangedText: String {
        switch self {
        case .markRead: "Already read."
        case .markUnread: "Already unread."
        case .archive: "Not in the inbox."
        case .unarchive: "Not in the archive."
        case .star: "Already starred."
        case .unstar: "Not starred."
        case .trash, .move: "Already there."
        }
    }
}

extension PerformedMailChange {
    /// The change that was made, in a sentence.
    var text: String { threadIDs.isEmpty ? change.unchangedText : "\(threadIDs.count) \(change.doneText)." }
}
