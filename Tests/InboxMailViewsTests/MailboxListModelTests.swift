import Eventually
import Foundation
import Groundwork
import InboxCards
@testable import InboxMail
@testable import InboxMailViews
import InboxTesting
import InboxViews
import StandardMailServer
import Testing

/// An account with its mailboxes on screen.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct MailboxListModelTests {
    @Test func `a new device loads, then shows the mailboxes in their order, with their numbers`() async throws {
        let device = try await MailDevice()
        device.deliver("Lunch")
        device.deliver("Draft", keywords: ["$draft", "$seen"], in: "drafts")
        let model = MailboxListModel(device.mail)
        #expect(model.state == .loading && model.rows.isEmpty && model.name == StandardMailServer.user)
        await model.refresh()
        #expect(try await eventually { model.state == .loaded })
        let names = model.rows.map(CardTexts(.english).name(of:))
        #expect(names == ["Inbox", "Starred", "Drafts", "Sent", "Archive", "Junk", "Trash"])
        // The mailboxes may be there before the mails.
        #expect(try await eventually { model.rows.map(\.count) == [1, nil, 1, nil, nil, nil, nil] })
        #expect(try await eventually { model.identities.map(\.email) == [StandardMailServer.user] })
        #expect(!model.isReadOnly)
        // The inbox's number follows the person's actions, before the server knows.
        device.disconnect()
        try await device.mail.markRead(thread: try await device.thread("Lunch"))
        #expect(try await eventually { model.rows.first?.count == nil })
    }

    @Test func `offline, a new device fails, and a refresh shows the mailboxes`() async throws {
        let device = try await MailDevice()
        device.disconnect()
        let model = MailboxListModel(device.mail)
        await model.refresh()
        #expect(model.state == .failed(try #require(model.error)) && model.error?.code == .notConnected)
        device.reconnect()
        await model.refresh()
        #expect(try await eventually { model.state == .loaded && model.rows.count == 7 })
        #expect(model.error == nil)
        device.disconnect()
        await model.refresh()
        #expect(model.state == .loaded && model.error?.code == .notConnected && model.rows.count == 7)
    }

    @Test func `a refresh updates whether the account is read-only`() async throws {
        let device = try await MailDevice()
        device.disconnect()
        let model = MailboxListModel(device.mail)
        await model.refresh()
        #expect(!model.isReadOnly)
        device.transport.answer { [server = device.server] request in
            var answer = server.answer(request)
            let text = String(decoding: answer.body, as: UTF8.self)
            answer.body = Array(text.replacing(#""isReadOnly":false"#, with: #""isReadOnly":true"#).utf8)
            return answer
        }
        device.reconnect()
        await model.refresh()
        #expect(try await eventually { model.isReadOnly })
    }

    @Test func `an account whose token expired asks to sign in and keeps its mailboxes`() async throws {
        let device = try await MailDevice()
        try await device.mail.sync()
        device.transport.fail(with: .tokenRefused(.expired))
        let model = MailboxListModel(device.mail)
        await model.refresh()
        #expect(model.error?.code == .unauthorized)
        #expect(try await eventually { model.rows.count == 7 })
        #expect(try await eventually { model.connection.notice == .signInNeeded(pendingWrites: 0) })
        device.reconnect()
        await model.refresh()
        #expect(try await eventually { model.connection.notice == nil })
    }

    @Test func `an account that is signed out has no mailboxes`() async throws {
        let device = try await MailDevice()
        try await device.mail.sync()
        let model = MailboxListModel(device.mail)
        #expect(try await eventually { model.rows.count == 7 })
        try await device.mail.signOut()
        #expect(
            try await eventually { if case .failed(let error) = model.state { error.code == .closed } else { false } }
        )
        #expect(model.rows.isEmpty)
    }

    private func mailbox(_ id: String, in parent: String? = nil, isSubscribed: Bool = true) -> Mailbox {
        Mailbox(
            id: id,
            name: id,
            parentID: parent,
            role: nil,
            sortOrder: 0,
            totalEmails: 2,
            unreadEmails: 1,
            totalThreads: 2,
            unreadThreads: 1,
            isSubscribed: isSubscribed
        )
    }

    @Test func `the person's own mailboxes are below their parents`() {
        let boxes = [
            mailbox("work"), mailbox("home"), mailbox("bills", in: "home"), mailbox("2026", in: "bills"),
            mailbox("hidden", isSubscribed: false), mailbox("seen", in: "hidden"), mailbox("orphan", in: "unknown"),
        ]
        let rows = MailboxRow.rows(of: boxes, MailCounts()).dropFirst()
        #expect(rows.map(\.place.id) == ["work", "home", "bills", "2026", "seen", "orphan"].map { "mailbox \($0)" })
        #expect(rows.map(\.depth) == [0, 0, 1, 2, 0, 0])
        #expect(rows.allSatisfy { $0.count == 1 })
    }

    @Test func `mailboxes within each other are shown once, and deep ones have room`() {
        let circle = [mailbox("a", in: "b"), mailbox("b", in: "a"), mailbox("self", in: "self")]
        #expect(Set(MailboxRow.rows(of: circle, MailCounts()).dropFirst().map(\.id)).count == 3)
        let deep = (0..<40).map { mailbox("m\($0)", in: $0 == 0 ? nil : "m\($0 - 1)") }
        let rows = MailboxRow.rows(of: deep, MailCounts()).dropFirst()
        #expect(rows.count == 40 && rows.map(\.depth).max() == 8)
    }

    @Test func `several accounts are side by side, and one that stays keeps its state`() async throws {
        let (first, second) = (try await MailDevice(), try await MailDevice())
        let model = MailAccountsModel([first.mail])
        let kept = try #require(model.current)
        model.showsMailboxes = true
        model.update([second.mail, first.mail])
        #expect(model.accounts.count == 2 && model.accounts[1] === kept && model.current === kept)
        model.show(.starred, of: model.accounts[0])
        #expect(model.current === model.accounts[0] && model.current?.place == .starred && !model.showsMailboxes)
        model.update([first.mail])
        #expect(model.current === kept)
        model.show(.inbox, of: MailScreenModel(second.mail))
        #expect(model.current === kept)
        model.update([])
        #expect(model.current == nil)
        await model.refresh()
    }
}
