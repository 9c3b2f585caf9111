import Foundation
import Groundwork
import InboxService

extension WebhookDelivery {
    /// Returns the request, with the headers of Standard Webhooks 1.0.0 and signed at the given time.
    ///
    /// - Returns: The request, or nil if the URL can't be parsed.
    func request(at now: Date) -> TransportRequest? {
        guard let url = URL(string: url) else { return nil }
        let timestamp = Int(now.timeIntervalSince1970.rounded(.down))
        let signatures = secrets.map { $0.signature(id: event, timestamp: timestamp, body: body) }
        return TransportRequest(
            method: "POST",
            url: url,
            headers: [
                "Content-Type": "application/json",
                "User-Agent": "swift-inbox",
                "webhook-id": event,
                "webhook-timestamp": String(timestamp),
                "webhook-signature": signatures.joined(separator: " "),
            ],
            body: Array(body.utf8)
        )
    }
}
