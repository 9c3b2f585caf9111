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

    private typealias Events = AsyncStream<Event>.Continuation

    private enum Event: Sendable {
        /// A snapshot, with the number of its observation.
        case snapshot(MailSnapshot<MailThread>, Int)
        case connection(ConnectionState)
        case key(KeyPress)
        /// An open thread, with the texts that are on this device now.
        case page(Page)
        case redraw
        case failed(any Error)
    }

    /// An open thread.
    private struct Page: Sendable {
        let thread: MailThread
        let items: [ThreadPage.Item]
        let mailboxes: [Mailbox]
    }

    /// Runs until the person quits, or the task is cancelled.
    ///
    /// - Parameter query: The threads to list; its limit is the size of a page.
    func run(_ query: Query<MailThread>) async throws {
        let screen = Screen()
        screen.open()
        defer { screen.close() }
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let sources = Task { [mail] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await state in mail.connectionStates { continuation.yield(.connection(state)) } }
                group.addTask { for await _ in Screen.redraws(every: 10) { continuation.yield(.redraw) } }
            }
        }
        var keyboard = self.keys(continuation)
        var (keys, generation) = (ThreadKeys(limit: query.limit ?? 50), 0)
        var observation = observe(query, keys.limit, generation, continuation)
        var fetching: Task<Void, Never>?
        defer {
            sources.cancel()
            keyboard.cancel()
            observation.cancel()
            fetching?.cancel()
        }
        var (snapshot, connection) = (nil as MailSnapshot<MailThread>?, ConnectionState.idle)
        var (last, notice) = (nil as PerformedMailChange?, "")
        var page: Page?
        for await event in events {
            try Task.checkCancellation()
            switch event {
            case .snapshot(let new, let number):
                guard number == generation else { continue }
                keys.follow(new.items, before: snapshot?.items ?? [])
                snapshot = new
            case .connection(let state): connection = state
            case .page(let new): if keys.mode == .thread(new.thread.id) { page = new }
            case .redraw: break
            case .failed(let error): throw error
            case .key(let key):
                notice = ""
                let threads = snapshot?.items ?? []
                let room = max(2, Terminal.size.rows - 4)
                switch keys.press(key, threads, room: room) {
                case nil: break
                case .quit: return
                case .reload:
                    observation.cancel()
                    generation += 1
                    observation = observe(query, keys.limit, generation, continuation)
                case .open(let id):
                    page = nil
                    fetching?.cancel()
                    if let thread = threads.first(where: { $0.id == id }) { fetching = open(thread, continuation) }
                case .perform(let change, let ids):
                    (last, notice) = try await perform(change, ids, otherwise: last)
                case .undo:
                    guard let undone = last else { break }
                    notice = try await orNotice {
                        try await mail.undo(undone)
                        return "\(counted(undone.threadIDs.count, "thread")) as before."
                    }
                    last = nil
                case .reply(let id, let toAll):
                    // The editor gets the keys, and the whole terminal.
                    keyboard.cancel()
                    await keyboard.value
                    Keyboard.waitUntilIdle()
                    screen.close()
                    notice = try await orNotice { try await reply(to: id, toAll: toAll) }
                    try Task.checkCancellation()
                    screen.open()
                    keyboard = self.keys(continuation)
                }
                if case .thread = keys.mode {} else { page = nil }
            }
            guard let snapshot else { continue }
            let view = ThreadKeyScreen(
                user: login.user,
                people: people,
                size: Terminal.size,
                now: Date(),
                emptyText: emptyText,
                notice: notice,
                canUndo: last != nil
            )
            let shown = page.map { lines($0, in: snapshot, width: view.size.columns) }
            keys.limitScroll(lines: shown?.count ?? 0, room: view.room)
            screen.draw(view.lines(keys, snapshot, connection, page: shown))
        }
    }

    // MARK: - Sources of events

    private func keys(_ continuation: Events) -> Task<Void, Never> {
        // Before anything is drawn: a key that is typed at once isn't echoed over it.
        let presses = Keyboard.presses()
        return Task {
            for await key in presses { continuation.yield(.key(key)) }
            // The terminal is gone.
            if !Task.isCancelled { continuation.yield(.failed(CancellationError())) }
        }
    }

    private func observe(
        _ query: Query<MailThread>,
        _ limit: Int,
        _ generation: Int,
        _ continuation: Events
    ) -> Task<Void, Never> {
        var query = query
        query.limit = limit
        let snapshots = mail.observeThreads(query)
        return Task {
            do {
                for try await snapshot in snapshots { continuation.yield(.snapshot(snapshot, generation)) }
                if !Task.isCancelled { continuation.yield(.failed(InboxError.closedElsewhere)) }
            } catch {
                if !Task.isCancelled { continuation.yield(.failed(error)) }
            }
        }
    }

    /// Marks a thread as read, and sends its mails: first with the texts that are on this device, then with those that
    /// the server has.
    private func open(_ thread: MailThread, _ continuation: Events) -> Task<Void, Never> {
        Task { [mail] in
            do {
                let messages = try await mail.messages(inThread: thread.id)
                let mailboxes = try await mail.mailboxes()
                var bodies: [String: MailBody] = [:]
                for message in messages { bodies[message.id] = try await mail.storedBody(of: message.id) }
                func send(_ bodies: [String: MailBody]) {
                    let items = messages.map { ThreadPage.Item(message: $0, body: bodies[$0.id]) }
                    continuation.yield(.page(Page(thread: thread, items: items, mailboxes: mailboxes)))
                }
                send(bodies)
                _ = try await mail.markRead(threads: [thread.id])
                if bodies.count < messages.count { send(try await mail.bodies(of: messages.map(\.id))) }
            } catch let error as InboxError where error.code == .storage || error.code == .closed {
                if !Task.isCancelled { continuation.yield(.failed(error)) }
            } catch {
                // Without a network, the page says which texts are missing.
            }
        }
    }

    private func lines(_ page: Page, in snapshot: MailSnapshot<MailThread>, width: Int) -> [String] {
        // As it is now, with its star.
        let thread = snapshot.items.first { $0.id == page.thread.id } ?? page.thread
        return ThreadPage(width: width - 1, now: Date()).lines(thread, page.items, mailboxes: page.mailboxes)
            .map { " " + $0 }
    }

    // MARK: - Actions

    /// Changes threads, and says what it did. A change of nothing isn't remembered.
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

    /// Lets the person write a reply to the latest mail of a thread, and says what became of it.
    private func reply(to thread: String, toAll: Bool) async throws -> String {
        guard let latest = try await mail.messages(inThread: thread).last(where: { !$0.isDraft }) else {
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
