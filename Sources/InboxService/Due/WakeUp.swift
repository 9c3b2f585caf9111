package import Foundation
package import Groundwork

/// A signal that is heard once, however often it was given meanwhile.
package struct WakeUp: Sendable {
    package let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func signal() {
        continuation.yield()
    }

    /// Signals at a time, unless what is given back is cancelled before, because another time takes its place.
    package func signal(at time: Date, by clock: any WallClock) -> Task<Void, Never> {
        Task { [self] in
            guard (try? await clock.sleep(until: time)) != nil else { return }
            signal()
        }
    }

    /// Nothing more will be signalled.
    package func end() {
        continuation.finish()
    }
}
