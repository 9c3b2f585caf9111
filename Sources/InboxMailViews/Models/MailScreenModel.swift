public import Foundation
public import Groundwork
public import InboxMail
public import Observation
import InboxViews
import Replica

/// The state of a screen with an account's mail: its mailboxes, the list of threads, the search, the selection, the
/// thread that is open, and the actions.
@MainActor
@Observable
public final class MailScreenModel: Identifiable {
    /// A row of the list.
    public struct Row: Hashable, Identifiable, Sendable {
        /// The thread.
        public let thread: MailThread
        /// The subject, with the matches of a search highlighted.
        public let subject: HighlightedText
        /// The beginning of the latest mail's text, or the part around the matches of a search.
        public let snippet: HighlightedText
        /// The date of the latest mail, or of the mail that a search has found.
        public let date: Date

        /// The thread's id.
        public var id: String { thread.id }

        init(_ thread: MailThread) {
            self.thread = thread
            (subject, snippet) = (HighlightedText(thread.subject), HighlightedText(thread.snippet))
            date = thread.lastMessageDate
        }

        init(_ found: ThreadSearchModel.Result) {
            (thread, subject, snippet) = (found.thread, found.subject, found.snippet)
            date = found.message.receivedAt
        }
    }

    /// The account.
    public nonisolated let mail: Mail
    /// The mailboxes.
    public let mailboxes: MailboxListModel
    /// The list of the place.
    public let list: ThreadListModel
    /// The search. It covers all mail of the account.
    public let search: ThreadSearchModel
    /// The actions on threads, and the last one's undo.
    public let actions: ThreadActions

    /// The mails on their way, and those that weren't sent.
    public let outbox: OutboxModel

    /// The place that is shown. Setting it ends the selection and the search, and closes the thread.
    public var place: MailboxSelection {
        didSet {
            guard place != oldValue else { return }
            endSelection()
            (search.text, opened) = ("", nil)
            list.content = ThreadListModel.Content(place, unreadFirst: showsUnreadFirst)
        }
    }
    /// Whether unread threads are before the others.
    public var showsUnreadFirst = false {
        didSet {
            guard showsUnreadFirst != oldValue else { return }
            list.content.unreadFirst = showsUnreadFirst
        }
    }
    /// Whether threads can be selected.
    public private(set) var isSelecting = false
    /// The ids of the selected threads. It has no thread that isn't in the list.
    public var selection: Set<String> {
        get { selected.isEmpty ? [] : selected.intersection(threads.map(\.id)) }
        set { selected = newValue }
    }
    /// The id of the thread that is open; nil for none.
    public var opened: String?

    private var selected: Set<String> = []

    /// Shows the mail of an account, and begins to sync it.
    ///
    /// - Parameters:
    ///   - mail: The account.
    ///   - place: The first place.
    ///   - clock: The clock.
    public init(_ mail: Mail, place: MailboxSelection = .inbox, clock: any WallClock = SystemClock()) {
        self.mail = mail
        self.place = place
        mailboxes = MailboxListModel(mail)
        list = ThreadListModel(mail, ThreadListModel.Content(place))
        search = ThreadSearchModel(mail, clock: clock)
        actions = ThreadActions(mail, clock: clock)
        outbox = OutboxModel(mail)
    }

    /// Whether the list has the results of a search.
    public var isSearching: Bool { search.isActive }

    /// The threads of the list: those of the place, or those that the search has found.
    public var threads: [MailThread] { isSearching ? search.results.map(\.thread) : list.threads }

    /// The rows of the list.
    public var rows: [Row] { isSearching ? search.results.map(Row.init) : list.threads.map(Row.init) }

    /// Whether the list can be extended.
    public var hasMore: Bool { isSearching ? search.hasMore : list.hasMore }

    /// Whether an extension is under way.
    public var isLoadingMore: Bool { isSearching ? search.isSearchingServer : list.isLoadingMore }

    /// Extends the list, or the search.
    public func loadMore() { isSearching ? search.loadMore() : list.loadMore() }

    /// Syncs with the server, or repeats the search on it.
    public func refresh() async {
        if isSearching { await search.refresh() } else { await list.refresh() }
    }

    // MARK: - Selection

    /// Begins to select threads.
    public func beginSelection() { isSelecting = true }

    /// Ends the selection without an action.
    public func endSelection() {
        isSelecting = false
        selected = []
    }

    /// Selects all threads of the list that are loaded.
    public func selectAll() {
        isSelecting = true
        selected = Set(threads.map(\.id))
    }

    /// Selects a thread, or ends its selection.
    public func toggle(_ id: String) {
        if selected.contains(id) { selected.remove(id) } else { selected.insert(id) }
    }

    /// The selected threads, in the order of the list.
    public var selectedThreads: [MailThread] {
        let selection = selection
        return selection.isEmpty ? [] : threads.filter { selection.contains($0.id) }
    }

    // MARK: - Actions

    /// Returns the change that puts threads away, or back: the archive for those of the inbox and of the person's own
    /// mailboxes, the inbox for those of archive, trash and junk. Nil where there is none.
    public func mainChange(of threads: [MailThread]) -> MailChange? {
        guard !mailboxes.isReadOnly, let inbox = mailboxes.mailbox(.inbox) else { return nil }
        let archive = mailboxes.mailbox(.archive)
        switch place.role {
        case _ where isSearching, .inbox: return threads.contains(where: \.isInInbox) && archive != nil ? .archive : nil
        case .archive: return .unarchive
        case .trash, .junk: return .move(to: inbox.id)
        case .sent, .drafts: return nil
        case nil where place != .starred: return archive.map { .move(to: $0.id) }
        default: return threads.contains(where: \.isInInbox) && archive != nil ? .archive : nil
        }
    }

    /// The role of the mailbox to which a change moves threads; nil if it has none, or if nothing is moved.
    public func role(of change: MailChange) -> Mailbox.Role? {
        guard case .move(let id) = change else { return nil }
        return mailboxes.mailboxes.first { $0.id == id }?.role
    }

    /// Whether threads can be deleted: the account has a trash, and they aren't in it already.
    public var canTrash: Bool {
        !mailboxes.isReadOnly && mailboxes.mailbox(.trash) != nil && (isSearching || place.role != .trash)
    }

    /// Whether threads can be marked and starred.
    public var canMark: Bool { !mailboxes.isReadOnly }

    /// The mailboxes to which threads of the list can be moved.
    public var targets: [MailboxRow] {
        guard !mailboxes.isReadOnly else { return [] }
        return mailboxes.rows.filter { $0.place.isTarget && (isSearching || $0.place != place) }
    }

    /// Makes a change of threads. The one that is open is closed if it leaves the list.
    public func perform(_ change: MailChange, _ ids: [String]) async {
        guard await actions.perform(change, ids) else { return }
        if let opened, ids.contains(opened), leavesList(change) { self.opened = nil }
    }

    /// Makes a change of the selected threads, and ends the selection if it succeeds.
    public func performOnSelection(_ change: MailChange) async {
        let ids = selectedThreads.map(\.id)
        guard !ids.isEmpty else { return }
        await perform(change, ids)
        if actions.error == nil { endSelection() }
    }

    /// Marks all threads of the place as read, also those that aren't loaded.
    public func markAllRead() async {
        await actions.perform(.markRead, where: place.unreadPredicate)
    }

    /// Whether a change takes threads out of the list.
    private func leavesList(_ change: MailChange) -> Bool {
        switch change {
        case .markRead, .markUnread, .star: false
        case .unstar: !isSearching && place == .starred
        case .archive: !isSearching && place == .inbox
        case .unarchive: !isSearching && place.role == .archive
        case .trash, .move: true
        }
    }
}
