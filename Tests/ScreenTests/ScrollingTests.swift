import Foundation
import Groundwork
import InboxCards
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import ReplicaTesting
import Screens
import Testing

@testable import SwiftUI

/// Lists that are longer than a screen.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct ScrollingTests {
    private func device(_ count: Int) async throws -> ScreenDevice {
        let messages = (1...count).map { message("m\($0)", minutesAgo: Double($0)) }
        return try await ScreenDevice(messages, settings: nil, surface: "inbox")
    }

    @Test func `a list fetches the next page at its end, and only there`() async throws {
        let device = try await device(120)
        let model = InboxScreenModel(device.inbox)
        let person = Person(InboxList(model).shown(with: device.inbox))
        try await person.waits(for: "Title m1")
        try await person.waits("the end of the first refresh") { !model.list.isRefreshing && model.list.hasMore }
        #expect(model.messages.count == 50 && !person.sees("Title m50") && !person.sees("Load More"))
        try person.scrolls(to: 45)
        try await person.waits("the second page") { model.messages.count == 100 && !model.list.isLoadingMore }
        #expect(person.sees("Title m50") && !person.sees("Title m1"))
        try person.scrolls(to: 95)
        try await person.waits("the last page") { model.messages.count == 120 }
        try person.scrolls(to: 115)
        #expect(person.sees("Title m120") && !person.sees("Load More"))
    }

    @Test func `a search fetches matches that the device does not have`() async throws {
        let device = try await device(120)
        let model = InboxScreenModel(device.inbox)
        let person = Person(InboxList(model).shown(with: device.inbox))
        try await person.waits("the first page") { !model.list.isRefreshing && model.list.hasMore }
        // Only some of the messages match, and the device knows few of them.
        try person.types("m10")
        try await person.waits("all that match") { model.messages.map(\.id).contains("m109") }
        #expect(person.sees("Title m10"))
    }

    @Test func `only messages that were on screen are seen`() async throws {
        let device = try await device(40)
        let model = InboxScreenModel(device.inbox)
        let person = Person(InboxList(model).shown(with: device.inbox))
        try await person.waits(for: "Title m8")
        try await person.waits("the shown ones are seen") {
            let seen = try await device.inbox.fetch(Query<Message>(), in: .inbox).filter { $0.seenAt != nil }.map(\.id)
            return seen == (1...8).map { "m\($0)" }
        }
    }

    @Test func `messages in sight are seen after the app returns, and not while it is away`() async throws {
        let device = try await device(2)
        let gate = Gate()
        device.transport.answer { [server = device.server] request in
            await gate.wait()
            return server.answer(request)
        }
        let person = Person(InboxList(InboxScreenModel(device.inbox)).shown(with: device.inbox))
        // The list loads while the app is away.
        person.display.change { $0.scenePhase = .background }
        await gate.open()
        try await person.waits(for: "Title m2")
        try await Task.sleep(for: .seconds(DisplayRule.defaultSeconds + 0.2))
        #expect(try await device.inbox.fetch(Query<Message>(), in: .inbox).allSatisfy { $0.seenAt == nil })
        person.display.change { $0.scenePhase = .active }
        try await person.waits("they are seen") {
            try await device.inbox.fetch(Query<Message>(), in: .inbox).allSatisfy { $0.seenAt != nil }
        }
    }
}
