import Foundation
import Groundwork

/// The time of a whole world: devices and server alike. It moves when the world says so.
final class WorldTime: WallClock {
    private let time = Locked(Date(timeIntervalSince1970: 1_777_593_600))

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: Int) { time.withLock { $0.addTimeInterval(Double(seconds)) } }

    /// Waits until cancelled: in a simulation nobody is woken, what falls due is done when somebody asks.
    func sleep(until time: Date) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
        throw CancellationError()
    }
}

/// The clock of a device's process. A short wait, which is for another process, is the world's turn.
///
/// What is due already wakes nobody either: it would run beside the world, whose order is to be the same each time.
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
