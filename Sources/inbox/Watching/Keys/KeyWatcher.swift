import Foundation
import InboxCards
import InboxClient

/// `inbox watch` at a terminal with a keyboard: the list on the whole terminal, in which a person acts by keys.
struct KeyWatcher {
    let inbox: Inbox
    let device: Device
    let login: Login
    let surface: String?

    /// The contents of the screen, on which the next key acts.
    private struct State {
        var keys: ListKeys
        var snapshot: InboxSnapshot?
        /// Whether the snapshot is of another tab or search than the keys, until the first one of theirs.
        var isLoading = false
        var connection = ConnectionState.idle
        /// The last action, which can be undone.
        var last: LastAction?
        /// The result of the last key.
        var notice = ""
        /// The lines of the message that is shown whole.
        var page: [String]?

        mutating func follow(_ new: InboxSnapshot) {
            keys.follow(keys.ordered(new.items), before: keys.ordered(snapshot?.items ?? []))
            (snapshot, isLoading) = (new, false)
        }
    }

    /// Runs until the person quits, or the task is cancelled.
    func run(filter: MessageFilter, limit: Int?) async throws {
        let screen = Screen()
        screen.open()
        defer { screen.close() }
        let keys = ListKeys(filter: filter, limit: limit)
        var events = KeyEvents(of: inbox, surface: surface, keys)
        defer { events.cancel() }
        var state = State(keys: keys, last: try LastAction.read(device, login))
        for await event in events.stream {
            try Task.checkCancellation()
            switch event {
            case .snapshot(let snapshot, let number):
                guard number == events.generation else { continue }
                state.follow(snapshot)
            case .connection(let connection): state.connection = connection
            case .redraw: break
            case .failed(let error): throw error
            case .key(let key): guard try await press(key, &state, &events) else { return }
            }
            draw(&state, on: screen)
        }
    }

    /// Performs the command of a key.
    ///
    /// - Returns: False if the person quits.
    private func press(_ key: KeyPress, _ state: inout State, _ events: inout KeyEvents) async throws -> Bool {
        state.notice = ""
        let messages = state.keys.ordered(state.snapshot?.items ?? [])
        let room = KeyScreen.room(on: Terminal.size)
        switch state.keys.press(key, messages, choices: choices, room: room) {
        case nil: break
        case .quit: return false
        case .reload:
            state.isLoading = true
            events.reload(state.keys)
        case .open(let id):
            if let message = messages.first(where: { $0.id == id }) { state.page = try await open(message) }
        case .perform(let change, let ids):
            let action = try await UndoableAction(change, of: ids, in: inbox)
            (state.last, state.notice) = remember(action, otherwise: state.last)
        case .markAllRead:
            let action = try await UndoableAction(markingAllReadIn: inbox, surface: surface)
            (state.last, state.notice) = remember(action, otherwise: state.last)
        case .undo:
            guard let undone = state.last else { break }
            let count = try await undone.action.undo(in: inbox).count
            try LastAction.remove(device)
            (state.last, state.notice) = (nil, "Undone: \(counted(count, "message")).")
        }
        if case .message = state.keys.mode {} else { state.page = nil }
        return true
    }

    /// Draws the list, or the open message, once there is a snapshot.
    private func draw(_ state: inout State, on screen: Screen) {
        guard let snapshot = state.snapshot else { return }
        let view = KeyScreen(
            person: login.person,
            size: Terminal.size,
            now: Date(),
            texts: TerminalLanguage.texts,
            notice: state.notice,
            canUndo: state.last != nil,
            isLoading: state.isLoading
        )
        let text = view.text(state.keys, page: state.page)
        state.keys.limitScroll(lines: text?.count ?? 0, room: KeyScreen.room(on: view.size).lines)
        let messages = state.keys.ordered(snapshot.items)
        screen.draw(view.lines(state.keys, messages, snapshot, state.connection, page: state.page))
    }

    private var choices: [SnoozeOption.Choice] {
        SnoozeOption.choices(at: Date(), texts: TerminalLanguage.texts, timeZone: .current)
    }

    /// Marks a message as read, and returns its lines.
    private func open(_ message: Message) async throws -> [String] {
        try await inbox.markRead(message.id)
        let settings = try await SurfaceSettings(of: [message.surface], in: inbox)
        return MessagePage(width: Terminal.size.columns, now: Date(), settings: settings).lines(message)
    }

    /// Stores an action for `inbox undo` too, and returns a notice of it. An action without an effect isn't stored.
    private func remember(
        _ action: UndoableAction,
        otherwise last: LastAction?
    ) -> (LastAction?, notice: String) {
        guard !action.ids.isEmpty else { return (last, "") }
        let done = LastAction(action: action, at: Date())
        done.save(device, login)
        return (done, "\(action.ids.count) \(action.kind.doneText).")
    }
}
