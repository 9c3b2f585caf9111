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

    /// A change that was made, with what undoes it.
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
    public private(set) var state = State.loading
    /// The entries, the newest first.
    public private(set) var entries: [InboxEntry] = []
    /// The difference of ``entries`` from those before.
    public private(set) var changes = ListChanges()
    /// The number of unread entries of both inboxes, for one badge.
    public private(set) var unread = 0
    /// Whether the list can be extended.
    public private(set) var hasMore = false
    /// Whether ``loadMore()`` is under way.
    public private(set) var isLoadingMore = false
    /// Whether a refresh is under way.
    public private(set) var isRefreshing = false
    /// The reason why the last refresh or action failed. Nil after one that succeeded. The entries stay.
    public private(set) var error: MailError?
    /// Whether ``error`` is that of an action, which changed nothing.
    public private(set) var hasActionFailed = false
    /// The last change, while it can be undone.
    public var undoable: PerformedChange? { offer.action }

    private let offer: UndoOffer<PerformedChange>
    @ObservationIgnored private var limit = CombinedListModel.pageSize
    /// Counts the observations. A snapshot of an earlier one may arrive after its end, and is ignored.
    @ObservationIgnored private var generation = 0
    @ObservationIgnored private let observation = OwnedTask()
    @ObservationIgnored private let refreshing = OwnedTask()

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
        offer = UndoOffer(time: undoTime, clock: clock)
        observe()
        beginRefresh()
    }

    /// Syncs both inboxes, and returns when the servers have answered or failed. A call during a refresh begins
    /// another, whose answers have what the servers received before the call. Concurrent calls share it. A list that
    /// failed begins again.
    public func refresh() async {
        if case .failed = state {
            state = .loading
            observe()
        }
        beginRefresh()
        await refreshing.task?.value
    }

    /// Extends the list by a page. Does nothing if ``hasMore`` is false or an extension is under way.
    public func loadMore() {
        guard hasMore, !isLoadingMore else { return }
        isLoadingMore = true
        limit += Self.pageSize
        observe()
    }

    // MARK: - Actions

    /// Makes a change of entries, by their ids. It is stored before the method returns, also offline, and can be undone
    /// for some seconds.
    ///
    /// - Returns: Whether it succeeded. If not, ``error`` has the reason, and what was changed by then can be undone.
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
        (error, hasActionFailed) = (failure, failure != nil)
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
                // What was undone before a failure isn't changed by another attempt.
                if let threads = performed.threads { _ = try await mail.undo(threads) }
                if let messages = performed.messages, let inbox = mail.inbox { _ = try await messages.undo(in: inbox) }
            }
            (error, hasActionFailed) = (nil, false)
        } catch {
            (self.error, hasActionFailed) = (MailError(error), true)
        }
    }

    /// Ends the time in which the last change can be undone, and removes its error.
    public func dismiss() {
        offer.offer(nil)
        (error, hasActionFailed) = (nil, false)
    }

    // MARK: - Observation

    private func observe() {
        generation += 1
        let generation = generation
        // Whether there is one more says whether the list can be extended.
        let snapshots = mail.observeEntries(limit: limit + 1)
        observation.start { [weak self] in
            do {
                for try await snapshot in snapshots {
                    guard let self, self.generation == generation else { return }
                    show(snapshot)
                }
                guard !Task.isCancelled, let self, self.generation == generation else { return }
                fail(.closedMail)
            } catch {
                guard !Task.isCancelled, let self, self.generation == generation else { return }
                fail(MailError(error))
            }
        }
    }

    private func show(_ snapshot: InboxEntrySnapshot) {
        let shown = Array(snapshot.items.prefix(limit))
        let changes = ListChanges(from: entries, to: shown, id: \.id, isChanged: !=)
        if !changes.isEmpty { (entries, self.changes) = (shown, changes) }
        if unread != snapshot.unread { unread = snapshot.unread }
        let hasMore = snapshot.items.count > limit
        if self.hasMore != hasMore { self.hasMore = hasMore }
        if snapshot.hasSynced || !snapshot.items.isEmpty, state != .loaded { state = .loaded }
        // Messages that the device lacks follow in another snapshot.
        isLoadingMore = false
    }

    private func fail(_ error: MailError) {
        let changes = ListChanges(from: entries, to: [], id: \.id, isChanged: !=)
        (entries, self.changes, hasMore, isLoadingMore) = ([], changes, false, false)
        state = .failed(error)
    }

    private func beginRefresh() {
        isRefreshing = true
        refreshing.start { [weak self, mail] in
            async let mailFailure = mail.syncFailure()
            let inboxFailure = await mail.inbox?.syncFailure()
            let failure = await mailFailure ?? inboxFailure ?? nil
            guard !Task.isCancelled, let self else { return }
            refreshing.end()
            (isRefreshing, error, hasActionFailed) = (false, failure, false)
            if let failure, entries.isEmpty, state == .loading { state = .failed(failure) }
        }
    }
}

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
