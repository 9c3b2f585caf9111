import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxTesting
import Testing

/// Processes that open the same store. One of them sends all requests.
@Suite(.timeLimit(.minutes(5))) struct SharedStoreTests {
    let server = ScriptedServer(person: "alice")

    @Test func `one process syncs for all, and the next takes over`() async throws {
        server.deliver(.at(0, "a"))
        let clock = SystemClock()
        let watching = try await Device(server) {
            $0.isLive = true
            $0.clock = clock
        }
        #expect(try await eventually { try await watching.ids() == ["a"] })
        let second = try await Device(server, directory: watching.directory) { $0.clock = clock }
        #expect(try await second.ids() == ["a"])
        let before = second.transport.requests.count
        try await second.inbox.markRead("a")
        try await second.inbox.sync()
        #expect(second.transport.requests.count == before, "the other process sent it")
        #expect(server.messages.first?.isUnread == false)
        #expect(try await eventually { try await watching.inbox.message(id: "a")?.isUnread == false })
        #expect(server.appliedWrites.count == 2)
        // When the first closes, the second takes over.
        await watching.inbox.close()
        server.deliver(.at(1, "b"))
        try await second.inbox.sync()
        #expect(try await second.ids() == ["b", "a"])
    }

    @Test func `processes that sync manually alternate, and each write is applied once`() async throws {
        server.deliver(.at(0, "a"), .at(-1, "b"))
        let clock = SystemClock()
        let first = try await Device(server) { $0.clock = clock }
        let second = try await Device(server, directory: first.directory) { $0.clock = clock }
        try await first.inbox.sync()
        try await second.inbox.archive("a")
        try await second.inbox.sync()
        // A batch that one process has sealed without an answer is repeated by the other.
        try await first.inbox.archive("b")
        first.loseResponses(1)
        await #expect(throws: InboxError.self) { try await first.inbox.sync() }
        try await second.inbox.sync()
        try await first.inbox.unarchive(["a"])
        try await first.inbox.sync()
        #expect(server.messages.map { $0.archivedAt != nil } == [false, true])
        #expect(server.appliedWrites.count == 3)
        #expect(try await second.inbox.status().pendingWrites == 0)
    }
}
