import Groundwork
import RecordedLogs
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(5))) struct ConnectionSlotsTests {
    private let closed = Locked<[String]>([])
    private let log = RecordedLog()

    private func slots(_ limit: Int, _ reserve: Int) -> ConnectionSlots {
        ConnectionSlots(limit: limit, reserve: reserve, logger: log.logger)
    }

    private func acquire(_ slots: ConnectionSlots, _ name: String) -> (slot: ConnectionSlots.Slot, number: Int)? {
        slots.acquire { [closed] in closed.withLock { $0.append(name) } }
    }

    @Test func `connections beyond the limit use the reserve`() throws {
        let slots = slots(2, 2)
        let acquired = ["a", "b", "c", "d"].map { acquire(slots, $0)?.slot }
        #expect(acquired == [.regular, .regular, .reserved, .reserved])
    }

    @Test func `with the reserve full, the longest-waiting connection is closed`() throws {
        let slots = slots(1, 2)
        _ = acquire(slots, "regular")
        let first = try #require(acquire(slots, "first"))
        _ = acquire(slots, "second")
        #expect(acquire(slots, "third")?.slot == .reserved)
        #expect(closed.withLock { $0 } == ["first"])
        // Its later end doesn't free a slot a second time.
        slots.release(first.slot, first.number)
        #expect(acquire(slots, "fourth")?.slot == .reserved)
        #expect(closed.withLock { $0 } == ["first", "second"])
    }

    @Test func `a connection with a complete request isn't closed for another`() throws {
        let slots = slots(1, 2)
        _ = acquire(slots, "regular")
        let numbers = try ["first", "second"].map { try #require(acquire(slots, $0)).number }
        for number in numbers { slots.setComplete(number, true) }
        #expect(acquire(slots, "third") == nil)
        #expect(closed.withLock { $0 }.isEmpty)
        slots.setComplete(numbers[1], false)
        #expect(acquire(slots, "fourth") != nil)
        #expect(closed.withLock { $0 } == ["second"])
    }

    @Test func `a connection that ends frees a regular place`() throws {
        let slots = slots(1, 1)
        let first = try #require(acquire(slots, "first"))
        #expect(acquire(slots, "second")?.slot == .reserved)
        slots.release(first.slot, first.number)
        #expect(acquire(slots, "third")?.slot == .regular)
    }

    @Test func `rejected connections are logged once a minute`() {
        let slots = slots(1, 1)
        for _ in 0..<1_000 { slots.recordRefusal() }
        #expect(log.lines.count == 1)
    }

    @Test(arguments: [
        ("/health", true), ("/metrics", true), ("/metrics?x=1", true), ("/v1/messages", true), ("/v1/", true),
        ("/jmap/api", false), ("/inbox", false), ("/healthy", false), ("/v10/messages", false), ("", false),
        ("/inbox?/v1/", false), ("/health/live", true), ("/health/ready", true), ("/health/x", false),
    ])
    func `only health, metrics and the REST API are answered at the limit`(path: String, expected: Bool) {
        #expect(ConnectionSlots.isServedBeyondLimit(path) == expected)
    }
}
