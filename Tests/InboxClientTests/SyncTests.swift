import Coverage
import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxTesting
import JMAP
import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct SyncTests {
    let server = ScriptedServer(person: "alice")

    // MARK: - Devices agree

    @Test(.rulesOut(.airshipReactNative751)) func `a read on one device appears on the other`() async throws {
        server.deliver(.at(0, "a"), .at(-1, "b"))
        let (phone, tablet) = (try await Device(server), try await Device(server))
        try await phone.inbox.sync()
        try await tablet.inbox.sync()
        try await phone.inbox.markRead("a")
        try await phone.inbox.sync()
        try await tablet.inbox.sync()
        #expect(try await tablet.inbox.message(id: "a")?.isUnread == false)
        #expect(try await tablet.inbox.counts().unread == 1)
        try await phone.inbox.sync()
        #expect(try await phone.inbox.status().state == tablet.inbox.status().state)
    }

    @Test func `a read on the phone, then an older pull, stays read`() async throws {
        server.deliver(.at(0, "a"))
        let phone = try await Device(server)
        try await phone.inbox.sync()
        // The server receives the request, the person reads, then the answer arrives.
        let (requests, requestContinuation) = AsyncStream.makeStream(of: Void.self)
        let (resume, release) = AsyncStream.makeStream(of: Void.self)
        phone.transport.answer { [server] request in
            let answer = server.answer(request)
            requestContinuation.yield()
            for await _ in resume { break }
            return answer
        }
        server.deliver(.at(0, "a"))
        async let sync: Void = phone.inbox.sync()
        for await _ in requests { break }
        try await phone.inbox.markRead("a")
        phone.reconnect()
        release.yield()
        try await sync
        #expect(try await phone.inbox.message(id: "a")?.isUnread == false)
        try await phone.inbox.sync()
        #expect(server.messages.first?.isUnread == false)
    }

    @Test(.rulesOut(.brazeSwift155))
    func `a deleted message stays deleted on every device until it is restored`() async throws {
        server.deliver(.at(0, "a"))
        let (phone, tablet) = (try await Device(server), try await Device(server))
        try await phone.inbox.sync()
        try await tablet.inbox.sync()
        try await phone.inbox.delete("a")
        try await phone.inbox.sync()
        server.deliver(.at(0, "b"))
        try await phone.inbox.sync()
        try await tablet.inbox.sync()
        #expect(try await phone.ids() == ["b"])
        #expect(try await tablet.ids() == ["b"])
        #expect(try await tablet.inbox.undelete(["a"]) == ["a"])
        try await tablet.inbox.sync()
        try await phone.inbox.sync()
        #expect(try await phone.ids() == ["b", "a"])
    }

    @Test func `a recalled message disappears`() async throws {
        server.deliver(.at(0, "a"), .at(-1, "b"))
        let phone = try await Device(server)
        try await phone.inbox.sync()
        server.recall("a")
        try await phone.inbox.sync()
        #expect(try await phone.ids() == ["b"])
    }

    // MARK: - Once

    @Test func `a lost answer is repeated as the same batch and applied once`() async throws {
        server.deliver(.at(0, "a"))
        let (phone, tablet) = (try await Device(server), try await Device(server))
        try await phone.inbox.sync()
        try await tablet.inbox.sync()
        try await phone.inbox.markRead("a")
        phone.loseResponses(1)
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        // The server has applied it. Another device undoes it before the phone tries again.
        try await tablet.inbox.sync()
        try await tablet.inbox.markUnread("a")
        try await tablet.inbox.sync()
        try await phone.inbox.sync()
        #expect(server.appliedWrites.filter { $0.contains("readAt") }.count == 2)
        #expect(server.messages.first?.isUnread == true, "a repeated read never undoes a later unread")
        #expect(try await phone.inbox.message(id: "a")?.isUnread == true)
    }

    /// A phone on which message "a" was read. The server has applied it, but the phone hasn't received the answer.
    private func phoneWithLostResponse() async throws -> Device {
        server.deliver(.at(0, "a"))
        let phone = try await Device(server)
        try await phone.inbox.sync()
        try await phone.inbox.markRead("a")
        phone.loseResponses(1)
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        return phone
    }

    @Test func `a process that dies before the answer repeats the batch under its own key`() async throws {
        let phone = try await phoneWithLostResponse()
        await phone.inbox.close()
        let reborn = try await Device(server, directory: phone.directory)
        #expect(try await reborn.inbox.status().pendingWrites == 1)
        try await reborn.inbox.sync()
        #expect(try await reborn.inbox.status().pendingWrites == 0)
        #expect(server.appliedWrites.count == 2, "readAt and seenAt, once each")
    }

    @Test func `actions offline are stored and sent in their order`() async throws {
        server.deliver(.at(0, "a"), .at(-1, "b"))
        let phone = try await Device(server)
        try await phone.inbox.sync()
        phone.disconnect()
        #expect(try await phone.inbox.markRead(["a", "missing", "b", "a"]) == ["a", "b"])
        #expect(try await phone.inbox.markRead(["b"]) == [])
        #expect(try await phone.inbox.delete("b"))
        #expect(try await phone.inbox.markRead("b") == false)
        #expect(try await phone.inbox.status().pendingWrites == 2)
        phone.reconnect()
        try await phone.inbox.sync()
        #expect(try await phone.inbox.status().pendingWrites == 0)
        #expect(server.messages.map(\.status) == [.read, .deleted])
    }

    // MARK: - Refusals

    @Test func `a refused write is reverted and reported`() async throws {
        server.deliver(.at(0, "a"), .at(-1, "b"))
        let phone = try await Device(server)
        try await phone.inbox.sync()
        var refused = phone.inbox.refusedActions.makeAsyncIterator()
        server.refuse("a", with: ScriptedError("forbidden", "Not yours."))
        try await phone.inbox.archive(["a", "b"])
        try await phone.inbox.sync()
        #expect(try await phone.ids() == ["a"])
        #expect(server.messages.map { $0.archivedAt != nil } == [false, true])
        let refusal = await refused.next()
        #expect(refusal?.recordID == "a")
        #expect(refusal?.property == "archivedAt")
        #expect(refusal?.reason == "forbidden")
        #expect(try await phone.inbox.status().pendingWrites == 0)
    }

    @Test func `a server that is unavailable keeps the batch pending`() async throws {
        server.deliver(.at(0, "a"))
        let phone = try await Device(server)
        try await phone.inbox.sync()
        try await phone.inbox.archive("a")
        server.failSets(with: ScriptedError("serverUnavailable"))
        let error = await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(error?.code == .serverError)
        #expect(try await phone.inbox.status().pendingWrites == 1)
        #expect(try await phone.ids(.archived) == ["a"])
        server.failSets(with: nil)
        try await phone.inbox.sync()
        #expect(server.messages.first?.archivedAt != nil)
    }

    @Test func `an answer is lost, then a change arrives: the repeated write doesn't hide it`() async throws {
        let phone = try await phoneWithLostResponse()
        // Another device marks it unread. The phone learns this while the result of its own write is unknown.
        server.deliver(.at(0, "a"))
        server.failSets(with: ScriptedError("serverUnavailable"))
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(
            try await phone.inbox.message(id: "a")?.isUnread == false,
            "the person's value stays while it is pending"
        )
        server.failSets(with: nil)
        try await phone.inbox.sync()
        #expect(server.messages.first?.isUnread == true)
        #expect(try await phone.inbox.message(id: "a")?.isUnread == true)
    }

    @Test func `a rate-limited write waits and is sent later`() async throws {
        server.deliver(.at(0, "a"))
        let phone = try await Device(server)
        try await phone.inbox.sync()
        try await phone.inbox.archive("a")
        server.refuse("a", with: ScriptedError("rateLimit"))
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(try await phone.ids(.archived) == ["a"])
        server.refuse("a", with: nil)
        try await phone.inbox.sync()
        #expect(server.messages.first?.archivedAt != nil)
    }

    @Test func `a write that fails on the server is retried and rejected after five attempts`() async throws {
        server.deliver(.at(0, "a"))
        server.deliver(.at(1, "b"))
        let phone = try await Device(server)
        try await phone.inbox.sync()
        try await phone.inbox.archive(["a", "b"])
        server.refuse("a", with: ScriptedError("serverFail"))
        let refused = phone.inbox.refusedActions
        for _ in 0..<4 {
            await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
            #expect(try await Set(phone.ids(.archived)) == ["a", "b"], "the failure may be temporary")
        }
        #expect(server.messages.first { $0.id == "b" }?.archivedAt != nil, "other writes aren't delayed")
        try await phone.inbox.sync()
        #expect(try await phone.ids(.archived) == ["b"])
        var iterator = refused.makeAsyncIterator()
        #expect(await iterator.next()?.recordID == "a")
    }

    @Test func `a write that failed on the server once is accepted the next time`() async throws {
        server.deliver(.at(0, "a"))
        let phone = try await Device(server)
        try await phone.inbox.sync()
        for error in ["serverFail", "serverUnavailable"] {
            if error == "serverFail" {
                try await phone.inbox.archive("a")
            } else {
                try await phone.inbox.unarchive(["a"])
            }
            server.refuse("a", with: ScriptedError(error))
            await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
            server.refuse("a", with: nil)
            try await phone.inbox.sync()
            #expect((server.messages.first?.archivedAt != nil) == (error == "serverFail"))
        }
    }

    @Test func `too many writes for one set are split`() async throws {
        server.setLimits { $0.maxObjectsInSet = 7 }
        let messages = (0..<20).map { Message.at(Double(-$0), "m\($0)") }
        messages.forEach { server.deliver($0) }
        let phone = try await Device(server)
        try await phone.inbox.sync()
        #expect(try await phone.inbox.markRead(messages.map(\.id)).count == 20)
        try await phone.inbox.sync()
        #expect(server.messages.allSatisfy { !$0.isUnread })
        #expect(server.appliedWrites.count == 40)
    }

    @Test func `a row fetched before a failure and recalled since is removed`() async throws {
        server.deliver(.at(0, "a"))
        let phone = try await Device(server)
        try await phone.inbox.sync()
        try await phone.inbox.markRead("a")
        server.failSets(with: ScriptedError("serverUnavailable"))
        server.deliver(.at(1, "gone"), .at(2, "stays"))
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(try await phone.ids() == ["stays", "gone", "a"], "the fetched messages are shown")
        server.recall("gone")
        server.failSets(with: nil)
        try await phone.inbox.sync()
        #expect(try await phone.ids() == ["stays", "a"])
        #expect(server.messages.count { !$0.isUnread } == 1)
    }

    @Test func `a request with too many ids for its size is repeated with fewer, in one batch`() async throws {
        let ids = (0..<40).map { "message-with-a-long-name-\(100 + $0)" }
        for (number, id) in ids.enumerated() { server.deliver(.at(Double(-number), id)) }
        let phone = try await Device(server)
        try await phone.inbox.sync()
        server.forgetChanges()
        try await phone.inbox.markRead(Array(ids.prefix(2)))
        let batches = Locked<Set<String>>([])
        phone.transport.answer { [server] request in
            let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
            if let key = body.firstMatch(of: /"number":[0-9]+/) {
                batches.withLock { _ = $0.insert(String(key.output)) }
            }
            return body.utf8.count > 1_300 ? TransportResponse(status: 413, url: request.url) : server.answer(request)
        }
        try await phone.inbox.sync()
        #expect(batches.withLock { $0.count } == 1, "each attempt has the same batch")
        #expect(try await phone.ids().count == 40)
        #expect(server.messages.count { !$0.isUnread } == 2)
    }

    @Test func `a batch that the server rejects as too large is split`() async throws {
        let messages = (0..<20).map { Message.at(Double(-$0), "m\($0)") }
        messages.forEach { server.deliver($0) }
        let phone = try await Device(server)
        try await phone.inbox.sync()
        try await phone.inbox.markRead(messages.map(\.id))
        // The session still has the old limit.
        phone.transport.answer { [server] request in
            server.setLimits { $0.maxObjectsInSet = 3 }
            defer { server.setLimits { $0.maxObjectsInSet = 1_000 } }
            return server.answer(request)
        }
        try await phone.inbox.sync()
        #expect(server.messages.allSatisfy { !$0.isUnread })
        #expect(server.appliedWrites.count == 40, "each once")
    }

    // MARK: - Window and resync

    @Test func `a new device fetches the newest only and keeps no more than its limit`() async throws {
        for number in 0..<30 { server.deliver(.at(Double(number), "m\(number < 10 ? "0" : "")\(number)")) }
        let phone = try await Device(server) {
            $0.newDeviceLimit = .newest(5)
            $0.deviceLimit = .newest(8)
        }
        try await phone.inbox.sync()
        #expect(try await phone.ids() == ["m29", "m28", "m27", "m26", "m25"])
        for number in 30..<40 { server.deliver(.at(Double(number), "m\(number)")) }
        try await phone.inbox.sync()
        #expect(try await phone.ids().count == 8)
        #expect(try await phone.ids().last == "m32")
        #expect(server.messages.count == 40, "the server deletes nothing")
    }

    @Test func `a pinned message stays on the device beyond its limit`() async throws {
        let phone = try await Device(server) { $0.deviceLimit = .newest(3) }
        server.deliver(.at(-2, "pinned", pinned: true), .at(-1, "plain"))
        try await phone.inbox.sync()
        for number in 0..<6 { server.deliver(.at(Double(number), "m\(number)")) }
        try await phone.inbox.sync()
        let ids = try await phone.ids()
        #expect(ids.contains("pinned") && ids.contains("m5"))
        #expect(!ids.contains("plain"), "it is beyond the limit")
        #expect(try await phone.inbox.message(id: "pinned")?.title == "Title of pinned")
    }

    @Test func `a device without a limit fetches all messages`() async throws {
        for number in 0..<70 { server.deliver(.at(Double(number), "m\(number)")) }
        server.setLimits { $0.maxObjectsInGet = 20 }
        let phone = try await Device(server) {
            $0.newDeviceLimit = .all
            $0.deviceLimit = .all
        }
        try await phone.inbox.sync()
        #expect(try await phone.ids().count == 70)
    }

    @Test func `a message recalled between two pages of a new device skips no other message`() async throws {
        for number in 10..<40 { server.deliver(.at(Double(number), "m\(number)")) }
        server.setLimits { $0.maxObjectsInGet = 10 }
        let phone = try await Device(server) {
            $0.newDeviceLimit = .all
            $0.deviceLimit = .all
        }
        let isRecalled = Locked(false)
        phone.transport.answer { [server] request in
            let text = String(decoding: request.body ?? [], as: UTF8.self)
            // The first message of the second page becomes the last of the first page, which has been read.
            if text.contains("\"position\":10"), !isRecalled.withLock({ exchange(&$0, with: true) }) {
                server.recall("m39")
            }
            return server.answer(request)
        }
        try await phone.inbox.sync()
        #expect(isRecalled.withLock { $0 })
        #expect(try await phone.ids() == (10..<39).reversed().map { "m\($0)" })
    }

    @Test func `a full sync removes only what the server lacks and sends pending writes first`() async throws {
        for number in 0..<6 { server.deliver(.at(Double(number), "m\(number)")) }
        server.setLimits { $0.maxObjectsInGet = 2 }
        let phone = try await Device(server) { $0.newDeviceLimit = .newest(6) }
        try await phone.inbox.sync()
        server.recall("m3")
        server.deliver(.at(10, "m9"))
        server.forgetChanges()
        try await phone.inbox.archive("m0")
        try await phone.inbox.sync()
        #expect(try await phone.ids() == ["m9", "m5", "m4", "m2", "m1"])
        #expect(try await phone.ids(.archived) == ["m0"])
        #expect(server.messages.first?.archivedAt != nil)
        #expect(try await phone.inbox.status().pendingWrites == 0)
    }

    @Test func `many changes arrive page by page`() async throws {
        server.setLimits { $0.maxObjectsInGet = 10 }
        let phone = try await Device(server)
        try await phone.inbox.sync()
        for number in 0..<95 { server.deliver(.at(Double(number), "m\(number)")) }
        server.recall("m50")
        try await phone.inbox.sync()
        #expect(try await phone.ids().count == 94)
        #expect(phone.transport.requests.count >= 10)
    }

    // MARK: - Identity

    @Test func `a session of another person is refused`() async throws {
        server.deliver(.at(0, "private"))
        let phone = try await Device(server)
        let bob = ScriptedServer(person: "bob")
        bob.deliver(.at(0, "bobs"))
        phone.transport.answer { bob.answer($0) }
        let error = await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(error?.code == .otherPerson)
        #expect(try await phone.ids() == [])
        #expect(phone.inbox.connectionState == .otherPerson)
    }

    @Test func `an expired token is requested again once, then the sync pauses until the next`() async throws {
        server.deliver(.at(0, "a"))
        let tokens = Locked<[String]>(["old", "older", "good"])
        let requestCount = Locked(0)
        let transport = ScriptedTransport { [server] request in
            request.headers["Authorization"] == "Bearer good"
                ? server.answer(request) : TransportResponse(status: 401, url: request.url)
        }
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("inbox-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        var configuration = InboxConfiguration()
        configuration.transport = transport
        configuration.isLive = false
        let inbox = try await Inbox.open(
            server: URL(string: "https://inbox.example")!,
            person: "alice",
            directory: directory,
            configuration: configuration
        ) {
            requestCount.withLock { $0 += 1 }
            return tokens.withLock { $0.removeFirst() }
        }
        let error = await #expect(throws: InboxError.self) { try await inbox.sync() }
        #expect(error?.code == .unauthorized)
        #expect(requestCount.withLock { $0 } == 2)
        #expect(inbox.connectionState == .unauthorized(reason: TokenRefusal(.unspecified)))
        try await inbox.sync()
        #expect(requestCount.withLock { $0 } == 3)
        #expect(inbox.connectionState == .idle)
        await inbox.close()
    }

    // MARK: - Requests

    @Test func `concurrent syncs share a request`() async throws {
        let phone = try await Device(server)
        try await phone.inbox.sync()
        let before = phone.transport.requests.count
        let (resume, release) = AsyncStream.makeStream(of: Void.self)
        phone.transport.answer { [server] request in
            for await _ in resume { break }
            return server.answer(request)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { try await phone.inbox.sync() } }
            #expect(try await eventually { phone.transport.requests.count == before + 1 })
            release.yield()
            release.yield()
            try await group.waitForAll()
        }
        #expect(phone.transport.requests.count <= before + 2)
    }

    @Test func `sync rounds never run concurrently`() async throws {
        let phone = try await Device(server)
        let (inFlight, most) = (Locked(0), Locked(0))
        phone.transport.answer { [server] request in
            let count = inFlight.withLock { count in
                count += 1
                return count
            }
            most.withLock { $0 = max($0, count) }
            await Task.yield()
            inFlight.withLock { $0 -= 1 }
            return server.answer(request)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { try await phone.inbox.sync() } }
            try await group.waitForAll()
        }
        #expect(most.withLock { $0 } == 1)
    }

    @Test func `a sync without news or writes is one request`() async throws {
        let phone = try await Device(server)
        try await phone.inbox.sync()
        let before = phone.transport.requests.count
        try await phone.inbox.sync()
        #expect(phone.transport.requests.count == before + 1)
    }

    @Test func `writes and the request for changes share one request`() async throws {
        server.deliver(.at(0, "a"))
        let phone = try await Device(server)
        try await phone.inbox.sync()
        let before = phone.transport.requests.count
        server.deliver(.at(1, "b"))
        try await phone.inbox.markRead("a")
        try await phone.inbox.sync()
        #expect(phone.transport.requests.count == before + 1)
        #expect(try await phone.ids() == ["b", "a"])
    }

    @Test(.rulesOut(.brazeReactNative308)) func `a silent server times out by the clock`() async throws {
        let clock = ManualClock()
        let phone = try await Device(server, clock: clock)
        phone.transport.answer { _ in
            try await Task.sleep(for: .seconds(600))
            throw CancellationError()
        }
        let sync = Task { try await phone.inbox.sync() }
        #expect(try await eventually { clock.sleeperCount > 0 })
        clock.advance(by: 31)
        let error = await #expect(throws: InboxError.self) { try await sync.value }
        #expect(error?.code == .timedOut)
    }

    @Test(arguments: [
        "", "nonsense", "{}", #"{"methodResponses":[],"sessionState":"1"}"#, #"{"methodResponses":[[1]]}"#,
    ])
    func `an invalid answer is a typed error and loses nothing`(body: String) async throws {
        server.deliver(.at(0, "a"))
        let phone = try await Device(server)
        try await phone.inbox.sync()
        try await phone.inbox.archive("a")
        phone.transport.answer { TransportResponse(status: 200, body: Array(body.utf8), url: $0.url) }
        let error = await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(error?.code == .invalidAnswer)
        phone.reconnect()
        try await phone.inbox.sync()
        #expect(server.messages.first?.archivedAt != nil)
    }

    @Test func `a server's Retry-After is respected, also by a manual sync`() async throws {
        let clock = ManualClock()
        let phone = try await Device(server, clock: clock)
        phone.transport.answer { TransportResponse(status: 503, headers: ["retry-after": "120"], url: $0.url) }
        let first = await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(first?.code == .serverError)
        #expect(first?.retryAfter == 120)
        let count = phone.transport.requests.count
        phone.reconnect()
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(phone.transport.requests.count == count)
        clock.advance(by: 121)
        try await phone.inbox.sync()
    }

    @Test(.rulesOut(.braze1420)) func `one invalid record never blocks the others`() async throws {
        server.deliver(.at(0, "a"))
        let phone = try await Device(server)
        phone.transport.answer { [server] request in
            var answer = server.answer(request)
            let text = String(decoding: answer.body, as: UTF8.self)
                .replacing(#""list":[{"id":"a""#, with: #""list":[{"id":"bad"},7,{"id":"a""#)
            answer.body = Array(text.utf8)
            return answer
        }
        try await phone.inbox.sync()
        #expect(try await phone.ids() == ["a"])
        #expect(try await phone.inbox.status().unreadableRecords == 2)
    }

    /// Like a record of a newer version: its content can't be shown, and its outline is counted.
    @Test func `an unreadable record is counted`() async throws {
        server.deliver(.at(0, "a"))
        let phone = try await Device(server)
        try await phone.inbox.sync()
        server.deliver(.at(1, "b"))
        phone.transport.answer { [server] request in
            var answer = server.answer(request)
            let text = String(decoding: answer.body, as: UTF8.self)
            let unreadable = text.replacing(/("list":\[\{"id":"b".*?"deliverAt":)"[^"]*"/) { "\($0.1)7" }
            answer.body = Array(unreadable.utf8)
            return answer
        }
        try await phone.inbox.sync()
        #expect(try await phone.ids() == ["a"])
        #expect(try await phone.inbox.status().unreadableRecords == 1)
        let counts = try await phone.inbox.counts()
        #expect(counts.total == 2 && counts.unread == 2)
        // Once it is readable, it is counted once.
        phone.reconnect()
        var changed = Message.at(1, "b")
        changed.title = "Now as this version knows it"
        server.deliver(changed)
        try await phone.inbox.sync()
        #expect(try await phone.ids() == ["b", "a"])
        #expect(try await phone.inbox.counts().total == 2)
    }
}
