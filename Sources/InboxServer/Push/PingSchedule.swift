import Foundation
import Groundwork
import InboxService
import JMAP
import NIOCore
import ServiceLifecycle

/// The schedule of pings. An event stream is sent a ping after its interval without any event.
///
/// All streams share one schedule and one timer: sending an event only moves a date, and allocates nothing that lasts.
final class PingSchedule: Service {
    fileprivate struct Entry: Sendable {
        let interval: Int
        let wakeUp: WakeUp
        var dueAt: Date
        /// The slot in which the stream is checked next, which may be before the ping is due. Nil after the stream was
        /// woken, until it sends an event.
        var slot: Int?
    }

    fileprivate struct Schedule: Sendable {
        var last = 0
        var entries: [Int: Entry] = [:]
        /// The streams to check, by slot.
        var slots: [Int: Set<Int>] = [:]
        /// The slot that the timer waits for.
        var timerSlot: Int?
    }

    private let clock: any WallClock
    // Accessed only in `withLock`, from any thread. Signalling never blocks, so it is allowed while the lock is held.
    private let schedule = Locked(Schedule())
    /// Signalled when a slot is earlier than the one that the timer waits for.
    private let changed = WakeUp()

    init(clock: any WallClock) {
        self.clock = clock
    }

    /// Starts the interval of a stream.
    ///
    /// - Parameters:
    ///   - interval: The interval, in seconds.
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

    /// Restarts the interval, after an event was sent.
    func restart(_ number: Int) {
        let now = clock.now
        schedule.withLock { schedule in
            guard let interval = schedule.entries[number]?.interval else { return }
            schedule.entries[number]?.dueAt = now.addingTimeInterval(Double(interval))
            if schedule.place(number) { changed.signal() }
        }
    }

    /// Returns the encoded ping if one is due, and restarts the interval.
    func takeDue(_ number: Int) -> ByteBuffer? {
        let now = clock.now
        guard let entry = schedule.withLock({ $0.entries[number] }), entry.dueAt <= now else { return nil }
        restart(number)
        let data: JSON = ["interval": JSON(entry.interval)]
        return ByteBuffer(bytes: EventStreamEvent(name: "ping", data: data.description).bytes)
    }

    /// Removes a stream that has ended.
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
    /// The number of slots per second.
    private static let slotsPerSecond = 10.0

    /// Inserts a stream into the slot in which its ping is due, unless it is in a slot, which is never too late.
    ///
    /// - Returns: Whether the slot is earlier than the one that the timer waits for.
    fileprivate mutating func place(_ number: Int) -> Bool {
        guard let entry = entries[number], entry.slot == nil else { return false }
        let slot = Int((entry.dueAt.timeIntervalSince1970 * Self.slotsPerSecond).rounded(.up))
        entries[number]?.slot = slot
        slots[slot, default: []].insert(number)
        return timerSlot.map { slot < $0 } ?? true
    }

    /// Wakes the streams whose ping is due.
    ///
    /// - Returns: The time of the next slot, or nil if there is none.
    fileprivate mutating func wakeDue(_ now: Date) -> Date? {
        let past = now.timeIntervalSince1970 * Self.slotsPerSecond
        for slot in slots.keys where Double(slot) <= past {
            for number in slots.removeValue(forKey: slot) ?? [] {
                entries[number]?.slot = nil
                guard let entry = entries[number] else { continue }
                if entry.dueAt <= now { entry.wakeUp.signal() } else { _ = place(number) }
            }
        }
        timerSlot = slots.keys.min()
        return timerSlot.map { Date(timeIntervalSince1970: Double($0) / Self.slotsPerSecond) }
    }
}
