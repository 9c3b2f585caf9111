import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxTesting
import Testing

/// Inboxes of one person that are open in one process at the same time share a file and a connection.
@Suite(.timeLimit(.minutes(5))) struct SharedInboxTests {
    let server = ScriptedServer(person: "alice")

    func device(
        _ directory: URL? = nil,
        clock: ManualClock = ManualClock(),
        stream: EventSource? = nil,
        isLive: Bool = true,
        token: String = "token"
    ) async throws -> Device {
        try await Device(server, clock: clock, directory: directory, stream: stream, tokens: Tokens { token }) {
            $0.sharesEngine = true
            $0.isLive = isLive
        }
    }

    func isLive(_ device: Device) async throws -> Bool {
        try await eventually { device.inbox.connectionState == .live }
    }

    @Test func `a second inbox is live at once and shares the first one's connection`() async throws {
        let (source, other) = (EventSource(), EventSource())
        let first = try await device(stream: source)
        #expect(try await isLive(first))
        let second = try await device(first.directory, clock: first.clock, stream: other)
        #expect(second.inbox.connectionState == .live)
        #expect(second.inbox.store === first.inbox.store)
        server.deliver(.at(0, "a"))
        try await second.inbox.sync()
        #expect(try await second.ids() == ["a"])
        try await first.inbox.archive("a")
        #expect(try await second.ids(.archived) == ["a"])
        #expect(second.transport.requests.isEmpty)
        #expect(source.opened == 1 && other.opened == 0)
    }

    @Test(arguments: [true, false])
    func `closing one inbox ends its sequences and none of the other's`(closesFirst: Bool) async throws {
        server.deliver(.at(0, "a"))
        let first = try await device(stream: EventSource())
        #expect(try await isLive(first))
        let second = try await device(first.directory, clock: first.clock)
        let (closed, open) = closesFirst ? (first, second) : (second, first)
        var (ending, going) = (closed.inbox.observe().makeAsyncIterator(), open.inbox.observe().makeAsyncIterator())
        var states = closed.inbox.connectionStates.makeAsyncIterator()
        #expect(try await eventually { try await open.ids() == ["a"] })
        #expect(try await ending.next() != nil)
        #expect(try await going.next() != nil)
        #expect(await states.next() == .live)
        await closed.inbox.close()
        await closed.inbox.close()
        while try await ending.next() != nil {}
        #expect(await states.next() == .closed)
        #expect(await states.next() == nil)
        #expect(closed.inbox.connectionState == .closed)
        #expect(closed.inbox.latestCounts() == MessageCounts(isExact: false))
        for call in [
            { _ = try await closed.inbox.messages() }, { try await closed.inbox.sync() },
            { try await closed.inbox.markRead("a") }, { try await closed.inbox.signOut() },
            { _ = try await closed.inbox.live("a") },
        ] as [() async throws -> Void] {
            let error = await #expect(throws: InboxError.self) { try await call() }
            #expect(error?.code == .closed)
        }
        #expect(open.inbox.connectionState == .live)
        try await open.inbox.archive("a")
        while let snapshot = try await going.next(), !snapshot.items.isEmpty {}
        #expect(try await eventually { server.messages.first?.archivedAt != nil })
        await open.inbox.close()
        #expect(open.inbox.store.isClosed)
        let again = try await device(first.directory, clock: first.clock)
        #expect(try await again.ids(.archived) == ["a"])
        await again.inbox.close()
    }

    @Test func `a deallocated inbox works like a closed one`() async throws {
        let first = try await device(stream: EventSource())
        #expect(try await isLive(first))
        do {
            let second = try await device(first.directory, clock: first.clock)
            #expect(second.inbox.connectionState == .live)
        }
        #expect(try await first.ids() == [])
        #expect(first.inbox.connectionState == .live)
    }

    @Test func `the connection lasts as long as one inbox needs it`() async throws {
        let source = EventSource()
        let quiet = try await device(stream: source, isLive: false)
        let live = try await device(quiet.directory, clock: quiet.clock)
        #expect(try await isLive(quiet))
        await live.inbox.close()
        #expect(try await eventually { quiet.inbox.connectionState == .idle })
        let again = try await device(quiet.directory, clock: quiet.clock)
        #expect(try await isLive(quiet))
        #expect(source.opened == 2)
        await again.inbox.close()
        await quiet.inbox.close()
    }

    @Test func `the token comes from the newest open inbox`() async throws {
        let first = try await device(isLive: false, token: "first")
        let second = try await device(first.directory, clock: first.clock, isLive: false, token: "second")
        try await first.inbox.sync()
        #expect(first.transport.requests.last?.headers["Authorization"] == "Bearer second")
        await second.inbox.close()
        let refused = Locked(0)
        first.transport.answer { [server] request in
            guard request.headers["Authorization"] != "Bearer second" else {
                refused.withLock { $0 += 1 }
                return TransportResponse(status: 401, url: request.url)
            }
            return server.answer(request)
        }
        try await first.inbox.sync()
        #expect(refused.withLock { $0 } == 1)
        #expect(first.transport.requests.last?.headers["Authorization"] == "Bearer first")
    }

    @Test func `signing out of one inbox closes both, and the next opening is empty`() async throws {
        server.deliver(.at(0, "a"))
        let first = try await device(isLive: false)
        let second = try await device(first.directory, clock: first.clock, isLive: false)
        try await second.inbox.sync()
        var snapshots = first.inbox.observe().makeAsyncIterator()
        #expect(try await snapshots.next()?.items.count == 1)
        try await second.inbox.signOut()
        #expect(try await snapshots.next() == nil)
        let error = await #expect(throws: InboxError.self) { try await first.ids() }
        #expect(error?.code == .closed)
        #expect(first.inbox.connectionState == .closed)
        let again = try await device(first.directory, isLive: false)
        #expect(try await again.ids() == [])
        await first.inbox.close()
        try await again.inbox.sync()
        #expect(try await again.ids() == ["a"])
    }

    @Test func `a deleted file is created again and not shared`() async throws {
        let first = try await device(isLive: false)
        for file in try FileManager.default.contentsOfDirectory(at: first.directory, includingPropertiesForKeys: nil) {
            try FileManager.default.removeItem(at: file)
        }
        try Data().write(to: first.inbox.store.location.file)
        let second = try await device(first.directory, clock: first.clock, isLive: false)
        #expect(second.inbox.store !== first.inbox.store)
        server.deliver(.at(0, "a"))
        try await second.inbox.sync()
        #expect(try await second.ids() == ["a"])
        await first.inbox.close()
        #expect(try await second.ids() == ["a"])
    }

    @Test func `opening a second inbox with a valid token ends the pause of both`() async throws {
        let first = try await device(stream: EventSource(), token: "bad")
        first.transport.answer { [server] request in
            guard request.headers["Authorization"] == "Bearer good" else {
                return TransportResponse(status: 401, url: request.url)
            }
            return server.answer(request)
        }
        try? await first.inbox.sync()
        #expect(try await eventually { if case .unauthorized = first.inbox.connectionState { true } else { false } })
        // The clock doesn't advance.
        let second = try await device(first.directory, clock: first.clock, token: "good")
        #expect(try await isLive(second))
        #expect(first.inbox.connectionState == .live)
        await second.inbox.close()
        await first.inbox.close()
    }

    @Test func `once no inbox is live, another process may sync`() async throws {
        let quiet = try await device(stream: EventSource(), isLive: false)
        let live = try await device(quiet.directory, clock: quiet.clock)
        #expect(try await isLive(quiet))
        await live.inbox.close()
        #expect(try await eventually { quiet.inbox.connectionState == .idle })
        server.deliver(.at(0, "a"))
        let other = try await Device(server, clock: quiet.clock, directory: quiet.directory)
        try await other.inbox.sync()
        #expect(try await other.ids() == ["a"])
        await other.inbox.close()
        await quiet.inbox.close()
    }

    @Test func `inboxes that open at the same time share a store`() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("inbox-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let clock = ManualClock()
        let devices = try await withThrowingTaskGroup(of: Device.self) { group in
            for _ in 0..<8 { group.addTask { try await device(directory, clock: clock, isLive: false) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(devices.map { ObjectIdentifier($0.inbox.store) }).count == 1)
        for device in devices.dropLast() { await device.inbox.close() }
        #expect(try await devices.last?.ids() == [])
        await devices.last?.inbox.close()
        #expect(devices.last?.inbox.store.isClosed == true)
    }
}
