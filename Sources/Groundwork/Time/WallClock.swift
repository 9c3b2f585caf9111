public import Foundation

/// The time of day, and a way to wait for a later one.
///
/// Whatever here depends on time takes one of these, so that a test decides what time it is. ``SystemClock`` is the
/// real one; `InboxTesting` has a clock that moves by hand.
public protocol WallClock: Sendable {
    /// The time now.
    var now: Date { get }

    /// Waits until that time has come; returns at once where it is past.
    ///
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    func sleep(until time: Date) async throws
}

extension WallClock {
    /// Waits so many seconds.
    package func sleep(seconds: Double) async throws {
        try await sleep(until: now.addingTimeInterval(seconds))
    }
}

/// The device's own clock.
public struct SystemClock: WallClock {
    /// Makes the clock; all of them show the same time.
    public init() {}

    /// The device's time of day.
    public var now: Date { Date() }

    /// Waits in steps of at most a minute, so that a clock set by hand or a sleeping device is noticed.
    public func sleep(until time: Date) async throws {
        while true {
            let remaining = time.timeIntervalSinceNow
            guard remaining > 0 else { return try Task.checkCancellation() }
            try await Task.sleep(for: .seconds(min(remaining, 60)))
        }
    }
}
