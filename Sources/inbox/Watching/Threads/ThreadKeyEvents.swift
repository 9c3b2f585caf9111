import InboxClient
import InboxMail

/// The events while a person acts on threads by keys, in their order, and the tasks that send them.
struct ThreadKeyEvents {
    enum Event: Sendable {
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
    struct Page: Sendable {
        let thread: MailThread
        let items: [ThreadPage.Item]
        let mailboxes: [Mailbox]
    }

    let stream: AsyncStream<Event>
    /// The number of the present observation. Snapshots of an earlier one may still arrive.
    private(set) var generation = 0
    private let mail: Mail
    private let query: Query<MailThread>
    private let continuation: AsyncStream<Event>.Continuation
    /// Sends the states of the connection, and the redraws.
    private let background: Task<Void, Never>
    private var keyboard: Task<Void, Never>?
    private var observation: Task<Void, Never>?
    /// Reads the thread that was opened last.
    private var fetching: Task<Void, Never>?

    /// - Parameter limit: The number of threads to list at first.
    init(of mail: Mail, _ query: Query<MailThread>, limit: Int) {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
        (self.mail, self.query, self.stream, self.continuation) = (mail, query, stream, continuation)
        background = Task {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await state in mail.connectionStates { continuation.yield(.connection(state)) } }
                group.addTask { for await _ in Screen.redraws(every: 10) { continuation.yield(.redraw) } }
            }
        }
        readKeys()
        observe(limit: limit)
    }

    func cancel() {
        background.cancel()
        keyboard?.cancel()
        observation?.cancel()
        fetching?.cancel()
    }

    // MARK: - Keys

    mutating func readKeys() {
        // Before anything is drawn: a key that is typed at once isn't echoed over it.
        let presses = Keyboard.presses()
        keyboard = Task { [continuation] in
            for await key in presses { continuation.yield(.key(key)) }
            // The terminal is gone.
            if !Task.isCancelled { continuation.yield(.failed(CancellationError())) }
        }
    }

    /// Stops reading keys, until ``readKeys()``: another program reads them.
    func releaseKeyboard() async {
        keyboard?.cancel()
        await keyboard?.value
        Keyboard.waitUntilIdle()
    }

    // MARK: - Threads

    /// Lists another number of threads.
    mutating func reload(limit: Int) {
        observation?.cancel()
        generation += 1
        observe(limit: limit)
    }

    private mutating func observe(limit: Int) {
        var query = query
        query.limit = limit
        let snapshots = mail.observeThreads(query)
        observation = Task { [continuation, generation] in
            do {
                for try await snapshot in snapshots { continuation.yield(.snapshot(snapshot, generation)) }
                if !Task.isCancelled { continuation.yield(.failed(InboxError.closedElsewhere)) }
            } catch {
                if !Task.isCancelled { continuation.yield(.failed(error)) }
            }
        }
    }

    /// Marks a thread as read, and sends its mails: first with the texts that are on this device, then with those that
    /// the server has. A thread that was opened before isn't sent any more.
    ///
    /// - Parameter thread: Nil if it has left the list.
    mutating func open(_ thread: MailThread?) {
        fetching?.cancel()
        guard let thread else { return }
        fetching = Task { [mail, continuation] in
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
}
