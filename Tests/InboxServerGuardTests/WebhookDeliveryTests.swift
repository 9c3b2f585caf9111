import Coverage
import Eventually
import Foundation
import GRDB
import Groundwork
import Logging
import RecordedLogs
import Testing

@testable import InboxServer
@testable import InboxService

/// Deliveries to a real receiver.
@Suite(.timeLimit(.minutes(10))) struct WebhookDeliveryTests {
    private let date: JSON = "2026-05-01T08:00:00Z"

    /// Longer than a wait with its jitter.
    private func longer(than wait: Double) -> Double { wait * 1.1 + 1 }

    private func pending(_ server: TestServer, _ id: String) async throws -> Int? {
        try await server.webhook(id)["pending"]?.intValue
    }

    private func attempts(_ server: TestServer) async throws -> Int? {
        try await server.storage().readTables { try $0.value("SELECT max(attempts) FROM outbox") }
    }

    @Test(.shows(.z43)) func `a click is delivered once, signed and with all its properties`() async throws {
        try await withReceiver { server, receiver in
            let (id, secret) = try await server.addWebhook(receiver.url, ["event.clicked"])
            let message = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            for _ in 0..<2 {
                try await device.track("clicked", message, uid: "u1", action: "buy", data: ["price": 12])
            }
            let delivery = try #require(try await receiver.deliveries(1).first)
            #expect(delivery.signatures == [delivery.signature(by: secret)])
            #expect(delivery.headers["webhook-timestamp"] == "1777622400")
            #expect(delivery.headers["content-type"] == "application/json")
            let event: JSON = [
                "uid": "u1", "type": "clicked", "action": "buy", "at": date, "data": ["price": 12], "receivedAt": date,
            ]
            #expect(
                delivery.json == [
                    "id": .string(delivery.id), "type": "event.clicked", "timestamp": date, "person": "ann",
                    "message": .string(message), "event": event,
                ]
            )
            #expect(try await eventually { try await pending(server, id) == 0 })
            #expect(receiver.deliveries.count == 1)
        }
    }

    @Test func `only the subscribed types are delivered`() async throws {
        try await withReceiver { server, receiver in
            let (id, _) = try await server.addWebhook(receiver.url, ["message.read", "event.cart.added"])
            let message = try await server.send(to: ["everyone": true])
            let device = try await server.device(of: "ann")
            try await device.track("displayed", message, uid: "u1")
            try await device.track("cart.added", message, uid: "u2")
            try await device.update(message, ["seenAt": date])
            try await device.update(message, ["readAt": date])
            try await device.update(message, ["readAt": .null])
            // A click also reads.
            try await device.track("clicked", message, uid: "u3")
            let deliveries = try await receiver.deliveries(3)
            #expect(
                deliveries.compactMap(\.json.type).sorted() == ["event.cart.added", "message.read", "message.read"]
            )
            #expect(try await eventually { try await pending(server, id) == 0 })
            #expect(receiver.deliveries.count == 3)
        }
    }

    @Test func `each change of a personal date is delivered, an equal value isn't`() async throws {
        try await withReceiver { server, receiver in
            _ = try await server.addWebhook(receiver.url, ["message.*"])
            let message = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            let all: JSON = [
                "seenAt": date, "readAt": date, "archivedAt": date, "snoozedUntil": date, "deletedAt": date,
            ]
            let none: JSON = [
                "seenAt": .null, "readAt": .null, "archivedAt": .null, "snoozedUntil": .null, "deletedAt": .null,
            ]
            try await device.update(message, all)
            try await device.update(message, all)
            try await device.update(message, none)
            _ = try await device.call("set", ["destroy": [.string(message)]])
            let deliveries = try await receiver.deliveries(11)
            let set = deliveries.filter { $0.json["date"] == date }.compactMap(\.json.type).sorted()
            #expect(set == ["archived", "deleted", "read", "seen", "snoozed"].map { "message." + $0 })
            let cleared = deliveries.filter { $0.json["date"] == nil }.compactMap(\.json.type).sorted()
            #expect(
                cleared
                    == ["destroyed", "restored", "unarchived", "unread", "unseen", "unsnoozed"].map { "message." + $0 }
            )
            #expect(Set(deliveries.map(\.id)).count == 11)
        }
    }

    @Test func `a failed delivery is retried with the same id and body and a new timestamp`() async throws {
        let clock = ManualClock()
        try await withReceiver(clock: clock) { server, receiver in
            let (id, secret) = try await server.addWebhook(receiver.url)
            receiver.answer { _ in .status(500) }
            let message = try await server.send(to: ["person": "ann"])
            try await server.device(of: "ann").track("opened", message, uid: "u1")
            _ = try await receiver.deliveries(1)
            #expect(try await eventually { try await attempts(server) == 1 })
            clock.advance(by: 4)
            receiver.answer { _ in .status(200) }
            clock.advance(by: 2)
            let deliveries = try await receiver.deliveries(2)
            #expect(deliveries.map(\.id) == [deliveries[0].id, deliveries[0].id])
            #expect(deliveries[0].body == deliveries[1].body)
            #expect(deliveries.map { $0.headers["webhook-timestamp"] } == ["1777622400", "1777622406"])
            #expect(deliveries[1].signatures == [deliveries[1].signature(by: secret)])
            #expect(try await eventually { try await pending(server, id) == 0 })
        }
    }

    @Test func `the first failure since a success is logged as a notice, later ones aren't`() async throws {
        let (clock, log) = (ManualClock(), RecordedLog())
        func notices() -> [String?] {
            log.entries.filter { $0.level == .notice && $0.message.hasPrefix("a webhook delivery failed") }
                .map { $0.metadata["reason"] }
        }
        try await withReceiver(clock: clock, configure: { $0.logger = log.logger }) { server, receiver in
            let (id, _) = try await server.addWebhook(receiver.url, ["event.*"])
            receiver.answer { _ in .status(500) }
            let message = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            try await device.track("opened", message, uid: "u1")
            #expect(try await eventually { try await attempts(server) == 1 })
            clock.advance(by: longer(than: 5))
            #expect(try await eventually { try await attempts(server) == 2 })
            #expect(notices() == ["status 500"])
            receiver.answer { _ in .status(204) }
            clock.advance(by: longer(than: 30))
            #expect(try await eventually { try await pending(server, id) == 0 })
            receiver.answer { _ in .status(503) }
            try await device.track("opened", message, uid: "u2")
            #expect(try await eventually { try await attempts(server) == 1 })
            #expect(notices() == ["status 500", "status 503"])
        }
    }

    @Test func `waiting payloads and dead letters are in the metrics`() async throws {
        let clock = ManualClock()
        try await withReceiver(clock: clock) { server, receiver in
            func values() async throws -> [Double] {
                _ = try await server.rest("GET", "/metrics")
                return ["inbox_webhook_pending", "inbox_webhook_dead_letters"].map { server.metrics.value(of: $0) }
            }
            receiver.answer { _ in .status(500) }
            for _ in 0..<2 { _ = try await server.addWebhook(receiver.url, ["event.*"]) }
            let message = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            try await device.track("opened", message, uid: "u1")
            #expect(try await eventually { try await attempts(server) == 1 })
            #expect(try await values() == [2, 0])
            receiver.answer { _ in .status(410) }
            #expect(
                try await eventually {
                    clock.advance(by: longer(than: 5))
                    return try await values() == [0, 2]
                }
            )
        }
    }

    @Test func `of a receiver that fails now and then, not every failure is logged`() {
        var (webhooks, now) = (FailingWebhooks(), Date(timeIntervalSince1970: 0))
        var (first, later) = (0, 0)
        for _ in 0..<100 {
            if webhooks.failed(1, at: now) { first += 1 }
            if webhooks.failed(1, at: now) { later += 1 }
            webhooks.succeeded(1)
        }
        #expect(first == 10 && later == 0)
        let isOtherLogged = webhooks.failed(2, at: now)
        #expect(isOtherLogged)
        now += 60
        let isLoggedAgain = webhooks.failed(1, at: now)
        #expect(isLoggedAgain)
    }

    @Test(.onlySQLite) func `a delivery whose result can't be stored isn't posted again`() async throws {
        let (clock, log) = (ManualClock(), RecordedLog())
        try await withReceiver(clock: clock, configure: { $0.logger = log.logger }) { server, receiver in
            let (id, _) = try await server.addWebhook(receiver.url)
            let storage = try await server.storage()
            // As where the disk is full.
            try await storage.writeTables { db in
                try db.run(
                    "CREATE TRIGGER full BEFORE DELETE ON outbox BEGIN SELECT RAISE(ABORT, 'no space is left'); END"
                )
            }
            let message = try await server.send(to: ["person": "ann"])
            try await server.device(of: "ann").track("opened", message, uid: "u1")
            _ = try await receiver.deliveries(1)
            let isRetried = try await eventually {
                clock.advance(by: 2)
                return log.messages.count { $0.hasPrefix("storing the result of a webhook delivery failed") } >= 5
            }
            #expect(isRetried)
            #expect(receiver.deliveries.count == 1)
            #expect(try await pending(server, id) == 1)
            try await storage.writeTables { db in try db.run("DROP TRIGGER full") }
            let isStored = try await eventually {
                clock.advance(by: 60)
                return try await pending(server, id) == 0
            }
            #expect(isStored)
            #expect(receiver.deliveries.count == 1)
        }
    }

    @Test func `after the last attempt, a delivery is a dead letter to retry or delete`() async throws {
        let clock = ManualClock()
        try await withReceiver(clock: clock) { server, receiver in
            let (id, _) = try await server.addWebhook(receiver.url, ["event.*"])
            receiver.answer { _ in .status(503) }
            let message = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            for uid in ["u1", "u2", "u3"] { try await device.track("opened", message, uid: uid) }
            for (index, wait) in DeliveryMachine.backOff.enumerated() {
                #expect(
                    try await eventually {
                        try await server.storage().readTables {
                            try $0.value("SELECT min(attempts) FROM outbox")
                        }
                            == index + 1
                    }
                )
                clock.advance(by: longer(than: wait))
            }
            #expect(try await eventually { try await server.webhook(id)["deadLetters"] == 3 })
            #expect(try await pending(server, id) == 0)
            #expect(receiver.deliveries.count == 3 * DeliveryMachine.attempts)

            let path = "/v1/webhooks/\(id)/dead-letters"
            let first = try await server.rest("GET", path + "?limit=2").json
            let letters = try #require(first["deadLetters"]?.arrayValue)
            #expect(letters.map { $0["attempts"] } == [10, 10])
            #expect(letters.map { $0["reason"] } == ["status 503", "status 503"])
            #expect(letters[0]["payload"]?["id"] == letters[0]["id"])
            #expect(letters[0]["payload"]?["event"]?["uid"] == "u1")
            let next = try #require(first["next"]?.stringValue)
            let last = try await server.rest("GET", path + "?limit=2&after=\(next)").json
            #expect(last["deadLetters"]?.arrayValue?.map { $0["payload"]?["event"]?["uid"] } == ["u3"])
            #expect(last["next"] == nil)
            for wrong in ["?limit=0", "?limit=101", "?limit=x", "?after=x", "?after=-1"] {
                #expect(try await server.rest("GET", path + wrong).status == 400)
            }

            receiver.answer { _ in .status(200) }
            let retried = try #require(letters[0]["id"]?.stringValue)
            #expect(try await server.rest("POST", path + "/\(retried)/retry").status == 202)
            #expect(try await receiver.deliveries(31).last?.id == retried)
            #expect(try await eventually { try await pending(server, id) == 0 })
            #expect(try await server.rest("POST", path + "/\(retried)/retry").status == 404)
            let dropped = try #require(letters[1]["id"]?.stringValue)
            #expect(try await server.rest("DELETE", path + "/\(dropped)").status == 204)
            #expect(try await server.rest("DELETE", path + "/\(dropped)").status == 404)
            #expect(try await server.webhook(id)["deadLetters"] == 1)
        }
    }

    @Test func `status 410 disables the webhook until it is enabled again`() async throws {
        try await withReceiver { server, receiver in
            let (id, _) = try await server.addWebhook(receiver.url)
            receiver.answer { _ in .status(410) }
            let message = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            try await device.track("opened", message, uid: "u1")
            #expect(try await eventually { try await server.webhook(id)["gone"] == true })
            #expect(try await server.webhook(id)["enabled"] == false)
            #expect(try await server.webhook(id)["deadLetters"] == 1)
            let letters = try await server.rest("GET", "/v1/webhooks/\(id)/dead-letters").json["deadLetters"]
            #expect(letters?.arrayValue?.map { $0["reason"] } == ["status 410"])
            try await device.track("opened", message, uid: "u2")
            #expect(try await pending(server, id) == 0)
            receiver.answer { _ in .status(200) }
            let settings: JSON = ["url": .string(receiver.url), "types": ["*"]]
            #expect(try await server.rest("PUT", "/v1/webhooks/\(id)", settings).json["gone"] == false)
            try await device.track("opened", message, uid: "u3")
            #expect(try await receiver.deliveries(2).last?.json["event"]?["uid"] == "u3")
        }
    }

    @Test func `Retry-After pauses the whole webhook`() async throws {
        let clock = ManualClock()
        try await withReceiver(clock: clock) { server, receiver in
            let (id, _) = try await server.addWebhook(receiver.url)
            receiver.answer { _ in .status(429, retryAfter: "600") }
            let message = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            try await device.track("opened", message, uid: "u1")
            #expect(try await eventually { try await attempts(server) == 1 })
            receiver.answer { _ in .status(200) }
            try await device.track("opened", message, uid: "u2")
            clock.advance(by: 599)
            #expect(try await pending(server, id) == 2)
            #expect(receiver.deliveries.count == 1)
            clock.advance(by: 2)
            _ = try await receiver.deliveries(3)
            #expect(try await eventually { try await pending(server, id) == 0 })
        }
    }

    @Test func `a redirect isn't followed and counts as a failure`() async throws {
        try await withReceiver { server, receiver in
            let (id, _) = try await server.addWebhook(receiver.url)
            let other = receiver.url + "/other"
            receiver.answer { _ in .status(307, location: other) }
            let message = try await server.send(to: ["person": "ann"])
            try await server.device(of: "ann").track("opened", message, uid: "u1")
            #expect(try await eventually { try await attempts(server) == 1 })
            #expect(receiver.deliveries.count == 1)
            #expect(try await pending(server, id) == 1)
        }
    }

    @Test func `a silent receiver times out and doesn't delay other webhooks`() async throws {
        let clock = ManualClock()
        try await withReceiver(clock: clock) { server, receiver in
            let silent = try await WebhookReceiver.start()
            silent.answer { _ in .silence }
            let (slow, _) = try await server.addWebhook(silent.url)
            let (quick, _) = try await server.addWebhook(receiver.url)
            let message = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            for number in 0..<8 { try await device.track("opened", message, uid: "u\(number)") }
            _ = try await receiver.deliveries(8)
            #expect(try await eventually { try await pending(server, quick) == 0 })
            // At most four concurrent deliveries per webhook.
            #expect(try await silent.deliveries(4).count == 4)
            #expect(try await pending(server, slow) == 8)
            clock.advance(by: WebhookSender.timeout + 1)
            #expect(try await eventually { try await attempts(server) == 1 })
            let reason: String? = try await server.storage().readTables { db in
                try db.value("SELECT reason FROM outbox WHERE attempts = 1")
            }
            #expect(reason == "no answer")
            try await silent.stop()
        }
    }

    @Test func `pending deliveries are sent after a restart`() async throws {
        try await withFolder { folder in
            let (file, clock) = (folder.appending(path: "inbox.sqlite"), ManualClock())
            // The receiver keeps its port: another process could get a released one.
            let receiver = try await WebhookReceiver.start()
            receiver.answer { _ in .status(503) }
            var server = try await TestServer.start(file: file, clock: clock)
            let (id, secret) = try await server.addWebhook(receiver.url)
            let message = try await server.send(to: ["person": "ann"])
            try await server.device(of: "ann").track("clicked", message, uid: "u1")
            #expect(try await eventually { try await attempts(server) == 1 })
            try await server.stop()
            let refused = receiver.deliveries.count
            receiver.answer { _ in .status(204) }
            clock.advance(by: 6)
            server = try await TestServer.start(file: file, clock: clock)
            let deliveries = try await receiver.deliveries(refused + 2).dropFirst(refused)
            #expect(Set(deliveries.compactMap(\.json.type)) == ["event.clicked", "message.read"])
            #expect(deliveries.allSatisfy { $0.signatures == [$0.signature(by: secret)] })
            #expect(try await eventually { try await pending(server, id) == 0 })
            try await server.stop()
            try await receiver.stop()
        }
    }

    @Test func `after a rotation, the new and the old secret both sign for a day`() async throws {
        let clock = ManualClock()
        try await withReceiver(clock: clock) { server, receiver in
            let (id, old) = try await server.addWebhook(receiver.url)
            let message = try await server.send(to: ["everyone": true])
            let rotated = try await server.rest("POST", "/v1/webhooks/\(id)/rotate")
            let new = try #require(rotated.json["secret"]?.stringValue)
            #expect(rotated.status == 200)
            #expect(new != old)
            try await server.device(of: "ann").track("opened", message, uid: "u1")
            let first = try #require(try await receiver.deliveries(1).first)
            #expect(first.signatures == [first.signature(by: new), first.signature(by: old)])
            clock.advance(by: 86_400)
            try await server.device(of: "ann").track("opened", message, uid: "u2")
            let second = try #require(try await receiver.deliveries(2).last)
            #expect(second.signatures == [second.signature(by: new)])
            // Later backups don't contain the old secret either.
            let storage = try await server.storage()
            let isGone = try await eventually {
                clock.advance(by: 3_600)
                return try await storage.readTables { db in
                    try db.value("SELECT earlierSecret IS NULL FROM webhook") ?? false
                }
            }
            #expect(isGone)
        }
    }

    @Test func `past the limit, the oldest delivery dies, and the oldest dead letter is deleted`() async throws {
        try await withReceiver { server, receiver in
            receiver.answer { _ in .status(500) }
            let (id, _) = try await server.addWebhook(receiver.url, ["event.opened"])
            let message = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            for uid in ["u1", "u2"] { try await device.track("opened", message, uid: uid) }
            try await server.storage().writeTables { db in
                try db.run(
                    SQLText(
                        sqlite: "UPDATE webhook SET pending = ?, dead = ?",
                        postgres: "UPDATE webhookCount SET pending = ?, dead = ?"
                    ),
                    [OutboxLimits.pending, OutboxLimits.dead - 1]
                )
            }
            try await device.track("opened", message, uid: "u3")
            let letters = try await server.rest("GET", "/v1/webhooks/\(id)/dead-letters").json["deadLetters"]
            #expect(letters?.arrayValue?.map { $0["payload"]?["event"]?["uid"] } == ["u1"])
            #expect(letters?.arrayValue?.first?["reason"] == "overflow")
            try await device.track("opened", message, uid: "u4")
            let later = try await server.rest("GET", "/v1/webhooks/\(id)/dead-letters").json["deadLetters"]
            #expect(later?.arrayValue?.map { $0["payload"]?["event"]?["uid"] } == ["u2"])
        }
    }

    @Test func `removing a webhook deletes its pending deliveries`() async throws {
        try await withReceiver { server, receiver in
            receiver.answer { _ in .status(500) }
            let (id, _) = try await server.addWebhook(receiver.url)
            let message = try await server.send(to: ["person": "ann"])
            try await server.device(of: "ann").track("opened", message, uid: "u1")
            #expect(try await eventually { try await attempts(server) == 1 })
            #expect(try await server.rest("DELETE", "/v1/webhooks/\(id)").status == 204)
            let left: Int? = try await server.storage().readTables {
                try $0.value("SELECT count(*) FROM outbox")
            }
            #expect(left == 0)
        }
    }

    @Test func `a dead letter is deleted after 30 days`() async throws {
        let clock = ManualClock()
        try await withReceiver(clock: clock) { server, receiver in
            receiver.answer { _ in .status(410) }
            let (id, _) = try await server.addWebhook(receiver.url)
            let message = try await server.send(to: ["person": "ann"])
            try await server.device(of: "ann").track("opened", message, uid: "u1")
            #expect(try await eventually { try await server.webhook(id)["deadLetters"] == 1 })
            clock.advance(by: 30 * 86_400)
            #expect(
                try await eventually {
                    clock.advance(by: 3_600)
                    return try await server.webhook(id)["deadLetters"] == 0
                }
            )
        }
    }
}
