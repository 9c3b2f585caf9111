import Foundation
package import Groundwork

/// A transport that reports the progress of a body only when the one before was seen, for at most ten seconds each.
/// A screen gets the newest progress alone, and on a busy machine the whole body would be sent before it looks.
package struct PacedTransport: Transport {
    private let base: any Transport
    private let isSeen: @Sendable (_ sent: Int) -> Bool

    /// - Parameter isSeen: Whether this number of bytes, or a later one, was seen.
    package init(_ base: any Transport = URLSessionTransport(), isSeen: @escaping @Sendable (_ sent: Int) -> Bool) {
        (self.base, self.isSeen) = (base, isSeen)
    }

    package func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
        guard let listener = SendProgress.listener else { return try await base.send(request, maxBytes: maxBytes) }
        let paced = SendProgress { [isSeen] sent in
            listener(sent)
            let end = Date(timeIntervalSinceNow: 10)
            while !isSeen(sent), Date() < end { usleep(1_000) }
        }
        return try await SendProgress.$listener.withValue(paced) { try await base.send(request, maxBytes: maxBytes) }
    }

    package func stream(_ request: TransportRequest) async throws -> TransportStream { try await base.stream(request) }
}
