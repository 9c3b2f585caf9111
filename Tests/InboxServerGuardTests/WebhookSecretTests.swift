import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct WebhookSecretTests {
    /// The expected value was computed with Python's hmac by the rule of Standard Webhooks 1.0.0.
    @Test func `a signature matches Standard Webhooks`() throws {
        let bytes = try #require(Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signature = WebhookSecret(bytes: bytes).signature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            timestamp: 1_614_265_330,
            body: #"{"test": 2432232314}"#
        )
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func `a secret's text has its prefix and enough random bytes`() throws {
        let text = WebhookSecret(random: .system).text
        #expect(text.hasPrefix("whsec_"))
        let bytes = try #require(Data(base64Encoded: String(text.dropFirst(6))))
        #expect((24...64).contains(bytes.count))
        #expect(WebhookSecret(random: .system).text != text)
    }
}
