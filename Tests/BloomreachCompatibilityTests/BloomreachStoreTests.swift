import BloomreachCompatibility
import Coverage
import Foundation
import Groundwork
import InboxClient
import InboxTesting
import RunningServer
import Testing

/// The statements of Bloomreach's document about the store on the device, against a server.
@MainActor @Suite(.timeLimit(.minutes(10))) struct BloomreachStoreTests {
    /// A phone. Without `person` it is the same phone after a restart, which has the customer stored.
    private func phone(
        _ server: RunningServer,
        _ transport: TestTransport,
        identifying person: String? = "alice",
        clock: (any WallClock)? = nil,
        pushLifetime: TimeInterval = Inbox.pushLifetime
    ) -> Exponea {
        let client = Exponea()
        var configuration = InboxConfiguration.keepingAll
        configuration.isLive = false
        configuration.transport = transport
        if let clock { configuration.clock = clock }
        client.configure(
            Exponea.InboxSettings(
                server: server.url,
                directory: server.folder.appending(path: "phone"),
                configuration: configuration,
                pushLifetime: pushLifetime
            ) {
                try await server.token(of: $0)
            }
        )
        if let person { client.identifyCustomer(customerIds: ["registered": person]) }
        return client
    }

    private func fetch(_ client: Exponea) async throws -> [String] {
        try await withCheckedContinuation { done in client.fetchAppInbox { done.resume(returning: $0) } }.get().map(
            \.id
        )
    }

    private func fetch(_ id: String, _ client: Exponea) async -> MessageItem? {
        await withCheckedContinuation { done in
            client.fetchAppInboxItem(id) { (item: MessageItem?) in done.resume(returning: item) }
        }
    }

    private func markRead(_ id: String, _ client: Exponea) async -> Bool {
        await withCheckedContinuation { done in client.markAppInboxAsRead(id) { done.resume(returning: $0) } }
    }

    @Test(.shows(.b01, .b29, .b30))
    func `the first fetch brings all messages, and later ones only what is new`() async throws {
        try await RunningServer.run { server in
            let ids = try await server.send(0..<80, to: "alice")
            let transport = TestTransport()
            let phone = phone(server, transport)
            #expect(try await fetch(phone) == ids.reversed())
            let answered = transport.answers.count
            let new = try await server.send(80..<82, to: "alice")
            #expect(try await fetch(phone) == (ids + new).reversed())
            let later = transport.answers.dropFirst(answered).joined()
            #expect(new.allSatisfy(later.contains) && !ids.contains(where: later.contains))
            // The next start uses the stored messages.
            let again = transport.answers.count
            let started = self.phone(server, transport, identifying: nil)
            #expect(try await fetch(started).count == 82)
            #expect(!(ids + new).contains(where: transport.answers.dropFirst(again).joined().contains))
        }
    }

    @Test(.shows(.b31)) func `a fetch completes with the messages, if any, or with an error`() async throws {
        try await RunningServer.run { server in
            let transport = TestTransport()
            let phone = phone(server, transport)
            #expect(try await fetch(phone) == [])
            let ids = try await server.send(0..<1, to: "alice")
            #expect(try await fetch(phone) == ids)
            transport.isDisconnected = true
            let error = await #expect(throws: InboxError.self) { try await fetch(phone) }
            #expect(error?.code == .notConnected && error?.localizedDescription.isEmpty == false)
        }
    }

    @Test(.shows(.b32, .b33, .b34))
    func `fetching one message brings all new ones, or is answered by the device`() async throws {
        try await RunningServer.run { server in
            let ids = try await server.send(0..<3, to: "alice")
            let transport = TestTransport()
            let phone = phone(server, transport)
            #expect(await fetch(ids[0], phone)?.content?.title == "0")
            transport.isDisconnected = true
            let earlierRequests = transport.requests.count
            for id in ids { #expect(await fetch(id, phone)?.id == id) }
            #expect(transport.requests.count == earlierRequests)
            #expect(await fetch("unknown", phone) == nil)
            transport.isDisconnected = false
            let new = try await server.send(3..<4, to: "alice")
            #expect(await fetch(new[0], phone)?.id == new[0])
        }
    }

    @Test(.shows(.b27, .b28), arguments: ["alice", "bob", nil])
    func `identifying another customer or anonymizing empties the inbox`(next: String?) async throws {
        try await RunningServer.run { server in
            let ids = try await server.send(0..<2, to: "alice")
            let transport = TestTransport()
            let phone = phone(server, transport)
            _ = try await fetch(phone)
            transport.isDisconnected = true
            #expect(await fetch(ids[0], phone) != nil)
            if let next { phone.identifyCustomer(customerIds: ["registered": next]) } else { phone.anonymize() }
            for id in ids { #expect(await fetch(id, phone) == nil) }
            transport.isDisconnected = false
            phone.identifyCustomer(customerIds: ["registered": "alice"])
            #expect(try await fetch(phone) == ids.reversed())
        }
    }

    @Test(.shows(.b35, .b36))
    func `a message marked read offline is read at once, and later on the server`() async throws {
        try await RunningServer.run { server in
            let ids = try await server.send(0..<1, to: "alice")
            let transport = TestTransport()
            let phone = phone(server, transport)
            _ = try await fetch(phone)
            transport.isDisconnected = true
            #expect(await markRead(ids[0], phone))
            #expect(await fetch(ids[0], phone)?.read == true)
            #expect(await !markRead("unknown", phone))
            transport.isDisconnected = false
            _ = try await fetch(phone)
            let figures = try await server.rest("GET", "v1/messages/\(ids[0])/figures")
            #expect(figures["read"]?.intValue == 1)
            #expect(!transport.requests.contains { $0.contains("InboxEvent/set") }, "no event is sent")
        }
    }

    @Test(.shows(.b02)) func `a pushed message is kept for its time, then the server's replaces it`() async throws {
        let clock = ManualClock()
        try await RunningServer.run(clock: clock) { server in
            let transport = TestTransport()
            let phone = phone(server, transport, clock: clock, pushLifetime: 86_400)
            #expect(try await fetch(phone).isEmpty)
            transport.isDisconnected = true
            let id = try await server.send(to: "alice", ["title": "Sent"])
            for id in [id, "never-sent"] {
                phone.trackPushReceived(userInfo: [
                    "aps": ["alert": ["title": "Pushed", "body": "Text"]], "inbox": ["id": id, "person": "alice"],
                ])
            }
            #expect(await title(id, phone) == "Pushed")
            #expect(await title("never-sent", phone) == "Pushed")
            transport.isDisconnected = false
            #expect(try await Set(fetch(phone)) == [id, "never-sent"])
            #expect(await title(id, phone) == "Sent")
            clock.advance(by: 86_400)
            #expect(try await fetch(phone) == [id])
        }
    }

    @Test func `a push of another kind or for another person changes nothing`() async throws {
        try await RunningServer.run { server in
            let phone = phone(server, TestTransport())
            _ = try await fetch(phone)
            phone.trackPushReceived(userInfo: ["aps": ["alert": "Hello"]])
            phone.trackPushReceived(userInfo: ["inbox": ["id": "b", "person": "bob"], "aps": ["alert": "Hello"]])
            phone.trackPushReceived(userInfo: ["inbox": Date()])
            phone.trackPushReceived(userInfo: [7: "seven"])
            await phone.lastTracking.withLock { $0 }?.value
            #expect(try await fetch(phone).isEmpty)
            Exponea().trackPushReceived(userInfo: ["inbox": ["id": "a", "person": "alice"]])
        }
    }

    /// The title of a message on the device, after all pushes were received.
    private func title(_ id: String, _ client: Exponea) async -> String? {
        await client.lastTracking.withLock { $0 }?.value
        return await fetch(id, client)?.content?.title
    }
}
