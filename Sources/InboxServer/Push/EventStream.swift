import Groundwork
import Hummingbird
import InboxService
import NIOCore

/// The event stream of one device.
///
/// There may be thousands of streams, each with its own task for hours. The state is kept in this object so that the
/// task's frames stay small.
final class EventStream: Sendable {
    private let person: Person
    private let lease: StreamLease
    /// The states that the client has, as of its request.
    private let initialTracker: StreamStateTracker
    private let options: EventSourceOptions
    private let source: EventSource
    private let wakeUp = WakeUp()
    /// Whether the stream is woken again soon, since the database couldn't be read.
    private let isRetrying = Locked(false)

    init(
        person: Person,
        lease: StreamLease,
        tracker: StreamStateTracker,
        options: EventSourceOptions,
        source: EventSource
    ) {
        self.person = person
        self.lease = lease
        initialTracker = tracker
        self.options = options
        self.source = source
    }

    /// Ends the stream after its client has disconnected.
    @Sendable func end() {
        wakeUp.end()
    }

    /// Sends states until the client disconnects, its token expires, the server stops, or the requested state was sent.
    @concurrent
    func run(to writer: inout any ResponseBodyWriter) async throws {
        var tracker = initialTracker
        let ping = options.pingInterval.map { source.pings.add(interval: $0, wakeUp: wakeUp) }
        defer { if let ping { source.pings.remove(ping) } }
        // Subscribes first, then reads, so that states committed since the request are sent.
        let number = source.watchers.add(wakeUp, for: person.id, lease: lease)
        defer { source.watchers.remove(number, of: person.id) }
        // The token is checked again for the same reason: a token that was ended since the request arrived opens no
        // stream.
        guard try await isLeaseValid else { return }

        // A comment, which shows the client that it is connected.
        try await writer.write(Self.connected)
        wakeUp.signal()
        for await _ in wakeUp.signals {
            let state = await readableState
            if let state, let event = tracker.next(state: state, surface: source.people.surfaceState) {
                try await writer.write(event)
                if options.closesAfterState { return }
                if let ping { source.pings.restart(ping) }
            } else if let event = ping.flatMap({ source.pings.takeDue($0) }) {
                try await writer.write(event)
            }
        }
    }

    private static let connected = ByteBuffer(string: ":\n\n")

    private var isLeaseValid: Bool {
        get async throws { try await inTemporaryTask { [lease] in try await lease.renew() != nil } }
    }

    /// The latest state, or nil while the database can't be read. The stream stays open and is woken again: thousands
    /// of clients that connect again would be a burden for a database that has just come back.
    private var readableState: PersonState? {
        get async {
            do {
                return try await latestState
            } catch {
                let wasRetrying = isRetrying.withLock { isRetrying in
                    defer { isRetrying = true }
                    return isRetrying
                }
                if wasRetrying { return nil }
                Task { [wakeUp, isRetrying] in
                    try? await Task.sleep(for: Self.pause)
                    isRetrying.withLock { $0 = false }
                    wakeUp.signal()
                }
                return nil
            }
        }
    }

    private static let pause = Duration.seconds(1)

    private var latestState: PersonState {
        get async throws {
            if let state = source.people.knownState(of: person) { return state }
            return try await inTemporaryTask { [source, person] in try await source.people.latestState(of: person) }
        }
    }
}

/// Runs work in a task of its own, and waits for it.
///
/// A task keeps the memory of its deepest call until it ends. Deep calls on behalf of a task that lives as long as a
/// connection therefore run in a task that ends at once.
func inTemporaryTask<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await Task { try await work() }.value
}
