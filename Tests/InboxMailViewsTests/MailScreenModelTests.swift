import Eventually
import Foundation
import Groundwork
import InboxMail
import InboxMailViews
import InboxTesting
import JMAP
import StandardMailServer
import Testing

/// A screen with an account's mail: places, actions with undo, selection, search.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct MailScreenModelTests {
    private let device: MailDevice
    private let screen: MailScreenModel
    private var mail: Mail { device.mail }

    /// Ada's lunch of three mails, of which the first is archived and read; Bob's news; a deleted mail.
    init() async throws {
        device = try await MailDevice()
        device.deliver("Old", in: "trash")
        device.deliver("Lunch", id: "one", keywords: ["$seen"], in: "archive")
        device.deliver(
            "Re: Lunch",
            from: MailDevice.alice,
            id: "two",
            answering: "one",
            keywords: ["$seen"],
            in: "sent"
        )
        device.deliver("Re: Lunch", text: "At noon in the garden", id: "three", answering: "two")
        device.deliver("News", from: MailDevice.bob, text: "The garden is open", keywords: ["$seen"])
        try await device.mail.sync()
        screen = MailScreenModel(device.mail, clock: device.clock)
        _ = try await eventually { [screen] in
            screen.list.state == .loaded && screen.mailboxes.state == .loaded && !screen.list.isRefreshing
        }
    }

    private var subjects: [String] { screen.threads.map(\.subject) }
    private var archive: MailboxSelection { .mailbox(id: "archive", role: .archive) }
    private var trash: MailboxSelection { .mailbox(id: "trash", role: .trash) }

    private func shows(_ subjects: [String]) async throws -> Bool {
        try await eventually { self.subjects == subjects }
    }

    // MARK: - Places

    @Test func `each place lists its own threads`() async throws {
        #expect(try await shows(["News", "Lunch"]))
        screen.place = archive
        #expect(try await shows(["Lunch"]))
        screen.place = trash
        #expect(try await shows(["Old"]))
        screen.place = .starred
        #expect(try await shows([]))
        try await mail.star(thread: try await device.thread("News"))
        #expect(try await shows(["News"]))
    }

    @Test func `another place ends the search and the selection, and closes the thread`() async throws {
        screen.opened = "t"
        screen.selectAll()
        screen.search.text = "news"
        screen.place = archive
        #expect(screen.opened == nil && !screen.isSelecting && screen.selection.isEmpty && !screen.isSearching)
    }

    @Test func `the main action on threads depends on the place`() async throws {
        #expect(try await shows(["News", "Lunch"]))
        #expect(screen.mainChange(of: screen.threads) == .archive && screen.canTrash)
        screen.place = archive
        #expect(screen.mainChange(of: screen.threads) == .unarchive && screen.canTrash)
        screen.place = trash
        #expect(try await shows(["Old"]))
        #expect(screen.mainChange(of: screen.threads) == .move(to: "inbox") && !screen.canTrash)
        for role in [Mailbox.Role.sent, .drafts] {
            screen.place = .mailbox(id: role.name, role: role)
            #expect(screen.mainChange(of: screen.threads) == nil && screen.canTrash)
        }
        screen.place = .mailbox(id: "work", role: nil)
        #expect(screen.mainChange(of: screen.threads) == .move(to: "archive"))
    }

    @Test func `threads can be moved to each other mailbox that receives mail`()
        async throws
    {
        #expect(screen.targets.map(\.place.role) == [.archive, .junk, .trash])
        screen.place = trash
        #expect(screen.targets.map(\.place.role) == [.inbox, .archive, .junk])
        screen.search.text = "x"
        #expect(screen.targets.map(\.place.role) == [.inbox, .archive, .junk, .trash])
    }

    @Test func `an account without archive and trash offers neither`() async throws {
        let other = try await MailDevice()
        other.server.behave { $0.roles = ["inbox", "sent"] }
        other.deliver("Lunch")
        let screen = MailScreenModel(other.mail)
        await screen.refresh()
        #expect(try await eventually { screen.threads.count == 1 && screen.mailboxes.state == .loaded })
        #expect(screen.mainChange(of: screen.threads) == nil && !screen.canTrash && screen.targets.isEmpty)
        await screen.perform(.archive, screen.threads.map(\.id))
        #expect(screen.actions.error?.code == .invalidArgument && screen.actions.undoable == nil)
    }

    // MARK: - Actions and undo

    @Test(arguments: [
        MailChange.markRead, .markUnread, .star, .unstar, .archive, .unarchive, .trash, .move(to: "junk"),
        .move(to: "archive"),
    ])
    func `each action is undone to what was before, here and on the server`(_ change: MailChange) async throws {
        let ids = [try await device.thread("Lunch"), try await device.thread("News")]
        // So that a star can be removed, from one mail of two.
        if change == .unstar { try await mail.star(thread: ids[0]) }
        try await mail.sync()
        let before = try await device.marks()
        await screen.perform(change, ids)
        let after = try await device.marks()
        #expect(after != before)
        #expect(screen.actions.undoable?.change == change)
        await screen.actions.undo()
        #expect(try await device.marks() == before)
        #expect(screen.actions.undoable == nil && screen.actions.error == nil)
        // Also after the server knows of it.
        await screen.perform(change, ids)
        try await mail.sync()
        #expect(try await device.marks() == after)
        await screen.actions.undo()
        try await mail.sync()
        #expect(try await device.marks() == before)
        let fresh = try await MailDevice(beside: device)
        try await fresh.mail.sync()
        #expect(try await fresh.marks() == before)
    }

    @Test func `an undo leaves mails as they are that have changed since`() async throws {
        let id = try await device.thread("News")
        await screen.perform(.archive, [id])
        try await mail.trash(thread: id)
        await screen.actions.undo()
        #expect(try await mail.thread(id: id)?.mailboxIDs == ["trash"])
    }

    @Test func `an undo is offered for ten seconds, and not for an action without effect`() async throws {
        let id = try await device.thread("News")
        await screen.perform(.markRead, [id])
        #expect(screen.actions.undoable == nil && screen.actions.error == nil)
        await screen.perform(.archive, [id])
        #expect(screen.actions.undoable?.threadIDs == [id])
        await screen.perform(.markRead, [id])
        #expect(screen.actions.undoable?.change == .archive)
        device.clock.advance(by: 10)
        #expect(try await eventually { screen.actions.undoable == nil })
        await screen.actions.undo()
        #expect(try await mail.thread(id: id)?.isInInbox == false)
    }

    @Test func `a change that the server rejects is reverted and reported`() async throws {
        device.server.behave { $0.refusesChange = { _ in ["type": "forbidden"] } }
        let id = try await device.thread("News")
        #expect(try await shows(["News", "Lunch"]))
        await screen.perform(.archive, [id])
        #expect(try await shows(["Lunch"]))
        try await mail.sync()
        #expect(try await shows(["News", "Lunch"]))
        #expect(try await eventually { screen.actions.wasRefused && screen.actions.undoable == nil })
        screen.actions.dismiss()
        #expect(!screen.actions.wasRefused)
    }

    @Test func `a failed action is reported and changes nothing`() async throws {
        let ids = screen.threads.map(\.id)
        await mail.close()
        await screen.perform(.archive, ids)
        #expect(screen.actions.error?.code == .closed && screen.actions.undoable == nil)
    }

    @Test func `the open thread is closed when it leaves the list`() async throws {
        let (lunch, news) = (try await device.thread("Lunch"), try await device.thread("News"))
        screen.opened = lunch
        await screen.perform(.markUnread, [lunch])
        await screen.perform(.star, [lunch])
        await screen.perform(.archive, [news])
        #expect(screen.opened == lunch)
        await screen.perform(.archive, [lunch])
        #expect(screen.opened == nil)
        screen.place = .starred
        screen.opened = lunch
        await screen.perform(.archive, [lunch])
        #expect(screen.opened == lunch)
        await screen.perform(.unstar, [lunch])
        #expect(screen.opened == nil)
    }

    @Test func `all threads of a place are marked as read, loaded or not, and that is undone`()
        async throws
    {
        let other = try await MailDevice()
        try await other.store(80)
        let screen = MailScreenModel(other.mail)
        #expect(try await eventually { screen.threads.count == 50 })
        try await other.mail.archive(thread: "t80")
        await screen.markAllRead()
        #expect(try await other.mail.counts().unread == 1)
        #expect(screen.actions.undoable?.threadIDs.count == 79)
        await screen.actions.undo()
        #expect(try await other.mail.counts().unread == 80)
    }

    // MARK: - Selection

    @Test func `an action on the selection ends it, and is undone at once`() async throws {
        #expect(try await shows(["News", "Lunch"]))
        screen.beginSelection()
        screen.selection = Set(screen.threads.map(\.id)).union(["unknown"])
        #expect(screen.selectedThreads.map(\.subject) == ["News", "Lunch"])
        await screen.performOnSelection(.trash)
        #expect(!screen.isSelecting && screen.selection.isEmpty)
        #expect(try await shows([]))
        await screen.actions.undo()
        #expect(try await shows(["News", "Lunch"]))
    }

    @Test func `a selected thread that leaves the list is no longer selected`() async throws {
        #expect(try await shows(["News", "Lunch"]))
        screen.selectAll()
        let news = try await device.thread("News")
        try await mail.archive(thread: try await device.thread("Lunch"))
        #expect(try await eventually { screen.selection == [news] })
        screen.toggle(news)
        #expect(screen.selection.isEmpty && screen.isSelecting)
        await screen.performOnSelection(.trash)
        #expect(screen.isSelecting && screen.actions.undoable == nil)
        screen.endSelection()
        #expect(!screen.isSelecting)
    }

    // MARK: - Search

    @Test func `a search shows its results in place of the list, and its end the list`() async throws {
        screen.search.text = "garden"
        device.clock.advance(by: ThreadSearchModel.delay)
        #expect(try await shows(["News", "Lunch"]))
        #expect(try await eventually { screen.rows.first?.snippet.ranges.isEmpty == false })
        screen.search.text = "noon"
        device.clock.advance(by: ThreadSearchModel.delay)
        #expect(try await shows(["Lunch"]))
        let row = try #require(screen.rows.first)
        #expect(row.snippet.ranges.map { String(row.snippet.text[$0]) } == ["noon"])
        // A result in the inbox can be archived, and stays a result.
        #expect(screen.mainChange(of: screen.threads) == .archive)
        await screen.perform(.archive, screen.threads.map(\.id))
        #expect(try await eventually { screen.threads.first?.isInInbox == false })
        #expect(screen.mainChange(of: screen.threads) == nil)
        screen.search.text = ""
        #expect(try await shows(["News"]))
    }
}
