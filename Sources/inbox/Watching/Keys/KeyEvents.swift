import Foundation
import InboxClient

/// The events while a person acts on an inbox by keys, in their order, and the tasks that send them.
struct KeyEvents {
    enum Event: Sendable {
        /// A snapshot, with the number of its observation.
        case snapshot(InboxSnapshot, Int)
        case connection(ConnectionState)
        case key(KeyPress)
        case redraw
        case failed(any Error)
    }

    let stream: AsyncStream<Event>
    /// The number of the present observation. Snapshots of an earlier one may still arrive.
    private(set) var generation = 0
    private let inbox: Inbox
    private let surface: String?
    private let continuation: AsyncStream<Event>.Continuation
    /// Sends the states of the connection, the keys, and the redraws.
    private let background: Task<Void, Never>
    private var observation: Task<Void, Never>?

    /// - Parameter keys: The part of the inbox to list at first.
    init(of inbox: Inbox, surface: String?, _ keys: ListKeys) {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
        (self.inbox, self.surface, self.stream, self.continuation) = (inbox, surface, stream, continuation)
        // Before anything is drawn: a key that is typed at once isn't echoed over it.
        let presses = Keyboard.presses()
        background = Task {
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
        observe(keys)
    }

    func cancel() {
        background.cancel()
        observation?.cancel()
    }

    /// Lists another part of the inbox.
    mutating func reload(_ keys: ListKeys) {
        observation?.cancel()
        generation += 1
        observe(keys)
    }

    private mutating func observe(_ keys: ListKeys) {
        let predicate = keys.search.isEmpty ? nil : MessageSearch.predicate(keys.search)
        let snapshots = inbox.observe(Query(where: predicate, limit: keys.limit), in: keys.filter, surface: surface)
        observation = Task { [continuation, generation] in
            do {
                for try await snapshot in snapshots { continuation.yield(.snapshot(snapshot, generation)) }
                if !Task.isCancelled { continuation.yield(.failed(InboxError.closedElsewhere)) }
            } catch {
                if !Task.isCancelled { continuation.yield(.failed(error)) }
            }
        }
    }
}
