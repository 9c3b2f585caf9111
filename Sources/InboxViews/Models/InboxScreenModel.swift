public import Foundation
public import Groundwork
public import InboxClient
public import InboxModel
public import Observation
import Replica

/// The state of a screen with an inbox: its tabs, the list, the search, the selection and the actions.
@MainActor
@Observable
public final class InboxScreenModel {
    /// A part of the inbox with a tab of its own.
    public typealias Tab = InboxTab

    /// The seconds after the last key until a search begins.
    public static let searchDelay: TimeInterval = 0.3

    /// The list of the tab and the search.
    public let list: MessageListModel
    /// The actions on messages, and the last one's undo.
    public let actions: MessageActions
    /// The inbox.
    public nonisolated let inbox: Inbox
    /// The surface that is shown; nil for all.
    public nonisolated let surface: String?

    /// The tab that is shown. Setting it ends the selection, and keeps the search.
    public var tab: Tab {
        didSet {
            guard tab != oldValue else { return }
            endSelection()
            showContent()
        }
    }
    /// The text in the search field. The list follows it after ``searchDelay``, and at once when it is emptied.
    public var searchText = "" {
        didSet {
            if searchText != oldValue { scheduleSearch() }
        }
    }
    /// Whether messages can be selected.
    public private(set) var isSelecting = false
    /// The ids of the selected messages. It has no message that isn't in the list.
    public var selection: Set<String> {
        get { selected.intersection(list.messages.map(\.id)) }
        set { selected = newValue }
    }
    /// The id of the message that is open; nil for none.
    public var opened: String?

    private var selected: Set<String> = []
    @ObservationIgnored private var search = ""
    @ObservationIgnored private let clock: any WallClock
    @ObservationIgnored private let waiting = OwnedTask()

    /// Creates the state of a screen.
    ///
    /// - Parameters:
    ///   - inbox: The inbox.
    ///   - surface: The surface that is shown; nil for all.
    ///   - tab: The first tab.
    ///   - clock: The clock.
    public init(
        _ inbox: Inbox,
        surface: String? = nil,
        tab: Tab = .inbox,
        clock: any WallClock = SystemClock()
    ) {
        self.inbox = inbox
        self.surface = surface
        self.tab = tab
        self.clock = clock
        list = MessageListModel(inbox, MessageListModel.Content(in: tab.filter, surface: surface))
        actions = MessageActions(inbox, clock: clock)
    }

    /// The messages in the order of the screen: in the inbox the pinned ones first.
    public var messages: [Message] {
        guard tab.hasPinnedFirst, search.isEmpty else { return list.messages }
        return list.messages.filter(\.isPinned) + list.messages.filter { !$0.isPinned }
    }

    /// The number beside a tab: of the unread messages for the inbox, of all for the others. Nil for none.
    public func badge(of tab: Tab) -> Int? { list.counts.badge(of: tab) }

    // MARK: - Search

    /// Whether the list has the results of a search.
    public var isSearching: Bool { !MessageSearch.words(of: searchText).isEmpty }

    private func scheduleSearch() {
        guard isSearching else {
            waiting.cancel()
            return showContent()
        }
        let begin = clock.now.addingTimeInterval(Self.searchDelay)
        waiting.start { [weak self, clock] in
            guard (try? await clock.sleep(until: begin)) != nil, !Task.isCancelled else { return }
            self?.showContent()
        }
    }

    private func showContent() {
        search = isSearching ? searchText : ""
        let query = search.isEmpty ? Query<Message>() : Query(where: MessageSearch.predicate(search))
        let content = MessageListModel.Content(query, in: tab.filter, surface: surface)
        if !content.isSame(as: list.content) { list.content = content }
    }

    // MARK: - Selection

    /// Begins to select messages.
    public func beginSelection() { isSelecting = true }

    /// Ends the selection without an action.
    public func endSelection() {
        isSelecting = false
        selected = []
    }

    /// Selects all messages of the list that are loaded.
    public func selectAll() {
        isSelecting = true
        selected = Set(list.messages.map(\.id))
    }

    // MARK: - Actions

    /// Performs an action on messages. The one that is open is closed if it leaves the list.
    public func perform(_ kind: UndoableAction.Kind, _ ids: [String]) async {
        guard await actions.perform(kind, ids) else { return }
        if let opened, ids.contains(opened), kind.leaves(tab) { self.opened = nil }
    }

    /// Performs an action on the selected messages, and ends the selection if it succeeds.
    public func performOnSelection(_ kind: UndoableAction.Kind) async {
        let selection = selection
        let ids = messages.map(\.id).filter(selection.contains)
        guard !ids.isEmpty else { return }
        await perform(kind, ids)
        if actions.error == nil { endSelection() }
    }

    /// Marks all messages of the surface as read.
    public func markAllRead() async { await actions.markAllRead(surface: surface) }
}
