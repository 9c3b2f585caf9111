import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxTesting
@testable import InboxViews
import Screens
import Testing

/// The messages of a screen that count as displayed.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct DisplayTrackerTests {
    @Test func `a display is tracked before a later click`() async throws {
        let device = try await ScreenDevice([message("a"), message("b")], settings: nil, surface: "inbox")
        try await device.inbox.sync()
        let noted = Locked<[String]>([])
        let tracker = DisplayTracker(device.inbox, rule: DisplayRule(), clock: device.clock) { ids in
            noted.withLock { $0.append("counted \(ids.joined())") }
            return { noted.withLock { $0.append("tracked \(ids.joined())") } }
        }
        tracker.show(["a", "b"], share: 1)
        device.clock.advance(by: 2)
        tracker.show("a", share: 0)
        tracker.show("b", share: 0)
        await tracker.waitUntilIdle()
        try await device.inbox.click("a")
        try await device.inbox.sync()
        #expect(device.server.events.map(\.type).last == .clicked)
        #expect(device.server.events.filter { $0.type == .displayed }.map(\.message).sorted() == ["a", "b"])
        let order = noted.withLock { $0 }
        #expect(order.filter { $0.hasPrefix("tracked") }.count == order.count / 2)
        #expect(try await device.inbox.message(id: "a")?.seenAt != nil)
    }

    @Test func `a second on screen is a second though the clock is set back`() async throws {
        let device = try await ScreenDevice([message("a")], settings: nil, surface: "inbox")
        try await device.inbox.sync()
        let noted = Locked<[String]>([])
        let tracker = DisplayTracker(device.inbox, rule: DisplayRule(), clock: device.clock) { ids in
            noted.withLock { $0 += ids }
            return {}
        }
        tracker.show("a", share: 1)
        #expect(try await eventually { device.clock.sleeperCount > 0 })
        device.clock.advance(by: -86_400)
        #expect(try await eventually { noted.withLock { $0 } == ["a"] })
    }

    @Test func `a message shown long enough counts as displayed when the visit ends`() async throws {
        let device = try await ScreenDevice([message("a")], settings: nil, surface: "inbox")
        try await device.inbox.sync()
        let tracker = DisplayTracker(device.inbox, clock: device.clock)
        tracker.show("a", share: 1)
        device.clock.advance(by: DisplayRule.defaultSeconds)
        // The clock's call comes later.
        tracker.endVisit()
        await tracker.waitUntilIdle()
        try await device.inbox.sync()
        #expect(device.server.events.map(\.type) == [.displayed])
    }
}
