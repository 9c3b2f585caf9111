import Foundation
import Groundwork
import InboxClient
import InboxTesting
import Testing

@Suite struct LiveTests {
    let server = ScriptedServer(person: "alice")

    @Test func withoutEventSource_itAsksFromTimeToTime() async throws {
        let clock = ManualClock()
        let phone = try await Device(server, clock: clock) { $0.isLive = true }
        #expect(try await eventually { phone.inbox.connectionState == .polling })
        server.deliver(.at(0, "a"))
        #expect(
            try await eventually {
                clock.advance(by: 5)
                return try await phone.ids() == ["a"]
            }
        )
    }

    @Test func actions_areSentByThemselves() async throws {
        server.deliver(.at(0, "a"))
        let phone = try await Device(server, clock: ManualClock()) { $0.isLive = true }
        #expect(try await eventually { try await phone.ids() == ["a"] })
        try await phone.inbox.markRead("a")
        #expect(try await eventually { server.messages.first?.isUnread == false })
    }

    @Test func lostNetwork_isVisible_triedAgainWithGrowingWaits_andFoundAgain() async throws {
        let clock = ManualClock()
        let phone = try await Device(server, clock: clock) { $0.isLive = true }
        #expect(try await eventually { phone.inbox.connectionState == .polling })
        phone.disconnect()
        try await phone.inbox.archive("none")
        let isOffline = try await eventually {
            clock.advance(by: 1)
            if case .offline = phone.inbox.connectionState { return true }
            return false
        }
        #expect(isOffline)
        let before = phone.transport.requests.count
        for _ in 0..<600 {
            clock.advance(by: 1)
            await Task.yield()
        }
        #expect(phone.transport.requests.count - before < 40, "no busy loop: ten minutes, few tries")
        phone.reconnect()
        #expect(
            try await eventually {
                clock.advance(by: 10)
                return phone.inbox.connectionState == .polling
            }
        )
    }

    @Test func inboxThatNobodyHolds_endsItsConnection() async throws {
        let clock = ManualClock()
        weak var inbox: Inbox?
        do {
            let phone = try await Device(server, clock: clock) { $0.isLive = true }
            #expect(try await eventually { phone.inbox.connectionState == .polling })
            inbox = phone.inbox
        }
        #expect(inbox == nil)
        #expect(try await eventually { clock.sleeperCount == 0 })
    }
}
