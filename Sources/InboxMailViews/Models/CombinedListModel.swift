public import Foundation
public import Groundwork
public import InboxMail
public import InboxViews
public import Observation
import InboxModel
import Replica

/// One list on screen with the messages of an app's inbox and the threads of the mail beside it, the newest first. It
/// is kept up to date and extended page by page.
///
/// It requires mail in the file of an inbox (`Mail.open(server:credentials:account:in:scope:configuration:)`).
@MainActor
@Observable
public final class CombinedListModel {
    /// The state of a list.
    public enum State: Hashable, Sendable {
        /// The entries aren't known yet. A list that has shown entries never returns to this state.
        case loading
        /// The entries; an empty list has none.
        case loaded
        /// Nothing is known, for the given reason: the first sync failed, the store can't be read, or the mail isn't in
        /// the file of an inbox.
        case failed(MailError)
    }

    /// A change that both kinds of entries have.
    public enum Change: Hashable, Sendable, CaseIterable {
        case markRead, markUnread, archive, delete
    }

    /// A change that was made, with the data to undo it.
    public struct PerformedChange: Sendable {
        /// The change.
        public let change: Change
        let messages: UndoableAction?
        let threads: PerformedMailChange?
    }

    /// The number of entries of a page.
    public static let pageSize = 50

    /// The account.
    public nonisolated let mail: Mail
    /// The state of the list.
    public var state: State { list.state }
    /// The entries, the newest first.
    public var entries: [InboxEntry] { list.items }
    /// The difference of ``entries`` from those before.
    public var changes: ListChanges { list.changes }
    /// The number of unread entries of both inboxes, for one badge.
    public private(set) var unread = 0
    /// Whether the list can be extended.
    public var hasMore: Bool { list.hasMore }
    /// Whether ``loadMore()`` is under way.
    public var isLoadingMore: Bool { list.isLoadingMore }
    /// Whether a refresh is under way.
    public var isRefreshing: Bool { list.isRefreshing }
    /// The reason why the last refresh or action failed. Nil after one that succeeded. The entries stay.
    public var error: MailError? { list.error }
    /// Whether ``error`` is that of an action, which changed nothing.
    public private(set) var hasActionFailed = false
    /// The last change, while it can be undone.
    public var undoable: PerformedChange? { offer.action }

    private let list: PagedList<InboxEntry, State>
    private let offer: PendingUndo<PerformedChange>

    /// Shows the entries, and begins to sync both inboxes.
    ///
    /// - Parameters:
    ///   - mail: The account, in the file of an inbox.
    ///   - undoTime: The seconds for which a change can be undone.
    ///   - clock: The clock.
    public init(
        _ mail: Mail,
        undoTime: TimeInterval = MessageActions.defaultUndoTime,
        clock: any WallClock = SystemClock()
    ) {
        self.mail = mail
        offer = PendingUndo(time: undoTime, clock: clock)
        list = PagedList(
            clock: mail.store.clock,
            closed: .closedMail,
            failure: { MailError($0) },
            sync: {
                async let mailFailure = mail.syncFailure()
                let inboxFailure = await mail.inbox?.syncFailure()
                if let failure = await mailFailure ?? inboxFailure ?? nil { throw failure }
            },
            hasSynced: {
                let mailStatus = try? await mail.status()
                let inboxStatus = try? await mail.inbox?.status()
                return mailStatus?.lastSync != nil && inboxStatus?.lastSync != nil
            }
        )
        list.start(
            observe: { [weak self] in self?.observe() },
            didRefresh: { [weak self] in self?.hasActionFailed = false }
        )
        list.beginRefresh()
    }

    /// Syncs both inboxes, and returns when the servers have answered or failed. A call during a refresh begins
    /// another, whose answers include all changes from before the call. Concurrent calls share it. A list that failed
    /// begins again.
    public func refresh() async { await list.refresh() }

    /// Extends the list by a page. Does nothing if ``hasMore`` is false or an extension is under way.
    public func loadMore() { list.loadMore() }

    // MARK: - Actions

    /// Makes a change of entries, by their ids. It is stored before the method returns, also offline, and can be undone
    /// for some seconds.
    ///
    /// - Returns: Whether it succeeded. If not, ``error`` has the reason, and the changes until then can be undone.
    @discardableResult
    public func perform(_ change: Change, _ ids: [String]) async -> Bool {
        let chosen = Set(ids)
        let found = entries.filter { chosen.contains($0.id) }
        let messages = found.compactMap { if case .message(let message) = $0 { message.id } else { nil } }
        let threads = found.compactMap { if case .thread(let thread) = $0 { thread.id } else { nil } }
        var (changedMessages, changedThreads): (UndoableAction?, PerformedMailChange?)
        var failure: MailError?
        do {
            if !messages.isEmpty, let inbox = mail.inbox {
                changedMessages = try await UndoableAction(change.ofMessages, of: messages, in: inbox)
            }
            if !threads.isEmpty { changedThreads = try await mail.perform(change.ofThreads, threads: threads) }
        } catch {
            failure = MailError(error)
        }
        (list.error, hasActionFailed) = (failure, failure != nil)
        if changedMessages?.ids.isEmpty == false || changedThreads?.threadIDs.isEmpty == false {
            offer.offer(PerformedChange(change: change, messages: changedMessages, threads: changedThreads))
        }
        return failure == nil
    }

    /// Undoes the last change, if it still can be undone. If that fails, it can be tried again, and ``error`` has the
    /// reason.
    public func undo() async {
        guard undoable != nil else { return }
        do {
            try await offer.undo { [mail] performed in
                // Another attempt doesn't change entries that were restored before the failure.
                if let threads = performed.threads { _ = try await mail.undo(threads) }
                if let messages = performed.messages, let inbox = mail.inbox { _ = try await messages.undo(in: inbox) }
            }
            (list.error, hasActionFailed) = (nil, false)
        } catch {
            (list.error, hasActionFailed) = (MailError(error), true)
        }
    }

    /// Ends the time in which the last change can be undone, and removes its error.
    public func dismiss() {
        offer.offer(nil)
        (list.error, hasActionFailed) = (nil, false)
    }

    // MARK: - Observation

    private var limit: Int { Self.pageSize * list.pages }

    private func observe() {
        // If there is one more, the list can be extended.
        list.follow(mail.observeEntries(limit: limit + 1)) { [weak self] in self?.page(of: $0) }
    }

    private func page(of snapshot: InboxEntrySnapshot) -> PagedList<InboxEntry, State>.Page {
        if unread != snapshot.unread { unread = snapshot.unread }
        // Messages that the device lacks follow in another snapshot.
        return PagedList.Page(
            Array(snapshot.items.prefix(limit)),
            hasSynced: snapshot.hasSynced,
            hasMore: snapshot.items.count > limit
        )
    }
}

extension CombinedListModel.State: ListState {}

extension CombinedListModel.Change {
    fileprivate var ofMessages: UndoableAction.Kind {
        switch self {
        case .markRead: .markRead
        case .markUnread: .markUnread
        case .archive: .archive
        case .delete: .delete
        }
    }

    fileprivate var ofThreads: MailChange {
        switch self {
        case .markRead: .markRead
        case .markUnread: .markUnread
        case .archive: .archive
        case .delete: .trash
        }
    }
}

extension Inbox {
    /// Syncs, and returns the reason if it fails.
    fileprivate func syncFailure() async -> MailError? {
        do {
            try await sync()
            return nil
        } catch {
            return MailError(error)
        }
    }
}
