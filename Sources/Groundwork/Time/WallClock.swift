public import Foundation

/// A clock that returns the time of day and can wait for a later time.
///
/// All code that depends on time takes a clock, so tests can control it. ``SystemClock`` is the real one;
/// `InboxTesting` has a clock that is moved by hand.
public protocol WallClock: Sendable {
    /// The current time.
    var now: Date { get }

    /// Waits until the given time. Returns at once if it is past.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    func sleep(until time: Date) async throws
}

extension WallClock {
    /// Waits for the given number of seconds.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    package func sleep(seconds: Double) async throws {
        try await sleep(until: now.addingTimeInterval(seconds))
    }
}

/// The device's clock.
public struct SystemClock: WallClock {
    /// Creates the clock. All instances show the same time.
    public init() {}

    /// The device's current time.
    public var now: Date { Date() }

    /// Waits in steps of at most one minute, so that it follows changes of the device's time and wakes after sleep.
    public func sleep(until time: Date) async throws {
        while true {
            let remaining = time.timeIntervalSinceNow
            guard remaining > 0 else { return try Task.checkCancellation() }
            try await Task.sleep(for: .seconds(min(remaining, 60)))
        }
    }
}
