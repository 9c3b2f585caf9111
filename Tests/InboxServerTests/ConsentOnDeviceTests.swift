import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxModel
import Testing

/// Consent, from the device's settings to the backend's webhooks.
@Suite(.timeLimit(.minutes(10))) struct ConsentOnDeviceTests {
    @Test(arguments: [(TrackingConsent.withdrawn, false), (.notDetermined, false), (.given, true), (.off, true)])
    func `the backend receives a device's actions only with consent, other devices always`(
        consent: TrackingConsent,
        isSent: Bool
    ) async throws {
        try await withReceiver { server, receiver in
            try await withFolder { folder in
                let (webhook, _) = try await server.addWebhook(receiver.url)
                var ids: [String] = []
                for title in ["a", "b", "c", "d", "e", "f", "g", "h"] {
                    ids.append(
                        try await server.send(
                            to: ["person": "ann"],
                            ["title": .string(title), "consentCategory": "news"]
                        )
                    )
                }
                let control = try await server.send(to: ["person": "ann"])
                func inbox(_ name: String) async throws -> Inbox {
                    var configuration = InboxConfiguration()
                    configuration.isLive = false
                    return try await Inbox.open(
                        server: server.url,
                        person: "ann",
                        directory: folder.appending(path: name),
                        configuration: configuration
                    ) { try await server.token(for: "ann") }
                }
                let (phone, tablet) = (try await inbox("phone"), try await inbox("tablet"))
                try await phone.sync()
                try await phone.setConsent(consent, for: "news")
                try await phone.markSeen([ids[0]])
                try await phone.markRead(ids[1])
                try await phone.archive(ids[2])
                try await phone.snooze([ids[3]], until: Date(timeIntervalSinceNow: 3_600))
                try await phone.delete(ids[4])
                try await phone.click(ids[5])
                try await phone.dismiss([ids[6]])
                try await phone.track(.opened, ids[7])
                try await phone.markRead(control)
                try await phone.sync()

                // Reading a message also marks it as seen.
                let types = [
                    "message.seen", "message.seen", "message.read", "message.archived", "message.snoozed",
                    "message.deleted", "event.clicked", "message.seen", "message.read", "event.dismissed",
                    "message.deleted", "event.opened",
                ]
                let expected = (isSent ? types : []) + ["message.seen", "message.read"]
                let deliveries = try await receiver.deliveries(expected.count)
                #expect(try await eventually { try await server.webhook(webhook)["pending"] == 0 })
                #expect(receiver.deliveries.compactMap(\.json.type).sorted() == expected.sorted())
                #expect(isSent || deliveries.allSatisfy { $0.json["message"] == .string(control) })
                let steps = try await [1, 5].asyncMap { number in
                    try await server.rest("GET", "/v1/messages/\(ids[number])/figures").json
                }
                #expect(steps.map { $0["read"]?.intValue } == (isSent ? [1, 1] : [0, 0]))
                #expect(steps.map { $0["clicked"]?.intValue } == (isSent ? [0, 1] : [0, 0]))

                try await tablet.sync()
                #expect(try await tablet.message(id: ids[0])?.seenAt != nil)
                #expect(try await tablet.message(id: ids[1])?.readAt != nil)
                #expect(try await tablet.message(id: ids[2])?.archivedAt != nil)
                #expect(try await tablet.message(id: ids[3])?.snoozedUntil != nil)
                #expect(try await tablet.message(id: ids[4]) == nil)
                #expect(try await tablet.message(id: ids[5])?.readAt != nil)
                #expect(try await tablet.message(id: ids[6]) == nil)
                await phone.close()
                await tablet.close()
            }
        }
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
