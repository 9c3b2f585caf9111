import Eventually
import Foundation
import HTMLCleaning
import HTMLViews
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Replica
import Screens
import Testing

/// Screens of an inbox whose store can't be read for a while.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct UnreadableStoreTests {
    private let screen: Screen
    private var inbox: Inbox { screen.inbox }

    init() async throws { screen = try await Screen([message("a"), message("b", minutesAgo: 2)], syncsFirst: true) }

    /// Lets the store fail until a model waits, then marks a message as read.
    ///
    /// - Parameter meanwhile: What the model shows by then.
    private func failAndRead(_ meanwhile: () -> Bool) async throws {
        // What waits for other reasons does so by now.
        let before = screen.clock.sleeperCount
        try inbox.store.setReadable(false)
        #expect(try await eventually { screen.clock.sleeperCount > before && meanwhile() })
        try inbox.store.setReadable(true)
        try await inbox.markRead("a")
        screen.clock.advance(by: 1)
    }

    @Test func `the unread count stays during the failure and follows again`() async throws {
        screen.server.deliver(message("c", minutesAgo: 3))
        try await inbox.sync()
        let count = UnreadCountModel(inbox)
        try await inbox.markRead("c")
        #expect(try await eventually { count.value == 2 })
        try await failAndRead { count.value == 2 }
        #expect(try await eventually { count.value == 1 })
        _ = try await inbox.signOut()
        #expect(try await eventually { count.value == 0 })
        #expect(try await eventually { screen.clock.sleeperCount == 0 }, "nothing is observed again")
    }

    @Test func `the number of pending writes stays during the failure and follows again`() async throws {
        screen.device.disconnect()
        let connection = ConnectionModel(inbox)
        try await inbox.markRead("b")
        #expect(try await eventually { connection.pendingWrites == 1 })
        try await failAndRead { connection.pendingWrites == 1 }
        #expect(try await eventually { connection.pendingWrites == 2 })
    }

    @Test func `a list reports the failure and is shown again`() async throws {
        let list = MessageListModel(inbox)
        await list.refresh()
        #expect(try await eventually { list.messages.count == 2 })
        try await failAndRead { if case .failed(let error) = list.state { error.code == .storage } else { false } }
        #expect(try await eventually { list.state == .loaded && list.messages.map(\.isUnread) == [false, true] })
    }

    @Test func `a message reports the failure and is shown again`() async throws {
        let model = MessageModel("a", in: inbox, marksRead: false)
        #expect(try await eventually { model.message?.isUnread == true })
        try await failAndRead { if case .failed(let error) = model.state { error.code == .storage } else { false } }
        #expect(try await eventually { model.message?.isUnread == false })
        await inbox.close()
        #expect(
            try await eventually { if case .failed(let error) = model.state { error.code == .closed } else { false } }
        )
    }

    @Test func `a message recalled while the store is unreadable is gone`() async throws {
        let model = MessageModel("a", in: inbox, marksRead: false)
        #expect(try await eventually { model.message != nil })
        let before = screen.clock.sleeperCount
        try inbox.store.setReadable(false)
        #expect(try await eventually { screen.clock.sleeperCount > before })
        try inbox.store.setReadable(true)
        screen.server.recall("a")
        try await inbox.sync()
        screen.clock.advance(by: 1)
        #expect(try await eventually { model.state == .gone })
    }

    @Test func `a message's HTML reports the failure and is shown again`() async throws {
        screen.server.deliver(message("html", minutesAgo: 0) { $0.html = "<p>One</p>" })
        try await inbox.sync()
        let model = MessageHTMLModel("html", in: inbox)
        model.show(in: HTMLViewport(width: 400))
        #expect(try await eventually { model.state.page != nil })
        try await failAndRead { if case .failed = model.state { true } else { false } }
        #expect(try await eventually { model.state.page != nil && model.message?.id == "html" })
    }

    @Test func `live results report the failure and follow again`() async throws {
        let results = inbox.results(cachePolicy: .cacheOnly)
        let reports = Reports()
        results.delegate = reports
        #expect(try await eventually { results.items.count == 2 })
        try await failAndRead { reports.failures == 1 && results.items.count == 2 }
        #expect(try await eventually { results.items.map(\.isUnread) == [false, true] })
        #expect(reports.changes.map(\.updates) == [[0]], "what was shown before stays on screen")
    }
}

/// What live results report.
@MainActor
private final class Reports: LiveResultsDelegate {
    private(set) var failures = 0
    private(set) var changes: [ListChanges] = []

    func results(_ results: LiveResults<Message>, didChange changes: ListChanges) { self.changes.append(changes) }
    func results(_ results: LiveResults<Message>, didFailWith error: any Error) { failures += 1 }
}
