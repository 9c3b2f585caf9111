import Eventually
import Foundation
import InboxMail
import InboxMailViews
import InboxTesting
import Replica
import Screens
import StandardMailServer
import Testing

/// A list of threads on screen.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct ThreadListModelTests {
    private func subjects(_ list: ThreadListModel) -> [String] { list.threads.map(\.subject) }
    private func ids(_ list: ThreadListModel) -> [String] { list.threads.map(\.id) }
    private func numbered(_ range: ClosedRange<Int>) -> [String] { range.map { "t\($0)" } }

    @Test func `a new device loads, then shows the threads of the inbox, the latest mail first`() async throws {
        let device = try await MailDevice()
        device.deliver("Lunch", id: "lunch")
        device.deliver("News", from: MailDevice.bob)
        device.deliver("Sent", from: MailDevice.alice, in: "sent")
        device.deliver("Re: Lunch", id: "answer", answering: "lunch")
        let list = ThreadListModel(device.mail, ThreadListModel.Content(.inbox))
        #expect(list.state == .loading && list.isRefreshing && list.threads.isEmpty)
        await list.refresh()
        #expect(try await eventually { list.state == .loaded && subjects(list) == ["Lunch", "News"] })
        #expect(list.threads.map(\.messageCount) == [2, 1])
        #expect(!list.isRefreshing && list.error == nil && !list.hasMore)
        #expect(list.counts.unreadInInbox == 2)
    }

    @Test func `an empty inbox counts as loaded only after the server's answer`() async throws {
        let device = try await MailDevice()
        device.disconnect()
        let list = ThreadListModel(device.mail)
        await list.refresh()
        #expect(list.state == .failed(try #require(list.error)) && list.error?.code == .notConnected)
        device.reconnect()
        await list.refresh()
        #expect(try await eventually { list.state == .loaded })
        #expect(list.threads.isEmpty && list.error == nil)
    }

    @Test func `offline, stored threads are shown together with the failure`() async throws {
        let device = try await MailDevice()
        device.deliver("Lunch")
        try await device.mail.sync()
        device.disconnect()
        let list = ThreadListModel(device.mail)
        await list.refresh()
        #expect(try await eventually { list.state == .loaded && subjects(list) == ["Lunch"] })
        #expect(list.error?.code == .notConnected)
        device.reconnect()
        await list.refresh()
        #expect(list.error == nil)
    }

    @Test func `a change of a thread updates the list, with its changes`() async throws {
        let device = try await MailDevice()
        try await device.store(3)
        let list = ThreadListModel(device.mail, ThreadListModel.Content(.inbox))
        #expect(try await eventually { ids(list) == ["t1", "t2", "t3"] })
        try await device.mail.archive(thread: "t2")
        #expect(try await eventually { ids(list) == ["t1", "t3"] })
        #expect(list.changes.deletions == [1] && list.pendingWrites == 1)
    }

    @Test func `a list grows page by page, and knows its end`() async throws {
        let device = try await MailDevice()
        try await device.store(120)
        let list = ThreadListModel(device.mail, ThreadListModel.Content(.inbox))
        #expect(try await eventually { ids(list) == numbered(1...50) && list.hasMore })
        list.loadMore()
        #expect(list.isLoadingMore)
        #expect(try await eventually { ids(list) == numbered(1...100) && list.hasMore && !list.isLoadingMore })
        // An extension keeps the threads, and its changes are those that a table view applies.
        #expect(list.changes.insertions == Array(50..<100) && list.changes.deletions.isEmpty)
        list.loadMore()
        #expect(try await eventually { list.threads.count == 120 && !list.hasMore })
        list.loadMore()
        #expect(!list.isLoadingMore)
    }

    @Test func `a list as long as its page has no more`() async throws {
        let device = try await MailDevice()
        try await device.store(50)
        let list = ThreadListModel(device.mail)
        #expect(try await eventually { list.threads.count == 50 })
        #expect(!list.hasMore)
        try await device.store(51)
        #expect(try await eventually { list.hasMore })
        #expect(list.threads.count == 50)
    }

    @Test func `of thousands of threads, a list has its pages, also after changes`() async throws {
        let device = try await MailDevice()
        try await device.store(3_000)
        let list = ThreadListModel(device.mail, ThreadListModel.Content(.inbox))
        #expect(try await eventually { list.threads.count == 50 && list.hasMore })
        #expect(list.counts.inInbox == 3_000)
        try await device.mail.archive(thread: "t10")
        #expect(try await eventually { list.threads.count == 50 && list.threads.last?.id == "t51" })
        #expect(list.changes.deletions == [9] && list.changes.insertions == [49] && list.changes.updates.isEmpty)
        try await device.mail.markRead(thread: "t2000")
        #expect(try await eventually { list.counts.unreadInInbox == 2_998 })
        #expect(list.changes.deletions == [9])
    }

    @Test func `unread threads are first on request, page by page`() async throws {
        let device = try await MailDevice()
        try await device.store(70) { $0.isMultiple(of: 7) }
        let list = ThreadListModel(device.mail, ThreadListModel.Content(.inbox, unreadFirst: true))
        let unread = (1...10).map { "t\($0 * 7)" }
        let read = (1...70).filter { !$0.isMultiple(of: 7) }.map { "t\($0)" }
        #expect(try await eventually { ids(list) == unread + read.prefix(40) && list.hasMore })
        list.loadMore()
        #expect(try await eventually { ids(list) == unread + read && !list.hasMore })
        // A thread that is read moves to its place below, in one step.
        try await device.mail.markRead(thread: "t14")
        let moved = unread.filter { $0 != "t14" } + ["t1", "t2", "t3", "t4", "t5", "t6", "t8", "t9", "t10", "t11"]
        #expect(try await eventually { Array(ids(list).prefix(19)) == moved && ids(list).contains("t14") })
        #expect(list.threads.count == 70 && Set(ids(list)).count == 70)
        list.content.unreadFirst = false
        #expect(try await eventually { ids(list) == numbered(1...50) })
    }

    @Test func `other content replaces the threads, from its first page on`() async throws {
        let device = try await MailDevice()
        try await device.store(60)
        let list = ThreadListModel(device.mail, ThreadListModel.Content(.inbox))
        #expect(try await eventually { list.hasMore })
        list.loadMore()
        #expect(try await eventually { list.threads.count == 60 })
        try await device.mail.archive(threads: ["t3", "t5"])
        list.content = ThreadListModel.Content(.mailbox(id: "archive", role: .archive))
        #expect(try await eventually { ids(list) == ["t3", "t5"] && !list.hasMore })
        try await device.mail.star(thread: "t9")
        list.content = ThreadListModel.Content(.starred)
        #expect(try await eventually { ids(list) == ["t9"] })
        list.content = ThreadListModel.Content(.inbox)
        #expect(try await eventually { list.threads.count == 50 && list.hasMore })
    }

    @Test func `a query's own limit is kept`() async throws {
        let device = try await MailDevice()
        try await device.store(9)
        let list = ThreadListModel(device.mail, ThreadListModel.Content(Query(limit: 3)))
        #expect(try await eventually { ids(list) == ["t1", "t2", "t3"] })
        #expect(!list.hasMore)
    }

    @Test(arguments: [false, true])
    func `a query that can't be translated fails with its part`(_ unreadFirst: Bool) async throws {
        let device = try await MailDevice()
        let query = Query<MailThread>(where: #Predicate { $0.messageCount + 1 > 3 })
        let list = ThreadListModel(device.mail, ThreadListModel.Content(query, unreadFirst: unreadFirst))
        #expect(try await eventually { if case .failed = list.state { true } else { false } })
        guard case .failed(let error) = list.state else { return }
        #expect(error.code == .invalidArgument)
        // After a refresh it isn't an empty list.
        await list.refresh()
        #expect(try await eventually { list.state == .failed(error) })
    }

    @Test func `a device that keeps slices asks the server for further pages, and knows the end`() async throws {
        let device = try await MailDevice(scope: .slices)
        for number in 1...70 { device.deliver("Mail \(number)") }
        let list = ThreadListModel(device.mail, ThreadListModel.Content(.inbox))
        await list.refresh()
        #expect(try await eventually { list.threads.count == 50 && list.hasMore })
        device.disconnect()
        list.loadMore()
        #expect(try await eventually { !list.isLoadingMore && list.error?.code == .notConnected })
        #expect(list.hasMore)
        device.reconnect()
        list.loadMore()
        #expect(try await eventually { list.threads.count == 70 && !list.isLoadingMore && list.error == nil })
        #expect(try await eventually { !list.hasMore })
    }

    @Test func `closed mail leaves no threads on screen`() async throws {
        let device = try await MailDevice()
        try await device.store(1)
        let list = ThreadListModel(device.mail)
        #expect(try await eventually { ids(list) == ["t1"] })
        await device.mail.close()
        #expect(
            try await eventually { if case .failed(let error) = list.state { error.code == .closed } else { false } }
        )
        #expect(list.threads.isEmpty && !list.hasMore && list.changes.deletions == [0])
    }

    @Test func `an account that is signed out leaves no threads on screen`() async throws {
        let device = try await MailDevice()
        device.deliver("Lunch")
        let list = ThreadListModel(device.mail)
        await list.refresh()
        #expect(try await eventually { subjects(list) == ["Lunch"] })
        try await device.mail.signOut()
        #expect(
            try await eventually { if case .failed(let error) = list.state { error.code == .closed } else { false } }
        )
        #expect(list.threads.isEmpty)
    }

    @Test func `a released list stops observing`() async throws {
        let device = try await MailDevice()
        weak var released: ThreadListModel?
        do {
            let list = ThreadListModel(device.mail)
            released = list
            await list.refresh()
        }
        #expect(try await eventually { released == nil })
    }
}
