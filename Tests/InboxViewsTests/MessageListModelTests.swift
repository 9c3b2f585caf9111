import Eventually
import Foundation
import InboxClient
import InboxModel
import InboxTesting
import InboxViews
import Replica
import Screens
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor
struct MessageListModelTests {
    private func device(_ ids: [String] = []) async throws -> ScreenDevice {
        let messages = ids.enumerated().map { message($0.element, minutesAgo: Double($0.offset + 1)) }
        return try await ScreenDevice(messages, settings: nil, surface: "inbox")
    }

    /// Messages `m1`, the newest, to the one of a number.
    private func numbered(_ count: Int) -> [String] { (1...count).map { "m\($0)" } }

    private func ids(_ list: MessageListModel) -> [String] { list.messages.map(\.id) }

    @Test func `a new device loads, then shows the messages`() async throws {
        let device = try await device(["a", "b"])
        let list = MessageListModel(device.inbox)
        #expect(list.state == .loading && list.isRefreshing && list.messages.isEmpty)
        await list.refresh()
        #expect(try await eventually { list.state == .loaded && ids(list) == ["a", "b"] })
        #expect(!list.isRefreshing && list.error == nil && !list.hasMore)
        #expect(list.counts.unread == 2 && list.changes.insertions == [0, 1])
    }

    @Test func `an empty inbox counts as loaded only after the server's answer`() async throws {
        let device = try await device()
        device.disconnect()
        let list = MessageListModel(device.inbox)
        await list.refresh()
        #expect(list.state == .failed(try #require(list.error)) && list.error?.code == .notConnected)
        device.reconnect()
        await list.refresh()
        #expect(try await eventually { list.state == .loaded })
        #expect(list.messages.isEmpty && list.error == nil)
    }

    @Test func `offline, stored messages are shown together with the failure`() async throws {
        let device = try await device(["a"])
        try await device.inbox.sync()
        device.disconnect()
        let list = MessageListModel(device.inbox)
        await list.refresh()
        #expect(try await eventually { list.state == .loaded && ids(list) == ["a"] })
        #expect(list.error?.code == .notConnected)
        device.reconnect()
        await list.refresh()
        #expect(list.error == nil)
    }

    @Test func `a second refresh fetches what arrived after the first one's answer`() async throws {
        let device = try await device(["a"])
        try await device.inbox.sync()
        let (answered, held) = (Gate(), Gate())
        device.transport.answer { [server = device.server] request in
            let answer = server.answer(request)
            await answered.open()
            await held.wait()
            return answer
        }
        let list = MessageListModel(device.inbox)
        await answered.wait()
        device.reconnect()
        device.server.deliver(message("b", minutesAgo: 0))
        let first = Task { await list.refresh() }
        let second = Task { await list.refresh() }
        // Both have begun, and the answer of the first sync is still under way.
        await Task.yield()
        await held.open()
        await first.value
        await second.value
        #expect(try await eventually { ids(list) == ["b", "a"] })
        #expect(try await eventually { !list.isRefreshing })
    }

    @Test func `a change of a message updates the list, with its changes`() async throws {
        let device = try await device(["a", "b", "c"])
        let list = MessageListModel(device.inbox)
        await list.refresh()
        #expect(try await eventually { ids(list) == ["a", "b", "c"] })
        try await device.inbox.archive("b")
        #expect(try await eventually { ids(list) == ["a", "c"] })
        #expect(list.changes.deletions == [1] && list.counts.archived == 1 && list.pendingWrites == 1)
    }

    @Test func `a list grows page by page, and knows its end`() async throws {
        let device = try await device(numbered(120))
        let list = MessageListModel(device.inbox)
        await list.refresh()
        #expect(try await eventually { ids(list) == numbered(50) && list.hasMore })
        list.loadMore()
        #expect(list.isLoadingMore)
        #expect(try await eventually { ids(list) == numbered(100) && list.hasMore && !list.isLoadingMore })
        // An extension keeps the messages, and its changes are those that a table view applies.
        #expect(list.changes.insertions == Array(50..<100) && list.changes.deletions.isEmpty)
        list.loadMore()
        #expect(try await eventually { list.messages.count == 120 && !list.hasMore })
        list.loadMore()
        #expect(!list.isLoadingMore)
    }

    @Test func `an extension fetches messages that the device doesn't hold`() async throws {
        let device = try await device(numbered(400), limit: 60)
        let list = MessageListModel(device.inbox)
        await list.refresh()
        #expect(try await eventually { list.messages.count == 50 && list.hasMore })
        list.loadMore()
        #expect(try await eventually { ids(list) == numbered(100) && !list.isLoadingMore })
        device.disconnect()
        // A round may have fetched more than is shown.
        for _ in 0..<8 where list.error == nil {
            list.loadMore()
            #expect(try await eventually { !list.isLoadingMore })
        }
        #expect(list.error?.code == .notConnected && list.hasMore)
        let shown = list.messages.count
        #expect(ids(list) == numbered(shown) && (100..<400).contains(shown))
        device.reconnect()
        for _ in 0..<8 where list.hasMore {
            list.loadMore()
            #expect(try await eventually { !list.isLoadingMore })
        }
        #expect(try await eventually { list.messages.count == 400 && list.error == nil && !list.hasMore })
    }

    @Test func `extending a search waits for the server, reports failures and ends`() async throws {
        let device = try await device(numbered(120), limit: 60)
        // Before there is a search: a round after it would fetch what it misses.
        try await device.inbox.sync()
        let list = MessageListModel(device.inbox, .init(Query(where: #Predicate { $0.body.contains("Body") })))
        // The refresh that the list begins with has ended: its failure would be taken for that of the extension.
        await list.refresh()
        #expect(try await eventually { list.messages.count == 50 && list.hasMore })
        device.disconnect()
        list.loadMore()
        #expect(try await eventually { list.error?.code == .notConnected })
        #expect(ids(list) == numbered(60) && list.hasMore && !list.isLoadingMore)
        let gate = Gate()
        device.transport.answer { [server = device.server] request in
            await gate.wait()
            return server.answer(request)
        }
        list.loadMore()
        #expect(try await eventually { list.isLoadingMore && device.transport.requests.count > 0 })
        #expect(list.messages.count == 60)
        await gate.open()
        #expect(try await eventually { !list.isLoadingMore && list.error == nil })
        #expect(try await eventually { list.messages.count == 120 && !list.hasMore })
    }

    @Test func `an extended search ends where the server has no further matches`() async throws {
        let messages = (1...120).map { number in
            message("m\(number)", minutesAgo: Double(number)) { if number <= 55 { $0.body = "Order" } }
        }
        let device = try await ScreenDevice(messages, settings: nil, surface: "inbox") {
            $0.newDeviceLimit = .newest(60)
        }
        let list = MessageListModel(device.inbox, .init(Query(where: #Predicate { $0.body.contains("Order") })))
        await list.refresh()
        #expect(try await eventually { list.messages.count == 50 && list.hasMore })
        list.loadMore()
        #expect(try await eventually { list.messages.count == 55 && !list.isLoadingMore && !list.hasMore })
        // A change that the list shows doesn't make it look unfinished.
        try await device.inbox.markRead("m1")
        #expect(try await eventually { list.messages.first?.isUnread == false })
        #expect(!list.hasMore)
    }

    private func device(_ ids: [String], limit: Int) async throws -> ScreenDevice {
        let messages = ids.enumerated().map { message($0.element, minutesAgo: Double($0.offset + 1)) }
        return try await ScreenDevice(messages, settings: nil, surface: "inbox") { $0.newDeviceLimit = .newest(limit) }
    }

    @Test func `other content replaces the messages, from its first page on`() async throws {
        let device = try await device(numbered(60))
        let list = MessageListModel(device.inbox)
        await list.refresh()
        #expect(try await eventually { list.hasMore })
        list.loadMore()
        #expect(try await eventually { list.messages.count == 60 })
        try await device.inbox.archive(["m3", "m5"])
        list.content.filter = .archived
        #expect(try await eventually { ids(list) == ["m3", "m5"] && !list.hasMore })
        list.content = MessageListModel.Content(Query(where: #Predicate { $0.title == "Title m7" }))
        #expect(try await eventually { ids(list) == ["m7"] })
        list.content = MessageListModel.Content()
        #expect(try await eventually { list.messages.count == 50 && list.hasMore })
    }

    @Test func `a query's own limit is kept`() async throws {
        let device = try await device(numbered(9))
        let list = MessageListModel(device.inbox, .init(Query(limit: 3)))
        await list.refresh()
        #expect(try await eventually { ids(list) == ["m1", "m2", "m3"] })
        #expect(!list.hasMore)
    }

    @Test func `a list that begins later in the order knows its end`() async throws {
        let device = try await device(numbered(60))
        let list = MessageListModel(device.inbox, .init(Query(offset: 55)))
        await list.refresh()
        #expect(try await eventually { ids(list) == ["m56", "m57", "m58", "m59", "m60"] })
        #expect(!list.hasMore)
    }

    @Test func `a query that can't be translated fails with its part`() async throws {
        let device = try await device(["a"])
        let list = MessageListModel(device.inbox, .init(Query(where: #Predicate { $0.priority + 1 > 3 })))
        #expect(try await eventually { if case .failed = list.state { true } else { false } })
        guard case .failed(let error) = list.state else { return }
        #expect(error.code == .invalidArgument)
        // After a refresh it isn't an empty list.
        await list.refresh()
        #expect(try await eventually { list.state == .failed(error) })
    }

    @Test func `a closed inbox leaves no messages on screen`() async throws {
        let device = try await device(["a"])
        let list = MessageListModel(device.inbox)
        await list.refresh()
        #expect(try await eventually { ids(list) == ["a"] })
        await device.inbox.close()
        #expect(
            try await eventually { if case .failed(let error) = list.state { error.code == .closed } else { false } }
        )
        #expect(list.messages.isEmpty && !list.hasMore)
    }

    @Test func `a released list stops observing`() async throws {
        let device = try await device(["a"])
        weak var released: MessageListModel?
        do {
            let list = MessageListModel(device.inbox)
            released = list
            await list.refresh()
        }
        #expect(try await eventually { released == nil })
    }
}
