import ArgumentParser
import Foundation
import InboxClient
import InboxMail

/// `inbox mail watch` at a terminal with a keyboard: the threads on the whole terminal, on which a person acts by keys.
struct ThreadKeyWatcher {
    let mail: Mail
    let device: Device
    let login: MailLogin
    let people: MailPeople
    /// The text of an empty list.
    let emptyText: String

    /// The contents of the screen, on which the next key acts.
    private struct State {
        var keys: ThreadKeys
        var snapshot: MailSnapshot<MailThread>?
        var connection = ConnectionState.idle
        /// The last change, which can be undone.
        var last: PerformedMailChange?
        /// The result of the last key, or its failure.
        var notice = ""
        /// The open thread; nil while it is read.
        var page: ThreadKeyEvents.Page?

        mutating func follow(_ new: MailSnapshot<MailThread>) {
            keys.follow(new.items, before: snapshot?.items ?? [])
            snapshot = new
        }

        mutating func show(_ new: ThreadKeyEvents.Page) {
            if keys.mode == .thread(new.thread.id) { page = new }
        }
    }

    /// Runs until the person quits, or the task is cancelled.
    ///
    /// - Parameter query: The threads to list; its limit is the size of a page.
    func run(_ query: Query<MailThread>) async throws {
        let screen = Screen()
        screen.open()
        defer { screen.close() }
        var state = State(keys: ThreadKeys(limit: query.limit ?? 50))
        var events = ThreadKeyEvents(of: mail, query, limit: state.keys.limit)
        defer { events.cancel() }
        for await event in events.stream {
            try Task.checkCancellation()
            switch event {
            case .snapshot(let snapshot, let number):
                guard number == events.generation else { continue }
                state.follow(snapshot)
            case .connection(let connection): state.connection = connection
            case .page(let page): state.show(page)
            case .redraw: break
            case .failed(let error): throw error
            case .key(let key): guard try await press(key, &state, &events, screen) else { return }
            }
            draw(&state, on: screen)
        }
    }

    /// Performs the command of a key.
    ///
    /// - Returns: False if the person quits.
    private func press(
        _ key: KeyPress,
        _ state: inout State,
        _ events: inout ThreadKeyEvents,
        _ screen: Screen
    ) async throws -> Bool {
        state.notice = ""
        let threads = state.snapshot?.items ?? []
        let room = ThreadKeyScreen.room(on: Terminal.size)
        switch state.keys.press(key, threads, room: room) {
        case nil: break
        case .quit: return false
        case .reload: events.reload(limit: state.keys.limit)
        case .open(let id):
            state.page = nil
            events.open(threads.first { $0.id == id })
        case .perform(let change, let ids):
            (state.last, state.notice) = try await perform(change, ids, otherwise: state.last)
        case .undo: try await undo(&state)
        case .reply(let id, let toAll):
            // The editor gets the keys, and the whole terminal.
            await events.releaseKeyboard()
            screen.close()
            state.notice = try await orNotice { try await reply(to: id, toAll: toAll) }
            try Task.checkCancellation()
            screen.open()
            events.readKeys()
        }
        if case .thread = state.keys.mode {} else { state.page = nil }
        return true
    }

    /// Draws the list, or the open thread, once there is a snapshot.
    private func draw(_ state: inout State, on screen: Screen) {
        guard let snapshot = state.snapshot else { return }
        let view = ThreadKeyScreen(
            user: login.user,
            people: people,
            size: Terminal.size,
            now: Date(),
            emptyText: emptyText,
            notice: state.notice,
            canUndo: state.last != nil
        )
        let shown = state.page.map { lines($0, in: snapshot, width: view.size.columns) }
        let text = view.text(state.keys, page: shown)
        state.keys.limitScroll(lines: text?.count ?? 0, room: ThreadKeyScreen.room(on: view.size).lines)
        screen.draw(view.lines(state.keys, snapshot, state.connection, page: shown))
    }

    private func lines(_ page: ThreadKeyEvents.Page, in snapshot: MailSnapshot<MailThread>, width: Int) -> [String] {
        // As it is now, with its star.
        let thread = snapshot.items.first { $0.id == page.thread.id } ?? page.thread
        return ThreadPage(width: width - 1, now: Date()).lines(thread, page.items, mailboxes: page.mailboxes)
            .map { " " + $0 }
    }

    // MARK: - Actions

    /// Changes threads, and prints the change. A change without an effect isn't remembered.
    private func perform(
        _ change: MailChange,
        _ threads: [String],
        otherwise last: PerformedMailChange?
    ) async throws -> (PerformedMailChange?, notice: String) {
        var done = last
        let notice = try await orNotice {
            let performed = try await mail.perform(change, threads: threads)
            if !performed.threadIDs.isEmpty { done = performed }
            return performed.text
        }
        return (done, notice)
    }

    /// Undoes the last change, if there is one.
    private func undo(_ state: inout State) async throws {
        guard let undone = state.last else { return }
        state.notice = try await orNotice {
            try await mail.undo(undone)
            return "Undone: \(counted(undone.threadIDs.count, "thread"))."
        }
        state.last = nil
    }

    /// Returns a failure's description in place of the result, unless the store can't be used any more.
    private func orNotice(_ body: () async throws -> String) async throws -> String {
        do {
            return try await body()
        } catch let error as InboxError where error.code != .storage && error.code != .closed {
            return error.description
        } catch let failure as Failure {
            return failure.description.isEmpty ? "Not sent. The draft is kept." : failure.description
        }
    }

    /// Lets the person write a reply to the latest mail of a thread, and prints its outcome.
    private func reply(to thread: String, toAll: Bool) async throws -> String {
        guard let latest = try await mail.latestMessage(inThread: thread) else {
            throw Failure("The thread has only drafts; see: \(MailDraft.listCommand)")
        }
        let draft = try await toAll ? mail.replyAll(to: latest.id) : mail.reply(to: latest.id)
        let session = DraftSession(
            mail: mail,
            device: device,
            options: try DraftOptions.parse([]),
            sending: try SendingOptions.parse([])
        )
        try await session.run(draft)
        return switch try await mail.outcome(ofDraft: draft.id) {
        case .sent: "The reply is sent."
        case .pending(.draft): "The reply is kept as a draft."
        case .pending: "The reply waits to be sent."
        case .discarded, nil: "The reply is discarded."
        }
    }
}
