import Foundation
import Groundwork
import InboxService
import JMAP
import NIOCore
import ServiceLifecycle

/// When each event stream is to be sent a ping: when nothing was sent on it for its interval.
///
/// One for all streams, with one timer: what a stream sends moves a date, and makes nothing that lasts.
final class PingSchedule: Service {
    fileprivate struct Entry: Sendable {
        let interval: Int
        let wakeUp: WakeUp
        var dueAt: Date
        /// When it is looked at next, which may be before it is due; nil once it was woken, until something is sent.
        var slot: Int?
    }

    fileprivate struct Schedule: Sendable {
        var last = 0
        var entries: [Int: Entry] = [:]
        /// The streams to look at, by time.
        var slots: [Int: Set<Int>] = [:]
        /// The slot that the timer waits for.
        var awaited: Int?
    }

    private let clock: any WallClock
    // Reached in `withLock` alone, from any thread. A signal never waits, so it may be given while the lock is held.
    private let schedule = Locked(Schedule())
    /// Signalled where there is an earlier date than the one that is waited for.
    private let changed = WakeUp()

    init(clock: any WallClock) {
        self.clock = clock
    }

    /// Begins the interval of a stream.
    ///
    /// - Parameters:
    ///   - interval: In seconds.
    ///   - wakeUp: Signalled when a ping is due.
    /// - Returns: The stream's number, for the other calls.
    func add(interval: Int, wakeUp: WakeUp) -> Int {
        let dueAt = clock.now.addingTimeInterval(Double(interval))
        return schedule.withLock { schedule in
            schedule.last += 1
            schedule.entries[schedule.last] = Entry(interval: interval, wakeUp: wakeUp, dueAt: dueAt)
            if schedule.place(schedule.last) { changed.signal() }
            return schedule.last
        }
    }

    /// Starts the interval again, after something was sent.
    func restart(_ number: Int) {
        let now = clock.now
        schedule.withLock { schedule in
            guard let interval = schedule.entries[number]?.interval else { return }
            schedule.entries[number]?.dueAt = now.addingTimeInterval(Double(interval))
            if schedule.place(number) { changed.signal() }
        }
    }

    /// Returns the encoded ping if one is due, and starts the interval again.
    @inline(never)
    func takeDue(_ number: Int) -> ByteBuffer? {
        let now = clock.now
        guard let entry = schedule.withLock({ $0.entries[number] }), entry.dueAt <= now else { return nil }
        restart(number)
        let data: JSON = ["interval": JSON(entry.interval)]
        return ByteBuffer(bytes: EventStreamEvent(name: "ping", data: data.description).bytes)
    }

    /// Forgets a stream that has ended.
    func remove(_ number: Int) {
        schedule.withLock { schedule in
            guard let slot = schedule.entries.removeValue(forKey: number)?.slot else { return }
            schedule.slots[slot]?.remove(number)
            if schedule.slots[slot]?.isEmpty ?? false { schedule.slots[slot] = nil }
        }
    }

    func run() async throws {
        var timer: Task<Void, Never>?
        for await _ in changed.signals.cancelOnGracefulShutdown() {
            timer?.cancel()
            let now = clock.now
            let next = schedule.withLock { $0.wakeDue(now) }
            timer = next.map { changed.signal(at: $0, by: clock) }
        }
        timer?.cancel()
    }
}

extension PingSchedule.Schedule {
    /// Slots in a second.
    private static let fineness = 10.0

    /// Puts a stream where it is looked at next, unless it has such a place, which then isn't later than needed.
    ///
    /// - Returns: Whether that is before what the timer waits for.
    fileprivate mutating func place(_ number: Int) -> Bool {
        guard let entry = entries[number], entry.slot == nil else { return false }
        let slot = Int((entry.dueAt.timeIntervalSince1970 * Self.fineness).rounded(.up))
        entries[number]?.slot = slot
        slots[slot, default: []].insert(number)
        return awaited.map { slot < $0 } ?? true
    }

    /// Wakes the streams whose ping is due.
    ///
    /// - Returns: When to look again; nil where there is no stream.
    fileprivate mutating func wakeDue(_ now: Date) -> Date? {
        let past = now.timeIntervalSince1970 * Self.fineness
        for slot in slots.keys where Double(slot) <= past {
            for number in slots.removeValue(forKey: slot) ?? [] {
                entries[number]?.slot = nil
                guard let entry = entries[number] else { continue }
                if entry.dueAt <= now { entry.wakeUp.signal() } else { _ = place(number) }
            }
        }
        awaited = slots.keys.min()
        return awaited.map { Date(timeIntervalSince1970: Double($0) / Self.fineness) }
    }
}
