import Eventually
import Foundation
import Groundwork
import InboxClient
import InboxModel
import InboxTesting
import Screens
import Testing

@testable import InboxMail
@testable import InboxMailViews
@testable import Replica

/// One list with an app's messages and the mail beside them.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct CombinedListModelTests {
    private let inbox: ScreenDevice
    private let device: MailDevice
    private var mail: Mail { device.mail }

    init() async throws {
        inbox = try await ScreenDevice(
            [message("m1", minutesAgo: 10), message("m2", minutesAgo: 30)],
            settings: nil,
            surface: "inbox"
        )
        device = try await MailDevice(in: inbox)
        device.deliver("One")
        device.deliver("Two")
    }

    private func titles(_ list: CombinedListModel) -> [String] {
        list.entries.map { entry in
            switch entry {
            case .message(let message): message.id
            case .thread(let thread): thread.subject
            }
        }
    }

    private func ids(_ list: CombinedListModel, _ titles: String...) -> [String] {
        zip(list.entries, self.titles(list)).filter { titles.contains($0.1) }.map(\.0.id)
    }

    private func loaded() async throws -> CombinedListModel {
        let list = CombinedListModel(mail, clock: inbox.clock)
        await list.refresh()
        #expect(try await eventually { list.state == .loaded && titles(list) == ["Two", "One", "m1", "m2"] })
        return list
    }

    @Test func `messages and threads are one list, newest first, with one unread count`() async throws {
        let list = CombinedListModel(mail, clock: inbox.clock)
        #expect(list.state == .loading && list.isRefreshing)
        await list.refresh()
        #expect(try await eventually { titles(list) == ["Two", "One", "m1", "m2"] })
        #expect(list.state == .loaded && list.unread == 4 && !list.hasMore && list.error == nil)
    }

    @Test(arguments: CombinedListModel.Change.allCases)
    func `an action changes entries of both kinds, and is undone for both`(
        _ change: CombinedListModel.Change
    ) async throws {
        let list = try await loaded()
        if change == .markUnread { await list.perform(.markRead, list.entries.map(\.id)) }
        #expect(try await eventually { list.unread == (change == .markUnread ? 0 : 4) })
        let before = list.entries.map(\.id)
        let chosen = ids(list, "One", "m1")
        #expect(await list.perform(change, chosen))
        #expect(list.undoable?.change == change)
        switch change {
        case .archive, .delete: #expect(try await eventually { titles(list) == ["Two", "m2"] })
        case .markRead, .markUnread: #expect(try await eventually { list.unread == 2 })
        }
        await list.undo()
        #expect(
            try await eventually { list.entries.map(\.id) == before && list.unread == (change == .markUnread ? 0 : 4) }
        )
        #expect(list.undoable == nil && list.error == nil)
    }

    @Test func `a list grows page by page, and knows its end`() async throws {
        let list = try await loaded()
        let mails = (1...120).map { number -> JSON in
            [
                "id": .string("x\(number)"), "threadId": .string("tx\(number)"), "subject": .string("X"),
                "receivedAt": .string(
                    RFC3339.string(from: inbox.clock.now.addingTimeInterval(-3_600 * Double(number)))
                ),
                "mailboxIds": ["inbox": true], "keywords": .object(JSONObject([])), "from": [], "to": [],
                "preview": "", "size": 1, "hasAttachment": false,
            ]
        }
        try await mail.store.write { writer in
            _ = try writer.apply(.email, mails.map { try JSONText(checking: $0.utf8) })
        }
        #expect(try await eventually { list.entries.count == 50 && list.hasMore })
        list.loadMore()
        #expect(try await eventually { list.entries.count == 100 && list.hasMore && !list.isLoadingMore })
        list.loadMore()
        #expect(try await eventually { list.entries.count == 124 && !list.hasMore })
    }

    @Test func `a failure of one server is reported, and the other's entries are shown`() async throws {
        self.device.disconnect()
        let list = CombinedListModel(mail, clock: inbox.clock)
        await list.refresh()
        #expect(try await eventually { list.state == .loaded && titles(list) == ["m1", "m2"] })
        #expect(list.error?.code == .notConnected && !list.hasActionFailed)
        self.device.reconnect()
        await list.refresh()
        #expect(try await eventually { titles(list).count == 4 && list.error == nil })
    }

    @Test func `an empty inbox whose mail was never fetched fails`() async throws {
        let inbox = try await ScreenDevice([], settings: nil, surface: "inbox")
        try await inbox.inbox.sync()
        let device = try await MailDevice(in: inbox)
        device.disconnect()
        let list = CombinedListModel(device.mail, clock: inbox.clock)
        await list.refresh()
        #expect(list.state == .failed(try #require(list.error)) && list.error?.code == .notConnected)
    }

    @Test func `a refresh removes the failure of an action`() async throws {
        let fails = Locked(false)
        let inbox = try await ScreenDevice([message("m1")], settings: nil, surface: "inbox") {
            $0.writeHook = { moment in
                if moment == .commits, fails.withLock({ $0 }) { throw Unexpected("no") }
            }
        }
        let device = try await MailDevice(in: inbox)
        let list = CombinedListModel(device.mail, clock: inbox.clock)
        await list.refresh()
        #expect(try await eventually { titles(list) == ["m1"] })
        fails.withLock { $0 = true }
        #expect(await !list.perform(.archive, list.entries.map(\.id)))
        #expect(list.hasActionFailed && list.error != nil)
        fails.withLock { $0 = false }
        await list.refresh()
        #expect(!list.hasActionFailed && list.error == nil)
    }

    @Test func `without an inbox, or with closed mail, the combined list fails`() async throws {
        let device = try await MailDevice()
        let list = CombinedListModel(device.mail)
        #expect(
            try await eventually {
                if case .failed(let error) = list.state { error.code == .invalidArgument } else { false }
            }
        )
        let other = try await loaded()
        await mail.close()
        #expect(
            try await eventually { if case .failed(let error) = other.state { error.code == .closed } else { false } }
        )
        #expect(other.entries.isEmpty)
        #expect(await other.perform(.archive, ["message m1"]))
    }
}
