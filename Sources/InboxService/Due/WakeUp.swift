package import Foundation
package import Groundwork

/// A signal that coalesces: several signals between two iterations are received as one.
package struct WakeUp: Sendable {
    package let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func signal() {
        continuation.yield()
    }

    /// Signals at a time, unless the returned task is cancelled before because another time replaces it.
    package func signal(at time: Date, by clock: any WallClock) -> Task<Void, Never> {
        Task { [self] in
            guard (try? await clock.sleep(until: time)) != nil else { return }
            signal()
        }
    }

    /// Ends the signals.
    package func end() {
        continuation.finish()
    }
}
