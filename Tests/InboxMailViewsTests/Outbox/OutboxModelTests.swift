import Foundation
import Groundwork
import InboxCards
import InboxMail
import InboxMailViews
import Replica
import ReplicaTesting
import Screens
import StandardMailServer
import Testing

/// The mails on their way, and those that weren't sent.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct OutboxModelTests {
    private let device: WritingDevice
    private let outbox: OutboxModel
    private var mail: Mail { device.mail }

    init() async throws {
        device = try await WritingDevice()
        outbox = OutboxModel(device.mail)
        try await until("the outbox") { [outbox] in outbox.state == .loaded }
    }

    private func status(_ id: String) -> OutboxItem.Status? { outbox.items.first { $0.id == id }?.status }

    private func waits(for id: String, _ status: OutboxItem.Status) async throws {
        try await until("\(status)") { self.status(id) == status }
    }

    private var sent: [String] { device.server.deliveries.map(\.text) }

    @Test func `a mail is in the outbox from its order until it is sent, and drafts aren't`() async throws {
        try await mail.save(device.draft("A draft"))
        let draft = try await mail.send(device.draft("Hello"))
        try await waits(for: draft.id, .waiting(until: device.clock.now.addingTimeInterval(5)))
        #expect(outbox.items.map(\.subject) == ["Hello"] && outbox.items[0].recipients.map(\.displayName) == ["Bob"])
        try await device.settle()
        try await until("an empty outbox") { outbox.items.isEmpty }
        #expect(sent == ["Hello"])
    }

    @Test func `an unreadable store is reported, and the mails return once it can be read`() async throws {
        let later = device.clock.now.addingTimeInterval(7_200)
        let draft = try await mail.send(device.draft("Later"), later: later)
        try await waits(for: draft.id, .waiting(until: later))
        try mail.store.setReadable(false)
        try await until("the failure") {
            if case .failed(let error) = outbox.state { error.code == .storage } else { false }
        }
        #expect(outbox.items.isEmpty)
        try mail.store.setReadable(true)
        try await until("the mails") {
            device.clock.advance(by: 0.5)
            return outbox.state == .loaded && status(draft.id) == .waiting(until: later)
        }
        await mail.close()
        try await until("the end") {
            if case .failed(let error) = outbox.state { error.code == .closed } else { false }
        }
    }

    @Test func `the mail sent last can be undone for the stated time, but not a later one`() async throws {
        let later = try await mail.send(device.draft("Later"), later: device.clock.now.addingTimeInterval(7_200))
        try await until("the mail") { outbox.items.count == 1 }
        #expect(outbox.undoable == nil)
        let first = try await mail.send(device.draft("First"))
        device.clock.advance(by: 2)
        let second = try await mail.send(device.draft("Second"))
        try await until("the undo") { outbox.undoable?.id == second.id }
        let draft = await outbox.undo()
        #expect(draft?.id == second.id && draft?.isEditable == true && draft?.text == "Second")
        #expect(outbox.undoable?.id == first.id, "the bar doesn't offer what is done")
        try await until("the earlier one") { outbox.undoable?.id == first.id }
        device.clock.advance(by: 3)
        try await waits(for: first.id, .queued)
        #expect(outbox.undoable == nil)
        #expect(await outbox.undo() == nil)
        #expect(status(later.id) == .waiting(until: ManualClock().now.addingTimeInterval(7_200)))
    }

    @Test func `without a network a mail is queued, and can be taken back or tried again`() async throws {
        device.disconnect()
        let draft = try await mail.send(device.draft("Hello"))
        await #expect(throws: MailError.self) { try await device.settle() }
        try await waits(for: draft.id, .queued)
        #expect(outbox.items.first?.canBeTakenBack == true)
        device.reconnect()
        await outbox.retry(draft.id)
        #expect(outbox.failure == nil)
        try await waits(for: draft.id, .waiting(until: device.clock.now.addingTimeInterval(5)))
        try await device.settle()
        try await until("an empty outbox") { outbox.items.isEmpty }
        #expect(sent == ["Hello"])
        let other = try await mail.send(device.draft("Not this"))
        try await until("the other") { outbox.items.count == 1 }
        await outbox.cancel(other.id)
        try await until("an empty outbox") { outbox.items.isEmpty }
        #expect(try await device.stored(other.id)?.state == .draft)
    }

    @Test func `a mail that is sent later is sent at once if the person asks for it`() async throws {
        let draft = try await mail.send(device.draft("Hello"), later: device.clock.now.addingTimeInterval(7_200))
        try await until("the mail") { outbox.items.count == 1 }
        await outbox.retry(draft.id)
        try await waits(for: draft.id, .waiting(until: device.clock.now.addingTimeInterval(5)))
        try await device.settle()
        #expect(sent == ["Hello"])
    }

    @Test func `a refused mail is listed first with its reason and is sent on retry`() async throws {
        device.refuse("gone@example.org")
        let waiting = try await mail.send(device.draft("Later"), later: device.clock.now.addingTimeInterval(7_200))
        let draft = try await mail.send(device.draft("Hello", to: "gone@example.org"))
        try await device.settle()
        try await until("the refusal") { outbox.items.first?.needsPerson == true }
        #expect(outbox.items.map(\.id) == [draft.id, waiting.id] && outbox.badge == 1)
        guard case .refused(let refusal) = status(draft.id) else { return }
        #expect(refusal.code == .recipients && refusal.addresses == ["gone@example.org"])
        #expect(CardTexts(.english).text(of: refusal).contains("gone@example.org"))
        let opened = await outbox.edit(draft.id)
        #expect(opened?.id == draft.id && status(draft.id) == .refused(refusal), "opening it changes nothing")
        device.server.behave { $0.refusal = { _ in nil } }
        await outbox.retry(draft.id)
        #expect(outbox.failure == nil)
        try await device.settle()
        #expect(sent == ["Hello"])
    }

    @Test func `a refused mail that is changed is a draft again, and can be discarded`() async throws {
        device.refuse("gone@example.org")
        let draft = try await mail.send(device.draft("Hello", to: "gone@example.org"))
        try await device.settle()
        try await until("the refusal") { outbox.badge == 1 }
        var changed = try #require(try await device.stored(draft.id))
        changed.to = []
        try await mail.save(changed)
        // A change makes it a draft again.
        try await until("it is a draft") { outbox.items.isEmpty }
        await outbox.discard(draft.id)
        #expect(try await device.stored(draft.id) == nil && outbox.failure == nil)
    }

    @Test func `an unsaved draft needs the person, and is saved once it can be`() async throws {
        device.server.behave { $0.refusesCreation = { _ in ["type": "overQuota"] } }
        let draft = try await mail.save(device.draft("Hello"))
        try await device.settle()
        try await until("the reason") { if case .unsaved = status(draft.id) { true } else { false } }
        let item = try #require(outbox.items.first)
        guard case .unsaved(let reason) = item.status else { return }
        #expect(reason.code == .overQuota && item.needsPerson && !item.canBeTakenBack && outbox.badge == 1)
        let text = CardTexts(.english).text(of: item.status)
        #expect(text.hasPrefix("Not saved on the server") && text.contains("Your mailbox is full"))
        #expect(await outbox.edit(draft.id)?.text == "Hello")
        device.server.behave { $0.refusesCreation = { _ in nil } }
        await outbox.retry(draft.id)
        #expect(outbox.failure == nil)
        try await device.settle()
        try await until("an empty outbox") { outbox.items.isEmpty }
        #expect(device.server.mails(in: "drafts").count == 1)
    }

    @Test func `a draft that this version can't read is shown as one that may have been sent`() async throws {
        let draft = try await mail.save(device.draft("Hello"))
        let unreadable = DeviceRecord(id: draft.id, json: "{", isUnsent: true)
        try await mail.store.write { writer in try writer.put(DeviceRecordKind("draft"), unreadable) }
        try await until("the reason") { if case .unsaved = status(draft.id) { true } else { false } }
        let item = try #require(outbox.items.first)
        #expect(item.needsPerson && !item.canBeTakenBack)
        for language in CardLanguage.allCases {
            let texts = CardTexts(language)
            #expect(texts.text(of: item.status) == texts[.draftUnreadable])
        }
        #expect(await outbox.edit(draft.id) == nil)
        let texts = CardTexts(.english)
        #expect(outbox.failure.map { texts.text(of: $0) } == texts[.draftUnreadable])
        let screen = ComposeModel(.stored(id: draft.id), in: mail)
        #expect(await !screen.waitUntilRead())
        guard case .failed(let error) = screen.phase else { throw Unexpected("\(screen.phase)") }
        #expect(error.code == .unreadableDraft && error.description.contains("may have been sent"))
        await outbox.discard(draft.id)
        try await until("an empty outbox") { outbox.items.isEmpty }
    }

    @Test func `a mail that may have been sent is sent again only after a question`() async throws {
        let draft = try await mail.send(device.draft("Hello"))
        try await device.loseNextMail()
        try await until("the outcome") { if case .unknown = status(draft.id) { true } else { false } }
        #expect(outbox.badge == 1 && outbox.items[0].needsPerson)
        let text = CardTexts(.german).text(of: outbox.items[0].status)
        #expect(text.contains("Versuche: 1. Letzter Versuch: ") && text.hasSuffix("aber nicht unter den gesendeten."))
        await outbox.retry(draft.id)
        #expect(outbox.askedAbout == draft.id)
        try await device.settle()
        #expect(sent.isEmpty)
        outbox.decline()
        #expect(outbox.askedAbout == nil)
        await outbox.retry(draft.id)
        await outbox.confirm()
        #expect(outbox.askedAbout == nil && outbox.failure == nil)
        try await device.settle()
        try await until("an empty outbox") { outbox.items.isEmpty }
        #expect(sent == ["Hello"])
    }

    @Test func `a discarded draft that the server refuses to remove is in the outbox`() async throws {
        let draft = try await mail.save(device.draft("Hello"))
        for _ in 0..<2 { try await device.settle() }
        device.server.behave { $0.refusesChange = { _ in ["type": "forbidden"] } }
        await outbox.discard(draft.id)
        for _ in 0..<2 { try await device.settle() }
        try await until("the draft") { outbox.items.count == 1 }
        let item = try #require(outbox.items.first)
        #expect(item.needsPerson && !item.canBeTakenBack && outbox.badge == 1)
        #expect(CardTexts(.english).text(of: item.status) == "The mail server refuses to remove this draft.")
        device.server.behave { $0.refusesChange = { _ in nil } }
        await outbox.retry(draft.id)
        for _ in 0..<2 { try await device.settle() }
        try await until("an empty outbox") { outbox.items.isEmpty }
        #expect(sent.isEmpty && device.server.mails(in: "trash").count == 1)
    }

    @Test func `a sent mail whose copy lacks hidden recipients stays until that is seen`() async throws {
        device.server.behave { behaviour in
            behaviour.refusesCreation = { $0["keywords"]?["$draft"] == nil ? ["type": "overQuota"] : nil }
        }
        var draft = device.draft("Hello")
        draft.bcc = [EmailAddress(email: "eve@example.org")]
        try await mail.send(draft)
        try await device.settle()
        #expect(sent == ["Hello", "Hello"])
        try await until("an empty outbox") { outbox.items.isEmpty }
        for _ in 0..<30 { try await device.settle(3_600) }
        try await until("the mail") { outbox.items.count == 1 }
        let item = try #require(outbox.items.first)
        guard case .sentUnnamed(let reason) = item.status else { throw Unexpected("\(item.status)") }
        #expect(reason.code == .overQuota && item.needsPerson && !item.canBeTakenBack && outbox.badge == 1)
        #expect(item.hiddenRecipients.map(\.email) == ["eve@example.org"])
        #expect(CardTexts(.english).bcc(item.hiddenRecipients[0]) == "Bcc: eve@example.org")
        #expect(CardTexts(.english).text(of: item.status).hasPrefix("Sent."))
        #expect(await outbox.edit(item.id) == nil && outbox.undoable == nil)
        await outbox.discard(item.id)
        try await until("an empty outbox again") { outbox.items.isEmpty }
        #expect(sent.count == 2)
    }

    @Test func `a sent mail that is still among the drafts is in the outbox until it is moved`() async throws {
        device.server.behave { $0.ignoresSuccessUpdate = true }
        device.server.behave { $0.refusesChange = { _ in ["type": "forbidden"] } }
        let draft = try await mail.send(device.draft("Hello"))
        for _ in 0..<30 { try await device.settle(3_600) }
        try await until("the mail") { outbox.items.count == 1 }
        let item = try #require(outbox.items.first)
        #expect(item.needsPerson && !item.canBeTakenBack && outbox.badge == 1 && item.hiddenRecipients.isEmpty)
        #expect(CardTexts(.english).text(of: item.status).hasPrefix("Sent. The mail is still among the drafts."))
        await outbox.retry(draft.id)
        #expect(await outbox.edit(draft.id) == nil)
        device.server.behave { $0.refusesChange = { _ in nil } }
        for _ in 0..<2 { try await device.settle(90_000) }
        try await until("an empty outbox") { outbox.items.isEmpty }
        #expect(sent == ["Hello"])
    }

    @Test func `a sent mail can't be taken back, and a question about a gone one ends`() async throws {
        let draft = try await mail.send(device.draft("Hello"))
        try await device.settle()
        await outbox.cancel(draft.id)
        guard case .revoking(nil)? = outbox.failure else {
            throw Unexpected("\(outbox.failure, default: "no failure")")
        }
        outbox.dismissFailure()
        #expect(outbox.failure == nil)
        let other = try await mail.send(device.draft("Perhaps"))
        try await device.loseNextMail()
        try await until("the outcome") { if case .unknown = status(other.id) { true } else { false } }
        await outbox.retry(other.id)
        #expect(outbox.askedAbout == other.id)
        try await mail.discard(other.id)
        try await until("no question") { outbox.askedAbout == nil }
    }

    @Test func `the progress of files is that of their bytes`() async throws {
        var draft = try await mail.attach(Data(repeating: 1, count: 300), named: "a", to: device.draft("Files"))
        draft = try await mail.attach(Data(repeating: 2, count: 100), named: "b", to: draft)
        let id = draft.id
        try await mail.send(draft)
        let gate = Gate()
        let server = device.server
        device.transport.answer { request in
            guard request.url.path.hasPrefix("/upload/"), request.body?.count == 300 else {
                return server.answer(request)
            }
            SendProgress.listener?(150)
            await gate.wait()
            return server.answer(request)
        }
        device.clock.advance(by: 6)
        let syncing = Task { try await device.mail.sync() }
        try await until("the progress") {
            if case .uploading(let fraction) = status(id) { fraction >= 0.37 && fraction < 1 } else { false }
        }
        #expect(outbox.items.first?.canBeTakenBack == true)
        await gate.open()
        try await syncing.value
        try await until("an empty outbox") { outbox.items.isEmpty }
        #expect(sent == ["Files"])
    }

    @Test func `after a sign-out the outbox has nothing of the person`() async throws {
        try await mail.send(device.draft("Hello"))
        try await until("the mail") { outbox.items.count == 1 }
        try await mail.signOut(discardsDrafts: true)
        try await until("the end") { outbox.state != .loaded }
        guard case .failed(let error) = outbox.state else { return }
        #expect(error.code == .closed && outbox.items.isEmpty && outbox.undoable == nil)
    }

    @Test func `the outbox has the same mails after a restart`() async throws {
        device.disconnect()
        let draft = try await mail.send(device.draft("Hello"))
        _ = try? await device.settle()
        let process = try await WritingDevice(besides: device, sharesStore: true)
        let again = OutboxModel(process.mail)
        try await until("the mail") { again.items.map(\.id) == [draft.id] && again.items[0].status == .queued }
        await process.mail.close()
    }
}
