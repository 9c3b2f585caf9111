import Eventually
import Foundation
import GRDB
import Groundwork
import InboxModel
import Testing

@testable import InboxServer
@testable import InboxService

/// What a backend receives of actions on a message with a consent category: all webhook payloads and all REST
/// responses.
@Suite(.timeLimit(.minutes(10))) struct ConsentTests {
    /// A message, the consent that the device states, and whether the backend receives the actions.
    struct Case: CustomTestStringConvertible {
        var category: String?
        var granted: String?
        var stated: Bool?
        let isSent: Bool

        var message: JSON {
            var message = JSONObject([
                ("title", "Offer"), ("actions", [["id": "go", "text": "Go", "link": "https://example.com/"]]),
            ])
            message["consentCategory"] = category.map(JSON.string)
            message["additionalData"] = granted.map { [Message.grantedConsentKey: .string($0)] }
            return .object(message)
        }

        var testDescription: String {
            let statement = stated.map { "\($0)" } ?? "nothing"
            return "\(category == nil ? granted == nil ? "no category" : "granted" : "category"), \(statement) said"
        }
    }

    static let cases = [
        Case(stated: nil, isSent: true), Case(stated: false, isSent: true),
        Case(category: "news", stated: nil, isSent: false), Case(category: "news", stated: false, isSent: false),
        Case(category: "news", stated: true, isSent: true), Case(granted: "news", stated: nil, isSent: true),
        Case(granted: "news", stated: false, isSent: false), Case(granted: "news", stated: true, isSent: true),
    ]

    /// A date for each personal field that occurs nowhere else.
    private static func date(_ field: MessageField, _ round: Int = 1) -> String {
        "203\(round)-01-0\((MessageField.personal.firstIndex(of: field) ?? 0) + 1)T00:00:00Z"
    }

    /// Sends every kind of action from a device.
    private func doEverything(_ device: Device, _ id: String, saying consent: Bool?) async throws {
        func update(_ field: MessageField, _ date: JSON) async throws {
            var patch = JSONObject([(field.rawValue, date)])
            patch["consent"] = consent.map(JSON.bool)
            let answer = try await device.update(id, .object(patch))
            #expect(answer["updated"]?[id] == .null, "\(answer)")
        }
        for field in MessageField.personal { try await update(field, .string(Self.date(field))) }
        for field in MessageField.personal { try await update(field, .null) }
        for type in ["delivered", "displayed", "opened", "clicked", "dismissed", "shared"] {
            let action = type == "clicked" ? "go" : nil
            let answer = try await device.track(type, id, uid: "uid-of-\(type)-\(id)", action: action, consent: consent)
            #expect(answer["created"]?["k"]?["id"] == .string("uid-of-\(type)-\(id)"), "\(answer)")
        }
        for field in MessageField.personal { try await update(field, .string(Self.date(field, 2))) }
    }

    /// The responses of every GET operation of the REST API, except the person's export.
    private func answers(_ server: TestServer, message: String, webhook: String, receipt: String) async throws -> String
    {
        var texts: [String] = []
        for operation in OpenAPI.operations where operation.method == .get && operation.id != "exportPerson" {
            var path = operation.path.replacing("{receipt}", with: receipt).replacing("{message}", with: message)
            let ids = ["messages": message, "people": "ann", "webhooks": webhook, "surfaces": "inbox"]
            for (part, id) in ids { path = path.replacing("/\(part)/{id}", with: "/\(part)/\(id)") }
            #expect(!path.contains("{"), "Say here what stands for the ids in \(operation.path).")
            let answer = try await server.rest("GET", path)
            #expect(answer.status == 200, "\(path)")
            texts.append("\(path): \(String(decoding: answer.bytes, as: UTF8.self))")
        }
        #expect(texts.count > 10)
        return texts.joined(separator: "\n")
    }

    @Test(arguments: cases)
    func `the backend receives actions only with consent, the person always`(_ asked: Case) async throws {
        let clock = ManualClock()
        try await withReceiver(clock: clock) { server, receiver in
            let (webhook, _) = try await server.addWebhook(receiver.url)
            _ = try await server.rest("PUT", "/v1/surfaces/inbox", ["title": "Inbox"])
            _ = try await server.device(of: "gone")
            let erased = try await server.rest("DELETE", "/v1/people/gone").json["id"]?.stringValue ?? ""
            let ids = [
                try await server.send(to: ["person": "ann"], asked.message),
                try await server.send(to: ["everyone": true], asked.message),
            ]
            let control = try await server.send(to: ["person": "ann"], ["title": "Parcel"])
            let (phone, tablet) = (try await server.device(of: "ann"), try await server.device(of: "ann"))
            for id in ids { try await doEverything(phone, id, saying: asked.stated) }
            try await phone.update(control, ["readAt": .string("2026-05-01T08:00:00Z")])

            // For each message: all dates set twice and cleared once, six events, and the read by the click. Then the
            // control's read.
            let count = asked.isSent ? ids.count * (15 + 6 + 1) + 1 : 1
            let deliveries = try await receiver.deliveries(count)
            #expect(try await eventually { try await server.webhook(webhook)["pending"] == 0 })
            #expect(deliveries.count == count && receiver.deliveries.count == count)
            #expect(deliveries.contains { $0.json["message"] == .string(control) && $0.json.type == "message.read" })
            let rows: Int? = try await server.storage().readTables {
                try $0.value("SELECT count(*) FROM outbox")
            }
            #expect(rows == 0)

            for id in ids {
                let figures = try await server.rest("GET", "/v1/messages/\(id)/figures").json
                for step in ["delivered", "seen", "read", "clicked"] {
                    #expect(figures[step]?.intValue == (asked.isSent ? 1 : 0), "\(step)")
                }
                #expect(figures["clicksByAction"] == (asked.isSent ? ["go": 1] : [:]))

                // No response contains a date or an event of the person's.
                let all = try await answers(server, message: id, webhook: webhook, receipt: erased)
                // The control has no category, so its read is visible to the backend.
                let text = all.replacing("\"readAt\":\"2026-05-01T08:00:00Z\"", with: "")
                for field in MessageField.personal {
                    for round in 1...2 where !asked.isSent { #expect(!text.contains(Self.date(field, round))) }
                    if !asked.isSent { #expect(!text.contains("\"\(field.rawValue)\":\"")) }
                }
                #expect(!text.contains("uid-of-"))

                // The person's other device has every date, and so has the export.
                let message = try #require(try await tablet.message(id))
                for field in MessageField.personal { #expect(message[field] == .string(Self.date(field, 2))) }
                let export = try await server.rest("GET", "/v1/people/ann/export").json
                let exported = try #require(export["messages"]?.arrayValue?.first { $0["id"] == .string(id) })
                for field in MessageField.personal { #expect(exported[field] == .string(Self.date(field, 2))) }
                let withheld = asked.isSent ? nil : JSON(MessageField.personal.map(\.rawValue))
                #expect(exported["withheld"] == withheld)
            }
            let export = try await server.rest("GET", "/v1/people/ann/export").json
            let events = export["events"]?.arrayValue ?? []
            #expect(events.count == 6 * ids.count)
            #expect(events.allSatisfy { $0["withheld"] == (asked.isSent ? nil : true) })
        }
    }

    // MARK: - One write at a time

    private func withMessage(
        _ message: JSON = ["title": "Offer", "consentCategory": "news"],
        _ body: (TestServer, WebhookReceiver, Device, String) async throws -> Void
    ) async throws {
        try await withReceiver { server, receiver in
            _ = try await server.addWebhook(receiver.url)
            let id = try await server.send(to: ["person": "ann"], message)
            try await body(server, receiver, try await server.device(of: "ann"), id)
        }
    }

    private func figures(_ server: TestServer, _ id: String) async throws -> [Int?] {
        let figures = try await server.rest("GET", "/v1/messages/\(id)/figures").json
        return ["delivered", "seen", "read", "clicked"].map { figures[$0]?.intValue }
    }

    private func withheld(_ server: TestServer) async throws -> JSON? {
        try await server.rest("GET", "/v1/people/ann/export").json["messages"]?.arrayValue?.first?["withheld"]
    }

    private func types(_ receiver: WebhookReceiver, _ count: Int) async throws -> [String] {
        try await receiver.deliveries(count).compactMap(\.json.type).sorted()
    }

    @Test func `consent in one write reports only that write`() async throws {
        try await withMessage { server, receiver, device, id in
            try await device.update(id, ["seenAt": "2026-05-01T08:00:00Z", "readAt": "2026-05-01T08:00:00Z"])
            try await device.update(id, ["archivedAt": "2026-05-01T08:01:00Z", "consent": true])
            #expect(try await types(receiver, 1) == ["message.archived"])
            #expect(try await figures(server, id) == [1, 0, 0, 0])
            #expect(try await withheld(server) == ["seenAt", "readAt"])
            // Clearing a date that wasn't reported isn't reported either.
            try await device.update(id, ["readAt": .null, "consent": true])
            try await device.update(id, ["readAt": "2026-05-01T08:02:00Z", "consent": true])
            #expect(try await types(receiver, 2) == ["message.archived", "message.read"])
            #expect(try await figures(server, id) == [1, 1, 1, 0])
            #expect(try await withheld(server) == ["seenAt"])
            try await device.update(id, ["readAt": .null])
            try await device.update(id, ["archivedAt": "2026-05-01T08:03:00Z"])
            #expect(try await withheld(server) == ["seenAt", "archivedAt"])
            let rows: Int? = try await server.storage().readTables {
                try $0.value("SELECT count(*) FROM outbox")
            }
            #expect(rows == 0 && receiver.deliveries.count == 2)
        }
    }

    @Test func `a removal of a message with a consent category isn't reported`() async throws {
        try await withMessage { server, receiver, device, id in
            let free = try await server.send(to: ["person": "ann"])
            for id in [id, free] { _ = try await device.call("set", ["destroy": [.string(id)]]) }
            #expect(try await receiver.deliveries(1).map { $0.json["message"] } == [.string(free)])
            #expect(try await figures(server, id) == [0, 0, 0, 0])
            #expect(try await figures(server, free) == [1, 0, 0, 0])
        }
    }

    @Test func `a forced click is reported, the read it causes isn't`() async throws {
        try await withMessage { server, receiver, device, id in
            try await device.track("clicked", id, uid: "u", data: ["tracking_forced": true])
            let sent = try await receiver.deliveries(1)
            #expect(sent.map { $0.json["event"]?["data"] } == [["tracking_forced": true]])
            #expect(try await device.message(id)?["readAt"] != .null)
            #expect(try await withheld(server) == ["readAt"])
            #expect(try await figures(server, id) == [1, 1, 1, 1])
            #expect(receiver.deliveries.count == 1)
        }
    }

    @Test func `an event without consent, then repeated with it, isn't reported`() async throws {
        try await withMessage { server, receiver, device, id in
            let first = try await device.track("opened", id, uid: "u")
            #expect(try await device.track("opened", id, uid: "u", consent: true) == first)
            #expect(try await figures(server, id) == [0, 0, 0, 0])
            try await device.track("opened", id, uid: "u2", consent: true)
            #expect(try await receiver.deliveries(1).map { $0.json["event"]?["uid"] } == ["u2"])
        }
    }

    @Test func `an edit that adds a consent category applies to later actions only`() async throws {
        try await withMessage(["title": "Offer"]) { server, receiver, device, id in
            try await device.update(id, ["readAt": "2026-05-01T08:00:00Z"])
            let edit: JSON = ["message": ["title": "Offer", "consentCategory": "news"]]
            #expect(try await server.rest("PUT", "/v1/messages/\(id)", edit).status == 200)
            try await device.update(id, ["archivedAt": "2026-05-01T08:00:00Z"])
            #expect(try await withheld(server) == ["archivedAt"])
            #expect(try await types(receiver, 1) == ["message.read"])
            #expect(try await server.rest("PUT", "/v1/messages/\(id)", ["message": ["title": "Offer"]]).status == 200)
            try await device.update(id, ["snoozedUntil": "2026-05-01T09:00:00Z"])
            #expect(try await types(receiver, 2) == ["message.read", "message.snoozed"])
        }
    }

    @Test func `an action without consent isn't reported after an edit removes the category`() async throws {
        let message: JSON = ["title": "Offer", "consentCategory": "news"]
        try await withMessage(message) { server, receiver, device, id in
            let bare: JSON = ["message": ["title": "Offer"]]
            #expect(try await server.rest("PUT", "/v1/messages/\(id)", bare).status == 200)
            // Actions from before the edit that are sent after it.
            try await device.update(id, ["readAt": "2026-05-01T08:00:00Z", "consent": false])
            let consentState: JSON = ["categories": ["news": false], "otherwise": true]
            try await device.update(id, ["readAt": .null, "consent": false])
            let all: JSON = [
                "upToState": .string(try await device.state()), "at": "2026-05-01T08:00:00Z", "consent": consentState,
            ]
            #expect(try await device.call("set", ["markAllRead": all])["markedAllRead"]?["count"] == 1)
            #expect(try await withheld(server) == ["seenAt", "readAt"])
            #expect(receiver.deliveries.isEmpty)
            // A write without a statement is by a device that doesn't know the category or that acts after the edit.
            try await device.update(id, ["archivedAt": "2026-05-01T08:00:00Z"])
            #expect(try await types(receiver, 1) == ["message.archived"])
        }
    }

    @Test func `consent per message isn't enough after an edit replaced the category`() async throws {
        let message: JSON = ["title": "Offer", "consentCategory": "news"]
        try await withMessage(message) { server, receiver, device, id in
            let other: JSON = ["message": ["title": "Offer", "consentCategory": "health"]]
            #expect(try await server.rest("PUT", "/v1/messages/\(id)", other).status == 200)
            // A device that hasn't received the edit states consent for "news".
            try await device.update(id, ["archivedAt": "2026-05-01T08:00:00Z", "consent": true])
            try await device.update(id, ["archivedAt": .null, "consent": true])
            try await device.track("opened", id, uid: "u1", consent: true)
            #expect(try await withheld(server) == nil)
            #expect(receiver.deliveries.isEmpty)
            func readAll(_ categories: JSON) async throws {
                let all: JSON = [
                    "upToState": .string(try await device.state()), "at": "2026-05-01T08:00:00Z",
                    "consent": ["categories": categories],
                ]
                #expect(try await device.call("set", ["markAllRead": all])["markedAllRead"]?["count"] == 1)
            }
            try await readAll(["news": false, "health": true])
            #expect(try await withheld(server) == ["seenAt", "readAt"])
            try await device.update(id, ["seenAt": .null, "readAt": .null, "consent": false])
            #expect(receiver.deliveries.isEmpty)
            try await readAll(["news": true, "health": true])
            #expect(try await Set(types(receiver, 2)) == ["message.seen", "message.read"])
        }
    }

    @Test func `a date that is cleared without consent leaves nothing withheld`() {
        let (none, set) = (PersonalDates { _ in nil }, PersonalDates { $0 == .readAt ? 5 : nil })
        let withheld = WithheldDates.none.after(none, becoming: set, consent: false)
        #expect(withheld.fields(of: set.values) == [.readAt])
        #expect(withheld.after(set, becoming: none, consent: false) == .none)
        #expect(WithheldDates.none.after(set, becoming: none, consent: false) == .none)
    }

    @Test func `actions on the web page are withheld for a consent category`() async throws {
        let clock = ManualClock()
        try await withReceiver(clock: clock) { server, receiver in
            _ = try await server.addWebhook(receiver.url)
            let id = try await server.send(
                to: ["person": "ann"],
                ["title": "Offer", "body": "Now", "consentCategory": "news"]
            )
            let browser = try await Browser.signedIn("ann", on: server)
            #expect(try await browser.get("/inbox/messages/\(id)").status == 200)
            for action in ["unread", "read", "archive", "unarchive", "dismiss"] {
                #expect(try await browser.post("/inbox/messages/\(id)/\(action)").status == 303)
            }
            #expect(try await figures(server, id) == [0, 0, 0, 0])
            #expect(try await withheld(server) == ["readAt", "deletedAt"])
            let rows: Int? = try await server.storage().readTables {
                try $0.value("SELECT count(*) FROM outbox")
            }
            #expect(rows == 0 && receiver.deliveries.isEmpty)
        }
    }

    @Test func `consent is a boolean and changes nothing by itself`() async throws {
        try await withMessage { _, _, device, id in
            for wrong in ["yes", 1, .null] as [JSON] {
                let answer = try await device.update(id, ["readAt": "2026-05-01T08:00:00Z", "consent": wrong])
                #expect(answer["notUpdated"]?[id]?["properties"] == ["consent"])
            }
            let state = try await device.state()
            #expect(try await device.update(id, ["consent": true])["updated"]?[id] == .null)
            #expect(try await device.state() == state)
        }
    }

    // MARK: - Earlier databases

    @Test func `migration withholds dates of messages with a consent category`() async throws {
        let queue = try DatabaseQueue()
        try Schema.migrator.migrate(queue, upTo: "newPeople")
        try await queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO person (id, name, account, sequence, createdAt) VALUES (1, 'ann', 'a', 0, 0);
                    INSERT INTO message (id, content, surface, deliverAt, createdAt, recipients, state) VALUES
                        (1, '{"title":"x","consentCategory":"news"}', 'inbox', 0, 0, 1, 1),
                        (2, '{"title":"x","additionalData":{"consent_category_tracking":"news"}}', 'inbox', 0, 0, 1, 1),
                        (3, '{"title":"consentCategory"}', 'inbox', 0, 0, 1, 1), (4, '', 'inbox', 0, 0, 1, 2),
                        (5, '{"title":"x","consentCategory":"news"}', 'inbox', 0, 0, 1, 1);
                    INSERT INTO delivery (message, person, created, sequence, deliverAt, state, readAt)
                        SELECT id, 1, 0, 0, 0, 1, iif(id = 5, NULL, 7) FROM message;
                    INSERT INTO event (person, uid, message, type, at, receivedAt) VALUES (1, 'u', 1, 'opened', 0, 0);
                    """
            )
        }
        try Schema.migrator.migrate(queue)
        let found = try await queue.read { db in
            let person = Person(id: 1, name: "ann", account: "a")
            #expect(try StoredEvent(uid: "u", of: 1, in: .sqlite(db))?.isWithheld == false)
            return try (1...5).map {
                try ReadTransaction(.sqlite(db)).inbox(of: person).consent(of: MessageID(rawValue: $0))
            }
        }
        #expect(found.map(\.consentCategory) == ["news", nil, nil, nil, "news"])
        #expect(found.map(\.grantedConsentCategory) == [nil, "news", nil, nil, nil])
        let dates = PersonalDates { [.seenAt: 6, .readAt: 7, .deletedAt: 8][$0] }
        #expect(found.map { $0.withheld.datesForBackend(dates) == dates } == [false, true, true, true, true])
    }
}
