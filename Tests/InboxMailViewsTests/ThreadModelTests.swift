import Eventually
import Foundation
import HTMLViews
import InboxCards
import InboxMail
import InboxMailViews
import InboxTesting
import Replica
import Screens
import StandardMailServer
import Testing

/// One thread on screen.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct ThreadModelTests {
    private let device: MailDevice
    private var mail: Mail { device.mail }

    /// A thread of four mails: read, sent, unread, unread.
    init() async throws {
        device = try await MailDevice()
        device.deliver("Lunch", text: "One", id: "one", keywords: ["$seen"])
        device.deliver(
            "Re: Lunch",
            from: MailDevice.alice,
            text: "Two",
            id: "two",
            answering: "one",
            keywords: ["$seen"],
            in: "sent"
        )
        device.deliver("Re: Lunch", text: "Three", id: "three", answering: "two")
        device.deliver("Re: Lunch", text: "Four", id: "four", answering: "three")
        try await device.mail.sync()
    }

    private func shown(
        marksRead: Bool = true,
        showsTrash: Bool = false
    ) async throws -> ThreadModel {
        let model = ThreadModel(
            try await device.thread("Lunch"),
            in: mail,
            marksRead: marksRead,
            showsTrash: showsTrash,
            texts: CardTexts(.english)
        )
        #expect(try await eventually { model.state == .loaded })
        return model
    }

    private func snippets(_ model: ThreadModel) -> [String] { model.entries.map(\.message.snippet) }
    private func expanded(_ model: ThreadModel) -> [String] {
        model.entries.filter(\.isExpanded).map(\.message.snippet)
    }

    @Test func `unread mails and the last one are shown in full, and are read then`() async throws {
        let model = try await shown()
        #expect(snippets(model) == ["One", "Two", "Three", "Four"] && model.subject == "Lunch")
        #expect(expanded(model) == ["Three", "Four"])
        #expect(try await eventually { try await mail.counts().unread == 0 })
        #expect(try await eventually { model.thread?.isUnread == false })
        // They stay as they are once they are read.
        #expect(expanded(model) == ["Three", "Four"])
        #expect(model.identities.map(\.email) == [StandardMailServer.user])
    }

    @Test func `a read thread shows its last mail in full`() async throws {
        try await mail.markRead(thread: try await device.thread("Lunch"))
        #expect(try await expanded(shown()) == ["Four"])
    }

    @Test func `a mail is expanded and collapsed, and stays so`() async throws {
        let model = try await shown()
        model.toggle(model.entries[0].id)
        model.toggle(model.entries[3].id)
        #expect(expanded(model) == ["One", "Three"])
        device.deliver("Re: Lunch", text: "Five", id: "five", answering: "four")
        try await mail.sync()
        #expect(try await eventually { expanded(model) == ["One", "Three", "Five"] })
        #expect(try await eventually { try await mail.counts().unread == 0 })
        model.expandAll()
        #expect(expanded(model).count == 5)
        model.toggle("unknown")
        #expect(expanded(model).count == 5)
    }

    @Test func `a mail that is marked as unread again stays so`() async throws {
        let model = try await shown()
        // The model shows it later than the store has it.
        #expect(try await eventually { !model.entries.contains { $0.message.isUnread } })
        try await mail.markUnread(thread: model.id)
        #expect(try await eventually { model.entries.last?.message.isUnread == true })
        // A mail that comes later is read, and this one isn't.
        device.deliver("Re: Lunch", text: "Five", id: "five", answering: "four")
        try await mail.sync()
        #expect(try await eventually { model.entries.count == 5 && model.entries.last?.message.isUnread == false })
        #expect(model.entries.map(\.message.isUnread) == [false, false, false, true, false])
    }

    @Test func `a mail that is marked as unread again stays so through further changes`() async throws {
        let model = try await shown()
        // The model shows it later than the store has it.
        #expect(try await eventually { !model.entries.contains { $0.message.isUnread } })
        let last = try #require(model.entries.last?.id)
        try await mail.markUnread(messages: [last])
        #expect(try await eventually { model.entries.last?.message.isUnread == true })
        try await mail.star(thread: model.id)
        #expect(try await eventually { model.entries.contains { $0.message.isStarred } })
        for _ in 0..<200 { await Task.yield() }
        #expect(try await mail.messages(inThread: model.id).filter(\.isUnread).map(\.id) == [last])
    }

    @Test func `a preview marks nothing as read`() async throws {
        let model = try await shown(marksRead: false)
        model.expandAll()
        // It sees what comes later, a mail and a star, and marks nothing by then.
        device.deliver("Re: Lunch", text: "Five", id: "five", answering: "four")
        try await mail.sync()
        #expect(try await eventually { model.entries.count == 5 })
        try await mail.star(thread: model.id)
        #expect(try await eventually { model.thread?.isStarred == true })
        #expect(model.entries.map(\.message.isUnread) == [false, false, true, true, true])
    }

    @Test func `mails in the trash are left out, unless all are, or in the trash`() async throws {
        device.deliver("Re: Lunch", text: "Gone", id: "gone", answering: "four", keywords: ["$seen"], in: "trash")
        try await mail.sync()
        #expect(try await snippets(shown()) == ["One", "Two", "Three", "Four"])
        #expect(try await snippets(shown(showsTrash: true)).last == "Gone")
        let model = try await shown()
        try await mail.trash(thread: model.id)
        #expect(try await eventually { snippets(model).count == 5 })
        #expect(model.state == .loaded)
    }

    @Test func `a draft doesn't count as the last mail that is expanded`() async throws {
        device.deliver(
            "Re: Lunch",
            from: MailDevice.alice,
            text: "Unfinished",
            id: "draft",
            answering: "four",
            keywords: ["$draft", "$seen"],
            in: "drafts"
        )
        try await mail.sync()
        try await mail.markRead(thread: try await device.thread("Lunch"))
        let model = try await shown()
        #expect(snippets(model).last == "Unfinished" && expanded(model) == ["Four"])
    }

    /// Lets the store fail until the screen says so, and its observation waits.
    private func fail(_ model: ThreadModel) async throws {
        let before = device.clock.sleeperCount
        try mail.store.setReadable(false)
        let isSaid = try await eventually {
            if case .failed = model.state { device.clock.sleeperCount == before + 1 } else { false }
        }
        guard isSaid, case .failed(let error) = model.state else { throw Unexpected("\(model.state)") }
        #expect(error.code == .storage && model.entries.isEmpty && model.thread == nil)
        try mail.store.setReadable(true)
    }

    @Test func `an unreadable store is reported, and the thread returns once it can be read`() async throws {
        let model = try await shown(marksRead: false)
        #expect(try await eventually { model.thread != nil })
        try await fail(model)
        device.clock.advance(by: 1)
        #expect(try await eventually { model.state == .loaded && model.thread != nil })
        #expect(snippets(model) == ["One", "Two", "Three", "Four"] && model.subject == "Lunch")
        // Both observations follow again.
        try await mail.markRead(thread: model.id)
        #expect(
            try await eventually {
                model.thread?.isUnread == false && model.entries.allSatisfy { !$0.message.isUnread }
            }
        )
    }

    @Test func `a thread removed while the store is unreadable is gone`() async throws {
        let model = try await shown(marksRead: false)
        try await fail(model)
        device.empty("inbox")
        device.empty("sent")
        try await mail.sync()
        device.clock.advance(by: 1)
        #expect(try await eventually { model.state == .gone })
    }

    @Test func `a thread that is deleted elsewhere is no longer shown`() async throws {
        let model = try await shown()
        device.empty("inbox")
        device.empty("sent")
        try await mail.sync()
        #expect(try await eventually { model.state == .gone })
        #expect(model.entries.isEmpty && model.thread == nil)
        model.retry()
        #expect(model.state == .gone)
    }

    @Test func `a thread that isn't stored is fetched, gone or fails`() async throws {
        let id = try await device.thread("Lunch")
        let other = try await MailDevice(beside: device)
        other.disconnect()
        let model = ThreadModel(id, in: other.mail)
        #expect(
            try await eventually {
                if case .failed(let error) = model.state { error.code == .notConnected } else { false }
            }
        )
        other.reconnect()
        model.retry()
        #expect(try await eventually { model.state == .loaded && model.entries.count == 4 })
        let unknown = ThreadModel("unknown", in: other.mail)
        #expect(try await eventually { unknown.state == .gone })
    }

    @Test func `a device that keeps slices shows a thread of a list, with all its mails`() async throws {
        let other = try await MailDevice(scope: .slices, beside: device)
        let list = ThreadListModel(other.mail, ThreadListModel.Content(.inbox))
        await list.refresh()
        #expect(try await eventually { list.threads.count == 1 })
        let model = ThreadModel(list.threads[0].id, in: other.mail)
        #expect(try await eventually { model.state == .loaded && model.entries.count == 4 })
    }

    @Test func `an account that is signed out leaves no mails on screen`() async throws {
        let model = try await shown()
        try await mail.signOut()
        #expect(
            try await eventually { if case .failed(let error) = model.state { error.code == .closed } else { false } }
        )
        #expect(model.entries.isEmpty && model.thread == nil)
    }

    @Test func `a mail's body and files have one state each, whose texts follow the thread's`() async throws {
        device.deliver("With files", id: "files", files: [("menu.pdf", "application/pdf", [1, 2, 3])])
        try await mail.sync()
        let model = ThreadModel(try await device.thread("With files"), in: mail, texts: CardTexts(.english))
        #expect(try await eventually { model.state == .loaded })
        let message = try #require(model.entries.first?.message)
        let body = model.body(of: message)
        #expect(model.body(of: message) === body)
        body.show(in: HTMLViewport(width: 400))
        #expect(try await eventually { body.attachments.map(\.name) == ["menu.pdf"] && body.state.parts.count == 1 })
        let file = try #require(body.attachments.first)
        #expect(model.file(file) === model.file(file))
        model.texts = CardTexts(.german)
        #expect(body.texts == CardTexts(.german))
    }
}
