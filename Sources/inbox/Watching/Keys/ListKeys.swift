import InboxCards
import InboxClient

/// The use of an inbox by keys: a state machine without input or output.
struct ListKeys {
    /// The meaning of the keys.
    enum Mode: Hashable {
        case list
        /// The words of a search are typed.
        case search(String)
        /// The time of a snooze is chosen.
        case snooze([SnoozeOption.Choice])
        /// A message is shown whole.
        case message(String)
        /// The keys are shown.
        case help
    }

    /// The work that follows a key.
    enum Command: Hashable {
        case perform(MessageChange, [String])
        case markAllRead
        case undo
        /// A message was opened.
        case open(String)
        /// The list shows other messages.
        case reload
        case quit
    }

    private(set) var mode = Mode.list
    /// The part of the inbox that is listed.
    private(set) var filter: MessageFilter
    /// The words that are searched for.
    private(set) var search = ""
    /// The number of messages that are listed.
    private(set) var limit: Int
    /// The message at which the cursor is; nil for the first.
    private(set) var cursor: String?
    private(set) var selected: Set<String> = []
    /// The shown part of an open message, or of the help.
    private(set) var scroll = PageScroll()

    private let step: Int

    /// - Parameter limit: The number of messages of a page.
    init(filter: MessageFilter, limit: Int?) {
        self.filter = filter
        step = limit ?? 50
        self.limit = step
    }

    /// The tab that is listed; nil for a part of the inbox that has none.
    var tab: InboxTab? { InboxTab.allCases.first { $0.filter == filter } }

    /// The messages in the order of the screen.
    func ordered(_ messages: [Message]) -> [Message] {
        tab?.hasPinnedFirst ?? false && search.isEmpty ? messages.pinnedFirst : messages
    }

    /// The place of the cursor in a list.
    func position(in messages: [Message]) -> Int {
        cursor.flatMap { id in messages.firstIndex { $0.id == id } } ?? 0
    }

    /// Forgets messages that have left the list. A cursor on one of them goes to the one that has taken its place.
    mutating func follow(_ messages: [Message], before: [Message]) {
        selected.formIntersection(messages.map(\.id))
        guard let cursor, !messages.contains(where: { $0.id == cursor }) else { return }
        let place = before.firstIndex { $0.id == cursor } ?? 0
        self.cursor = messages.isEmpty ? nil : messages[min(place, messages.count - 1)].id
    }

    /// Keeps the last line of an open message, or of the help, at the bottom.
    ///
    /// - Parameters:
    ///   - lines: The number of its lines.
    ///   - room: The number of those that fit.
    mutating func limitScroll(lines: Int, room: Int) { scroll.limit(lines: lines, room: room) }

    // MARK: - Keys

    /// Takes a key.
    ///
    /// - Parameters:
    ///   - messages: The messages in the order of the screen.
    ///   - choices: The entries of the snooze menu.
    ///   - room: The size of a page.
    mutating func press(
        _ key: KeyPress,
        _ messages: [Message],
        choices: [SnoozeOption.Choice],
        room: KeyRoom
    ) -> Command? {
        switch mode {
        case .list: return pressInList(key, messages, choices, room)
        case .search(let text): return pressInSearch(key, text)
        case .snooze(let choices):
            mode = .list
            guard case .character(let letter) = key, let number = letter.wholeNumberValue,
                choices.indices.contains(number - 1)
            else { return nil }
            return perform(.snooze(until: choices[number - 1].time), messages)
        case .help:
            if !scroll.press(key, room: room) { mode = .list }
            return nil
        case .message(let id): return scroll.press(key, room: room) ? nil : pressInMessage(key, id)
        }
    }

    /// Changes the message that is shown whole, wherever the cursor is by now: opening may have moved it off the list.
    private mutating func pressInMessage(_ key: KeyPress, _ id: String) -> Command? {
        let change: MessageChange
        switch key {
        case .escape, .enter, .character("q"):
            mode = .list
            return nil
        case .character("a"): change = .main(in: tab ?? .inbox)
        case .character("d"): change = filter == .deleted ? .undelete : .delete
        case .character("u"): change = .markUnread
        case .character("z"): return .undo
        default: return nil
        }
        mode = .list
        return .perform(change, [id])
    }

    private mutating func pressInSearch(_ key: KeyPress, _ text: String) -> Command? {
        switch key {
        case .character(let letter):
            let longer = text + String(letter)
            if longer.utf8.count <= MessageSearch.maximumSize { mode = .search(longer) }
        case .backspace: mode = .search(String(text.dropLast()))
        case .enter:
            mode = .list
            return show(filter, search: MessageSearch.words(of: text).joined(separator: " "))
        case .escape: mode = .list
        case .up, .down, .home, .end, .pageUp, .pageDown, .tab: break
        }
        return nil
    }

    private mutating func pressInList(
        _ key: KeyPress,
        _ messages: [Message],
        _ choices: [SnoozeOption.Choice],
        _ room: KeyRoom
    ) -> Command? {
        switch key {
        case .up, .character("k"): move(-1, messages)
        case .down, .character("j"): move(1, messages)
        case .pageUp: move(-room.itemStep, messages)
        case .pageDown: move(room.itemStep, messages)
        case .home: move(-messages.count, messages)
        case .end: move(messages.count, messages)
        case .tab:
            let index = tab.flatMap { InboxTab.allCases.firstIndex(of: $0) } ?? -1
            return show(InboxTab.allCases[(index + 1) % InboxTab.allCases.count].filter, search: search)
        case .enter:
            guard messages.indices.contains(position(in: messages)) else { return nil }
            let id = messages[position(in: messages)].id
            (cursor, mode, scroll) = (id, .message(id), PageScroll())
            return .open(id)
        case .escape:
            guard selected.isEmpty else {
                selected = []
                return nil
            }
            return search.isEmpty ? nil : show(filter, search: "")
        case .character(" "):
            guard messages.indices.contains(position(in: messages)) else { return nil }
            let id = messages[position(in: messages)].id
            if selected.remove(id) == nil { selected.insert(id) }
            move(1, messages)
        case .character("/"): mode = .search(search)
        case .character("a"): return perform(.main(in: tab ?? .inbox), messages)
        case .character("d"): return perform(filter == .deleted ? .undelete : .delete, messages)
        case .character("r"): return perform(.markRead, messages)
        case .character("u"): return perform(.markUnread, messages)
        case .character("s"):
            if !messages.isEmpty, !choices.isEmpty { mode = .snooze(choices) }
        case .character("A"): selected = Set(messages.map(\.id))
        case .character("?"): (mode, scroll) = (.help, PageScroll())
        case .character("R"): return .markAllRead
        case .character("z"): return .undo
        case .character("o"):
            guard messages.count >= limit else { return nil }
            limit += step
            return .reload
        case .character("q"): return .quit
        case .character(let letter):
            guard let number = letter.wholeNumberValue, InboxTab.allCases.indices.contains(number - 1) else {
                return nil
            }
            return show(InboxTab.allCases[number - 1].filter, search: search)
        case .backspace: break
        }
        return nil
    }

    /// Shows another part of the inbox, from its beginning.
    private mutating func show(_ filter: MessageFilter, search: String) -> Command? {
        guard filter != self.filter || search != self.search else { return nil }
        (self.filter, self.search, limit, cursor, selected) = (filter, search, step, nil, [])
        return .reload
    }

    private mutating func move(_ step: Int, _ messages: [Message]) {
        guard !messages.isEmpty else { return }
        cursor = messages[max(0, min(messages.count - 1, position(in: messages) + step))].id
    }

    /// Changes the selected messages, or the one at the cursor, and ends the selection.
    private mutating func perform(_ change: MessageChange, _ messages: [Message]) -> Command? {
        guard messages.indices.contains(position(in: messages)) else { return nil }
        let current = messages[position(in: messages)].id
        let ids = selected.isEmpty ? [current] : messages.map(\.id).filter(selected.contains)
        (cursor, selected) = (current, [])
        return .perform(change, ids)
    }
}
