import Foundation
import Groundwork

/// The clock of a whole world, devices and server. It advances only when called.
final class WorldTime: WallClock {
    private let time = Locked(Date(timeIntervalSince1970: 1_777_593_600))

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: Int) { time.withLock { $0.addTimeInterval(Double(seconds)) } }

    /// Waits until cancelled. A simulation wakes no task: due work is done at the next call.
    func sleep(until time: Date) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
        throw CancellationError()
    }
}

/// The clock of a device's process. A short sleep, which waits for another process, lets the world run that process.
///
/// A sleep that is already due doesn't end either. Its task would run concurrently with the world, whose order must be
/// reproducible.
struct DeviceClock: WallClock {
    let time: WorldTime
    let wait: @Sendable () async -> Void

    var now: Date { time.now }

    func sleep(until moment: Date) async throws {
        let seconds = moment.timeIntervalSince(now)
        guard seconds > 0, seconds < 0.5 else { return try await time.sleep(until: moment) }
        await wait()
    }
}
