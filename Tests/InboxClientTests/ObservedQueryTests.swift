import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxModel
import InboxTesting
import JMAP
import Testing

/// The messages of an observed query that a device doesn't store: when they are requested, and how often.
@Suite(.timeLimit(.minutes(5))) struct ObservedQueryTests {
    let server = ScriptedServer(person: "alice")

    @Test func `a list that is observed before the outlines are known is filled afterwards`() async throws {
        server.deliver(0..<6)
        server.setLimits { $0.maxObjectsInGet = 2 }
        let source = EventSource()
        let phone = try await Device(server, stream: source) { $0.newDeviceLimit = .newest(2) }
        let areKnown = Locked(false)
        phone.intercept("InboxMessage/outline") { _, number in
            guard number > 1 else { return nil }
            let isKnown = try await eventually { areKnown.withLock { $0 } }
            #expect(isKnown)
            return nil
        }
        let live = Task { try await phone.inbox.sync() }
        let seen = Locked(0)
        let list = Task {
            try await phone.inbox.observe(limit: 6).first { snapshot in
                seen.withLock { $0 = max($0, snapshot.items.count) }
                return snapshot.isComplete
            }
        }
        #expect(try await eventually { seen.withLock { $0 } == 2 })
        areKnown.withLock { $0 = true }
        try await live.value
        try await phone.inbox.sync()
        #expect(try await list.value?.items.count == 6)
        await phone.inbox.close()
    }

    /// Such as by a server that ends a query that takes too long.
    @Test func `a query that the server rejects is asked once per state`() async throws {
        server.deliver(0..<10)
        let phone = try await Device(server, hasEvents: true) {
            $0.isLive = true
            $0.newDeviceLimit = .newest(2)
        }
        #expect(try await eventually { phone.inbox.latestCounts().isExact })
        phone.intercept("Unknown title") { [server] request, _ in
            let answer = String(decoding: server.answer(request).body, as: UTF8.self)
            let error = #"["error",{"type":"unsupportedFilter"},"#
            let refused = answer.replacing(/\["InboxMessage\/query",\{[^}]*\},/, with: error)
            #expect(refused != answer)
            return TransportResponse(status: 200, body: Array(refused.utf8), url: request.url)
        }
        let query = Query<Message>(where: #Predicate { $0.title == "Unknown title" }, limit: 5)
        let observing = Task { for try await _ in phone.inbox.observe(query) {} }
        defer { observing.cancel() }
        #expect(try await eventually { phone.requestCount(containing: "Unknown title") == 1 })
        for _ in 0..<5 { try await phone.inbox.sync() }
        #expect(phone.requestCount(containing: "Unknown title") == 1)
        server.deliver(.at(60, "m60"))
        #expect(try await eventually { phone.requestCount(containing: "Unknown title") == 2 })
        await phone.inbox.close()
    }

    /// The server may have skipped a match then.
    @Test func `a query whose pages had different states is asked again`() async throws {
        server.deliver(0..<60)
        let phone = try await Device(server, hasEvents: true) {
            $0.isLive = true
            $0.deviceLimit = .newest(2)
            $0.newDeviceLimit = .newest(2)
        }
        #expect(try await eventually { phone.inbox.latestCounts().isExact })
        phone.intercept("\"position\":0,\"limit\":51") { [server] request, number in
            guard number == 1 else { return nil }
            defer { server.deliver(.at(60, "m60")) }
            return server.answer(request)
        }
        let none = Query<Message>(where: #Predicate { $0.title == "Nothing of the kind" }, limit: 1)
        let list = try await phone.inbox.observe(none).first { $0.isComplete }
        #expect(list?.items.isEmpty == true)
        await phone.inbox.close()
    }

    /// An answer of another state than the device's leaves the query incomplete.
    @Test func `an observed query without a live connection is fetched once per state`() async throws {
        server.deliver(0..<10)
        let phone = try await Device.storingTwo(server)
        phone.transport.answer { [server] request in
            let answer = server.answer(request)
            let text = String(decoding: answer.body, as: UTF8.self)
                .replacing(#""queryState":""#, with: #""queryState":"x"#)
            return TransportResponse(status: answer.status, body: Array(text.utf8), url: request.url)
        }
        let query = Query<Message>(where: #Predicate { $0.title == "Unknown title" }, limit: 5)
        var snapshots = phone.inbox.observe(query).makeAsyncIterator()
        #expect(try await snapshots.next()?.isComplete == false)
        try await phone.inbox.sync()
        while let snapshot = try await snapshots.next(), !snapshot.hasSynced {}
        for _ in 0..<4 { try await phone.inbox.sync() }
        #expect(try await eventually { phone.requestCount(containing: "Unknown title") == 1 })
        // Each snapshot is incomplete.
        for id in ["m9", "m8"] {
            try await phone.inbox.markSeen(id)
            #expect(try await snapshots.next()?.isComplete == false)
        }
        phone.disconnect()
        for _ in 0..<3 { try? await phone.inbox.sync() }
        phone.reconnect()
        #expect(phone.requestCount(containing: "Unknown title") == 1)
        await phone.inbox.close()
    }

    @Test func `a text query is complete after the server's answer until a change`() async throws {
        server.deliver(0..<10)
        let phone = try await Device.storingTwo(server)
        let title = try #require(server.messages.first { $0.id == "m3" }).title
        let query = Query<Message>(where: #Predicate { $0.title == title })
        let first = try await phone.inbox.fetchSnapshot(of: query)
        #expect(first.isComplete && first.items.count == server.messages.count { $0.title == title })
        #expect(try await !phone.inbox.snapshot(of: query).isComplete, "the answer completes the fetched snapshot only")
        var snapshots = phone.inbox.observe(query).makeAsyncIterator()
        #expect(try await snapshots.next()?.isComplete == false)
        // (The next sync answers.)
        try await phone.inbox.sync()
        #expect(try await snapshots.next()?.isComplete == true)
        // A change of a message that isn't stored may change the query's result.
        try await phone.inbox.markSeen("m1")
        #expect(try await snapshots.next()?.isComplete == false)
        await phone.inbox.close()
    }
}
