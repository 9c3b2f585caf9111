import Foundation
import Groundwork
import JMAP
import NIOCore

/// The pings of one event stream: one falls due whenever nothing was sent for the interval.
final class Pings: Sendable {
    private struct State: Sendable {
        var dueAt: Date
        var sleeper: Task<Void, Never>?
    }

    private let interval: Int
    private let clock: any WallClock
    private let wakeUp: WakeUp
    private let state: Locked<State>

    /// - Parameters:
    ///   - interval: In seconds.
    ///   - wakeUp: Signalled when a ping is due.
    init(interval: Int, clock: any WallClock, wakeUp: WakeUp) {
        self.interval = interval
        self.clock = clock
        self.wakeUp = wakeUp
        state = Locked(State(dueAt: clock.now))
        restart()
    }

    /// Starts the interval anew, since something was sent.
    func restart() {
        let dueAt = clock.now.addingTimeInterval(Double(interval))
        let sleeper = Task { [clock, wakeUp] in
            guard (try? await clock.sleep(until: dueAt)) != nil else { return }
            wakeUp.signal()
        }
        let earlier = state.withLock { state in
            defer { state = State(dueAt: dueAt, sleeper: sleeper) }
            return state.sleeper
        }
        earlier?.cancel()
    }

    /// The ping to send now, as it goes over the wire, if one is due; the interval then starts anew.
    @inline(never)
    func takeDue() -> ByteBuffer? {
        guard state.withLock({ $0.dueAt <= clock.now }) else { return nil }
        restart()
        let data: JSON = ["interval": JSON(interval)]
        return ByteBuffer(bytes: EventStreamEvent(name: "ping", data: data.description).bytes)
    }

    func stop() {
        state.withLock { $0.sleeper }?.cancel()
    }
}
