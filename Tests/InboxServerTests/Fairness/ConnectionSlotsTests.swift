import Groundwork
import Logging
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(1))) struct ConnectionSlotsTests {
    private let closed = Locked<[String]>([])
    private let lines = Locked<[String]>([])

    private func room(_ limit: Int, _ reserve: Int) -> ConnectionSlots {
        ConnectionSlots(limit: limit, reserve: reserve, logger: LogRecorder.logger(lines))
    }

    private func enter(_ room: ConnectionSlots, _ name: String) -> (place: ConnectionSlots.Place, number: Int)? {
        room.enter { [closed] in closed.withLock { $0.append(name) } }
    }

    @Test func `connections beyond the limit use the reserve`() throws {
        let room = room(2, 2)
        let places = ["a", "b", "c", "d"].map { enter(room, $0)?.place }
        #expect(places == [.usual, .usual, .reserved, .reserved])
    }

    @Test func `with the reserve full, the longest-waiting connection is closed`() throws {
        let room = room(1, 2)
        _ = enter(room, "usual")
        let first = try #require(enter(room, "first"))
        _ = enter(room, "second")
        #expect(enter(room, "third")?.place == .reserved)
        #expect(closed.withLock { $0 } == ["first"])
        // Its later end doesn't free a place a second time.
        room.leave(first.place, first.number)
        #expect(enter(room, "fourth")?.place == .reserved)
        #expect(closed.withLock { $0 } == ["first", "second"])
    }

    @Test func `a connection with a complete request isn't closed for another`() throws {
        let room = room(1, 2)
        _ = enter(room, "usual")
        let numbers = try ["first", "second"].map { try #require(enter(room, $0)).number }
        for number in numbers { room.setComplete(number, true) }
        #expect(enter(room, "third") == nil)
        #expect(closed.withLock { $0 }.isEmpty)
        room.setComplete(numbers[1], false)
        #expect(enter(room, "fourth") != nil)
        #expect(closed.withLock { $0 } == ["second"])
    }

    @Test func `a connection that ends frees a regular place`() throws {
        let room = room(1, 1)
        let first = try #require(enter(room, "first"))
        #expect(enter(room, "second")?.place == .reserved)
        room.leave(first.place, first.number)
        #expect(enter(room, "third")?.place == .usual)
    }

    @Test func `rejected connections are logged once a minute`() {
        let room = room(1, 1)
        for _ in 0..<1_000 { room.recordRefusal() }
        #expect(lines.withLock { $0 }.count == 1)
    }

    @Test(arguments: [
        ("/health", true), ("/metrics", true), ("/metrics?x=1", true), ("/v1/messages", true), ("/v1/", true),
        ("/jmap/api", false), ("/inbox", false), ("/healthy", false), ("/v10/messages", false), ("", false),
        ("/inbox?/v1/", false),
    ])
    func `only health, metrics and the REST API are answered at the limit`(path: String, expected: Bool) {
        #expect(ConnectionSlots.isServedBeyondLimit(path) == expected)
    }
}
