import Coverage
import Foundation
import Groundwork
import InboxClient
import InboxModel
import RunningServer
import Testing

/// Threads, crashes and growth.
@Suite(.timeLimit(.minutes(10))) struct ThreadTests {
    /// Counts calls on the main actor and elsewhere.
    ///
    /// It checks the queue, since the main actor isn't bound to the main thread on Linux. After initialization only the
    /// counts change, guarded by their lock.
    private final class CallCounter: @unchecked Sendable {
        private let key = DispatchSpecificKey<Bool>()
        private let counts = Locked((main: 0, others: 0))

        init() { DispatchQueue.main.setSpecific(key: key, value: true) }

        var isMain: Bool { DispatchQueue.getSpecific(key: key) == true }
        var main: Int { counts.withLock { $0.main } }
        var others: Int { counts.withLock { $0.others } }

        func record() {
            let isMain = isMain
            counts.withLock { if isMain { $0.main += 1 } else { $0.others += 1 } }
        }
    }

    /// A clock that records where it is called.
    private struct RecordingClock: WallClock {
        let calls: CallCounter

        var now: Date {
            calls.record()
            return Date()
        }

        func sleep(until time: Date) async throws { try await SystemClock().sleep(until: time) }
    }

    @Test @MainActor func `opening, reading and acting from the main actor run elsewhere`() async throws {
        try await RunningServer.run { server in
            let ids = try await server.send(0..<3, to: "alice")
            let (clockCalls, writes) = (CallCounter(), CallCounter())
            #expect(clockCalls.isMain && writes.isMain)
            let phone = try await Phone.open(server) {
                $0.clock = RecordingClock(calls: clockCalls)
                $0.writeHook = { _ in writes.record() }
            }
            try await phone.inbox.sync()
            try await phone.inbox.markRead(ids[0])
            try await phone.inbox.markAllRead()
            try await phone.inbox.delete(ids[1])
            try await phone.inbox.track(.opened, ids[2])
            _ = try await phone.inbox.messages()
            _ = try await phone.inbox.counts()
            #expect(clockCalls.main == 0 && clockCalls.others > 0)
            #expect(writes.main == 0 && writes.others > 0)
            await phone.inbox.close()
        }
    }

    @Test(
        .rulesOut(
            .brazeSwift193,
            .brazeSwift111,
            .brazeSwift60,
            .cleverTapIOS355,
            .cleverTapIOS248,
            .cleverTapIOS264,
            .cleverTapIOS211
        )
    )
    @MainActor func `calls from the main actor never run SQLite on it`() async throws {
        try await RunningServer.run { server in
            let ids = try await server.send(0..<3, to: "alice")
            let (clockCalls, writes, reads) = (MainActorProbe(), MainActorProbe(), MainActorProbe())
            // Creating a file reads the time within its first transaction.
            let phone = try await Phone.open(server) {
                $0.clock = ProbingClock(probe: clockCalls)
                $0.writeHook = { _ in writes.check() }
            }
            #expect(clockCalls.findings.contains(true) && writes.findings.isEmpty)
            try await phone.inbox.sync()
            try await phone.inbox.markRead(ids[0])
            try await phone.inbox.snooze([ids[1]], until: Date().addingTimeInterval(60))
            try await phone.inbox.markAllRead()
            try await phone.inbox.delete(ids[1])
            try await phone.inbox.track(.opened, ids[2])
            try await phone.inbox.store.read { _ in reads.check() }
            try await phone.inbox.store.write { _ in writes.check() }
            _ = try await phone.inbox.fetchMessages()
            for probe in [clockCalls, writes, reads] {
                #expect(!probe.findings.isEmpty && probe.findings.allSatisfy { $0 })
            }
            await phone.inbox.close()
        }
    }

    /// A clock that checks at each call whether the main actor is free.
    private struct ProbingClock: WallClock {
        let probe: MainActorProbe

        var now: Date {
            probe.check()
            return Date()
        }

        func sleep(until time: Date) async throws { try await SystemClock().sleep(until: time) }
    }

    @Test(.rulesOut(.cleverTapIOS119, .cleverTapIOS177))
    func `reads during writes, syncs and closing return a result or a typed error`() async throws {
        try await RunningServer.run { server in
            let ids = try await server.send(0..<20, to: "alice")
            let phone = try await Phone.open(server)
            try await phone.inbox.sync()
            let inbox = phone.inbox
            let unexpected = Locked<[String]>([])
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<80 {
                    group.addTask {
                        do {
                            switch number % 8 {
                            case 0: try await inbox.sync()
                            case 1: try await inbox.markRead(ids)
                            case 2: try await inbox.markUnread(ids)
                            case 3: _ = try await inbox.delete(ids[number % 20])
                            case 4: _ = try await inbox.message(id: ids[number % 20])
                            case 5: for try await _ in inbox.observe() { break }
                            case 6: #expect(try await inbox.counts().unread >= 0)
                            default: _ = try await inbox.messages().map(\.actions)
                            }
                        } catch let error as InboxError where error.code == .closed {
                            // The inbox was closed before.
                        } catch {
                            unexpected.withLock { $0.append("\(number): \(error)") }
                        }
                    }
                }
                group.addTask {
                    for _ in 0..<200 { await Task.yield() }
                    await inbox.close()
                }
            }
            #expect(unexpected.withLock { $0 } == [])
            let again = try await Phone.open(server)
            #expect(again.inbox.repair == nil)
            _ = try await again.inbox.messages()
            await again.inbox.close()
        }
    }

    @Test(.rulesOut(.brazeSwift172))
    func `pending writes are one per property, however often it changes`() async throws {
        try await RunningServer.run { server in
            let ids = try await server.send(0..<2, to: "alice")
            let phone = try await Phone.open(server)
            try await phone.inbox.sync()
            phone.transport.isDisconnected = true
            for _ in 0..<500 {
                try await phone.inbox.archive(ids)
                try await phone.inbox.snooze(ids, until: Date().addingTimeInterval(60))
                try await phone.inbox.markRead(ids)
                try await phone.inbox.markUnread(ids)
            }
            #expect(try await phone.inbox.status().pendingWrites == 2)
            let earlierRequests = phone.transport.requests.count
            phone.transport.isDisconnected = false
            try await phone.inbox.sync()
            #expect(try await phone.inbox.status().pendingWrites == 0)
            let sent = phone.transport.requests.dropFirst(earlierRequests)
            #expect(sent.map(\.utf8.count).reduce(0, +) < 5_000)
            await phone.inbox.close()
        }
    }

    @Test(.rulesOut(.brazeSwift85)) func `public types are sendable`() {
        func crossesActors<each T: Sendable>(_ types: repeat (each T).Type) -> Bool { true }
        #expect(
            crossesActors(
                Inbox.self,
                CurrentInbox.self,
                InboxConfiguration.self,
                InboxSnapshot.self,
                InboxSnapshots.self,
                InboxStatus.self,
                InboxError.self,
                Message.self,
                MessageAction.self,
                MessageCounts.self,
                ConnectionState.self,
                RefusedAction.self,
                LiveObject<Message>.self,
                Query<Message>.self
            )
        )
    }
}
