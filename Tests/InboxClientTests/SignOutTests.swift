import Eventually
import Foundation
import Groundwork
import InboxModel
import InboxTesting
import JMAP
import Testing

@testable import InboxClient
@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct SignOutTests {
    let server = ScriptedServer(person: "alice")

    func files(_ device: Device) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: device.directory.path)) ?? []
    }

    /// A device with its own folder and a pending write.
    func deviceWithPendingWrite() async throws -> Device {
        server.deliver(.at(0, "a"))
        let phone = try await Device(server)
        try await phone.inbox.sync()
        try await phone.inbox.archive("a")
        return phone
    }

    // MARK: - Signing out

    @Test func `signing out sends pending writes and then deletes everything`() async throws {
        let phone = try await deviceWithPendingWrite()
        #expect(try await phone.inbox.signOut() == 0)
        #expect(server.messages.first?.archivedAt != nil)
        #expect(files(phone) == [])
        #expect(phone.inbox.connectionState == .closed)
        let again = try await Device(server, directory: phone.directory)
        #expect(try await again.ids(.active) == [])
        #expect(try await again.inbox.status().state == nil)
    }

    @Test func `signing out without pending writes sends no request`() async throws {
        let phone = try await Device(server)
        try await phone.inbox.sync()
        let before = phone.transport.requests.count
        try await phone.inbox.signOut()
        #expect(phone.transport.requests.count == before)
    }

    @Test func `signing out hides everything during its attempt and deletes it after 5 seconds`() async throws {
        let phone = try await deviceWithPendingWrite()
        var snapshots = phone.inbox.observe(.active).makeAsyncIterator()
        #expect(try await snapshots.next()?.items.count == 1)
        phone.transport.answer { _ in
            try await Task.sleep(for: .seconds(600))
            throw CancellationError()
        }
        let leaving = Task { try await phone.inbox.signOut() }
        #expect(try await snapshots.next() == nil)
        #expect(try await eventually { phone.clock.sleeperCount > 0 && phone.transport.requests.count > 2 })
        for call in [
            { _ = try await phone.inbox.messages() }, { _ = try await phone.inbox.counts() },
            { try await phone.inbox.markRead("a") }, { try await phone.inbox.clearAll() },
            { try await phone.inbox.signOut() },
        ] as [() async throws -> Void] {
            let error = await #expect(throws: InboxError.self) { try await call() }
            #expect(error?.code == .closed)
        }
        phone.clock.advance(by: 4.9)
        #expect(files(phone) != [])
        phone.clock.advance(by: 0.2)
        #expect(try await leaving.value == 1)
        #expect(files(phone) == [])
    }

    @Test func `signing out without a network deletes at once and returns the loss`() async throws {
        let phone = try await deviceWithPendingWrite()
        phone.disconnect()
        #expect(try await phone.inbox.signOut() == 1)
        #expect(files(phone) == [])
    }

    @Test func `signing out uses the old token and requests no new one`() async throws {
        server.deliver(.at(0, "a"))
        let tokenRequests = Locked<[String]>([])
        let tokens = Tokens {
            tokenRequests.withLock { tokenRequests in
                tokenRequests.append(tokenRequests.isEmpty ? "alice's" : "bob's")
                return tokenRequests.last!
            }
        }
        let phone = try await Device(server, tokens: tokens)
        try await phone.inbox.sync()
        try await phone.inbox.archive("a")
        phone.transport.answer { TransportResponse(status: 401, url: $0.url) }
        #expect(try await phone.inbox.signOut() == 1)
        #expect(tokenRequests.withLock { $0 } == ["alice's"])
        #expect(phone.transport.requests.allSatisfy { $0.headers["Authorization"] == "Bearer alice's" })
    }

    @Test func `a closed inbox can't sign out`() async throws {
        let phone = try await Device(server)
        await phone.inbox.close()
        let error = await #expect(throws: InboxError.self) { try await phone.inbox.signOut() }
        #expect(error?.code == .closed)
    }

    // MARK: - The next person

    @Test func `a change of person during a fetch shows nothing of the previous person`() async throws {
        server.deliver(.at(0, "alices"))
        let bobs = ScriptedServer(person: "bob")
        bobs.deliver(.at(0, "bobs"))
        let alice = try await Device(server)
        let (resume, release) = AsyncStream.makeStream(of: Void.self)
        // An answer that arrives even after its request was cancelled.
        alice.transport.answer { [server] request in
            let answer = server.answer(request)
            await Task { for await _ in resume { break } }.value
            return answer
        }
        let sync = Task { try await alice.inbox.sync() }
        #expect(try await eventually { alice.transport.requests.count == 1 })
        try await alice.inbox.signOut()
        let bob = try await Device(bobs, directory: alice.directory)
        try await bob.inbox.sync()
        release.finish()
        let error = await #expect(throws: InboxError.self) { try await sync.value }
        #expect(error?.code == .closed)
        #expect(try await bob.ids(.active) == ["bobs"])
        let name = StoreLocation(directory: alice.directory, server: alice.inbox.server, person: "alice").file
        #expect(!FileManager.default.fileExists(atPath: name.path))
        #expect(files(bob).allSatisfy { $0.hasPrefix(bob.inbox.store.location.file.lastPathComponent) })
    }

    @Test func `a new token of another person is detected before it is used for more`() async throws {
        server.deliver(.at(0, "a"))
        let tokens = Locked(["alice's", "bob's", "alice's"])
        let phone = try await Device(server, tokens: Tokens { tokens.withLock { $0.removeFirst() } })
        try await phone.inbox.sync()
        try await phone.inbox.archive("a")
        let bobs = ScriptedServer(person: "bob")
        bobs.deliver(.at(0, "bobs"))
        let isExpired = Locked(true)
        phone.transport.answer { [server] request in
            if request.headers["Authorization"] == "Bearer bob's" { return bobs.answer(request) }
            let wasExpired = isExpired.withLock { exchange(&$0) }
            return wasExpired ? TransportResponse(status: 401, url: request.url) : server.answer(request)
        }
        let error = await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(error?.code == .otherPerson)
        #expect(phone.inbox.connectionState == .otherPerson)
        #expect(try await phone.ids(.active) == ["a"])
        // After the next sign-in, pending writes are sent.
        try await phone.inbox.sync()
        #expect(server.messages.first?.archivedAt != nil)
        #expect(tokens.withLock { $0 } == [])
    }

    private func exchange(_ value: inout Bool) -> Bool {
        defer { value = false }
        return value
    }

    // MARK: - Other processes

    @Test(arguments: [true, false])
    func `another process notices the sign-out and can't create the file again`(isLive: Bool) async throws {
        server.deliver(.at(0, "a"))
        let app = try await Device(server)
        try await app.inbox.sync()
        // Another store object has its own connections, like another process.
        let `extension` = try await Device(server, clock: app.clock, directory: app.directory) { $0.isLive = isLive }
        #expect(try await `extension`.ids() == ["a"])
        try await app.inbox.signOut()
        let reading = await #expect(throws: InboxError.self) { try await `extension`.ids() }
        #expect(reading?.code == .closed)
        let writing = await #expect(throws: InboxError.self) { try await `extension`.inbox.markRead("a") }
        #expect(writing?.code == .closed)
        #expect(try await eventually { `extension`.inbox.connectionState == .closed })
        #expect(files(app) == [])
        // It doesn't change the store of a later sign-in either.
        let again = try await Device(server, directory: app.directory)
        try await again.inbox.sync()
        await `extension`.inbox.close()
        #expect(try await again.ids() == ["a"])
        try await again.inbox.archive("a")
        await again.inbox.close()
        let last = try await Device(server, directory: app.directory)
        #expect(try await last.ids(.archived) == ["a"])
    }

    @Test func `another process is locked out from the moment of the sign-out`() async throws {
        let app = try await deviceWithPendingWrite()
        let other = try await Device(server, directory: app.directory)
        let writer = try await Device(server, directory: app.directory)
        app.transport.answer { _ in
            try await Task.sleep(for: .seconds(600))
            throw CancellationError()
        }
        let leaving = Task { try await app.inbox.signOut() }
        #expect(try await eventually { app.clock.sleeperCount > 0 && app.transport.requests.count > 2 })
        let writing = await #expect(throws: InboxError.self) { try await writer.inbox.markRead("a") }
        #expect(writing?.code == .closed)
        let error = await #expect(throws: InboxError.self) { try await other.ids() }
        #expect(error?.code == .closed)
        let opening = await #expect(throws: InboxError.self) { try await Device(server, directory: app.directory) }
        #expect(opening?.code == .closed)
        app.clock.advance(by: 6)
        _ = try await leaving.value
        #expect(files(app) == [])
    }

    @Test func `a process that dies while signing out leaves nothing visible`() async throws {
        let phone = try await deviceWithPendingWrite()
        #expect(phone.inbox.store.hide())
        _ = try await phone.inbox.markSignedOut()
        await phone.inbox.close()
        #expect(files(phone) != [])
        let again = try await Device(server, directory: phone.directory)
        #expect(try await again.ids(.active) == [])
        #expect(try await again.inbox.status().pendingWrites == 0)
    }

    // MARK: - Clearing

    @Test func `clearing empties the cache and keeps pending writes and deletions`() async throws {
        server.deliver(.at(0, "a"), .at(-1, "b"), .at(-2, "deleted"), .at(-3, "pending"))
        let phone = try await Device(server)
        try await phone.inbox.sync()
        try await phone.inbox.delete("deleted")
        try await phone.inbox.sync()
        try await phone.inbox.archive("pending")
        try await phone.inbox.clearAll()
        #expect(try await phone.ids(.active) == [])
        #expect(try await phone.inbox.counts() == MessageCounts(isExact: false))
        #expect(try await phone.ids(.deleted) == ["deleted"])
        let status = try await phone.inbox.status()
        #expect(status.pendingWrites == 1)
        #expect(status.state == nil)
        // The next fetch fills the inbox again.
        #expect(try await phone.inbox.fetchMessages().map(\.id) == ["a", "b"])
        #expect(try await phone.ids(.archived) == ["pending"])
        #expect(server.messages.first { $0.id == "pending" }?.archivedAt != nil)
        #expect(try await phone.inbox.undelete(["deleted"]) == ["deleted"])
        #expect(server.appliedWrites.count == 2)
    }

    @Test func `a deletion that the server doesn't know yet survives clearing`() async throws {
        server.deliver(.at(0, "a"), .at(-1, "b"))
        let phone = try await Device(server)
        try await phone.inbox.sync()
        try await phone.inbox.delete("a")
        server.refuse("a", with: ScriptedError("rateLimit"))
        try await phone.inbox.clearAll()
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(try await phone.ids() == [])
        server.refuse("a", with: nil)
        try await phone.inbox.sync()
        #expect(try await phone.ids() == ["b"])
        #expect(server.messages.first { $0.id == "a" }?.deletedAt != nil)
    }

    /// For each request of a round: whatever was fetched before it, the inbox is complete in the end.
    @Test(arguments: 0..<6) func `clearing in the middle of a sync loses nothing`(request: Int) async throws {
        server.setLimits { $0.maxObjectsInGet = 2 }
        for number in 0..<6 { server.deliver(.at(Double(number), "m\(number)")) }
        let phone = try await Device(server)
        if request.isMultiple(of: 2) { try await phone.inbox.sync() }
        for number in 6..<9 { server.deliver(.at(Double(number), "m\(number)")) }
        let count = Locked(0)
        let inbox = phone.inbox
        phone.transport.answer { [server] sent in
            let answer = server.answer(sent)
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == request / 2 + 1 { try await inbox.clearAll() }
            return answer
        }
        try await phone.inbox.sync()
        try await phone.inbox.sync()
        #expect(try await phone.ids().count == 9)
    }
}
