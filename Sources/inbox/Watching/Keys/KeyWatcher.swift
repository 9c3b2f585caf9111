import Foundation
import InboxCards
import InboxClient

/// `inbox watch` at a terminal with a keyboard: the list on the whole terminal, in which a person acts by keys.
struct KeyWatcher {
    let inbox: Inbox
    let device: Device
    let login: Login
    let surface: String?

    private enum Event: Sendable {
        /// A snapshot, with the number of its observation.
        case snapshot(InboxSnapshot, Int)
        case connection(ConnectionState)
        case key(KeyPress)
        case redraw
        case failed(any Error)
    }

    /// Runs until the person quits, or the task is cancelled.
    func run(filter: MessageFilter, limit: Int?) async throws {
        let screen = Screen()
        screen.open()
        defer { screen.close() }
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        // Before anything is drawn: a key that is typed at once isn't echoed over it.
        let presses = Keyboard.presses()
        let sources = Task { [inbox] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await state in inbox.connectionStates { continuation.yield(.connection(state)) } }
                group.addTask {
                    for await key in presses { continuation.yield(.key(key)) }
                    // The terminal is gone.
                    if !Task.isCancelled { continuation.yield(.failed(CancellationError())) }
                }
                group.addTask { for await _ in Screen.redraws(every: 10) { continuation.yield(.redraw) } }
            }
        }
        var (keys, generation) = (ListKeys(filter: filter, limit: limit), 0)
        var observation = observe(keys, generation, continuation)
        defer {
            sources.cancel()
            observation.cancel()
        }
        var (snapshot, connection) = (nil as InboxSnapshot?, ConnectionState.idle)
        var (last, notice) = (try LastAction.read(device, login), "")
        var page: [String]?
        for await event in events {
            try Task.checkCancellation()
            switch event {
            case .snapshot(let new, let number):
                guard number == generation else { continue }
                keys.follow(keys.ordered(new.items), before: keys.ordered(snapshot?.items ?? []))
                snapshot = new
            case .connection(let state): connection = state
            case .redraw: break
            case .failed(let error): throw error
            case .key(let key):
                notice = ""
                let messages = keys.ordered(snapshot?.items ?? [])
                switch keys.press(key, messages, choices: choices) {
                case nil: break
                case .quit: return
                case .reload:
                    observation.cancel()
                    generation += 1
                    observation = observe(keys, generation, continuation)
                case .open(let id):
                    if let message = messages.first(where: { $0.id == id }) { page = try await open(message) }
                case .perform(let change, let ids):
                    let action = try await UndoableAction(change, of: ids, in: inbox)
                    (last, notice) = remember(action, otherwise: last)
                case .markAllRead:
                    let action = try await UndoableAction(markingAllReadIn: inbox, surface: surface)
                    (last, notice) = remember(action, otherwise: last)
                case .undo:
                    guard let undone = last else { break }
                    let count = try await undone.action.undo(in: inbox).count
                    try LastAction.remove(device)
                    (last, notice) = (nil, "\(counted(count, "message")) as before.")
                }
                if case .message = keys.mode {} else { page = nil }
            }
            guard let snapshot else { continue }
            let view = KeyScreen(
                person: login.person,
                size: Terminal.size,
                now: Date(),
                texts: TerminalLanguage.texts,
                notice: notice,
                canUndo: last != nil
            )
            screen.draw(view.lines(keys, keys.ordered(snapshot.items), snapshot, connection, page: page))
        }
    }

    private var choices: [SnoozeOption.Choice] {
        SnoozeOption.choices(at: Date(), texts: TerminalLanguage.texts, timeZone: .current)
    }

    private func observe(
        _ keys: ListKeys,
        _ generation: Int,
        _ continuation: AsyncStream<Event>.Continuation
    ) -> Task<Void, Never> {
        let predicate = keys.search.isEmpty ? nil : MessageSearch.predicate(keys.search)
        let snapshots = inbox.observe(Query(where: predicate, limit: keys.limit), in: keys.filter, surface: surface)
        return Task {
            do {
                for try await snapshot in snapshots { continuation.yield(.snapshot(snapshot, generation)) }
                if !Task.isCancelled { continuation.yield(.failed(InboxError.closedElsewhere)) }
            } catch {
                if !Task.isCancelled { continuation.yield(.failed(error)) }
            }
        }
    }

    /// Marks a message as read, and returns its lines.
    private func open(_ message: Message) async throws -> [String] {
        try await inbox.markRead(message.id)
        let settings = try await SurfaceSettings(of: [message.surface], in: inbox)
        return MessagePage(width: Terminal.size.columns, now: Date(), settings: settings).lines(message)
    }

    /// Stores an action for `inbox undo` too, and returns a notice of what it did. One that changed nothing isn't
    /// remembered.
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
