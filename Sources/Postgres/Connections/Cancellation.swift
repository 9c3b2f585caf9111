import CLibpq
import Dispatch
import Foundation

/// A request to cancel the running statement of a connection, sent over a connection of its own.
struct Cancellation {
    /// The time at which the connection is closed if the server hasn't answered.
    let end: ContinuousClock.Instant
    private let handled: DispatchSemaphore

    /// Sends the request on a thread of its own: a server that is stopped would block the caller.
    init(_ cancel: OpaquePointer?, end: ContinuousClock.Instant) {
        self.end = end
        let handled = DispatchSemaphore(value: 0)
        self.handled = handled
        let address = UInt(bitPattern: cancel)
        Thread.detachNewThread {
            if let cancel = OpaquePointer(bitPattern: address) {
                var reason = [CChar](repeating: 0, count: 256)
                _ = PQcancel(cancel, &reason, Int32(reason.count))
                PQfreeCancel(cancel)
            }
            handled.signal()
        }
    }

    /// Waits until the server has handled the request.
    func isHandled(within seconds: Double) -> Bool { handled.wait(timeout: .now() + seconds) == .success }
}

extension PostgresConnection {
    func startCancellation() -> Cancellation {
        Cancellation(handle.flatMap { PQgetCancel($0) }, end: .now + .seconds(cancellationTime))
    }

    /// The seconds that a statement has to end after it was cancelled.
    var cancellationTime: Double { isEnding ? min(limits.cancellation, Self.endingTime) : limits.cancellation }
}
