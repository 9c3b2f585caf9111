import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxModel
import InboxTesting
import JMAP
import Testing

/// What a device knows of messages that it doesn't store, during failures and concurrent changes.
@Suite(.timeLimit(.minutes(5))) struct OutlineOnDeviceTests {
    let server = ScriptedServer(person: "alice")

    private func unread() -> Int { server.messages.count(where: \.isUnread) }

    @Test func `marked unread, before the changes of mark all read arrive, stays unread`() async throws {
        server.deliver(0..<6)
        server.setLimits { $0.maxObjectsInGet = 2 }
        let phone = try await Device.storingTwo(server) {
            $0.deviceLimit = .all; $0.newDeviceLimit = .all
        }
        try await phone.inbox.sync()
        try await phone.inbox.markAllRead()
        // The first changes arrive with the answer, then the network fails.
        phone.intercept("InboxMessage/changes") { _, number in
            if number > 1 { throw TransportError.unreachable("no network") }
            return nil
        }
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(unread() == 0)
        for id in ["m0", "m5"] { #expect(try await phone.inbox.markUnread(id)) }
        phone.reconnect()
        try await phone.inbox.sync()
        #expect(server.messages.filter(\.isUnread).map(\.id) == ["m0", "m5"])
        #expect(try await phone.inbox.counts().unread == 2)
    }

    @Test(arguments: [false, true])
    func `a pinned message is fetched, also after a failed first attempt`(isReopened: Bool) async throws {
        server.deliver(0..<6, pinned: 0)
        let first = try await Device.storingTwo(server)
        var phone = first
        // The list and the outlines arrive, the other required messages don't.
        phone.intercept("\"ids\":[\"m0\"]") { _, _ in throw TransportError.unreachable("no network") }
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(try await phone.inbox.counts() == MessageCounts(total: 6, unread: 6, unseen: 6))
        #expect(try await phone.inbox.message(id: "m0") == nil)
        if isReopened {
            await phone.inbox.close()
            phone = try await Device.storingTwo(server, directory: first.directory)
        } else {
            phone.reconnect()
        }
        try await phone.inbox.sync()
        #expect(try await phone.ids() == ["m5", "m4", "m0"])
        // Afterwards nothing is missing.
        let before = phone.transport.requests.count
        try await phone.inbox.sync()
        #expect(phone.transport.requests.count == before + 1)
        await phone.inbox.close()
        withExtendedLifetime(first) {}
    }

    @Test func `mark all read during the first outline fetch applies to it`() async throws {
        server.deliver(0..<6)
        let phone = try await Device.storingTwo(server)
        let isWriting = Locked(false)
        phone.transport.answer { [server] request in
            let text = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
            if text.contains("InboxMessage/outline"), !isWriting.withLock({ exchange(&$0, with: true) }) {
                try await phone.inbox.markAllRead()
            }
            // The person's changes can't be sent.
            if text.contains("InboxMessage/set") { throw TransportError.unreachable("no network") }
            return server.answer(request)
        }
        try? await phone.inbox.sync()
        #expect(try await phone.inbox.status().pendingWrites == 1)
        #expect(try await phone.inbox.counts() == MessageCounts(total: 6))
        phone.reconnect()
        try await phone.inbox.sync()
        #expect(unread() == 0)
        #expect(try await phone.inbox.counts() == MessageCounts(total: 6))
    }

    @Test func `mark all read, then snooze, then mark all read, leaves the snoozed one read`() async throws {
        server.deliver(0..<3)
        let clock = ManualClock()
        let phone = try await Device.storingTwo(server, clock: clock) {
            $0.deviceLimit = .all; $0.newDeviceLimit = .all
        }
        try await phone.inbox.sync()
        phone.disconnect()
        try await phone.inbox.markAllRead()
        try await phone.inbox.snooze("m1", until: clock.after(60))
        try await phone.inbox.markUnread("m2")
        try await phone.inbox.markAllRead()
        phone.reconnect()
        try await phone.inbox.sync()
        #expect(unread() == 0)
        clock.advance(by: 61)
        #expect(try await phone.inbox.counts() == MessageCounts(total: 3))
        #expect(try await phone.inbox.status().pendingWrites == 0)
    }

    @Test func `mark all read of a surface excludes messages that have moved to another one`() async throws {
        func message(_ id: String, _ surface: String) -> Message {
            var message = Message.at(1, id)
            message.surface = surface
            return message
        }
        for id in ["a", "b"] { server.deliver(message(id, "news")) }
        let phone = try await Device.storingTwo(server)
        try await phone.inbox.sync()
        // An edit that the phone doesn't know yet.
        server.deliver(message("a", "inbox"))
        #expect(try await Set(phone.inbox.markAllRead(surface: "news")) == ["a", "b"])
        #expect(try await phone.inbox.counts().unread == 0)
        try await phone.inbox.sync()
        #expect(server.messages.filter(\.isUnread).map(\.id) == ["a"])
        #expect(try await phone.inbox.message(id: "a")?.isUnread == true)
        #expect(try await phone.inbox.counts().unread == 1)
    }

    @Test func `each pending mark all read keeps its date`() async throws {
        server.deliver(0..<3)
        let clock = ManualClock()
        let phone = try await Device.storingTwo(server, clock: clock) {
            $0.deviceLimit = .all; $0.newDeviceLimit = .all
        }
        try await phone.inbox.sync()
        try await phone.inbox.snooze("m1", until: clock.after(60))
        try await phone.inbox.sync()
        phone.disconnect()
        let first = clock.now
        try await phone.inbox.markAllRead()
        try await phone.inbox.markAllRead()
        clock.advance(by: 61)
        #expect(try await phone.inbox.markAllRead() == ["m1"])
        #expect(try await phone.inbox.status().pendingWrites == 2)
        #expect(try await phone.inbox.message(id: "m0")?.readAt == first)
        phone.reconnect()
        try await phone.inbox.sync()
        #expect(server.messages.map(\.readAt) == [first, clock.now, first])
    }

    /// The person's dates arrive, while the other properties are still the push's.
    @Test func `a provisional message is fetched, also once it has changed`() async throws {
        let phone = try await Device.storingTwo(server) { $0.deviceLimit = .all }
        phone.intercept("InboxMessage/outline") { _, _ in throw TransportError.unreachable("no network") }
        server.deliver(0..<6)
        try? await phone.inbox.sync()
        let push = Data(#"{"aps":{"alert":{"title":"Pushed"}},"inbox":{"id":"m0","person":"alice"}}"#.utf8)
        _ = try await phone.inbox.receive(push: push)
        try await phone.inbox.archive("m0")
        phone.reconnect()
        try await phone.inbox.sync()
        #expect(try await phone.inbox.message(id: "m0")?.title == "Title of m0")
    }

    @Test func `mark all read before a full sync reaches messages that aren't cached`() async throws {
        server.deliver(0..<6)
        let phone = try await Device.storingTwo(server)
        try await phone.inbox.sync()
        server.forgetChanges()
        server.deliver(6..<7)
        server.forgetChanges()
        // The device learns only that its state is forgotten.
        phone.intercept("InboxMessage/query") { _, _ in throw TransportError.unreachable("no network") }
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(try await phone.inbox.markAllRead().count == 6)
        #expect(try await phone.inbox.counts().unread == 0)
        phone.reconnect()
        try await phone.inbox.sync()
        #expect(server.messages.filter(\.isUnread).map(\.id) == ["m6"])
    }

    @Test func `a server error while loading older messages isn't reported as an empty result`() async throws {
        server.deliver(0..<6)
        let phone = try await Device.storingTwo(server)
        try await phone.inbox.sync()
        phone.intercept("\"ids\":[\"m3\",\"m2\"]") { request, _ in
            let answer: JSON = [
                "methodResponses": [["error", ["type": "serverUnavailable"], "records"]], "sessionState": "1",
            ]
            return TransportResponse(status: 200, body: answer.utf8, url: request.url)
        }
        let error = await #expect(throws: InboxError.self) { try await phone.inbox.loadOlder(limit: 2) }
        #expect(error?.code == .serverError)
        phone.reconnect()
        #expect(try await phone.inbox.loadOlder(limit: 2) == 2)
        #expect(try await phone.ids() == ["m5", "m4", "m3", "m2"])
    }

    @Test func `loading older messages while another process syncs throws an error`() async throws {
        server.deliver(0..<6)
        let clock = ManualClock()
        let first = try await Device.storingTwo(server, clock: clock) { $0.isLive = true }
        #expect(try await eventually { first.inbox.connectionState == .polling })
        let second = try await Device.storingTwo(server, clock: clock, directory: first.directory)
        let (code, isOver) = (Locked<InboxError.Code?>(nil), Locked(false))
        let call = Task {
            do { _ = try await second.inbox.loadOlder(limit: 2) } catch let error as InboxError {
                code.withLock { $0 = error.code }
            }
            isOver.withLock { $0 = true }
        }
        #expect(
            try await eventually {
                clock.advance(by: 0.1)
                return isOver.withLock { $0 }
            }
        )
        try await call.value
        #expect(code.withLock { $0 } == .otherProcess)
        await first.inbox.close()
        #expect(try await second.inbox.loadOlder(limit: 2) == 2)
        await second.inbox.close()
    }

    @Test func `an outline listing that repeats its place is an error and ends`() async throws {
        server.deliver(0..<6)
        server.setLimits { $0.maxObjectsInGet = 1 }
        let phone = try await Device.storingTwo(server)
        phone.intercept("InboxMessage/outline") { request, number in
            let rows: JSON = [["m0", "inbox"]]
            let answer: JSON = [
                "methodResponses": [["InboxMessage/outline", ["list": rows, "after": "m0"], "outline"]],
                "sessionState": "1",
            ]
            return number > 20 ? nil : TransportResponse(status: 200, body: answer.utf8, url: request.url)
        }
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        #expect(phone.requestCount(containing: "InboxMessage/outline") == 2)
        #expect(try await phone.ids() == ["m5", "m4"])
    }

    @Test func `a place that the server doesn't know restarts the outline listing`() async throws {
        server.deliver(0..<12)
        server.setLimits { $0.maxObjectsInGet = 1 }
        let phone = try await Device.storingTwo(server)
        // The listing is interrupted after the first page.
        phone.intercept("InboxMessage/outline") { _, number in
            if number > 1 { throw TransportError.unreachable("no network") }
            return nil
        }
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        // The next server doesn't know this place.
        phone.intercept("InboxMessage/outline") { request, number in
            guard number == 1 else { return nil }
            let error: JSON = ["type": "invalidArguments", "description": "/after isn't from a response"]
            let answer: JSON = ["methodResponses": [["error", error, "outline"]], "sessionState": "1"]
            return TransportResponse(status: 200, body: answer.utf8, url: request.url)
        }
        try await phone.inbox.sync()
        #expect(try await phone.inbox.counts() == MessageCounts(total: 12, unread: 12, unseen: 12))
    }

    @Test func `an outline whose last page has a later state is exact after its changes`() async throws {
        server.deliver(0..<12)
        server.setLimits { $0.maxObjectsInGet = 1 }
        let phone = try await Device.storingTwo(server)
        let tablet = try await Device.storingTwo(server)
        try await tablet.inbox.sync()
        // Another device acts before each page.
        let acted = Locked(0)
        phone.intercept("InboxMessage/outline") { _, _ in
            let number = acted.withLock { acted in
                acted += 1
                return acted
            }
            if number < 6 {
                try await tablet.inbox.archive("m\(number)")
                try await tablet.inbox.sync()
            }
            return nil
        }
        try await phone.inbox.sync()
        let counts = try await phone.inbox.counts()
        #expect(counts.isExact)
        #expect(try await counts == tablet.inbox.counts())
        #expect(try await phone.inbox.status().state == tablet.inbox.status().state)
    }

    @Test func `an outline state that changes with each request doesn't prevent completion`() async throws {
        server.deliver(0..<6)
        let phone = try await Device.storingTwo(server)
        let number = Locked(100)
        phone.intercept("InboxMessage/outline") { [server] request, _ in
            let text = String(decoding: server.answer(request).body, as: UTF8.self)
            let next = number.withLock { number in
                number += 1
                return number
            }
            return TransportResponse(
                status: 200,
                body: Array(text.replacing("\"state\":\"6\"", with: "\"state\":\"\(next)\"").utf8),
                url: request.url
            )
        }
        try await phone.inbox.sync()
        #expect(try await phone.inbox.counts() == MessageCounts(total: 6, unread: 6, unseen: 6))
        #expect(phone.requestCount(containing: "InboxMessage/outline") < 10)
    }

    @Test(arguments: ["9223372036854775807", "-5", "1e300", "\"many\""])
    func `impossible server counts are clamped`(number: String) async throws {
        server.deliver(0..<6)
        let phone = try await Device.storingTwo(server)
        let bucket = #"{"surface":"a","total":\#(number),"unread":\#(number)}"#
        // The counts arrive, the outlines don't.
        phone.transport.answer { [server] request in
            let requested = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
            if requested.contains("InboxMessage/outline") { throw TransportError.unreachable("no network") }
            let text = String(decoding: server.answer(request).body, as: UTF8.self)
            let body = text.replacing(#"{"surface":"inbox""#, with: bucket + "," + bucket + #",{"surface":"inbox""#)
            return TransportResponse(status: 200, body: Array(body.utf8), url: request.url)
        }
        await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
        let counts = try await phone.inbox.counts()
        #expect(!counts.isExact && counts.unread >= 6 && counts.unread < 1 << 40)
        #expect(try await phone.inbox.counts(surface: "inbox").unread == 6)
    }

    @Test func `an old message that becomes active brings no other messages`() async throws {
        server.deliver(0..<40)
        let phone = try await Device.storingTwo(server)
        try await phone.inbox.sync()
        #expect(try await phone.inbox.fetchMessage(id: "m3") != nil)
        try await phone.inbox.delete("m3")
        try await phone.inbox.sync()
        phone.clock.advance(by: 90_000)
        try await phone.inbox.undelete("m3")
        try await phone.inbox.sync()
        // An edit sends the complete message, however old it is.
        server.deliver(.at(5, "m5", expiresAt: phone.clock.after(100_000)))
        try await phone.inbox.sync()
        try await phone.inbox.sync()
        #expect(try await phone.ids().count <= 4)
        #expect(try await phone.inbox.counts().total == 40)
    }

    @Test(arguments: [TrackingConsent.notDetermined, .off])
    func `the consent for a message that isn't cached is the configured one`(consent: TrackingConsent) async throws {
        server.deliver(0..<4)
        let phone = try await Device.storingTwo(server) { $0.trackingConsent = consent }
        try await phone.inbox.sync()
        #expect(try await phone.inbox.archive("m0"))
        try await phone.inbox.sync()
        #expect(server.statedConsent == ["m0=\(consent == .off)"])
    }

    @Test func `requested messages stay for a day in addition to the newest`() async throws {
        server.deliver(0..<10)
        let phone = try await Device.storingTwo(server)
        try await phone.inbox.sync()
        #expect(try await phone.inbox.loadOlder(limit: 3) == 3)
        server.deliver(.at(20, "m20"))
        try await phone.inbox.sync()
        // The newest two and the three requested messages are stored. The messages in between are outlines.
        #expect(try await phone.ids() == ["m20", "m9", "m7", "m6", "m5"])
        phone.clock.advance(by: 86_401)
        server.deliver(.at(21, "m21"))
        try await phone.inbox.sync()
        #expect(try await phone.ids() == ["m21", "m20"])
        #expect(try await phone.inbox.counts().total == 12)
    }

    @Test func `one-time lists fetch missing messages with a network, and throw without one`() async throws {
        server.deliver(0..<10)
        let phone = try await Device.storingTwo(server)
        try await phone.inbox.sync()
        for id in ["m0", "m1"] { try await phone.inbox.archive(id) }
        try await phone.inbox.sync()
        let archived = try await phone.inbox.fetchSnapshot(in: .archived)
        #expect(archived.items.map(\.id) == ["m1", "m0"] && archived.isComplete)
        let newest = try await phone.inbox.fetchSnapshot(of: Query(limit: 5))
        #expect(newest.items.map(\.id) == ["m9", "m8", "m7", "m6", "m5"] && newest.isComplete)
        let window = try await phone.inbox.fetchSnapshot()
        #expect(!window.isComplete && window.counts.total == 8)
        phone.disconnect()
        await #expect(throws: InboxError.self) { try await phone.inbox.fetchSnapshot(of: Query(limit: 8)) }
        let stored = try await phone.inbox.snapshot(of: Query(limit: 8))
        #expect(!stored.isComplete && stored.changes.insertions.count == stored.items.count)
        phone.reconnect()
        let all = try await phone.inbox.fetchSnapshot(of: Query(limit: .max, offset: 6))
        #expect(all.items.map(\.id) == ["m3", "m2"] && all.isComplete, "a limit above any inbox's size")
    }

    /// A removed message makes room: a device stores as many messages as a new one.
    @Test(arguments: [false, true])
    func `a recalled message is replaced by the next older one, also after a failure`(fails: Bool) async throws {
        server.deliver(0..<6)
        let phone = try await Device.storingTwo(server)
        try await phone.inbox.sync()
        #expect(try await phone.ids() == ["m5", "m4"])
        server.recall("m5")
        if fails {
            phone.intercept("\"ids\":[\"m3\"]") { _, _ in throw TransportError.unreachable("no network") }
            await #expect(throws: InboxError.self) { try await phone.inbox.sync() }
            #expect(try await phone.ids() == ["m4"])
            phone.reconnect()
        }
        try await phone.inbox.sync()
        #expect(try await phone.ids() == ["m4", "m3"])
    }

    @Test func `a cached message that a query has fetched stays for a day too`() async throws {
        server.deliver(0..<6)
        let phone = try await Device.storingTwo(server)
        try await phone.inbox.sync()
        let title = try #require(server.messages.first { $0.id == "m4" }).title
        _ = try await phone.inbox.fetchSnapshot(of: Query(where: #Predicate { $0.title == title }, limit: 3))
        server.deliver(.at(20, "m20"), .at(21, "m21"))
        try await phone.inbox.sync()
        #expect(try await phone.ids().contains("m4"))
    }

    @Test func `mark all read keeps seen dates and isn't sent without unread messages`() async throws {
        server.deliver(0..<3)
        let phone = try await Device.storingTwo(server)
        try await phone.inbox.sync()
        let seen = phone.clock.now
        try await phone.inbox.markSeen("m2")
        phone.clock.advance(by: 60)
        try await phone.inbox.markAllRead()
        #expect(try await phone.inbox.message(id: "m2")?.seenAt == seen)
        try await phone.inbox.sync()
        #expect(server.messages.first { $0.id == "m2" }?.seenAt == seen)
        #expect(try await phone.inbox.markAllRead() == [])
        #expect(try await phone.inbox.status().pendingWrites == 0)
    }

    /// Like a server with a small size limit for answers.
    @Test func `an outline page that is too large is fetched in smaller pages`() async throws {
        server.deliver(0..<40)
        let phone = try await Device.storingTwo(server)
        let limits = Locked<[Int]>([])
        phone.intercept("InboxMessage/outline") { request, _ in
            let body = String(decoding: request.body ?? [], as: UTF8.self)
            let limit = body.firstMatch(of: /"limit":(\d+)/).flatMap { Int($0.1) } ?? 0
            limits.withLock { $0.append(limit) }
            guard limit > 100 else { return nil }
            let text = #"{"methodResponses":[["error",{"type":"requestTooLarge"},"outline"]],"sessionState":"0"}"#
            return TransportResponse(status: 200, body: Array(text.utf8), url: request.url)
        }
        try await phone.inbox.sync()
        #expect(try await phone.inbox.counts() == MessageCounts(total: 40, unread: 40, unseen: 40))
        let requested = limits.withLock { $0 }
        #expect(requested.count > 1 && requested == requested.sorted(by: >))
    }
}

private func exchange<T>(_ value: inout T, with new: T) -> T {
    let old = value
    value = new
    return old
}
