import Coverage
import Eventually
import Foundation
import Groundwork
import InboxClient
import Testing
import ZetaCompatibility

/// A click, from the call of an app with Zeta's names to the request that the server's owner receives.
@Suite(.timeLimit(.minutes(5))) struct ZetaClickTests {
    @Test(.shows(.z43)) func `a click by Zeta's call reaches the webhook of the server's owner`() async throws {
        try await withReceiver(clock: SystemClock()) { server, receiver in
            try await withFolder { folder in
                let (webhook, secret) = try await server.addWebhook(receiver.url, ["event.clicked"])
                let action: JSON = ["id": "1", "text": "Buy", "value": "order", "link": "https://shop.example/buy"]
                let message: JSON = ["title": "Offer", "actions": [action]]
                let id = try await server.send(to: ["person": "ann"], message)
                var configuration = InboxConfiguration()
                configuration.isLive = false
                let client = ZetaClient()
                client.initialize(
                    config: ZTConfig(
                        server: server.url,
                        directory: folder,
                        person: "ann",
                        configuration: configuration
                    ) { try await server.token(for: $0) }
                )
                let inbox = try #require(client.inbox)
                let button = try #require(try await inbox.fetchMessages().first?.actionList?.first)
                try await inbox.onMessageClicked(messageId: id, actionValue: button.value)
                // A sync sends what was recorded.
                _ = try await inbox.fetchMessages()
                let delivery = try #require(try await receiver.deliveries(1).first)
                #expect(delivery.signatures == [delivery.signature(by: secret)])
                #expect(delivery.json["person"] == "ann" && delivery.json["message"] == .string(id))
                #expect(delivery.json["event"]?["type"] == "clicked" && delivery.json["event"]?["action"] == "1")
                #expect(try await eventually { try await server.webhook(webhook)["pending"] == 0 })
                #expect(receiver.deliveries.count == 1)
            }
        }
    }
}
