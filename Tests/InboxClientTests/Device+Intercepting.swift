import Foundation
import Groundwork
import InboxTesting

extension Device {
    /// Answers requests whose bodies contain a text in another way, by their number from 1. Nil for the server's own
    /// answer.
    func intercept(
        _ text: String,
        _ answer: @escaping @Sendable (TransportRequest, Int) async throws -> TransportResponse?
    ) {
        let seen = Locked(0)
        transport.answer { [server] request in
            guard request.contains(text) else { return server.answer(request) }
            let number = seen.withLock { seen in
                seen += 1
                return seen
            }
            return try await answer(request, number) ?? server.answer(request)
        }
    }

    /// The number of requests so far whose bodies contain a text.
    func requestCount(containing text: String) -> Int { transport.requests.count { $0.contains(text) } }
}

extension TransportRequest {
    fileprivate func contains(_ text: String) -> Bool {
        body.map { String(decoding: $0, as: UTF8.self).contains(text) } ?? false
    }
}
