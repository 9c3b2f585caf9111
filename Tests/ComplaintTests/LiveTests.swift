import Coverage
import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxTesting
import RunningServer
import Testing

/// Open lists during changes on a running server.
@Suite(.timeLimit(.minutes(10))) struct LiveTests {
    @Test(.timeLimit(.minutes(10)), .rulesOut(.cleverTapAndroid81, .knock513, .novu5074))
    func `open lists follow the server and other devices without a refresh`() async throws {
        try await RunningServer.run { server in
            let phone = try await Phone.open(server) { $0.isLive = true }
            let tablet = try await Phone.open(server, name: "tablet") { $0.isLive = true }
            #expect(
                try await eventually {
                    [phone, tablet].allSatisfy { $0.inbox.connectionState == .live }
                }
            )
            let shown = Locked<[[String]]>([[], [], []])
            let (inbox, all, unread) = (phone.inbox, phone.inbox.observe(.active), phone.inbox.observe(.unread))
            let lists = [all, unread, inbox.observe(Query<Message>(limit: 1))].enumerated().map { number, list in
                Task {
                    for try await snapshot in list { shown.withLock { $0[number] = snapshot.items.map(\.id) } }
                }
            }
            let first = try await server.send(to: "alice", ["title": "First"])
            #expect(try await eventually { shown.withLock { $0 } == [[first], [first], [first]] })
            let second = try await server.send(to: "alice", ["title": "Second"])
            #expect(try await eventually { shown.withLock { $0 } == [[second, first], [second, first], [second]] })
            #expect(try await eventually { try await tablet.inbox.message(id: first) != nil })
            try await tablet.inbox.markRead(first)
            #expect(try await eventually { shown.withLock { $0 } == [[second, first], [second], [second]] })
            // (Until the outline is complete, the counts are the server's last ones.)
            #expect(
                try await eventually { phone.inbox.latestCounts() == MessageCounts(total: 2, unread: 1, unseen: 1) }
            )
            try await server.rest("DELETE", "v1/messages/\(second)")
            #expect(try await eventually { shown.withLock { $0 } == [[first], [], [first]] })
            // The lists end with the inbox.
            await phone.inbox.close()
            for list in lists { try await list.value }
            await tablet.inbox.close()
        }
    }

    @Test(.timeLimit(.minutes(10)), .rulesOut(.brazeReactNative308))
    func `a fetch without an answer times out, and the cache stays readable meanwhile`() async throws {
        let clock = ManualClock(now: Date())
        try await RunningServer.run { server in
            let ids = try await server.send(0..<2, to: "alice")
            let phone = try await Phone.open(server) { $0.clock = clock }
            try await phone.inbox.sync()
            phone.transport.isHeld = true
            let earlierRequests = phone.transport.requests.count
            let failure = Locked<InboxError.Code?>(nil)
            let fetch = Task {
                do {
                    _ = try await phone.inbox.fetchMessages()
                } catch let error as InboxError {
                    failure.withLock { $0 = error.code }
                }
            }
            defer { fetch.cancel() }
            #expect(try await eventually { phone.transport.requests.count > earlierRequests && clock.sleeperCount > 0 })
            #expect(try await phone.inbox.messages().map(\.id) == ids.reversed())
            #expect(try await phone.inbox.markRead(ids[0]))
            #expect(try await phone.inbox.counts().unread == 1)
            clock.advance(by: 29)
            #expect(failure.withLock { $0 } == nil)
            clock.advance(by: 2)
            #expect(try await eventually { failure.withLock { $0 } == .timedOut })
            await phone.inbox.close()
        }
    }
}
