public import Foundation

/// A clock that returns the time of day and can wait for a later time.
///
/// All code that depends on time takes a clock, so tests can control it. ``SystemClock`` is the real one;
/// `InboxTesting` has a clock that is moved by hand.
public protocol WallClock: Sendable {
    /// The current time.
    var now: Date { get }

    /// Waits until the given time. Returns at once if it is past, and may return earlier if the clock is set back
    /// meanwhile.
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

    /// Waits in steps of at most one minute, so that it follows changes of the device's time and wakes after sleep. If
    /// the device's time is set back, it waits at most a second longer than it was to wait when it began.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    public func sleep(until time: Date) async throws {
        try await Self.sleep(until: time) { Date() }
    }

    static func sleep(until time: Date, _ now: () -> Date) async throws {
        let end = ContinuousClock.now + .seconds(time.timeIntervalSince(now()) + 1)
        while true {
            let remaining = time.timeIntervalSince(now())
            guard remaining > 0, ContinuousClock.now < end else { return try Task.checkCancellation() }
            try await Task.sleep(until: min(end, .now + .seconds(min(remaining, 60))), clock: .continuous)
        }
    }
}
