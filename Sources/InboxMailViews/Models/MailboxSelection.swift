public import Foundation
public import InboxMail
import Replica

/// A list of threads that a person can choose.
public enum MailboxSelection: Hashable, Sendable, Identifiable {
    /// The threads in the inbox.
    case inbox
    /// The threads with a starred mail.
    case starred
    /// The threads in another mailbox.
    case mailbox(id: String, role: Mailbox.Role?)

    /// The place of a mailbox.
    public init(_ mailbox: Mailbox) {
        self = mailbox.role == .inbox ? .inbox : .mailbox(id: mailbox.id, role: mailbox.role)
    }

    /// An id that is unique among the places of an account.
    public var id: String {
        switch self {
        case .inbox: "inbox"
        case .starred: "starred"
        case .mailbox(let id, _): "mailbox \(id)"
        }
    }

    /// The role of the mailbox; nil for one of the person's own, and for a list of several mailboxes.
    public var role: Mailbox.Role? {
        switch self {
        case .inbox: .inbox
        case .starred: nil
        case .mailbox(_, let role): role
        }
    }

    /// The condition of the threads.
    public var predicate: Predicate<MailThread> {
        switch self {
        case .inbox: return #Predicate<MailThread> { $0.isInInbox }
        case .starred: return #Predicate<MailThread> { $0.isStarred }
        case .mailbox(let id, _): return #Predicate<MailThread> { $0.mailboxIDs.contains(id) }
        }
    }

    /// The condition of the unread threads.
    var unreadPredicate: Predicate<MailThread> {
        switch self {
        case .inbox: return #Predicate<MailThread> { $0.isInInbox && $0.isUnread }
        case .starred: return #Predicate<MailThread> { $0.isStarred && $0.isUnread }
        case .mailbox(let id, _): return #Predicate<MailThread> { $0.mailboxIDs.contains(id) && $0.isUnread }
        }
    }

    /// Whether the mails of the place are the person's own, so that a list shows who they are for.
    public var showsRecipients: Bool { role == .sent || role == .drafts }
    /// Whether threads can be moved there.
    var isTarget: Bool { self != .starred && role != .sent && role != .drafts && role != .all && role != .flagged }
}

/// A row in a list of mailboxes.
public struct MailboxRow: Hashable, Identifiable, Sendable {
    /// The list that the row opens.
    public let place: MailboxSelection
    /// The mailbox; nil for a list of several.
    public let mailbox: Mailbox?
    /// The number of mailboxes of the person's own around it.
    public let depth: Int
    /// The number beside the name: of unread threads, in the mailbox for drafts of all mails. Nil for none.
    public let count: Int?

    /// The id of the place.
    public var id: String { place.id }
}

extension MailboxRow {
    /// The order of the mailboxes with a role, which are before the person's own.
    private static let roles: [Mailbox.Role] = [
        .inbox, .important, .flagged, .drafts, .sent, .archive, .all, .junk, .trash,
    ]

    /// Returns the rows of an account: the inbox, the starred threads, the other mailboxes with a role, then the
    /// person's own, each below its parent. One that the person hasn't subscribed to is left out.
    ///
    /// - Parameters:
    ///   - mailboxes: The mailboxes, in the order of siblings.
    ///   - counts: The counts on this device, which have the person's own changes already.
    static func rows(of mailboxes: [Mailbox], _ counts: MailCounts) -> [MailboxRow] {
        guard !mailboxes.isEmpty else { return [] }
        func row(_ mailbox: Mailbox, _ depth: Int = 0) -> MailboxRow {
            let place = MailboxSelection(mailbox)
            let count =
                switch mailbox.role {
                case .inbox: counts.unreadInInbox
                case .drafts: mailbox.totalEmails
                case .trash, .sent: 0
                default: mailbox.unreadThreads
                }
            return MailboxRow(place: place, mailbox: mailbox, depth: depth, count: count > 0 ? count : nil)
        }
        let special = roles.flatMap { role in mailboxes.filter { $0.role == role } }
        let ownIDs = Set(mailboxes.map(\.id)).subtracting(special.map(\.id))
        let own = mailboxes.filter { ownIDs.contains($0.id) }
        let children = Dictionary(grouping: own) { mailbox in
            mailbox.parentID.flatMap { ownIDs.contains($0) ? $0 : nil }
        }
        var (rows, visited): ([MailboxRow], Set<String>) = ([], [])
        func add(_ mailbox: Mailbox, _ depth: Int) {
            guard visited.insert(mailbox.id).inserted else { return }
            if mailbox.isSubscribed { rows.append(row(mailbox, depth)) }
            // However deep a server nests them, the name has room.
            let next = mailbox.isSubscribed ? min(depth + 1, 8) : depth
            for child in children[mailbox.id] ?? [] { add(child, next) }
        }
        for mailbox in children[nil] ?? [] { add(mailbox, 0) }
        // Those that are within each other, by a fault of the server.
        for mailbox in own { add(mailbox, 0) }
        let starred = MailboxRow(place: .starred, mailbox: nil, depth: 0, count: nil)
        let first = special.filter { $0.role == .inbox }.map { row($0) }
        return first + [starred] + special.filter { $0.role != .inbox }.map { row($0) } + rows
    }
}
