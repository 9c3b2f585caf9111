import Foundation

/// Fetches the pictures of messages from the web.
///
/// A request is a `GET` with one header field, `Accept`: it has no token, cookie, referrer or name of a person. A
/// redirect is followed if its target is an address that may be fetched (``PictureAddress``). A transport that follows
/// redirects itself is checked by the response's final URL.
package struct PictureFetcher: Sendable {
    private let transport: any Transport
    private let clock: any WallClock
    private let limits: PictureLimits

    package init(_ transport: any Transport, clock: any WallClock, limits: PictureLimits = PictureLimits()) {
        (self.transport, self.clock, self.limits) = (transport, clock, limits)
    }

    /// The end of a picture's fetch.
    package enum Outcome: Hashable, Sendable {
        case picture(PictureType, [UInt8])
        case failed(PictureFailure)
    }

    /// Fetches pictures, a few at a time, and returns the outcome of each fetch that was begun. A picture whose fetch
    /// couldn't begin within the message's limits isn't in the result.
    ///
    /// - Parameters:
    ///   - addresses: The pictures, in their order.
    ///   - used: The size of the message's other pictures, in bytes.
    /// - Throws: `CancellationError` if the task is cancelled.
    package func fetch(_ addresses: [String], used: Int) async throws -> [String: Outcome] {
        let start = clock.now
        var fetching = PictureFetching(addresses, used: used, limits: limits)
        var outcomes: [String: Outcome] = [:]
        try await withThrowingTaskGroup(of: (String, Fetched).self) { group in
            while true {
                while let next = fetching.next(at: clock.now.timeIntervalSince(start)) {
                    group.addTask { (next.address, try await fetch(next.address, maxBytes: next.maxBytes)) }
                }
                guard let (address, fetched) = try await group.next() else { return }
                fetching.end(address, received: fetched.received)
                outcomes[address] = fetched.outcome
            }
        }
        return outcomes
    }

    /// The end of a fetch, and the number of bytes received. Nil if it isn't known and counts as all that was allowed.
    private struct Fetched: Sendable {
        let outcome: Outcome
        let received: Int?

        static func failed(_ failure: PictureFailure, received: Int? = 0) -> Fetched {
            Fetched(outcome: .failed(failure), received: received)
        }
    }

    private func fetch(_ address: String, maxBytes: Int) async throws -> Fetched {
        guard let url = PictureAddress.url(address) else { return .failed(.forbidden) }
        do {
            return try await withDeadline(seconds: limits.pictureTime, clock: clock) {
                try await follow(url, maxBytes: maxBytes)
            }
        } catch TransportError.tooLarge {
            return .failed(.tooLarge, received: nil)
        } catch {
            // A cancelled caller isn't a failure of the picture.
            try Task.checkCancellation()
            return .failed(.unreachable)
        }
    }

    private func follow(_ first: URL, maxBytes: Int) async throws -> Fetched {
        var url = first
        var received = 0
        for _ in 0...limits.redirects {
            let request = TransportRequest(url: url, headers: ["Accept": Self.accepted])
            let response = try await transport.send(request, maxBytes: maxBytes - received)
            received += response.body.count
            guard received <= maxBytes else { return .failed(.tooLarge, received: nil) }
            guard PictureAddress.isFetched(response.url) else { return .failed(.forbidden, received: received) }
            switch response.status {
            case 200:
                guard let type = PictureType(of: response.body) else {
                    return .failed(.otherType, received: received)
                }
                return Fetched(outcome: .picture(type, response.body), received: received)
            case 301, 302, 303, 307, 308:
                let target = response.headers["location"].flatMap { URL(string: $0, relativeTo: response.url) }
                guard let target = target?.absoluteURL, PictureAddress.isFetched(target) else {
                    return .failed(.forbidden, received: received)
                }
                url = target
            case 408, 425, 429, 500...: return .failed(.unreachable, received: received)
            default: return .failed(.notFound, received: received)
            }
        }
        return .failed(.forbidden, received: received)
    }

    private static let accepted = "image/avif,image/webp,image/png,image/jpeg,image/gif,image/bmp"
}

/// The reason why a picture couldn't be fetched.
package enum PictureFailure: Hashable, Sendable {
    /// There was no response, or one that asks for a later attempt.
    case unreachable
    /// The server has no such picture, or doesn't give it.
    case notFound
    /// The response has more bytes than a picture may have, or than the message had left.
    case tooLarge
    /// The response isn't a picture of a type that is shown.
    case otherType
    /// The address, or one that it redirects to, isn't fetched; or there are too many redirects.
    case forbidden

    /// The number of seconds until the picture is tried again.
    ///
    /// - Parameter attempts: The number of attempts that have failed, with this one.
    package func retryDelay(after attempts: Int) -> Int {
        switch self {
        case .unreachable: min(60 << min(max(0, attempts - 1), 10), 6 * 3_600)
        case .notFound, .tooLarge, .otherType, .forbidden: 24 * 3_600
        }
    }
}
