import Coverage
import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxModel
import InboxTesting
import JMAP
import Testing

@Suite(.timeLimit(.minutes(5))) struct TrackingTests {
    let server = ScriptedServer(person: "alice")

    private func phone(_ configure: @escaping (inout InboxConfiguration) -> Void = { _ in }) async throws -> Device {
        server.deliver(.at(0, "a"), .at(-1, "b"), .at(-2, "c"))
        let phone = try await Device(server, configure: configure)
        try await phone.inbox.sync()
        return phone
    }

    // MARK: - Once, in order, with their times

    @Test func `events tracked offline reach the server once, in order, with their own times`() async throws {
        let phone = try await phone()
        phone.disconnect()
        let start = phone.clock.now
        for (type, id) in [(EventType.delivered, "a"), (.displayed, "b"), (.opened, "a"), (.other("shared"), "c")] {
            #expect(try await phone.inbox.track(type, id))
            phone.clock.advance(by: 10)
        }
        #expect(try await phone.inbox.status().pendingEvents == 4)
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        phone.reconnect()
        try await phone.inbox.sync()
        try await phone.inbox.sync()
        #expect(server.events.map(\.type) == [.delivered, .displayed, .opened, .other("shared")])
        #expect(server.events.map(\.message) == ["a", "b", "a", "c"])
        #expect(server.events.compactMap(\.at).map { $0.timeIntervalSince(start) } == [0, 10, 20, 30])
        #expect(try await phone.inbox.status().pendingEvents == 0)
    }

    @Test func `an event whose answer is lost is repeated and counted once`() async throws {
        let phone = try await phone()
        try await phone.inbox.track(.opened, "a", data: ["screen": .string("list"), "place": .number(2)])
        phone.transport.answer { [server] request in
            _ = server.answer(request)
            throw TransportError.unreachable("the answer is lost")
        }
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(server.events.count == 1)
        #expect(try await phone.inbox.status().pendingEvents == 1)
        phone.reconnect()
        try await phone.inbox.sync()
        #expect(server.events.count == 1)
        #expect(server.events.first?.data == ["screen": .string("list"), "place": .number(2)])
        #expect(try await phone.inbox.status().pendingEvents == 0)
    }

    @Test func `more events than one request can hold all arrive in order`() async throws {
        let phone = try await phone()
        server.setLimits { $0.maxObjectsInSet = 3 }
        for number in 1...8 { try await phone.inbox.track(.other("e\(number)"), "a") }
        let again = try await Device(server, directory: phone.directory)
        await phone.inbox.close()
        try await again.inbox.sync()
        #expect(server.events.map(\.type.rawValue) == (1...8).map { "e\($0)" })
    }

    @Test(.rulesOut(.brazeSwift172))
    func `too many events: the oldest are dropped, displayed ones first, and counted`() async throws {
        let phone = try await phone()
        try await phone.inbox.track(.opened, "a")
        let many = Array(repeating: "b", count: 5_000)
        try await phone.inbox.track(.displayed, many)
        try await phone.inbox.track(.clicked, many)
        let status = try await phone.inbox.status()
        #expect(status.pendingEvents == 10_000)
        #expect(status.droppedEvents == 1)
        try await phone.inbox.sync()
        let receivedCounts = Dictionary(grouping: server.events, by: \.type).mapValues(\.count)
        #expect(receivedCounts == [.opened: 1, .displayed: 4_999, .clicked: 5_000])
    }

    @Test func `an event that the server refuses is rejected and reported`() async throws {
        let phone = try await phone()
        try await phone.inbox.track(.opened, "a")
        try await phone.inbox.track(.opened, "b")
        server.recall("a")
        var refused = phone.inbox.refusedActions.makeAsyncIterator()
        try await phone.inbox.sync()
        let refusal = await refused.next()
        #expect(refusal?.recordID == "a")
        #expect(refusal?.property == "opened")
        #expect(refusal?.reason == "invalidProperties")
        #expect(server.events.map(\.message) == ["b"])
        #expect(try await phone.inbox.status().pendingEvents == 0)
    }

    @Test func `a server without events leaves them pending and syncs everything else`() async throws {
        let phone = try await phone()
        server.failEvents(with: .unknownMethod)
        try await phone.inbox.track(.opened, "a")
        try await phone.inbox.markRead("b")
        try await phone.inbox.sync()
        #expect(server.messages.first { $0.id == "b" }?.isUnread == false)
        #expect(try await phone.inbox.status().pendingEvents == 1)
    }

    @Test func `a live inbox doesn't repeat events to a server without events`() async throws {
        server.deliver(.at(0, "a"))
        server.failEvents(with: .unknownMethod)
        let source = EventSource()
        let phone = try await Device(server, stream: source) { $0.isLive = true }
        #expect(try await eventually { try await phone.ids() == ["a"] })
        #expect(try await eventually { phone.inbox.connectionState == .live })
        try await phone.inbox.track(.opened, "a")
        #expect(try await eventually { phone.transport.requests.contains { Self.carriesEvents($0) } })
        // After three more rounds, all automatic requests have been sent.
        for _ in 0..<3 { try await phone.inbox.sync() }
        let count = phone.transport.requests.count
        for _ in 0..<500 { await Task.yield() }
        #expect(phone.transport.requests.count <= count + 1)
        #expect(phone.transport.requests.count { Self.carriesEvents($0) } == 1)
        #expect(try await phone.inbox.status().pendingEvents == 1)
    }

    private static func carriesEvents(_ request: TransportRequest) -> Bool {
        request.body.map { String(decoding: $0, as: UTF8.self).contains("InboxEvent/set") } ?? false
    }

    @Test func `a request that is too large sends fewer events, and more again afterwards`() async throws {
        let phone = try await phone()
        for number in 1...40 {
            try await phone.inbox.track(
                .other("e\(number)"),
                "a",
                data: ["text": .string(number == 1 ? long : "short")]
            )
        }
        try await phone.inbox.markRead("b")
        phone.transport.answer { [server] request in
            (request.body?.count ?? 0) > 6_000
                ? TransportResponse(status: 413, url: request.url) : server.answer(request)
        }
        try await phone.inbox.sync()
        #expect(server.events.map(\.type.rawValue) == (1...40).map { "e\($0)" })
        #expect(server.messages.first { $0.id == "b" }?.isUnread == false)
        let sizes = phone.transport.requests.compactMap { request in
            Self.carriesEvents(request)
                ? request.body.map { String(decoding: $0, as: UTF8.self).matches(of: /"uid"/).count } : nil
        }
        #expect(sizes.count < 20, "\(sizes)")
    }

    private var long: String { String(repeating: "x", count: 3_900) }

    @Test func `a server that is unavailable for events is asked again, and no event is lost`() async throws {
        let phone = try await phone()
        server.failEvents(with: ScriptedError("serverUnavailable"))
        try await phone.inbox.track(.opened, "a")
        try await phone.inbox.markRead("b")
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(server.messages.first { $0.id == "b" }?.isUnread == false, "events don't delay writes")
        server.failEvents(with: nil)
        try await phone.inbox.sync()
        #expect(server.events.count == 1)
    }

    @Test func `signing out sends pending events`() async throws {
        let phone = try await phone()
        try await phone.inbox.track(.opened, "a")
        #expect(try await phone.inbox.signOut() == 0)
        #expect(server.events.count == 1)
    }

    // MARK: - Clicks

    @Test func `a click also marks the message read, in the same transaction`() async throws {
        let phone = try await phone()
        #expect(try await phone.inbox.click("a", action: "track"))
        let message = try #require(try await phone.inbox.message(id: "a"))
        #expect(message.readAt == phone.clock.now && message.seenAt == phone.clock.now)
        let status = try await phone.inbox.status()
        #expect(status.pendingWrites == 1 && status.pendingEvents == 1)
        try await phone.inbox.sync()
        #expect(server.events.map(\.action) == ["track"])
        #expect(server.events.map(\.reads) == [false])
        #expect(server.messages.first { $0.id == "a" }?.isUnread == false)
    }

    @Test func `a click whose transaction fails leaves neither event nor read date`() async throws {
        struct DiskFull: Error {}
        let fails = Locked(false)
        let phone = try await phone { configuration in
            configuration.writeHook = { moment in
                if moment == .commits, fails.withLock({ $0 }) { throw DiskFull() }
            }
        }
        fails.withLock { $0 = true }
        await #expect(throws: DiskFull.self) { try await phone.inbox.click("a") }
        fails.withLock { $0 = false }
        #expect(try await phone.inbox.message(id: "a")?.isUnread == true)
        #expect(try await phone.inbox.status().pendingEvents == 0)
    }

    @Test func `marked unread after a click stays unread`() async throws {
        let phone = try await phone()
        try await phone.inbox.click("a")
        try await phone.inbox.markUnread("a")
        try await phone.inbox.sync()
        #expect(server.messages.first { $0.id == "a" }?.isUnread == true)
        #expect(try await phone.inbox.message(id: "a")?.isUnread == true)
        #expect(server.events.count == 1)
    }

    @Test func `a dismissal deletes the message and tracks an event in one transaction`() async throws {
        let phone = try await phone()
        #expect(try await phone.inbox.dismiss(["a", "unknown", "a"]) == ["a"])
        #expect(try await phone.ids() == ["b", "c"])
        try await phone.inbox.sync()
        #expect(server.events.map(\.type) == [.dismissed])
        #expect(server.messages.first { $0.id == "a" }?.deletedAt != nil)
    }

    @Test func `marking read, marking seen, archiving and deleting track no events`() async throws {
        let phone = try await phone()
        try await phone.inbox.markRead("a")
        try await phone.inbox.markSeen(["b"])
        try await phone.inbox.archive("b")
        try await phone.inbox.delete("c")
        #expect(try await phone.inbox.status().pendingEvents == 0)
    }

    // MARK: - Invalid input

    @Test func `the maximum of event data is sent, also with a forced event`() async throws {
        let phone = try await phone()
        let pairs = Dictionary(
            uniqueKeysWithValues: (0..<EventLimits.dataPairs).map { ("k\($0)", EventValue.number(1)) }
        )
        #expect(try await phone.inbox.track(.opened, "a", data: pairs))
        #expect(try await phone.inbox.track(.opened, "a", data: pairs, isForced: true))
        try await phone.inbox.sync()
        let forced = pairs.merging(["tracking_forced": .bool(true)]) { _, new in new }
        #expect(server.events.map(\.data) == [pairs, forced])
    }

    @Test func `an unknown message tracks no event`() async throws {
        let phone = try await phone()
        #expect(try await phone.inbox.track(.opened, "unknown") == false)
        #expect(try await phone.inbox.click("unknown") == false)
        #expect(try await phone.inbox.track(.opened, []) == [])
        #expect(try await phone.inbox.status().pendingEvents == 0)
    }

    @Test(
        arguments: [
            (EventType.other("no spaces"), nil, [:], "type"), (.clicked, "", [:], "action"),
            (.clicked, String(repeating: "a", count: 257), [:], "action"),
            (.clicked, nil, ["k": .string(String(repeating: "v", count: 5_000))], "data"),
        ] as [(EventType, String?, [String: EventValue], String)]
    )
    func `an event that the server would refuse is a typed error that names its part`(
        type: EventType,
        action: String?,
        data: [String: EventValue],
        part: String
    ) async throws {
        let phone = try await phone()
        let error = try await #require(throws: InboxError.self) {
            try await phone.inbox.track(type, "a", action: action, data: data)
        }
        #expect(error.code == .invalidArgument)
        #expect(error.description.contains(part))
        #expect(try await phone.inbox.status().pendingEvents == 0)
    }
}
