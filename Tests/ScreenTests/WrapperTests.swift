import Foundation
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Observation
import Screens
import Testing

@testable import SwiftUI

/// The property wrappers in an app's own views.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct WrapperTests {
    /// What an app's view shows.
    @MainActor
    @Observable
    final class Choice {
        var category = "orders"
        var limit: Int?
    }

    private struct Category: View {
        @Messages private var messages: [Message]
        @UnreadCount private var unread: Int

        init(_ category: String, limit: Int?) {
            _messages = Messages(where: #Predicate { $0.category == category }, limit: limit)
        }

        var body: some View {
            List {
                ForEach(messages) { Text($0.title) }
                Text("\(unread) unread")
                if $messages == nil { Text("signed out") }
            }
        }
    }

    private struct Screen: View {
        let choice: Choice

        var body: some View { Category(choice.category, limit: choice.limit) }
    }

    @Test func `a view's messages follow the inbox, the predicate and the limit`() async throws {
        let device = try await ScreenDevice(
            message("m1", minutesAgo: 1) { $0.category = "orders" },
            message("m2", minutesAgo: 2) { $0.category = "offers" },
            message("m3", minutesAgo: 3) { $0.category = "orders" },
            isSynced: true
        )
        let choice = Choice()
        #expect(Person(Screen(choice: choice)).texts == ["0 unread", "signed out"])
        let person = Person(Screen(choice: choice).shown(with: device.inbox))
        try await person.waits("the orders") { person.texts == ["Title m1", "Title m3", "3 unread"] }
        choice.category = "offers"
        try await person.waits("the offers") { person.texts == ["Title m2", "3 unread"] }
        (choice.category, choice.limit) = ("orders", 1)
        try await person.waits("one order") { person.texts == ["Title m1", "3 unread"] }
        try await device.inbox.markRead("m1")
        try await person.waits("the count") { person.texts == ["Title m1", "2 unread"] }
        device.server.deliver(message("m4", minutesAgo: 0) { $0.category = "orders" })
        try await device.inbox.sync()
        try await person.waits("the new order") { person.texts == ["Title m4", "3 unread"] }
    }
}
