import Foundation
import InboxCards
import InboxMail
import InboxMailViews
import MailComposing
import ReplicaTesting
import Screens
import StandardMailServer
import Testing

/// A mail that a person sends: checked before, taken back, refused.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct ComposeSendingTests {
    private let device: WritingDevice
    private var mail: Mail { device.mail }

    init() async throws { device = try await WritingDevice() }

    private func model(_ start: ComposeStart = .new) async throws -> ComposeModel {
        let model = ComposeModel(start, in: mail)
        try await until("the draft") { model.phase != .loading }
        return model
    }

    private func written(_ text: String = "Hello") async throws -> ComposeModel {
        let model = try await model()
        model.to.text = "bob@example.org"
        (model.subject, model.text) = ("Greetings", text)
        return model
    }

    private var sent: [String] { device.server.deliveries.map(\.text) }

    @Test func `sending a refused mail again and undoing it removes the refusal's notice`() async throws {
        device.refuse("bob@example.org")
        let model = try await written()
        await model.send()
        try await device.settle()
        try await until("the refusal") { if case .refused? = model.notices.first { true } else { false } }
        await model.send()
        await model.undoSend()
        #expect(model.phase == .writing && model.notices.isEmpty)
    }

    // MARK: - Checks

    @Test func `without a recipient nothing is sent`() async throws {
        let model = try await model()
        model.text = "Hello"
        await model.send()
        #expect(model.review?.problems == [.noRecipient, .missingSubject] && model.review?.canSendAnyway == false)
        await model.sendAnyway()
        #expect(model.phase == .writing && model.review != nil)
        model.keepWriting()
        #expect(model.review == nil && model.phase == .writing)
    }

    @Test func `a text that isn't an address isn't sent to, and isn't lost`() async throws {
        let model = try await written()
        model.to.text = "bob@example.org, carol@"
        await model.send()
        let problem = DraftProblem.address(.to, index: 1, EmailAddress(email: "carol@"), .missingDomain)
        #expect(model.review?.problems == [problem] && model.review?.canSendAnyway == false)
        #expect(model.to.text == "carol@" && model.to.problem == .missingDomain)
        model.to.text = "carol@example.org"
        await model.send()
        #expect(model.review == nil)
        try await device.settle()
        #expect(device.server.deliveries.map(\.recipient) == ["bob@example.org", "carol@example.org"])
    }

    @Test func `a question before sending enters the typed address and keeps the time`() async throws {
        let (model, date) = (try await model(), device.clock.now.addingTimeInterval(3_600))
        for letter in "bob@example.org" { model.to.text.append(letter) }
        model.text = "Hello"
        await model.send(later: date)
        #expect(model.review?.problems == [.missingSubject] && model.review?.date == date)
        #expect(model.to.chips.map(\.label) == ["bob@example.org"] && model.to.text.isEmpty)
        await model.sendAnyway()
        #expect(model.phase == .waiting(until: date))
    }

    @Test func `a question is asked once, and the mail can be sent anyway`() async throws {
        let model = try await written("The file is attached.")
        model.subject = " "
        await model.send()
        #expect(model.review?.problems == [.missingSubject, .missingAttachment(word: "attached")])
        #expect(model.phase == .writing && model.review?.canSendAnyway == true)
        await model.sendAnyway()
        guard case .waiting = model.phase else {
            Issue.record("\(model.phase)")
            return
        }
        #expect(model.review == nil)
        try await device.settle()
        #expect(sent == ["The file is attached."])
    }

    @Test func `a file over the server's limit isn't attached`() async throws {
        let model = try await written()
        await model.attach(Data(count: 51_000_000), named: "large.bin")
        let problem = DraftProblem.fileTooLarge(name: "large.bin", size: 51_000_000, limit: 50_000_000)
        #expect(model.failure == .fileTooLarge(problem) && model.attachments.isEmpty && model.phase == .writing)
        #expect(CardTexts(.english).text(of: try #require(model.failure)).hasPrefix("large.bin: "))
        await model.attach(Data(count: 1_000), named: "small.bin")
        #expect(model.failure == nil && model.attachments.count == 1)
    }

    /// The person goes on before the file is copied.
    @Test func `a mail that is sent while files are attached has them, or isn't sent without`() async throws {
        let model = try await written("The file is attached.")
        var copying = Task { await model.attach(Data("a".utf8), named: "a.txt") }
        await Task.yield()
        await model.send()
        await copying.value
        guard case .waiting = model.phase else {
            Issue.record("\(model.phase) \(String(describing: model.review))")
            return
        }
        #expect(model.attachments.map(\.name) == ["a.txt"])
        await model.undoSend()
        let (there, missing) = (device.directory.appending(path: "b.txt"), device.directory.appending(path: "c.txt"))
        try Data("b".utf8).write(to: there)
        copying = Task { await model.attach([missing, there]) }
        await Task.yield()
        await model.send()
        await copying.value
        #expect(model.phase == .writing && model.attachments.map(\.name) == ["a.txt", "b.txt"])
        guard case .attaching(let name, _) = model.failure else {
            Issue.record("\(String(describing: model.failure))")
            return
        }
        #expect(name == "c.txt" && sent.isEmpty)
    }

    /// Such as by a file importer that lies over the button.
    @Test func `a file that is chosen while a mail is checked before sending is sent with it`() async throws {
        let model = try await written("The file is attached.")
        let sending = Task { await model.send() }
        while !model.isSending { await Task.yield() }
        await model.attach(Data("a".utf8), named: "a.txt")
        await sending.value
        guard case .waiting = model.phase else {
            Issue.record("\(model.phase) \(String(describing: model.review))")
            return
        }
        #expect(model.attachments.map(\.name) == ["a.txt"] && model.failure == nil)
    }

    // MARK: - Sending

    @Test func `a mail is sent after the time to take it back`() async throws {
        let model = try await written()
        let end = device.clock.now.addingTimeInterval(5)
        await model.send()
        #expect(model.phase == .waiting(until: end))
        model.text = "Too late"
        #expect(model.text == "Hello", "it can't be changed meanwhile")
        try await device.mail.sync()
        #expect(sent.isEmpty)
        try await device.settle()
        #expect(sent == ["Hello"])
        try await until("it is sent") { model.phase == .sent }
        #expect(await model.close())
    }

    @Test func `a mail is taken back, changed, and sent once`() async throws {
        let model = try await written()
        await model.send()
        await model.undoSend()
        #expect(model.phase == .writing && model.failure == nil)
        for _ in 0..<20 { await Task.yield() }
        #expect(model.phase == .writing)
        model.text = "Hello, Bob"
        try await device.settle()
        #expect(sent.isEmpty)
        await model.send()
        try await device.settle()
        #expect(sent == ["Hello, Bob"])
    }

    @Test func `a mail that is being sent can't be taken back, which is reported`() async throws {
        let model = try await written()
        await model.send()
        let (gate, asked) = (Gate(), Gate())
        let server = device.server
        device.transport.answer { request in
            if String(decoding: request.body ?? [], as: UTF8.self).contains("EmailSubmission/set") {
                await asked.open()
                await gate.wait()
            }
            return server.answer(request)
        }
        device.clock.advance(by: 6)
        let syncing = Task { try await device.mail.sync() }
        await asked.wait()
        await model.undoSend()
        // The screen may know already that it is being sent.
        #expect(model.phase == .sending && (model.failure == .undoing(nil) || model.failure == nil))
        await gate.open()
        try await syncing.value
        try await until("it is sent") { model.phase == .sent }
        #expect(sent == ["Hello"])
    }

    @Test func `two taps send one mail`() async throws {
        let model = try await written()
        async let first: Void = model.send()
        async let second: Void = model.send()
        _ = await (first, second)
        try await device.settle()
        try await device.settle(60)
        #expect(sent == ["Hello"])
    }

    @Test func `a mail is sent at a time`() async throws {
        let model = try await written()
        let date = device.clock.now.addingTimeInterval(3_600)
        await model.send(later: date)
        #expect(model.phase == .waiting(until: date))
        try await device.settle(3_000)
        #expect(sent.isEmpty)
        try await device.settle(700)
        #expect(sent == ["Hello"])
    }

    @Test func `without a network the mail waits, and is sent later`() async throws {
        device.disconnect()
        let model = try await written()
        await model.send()
        await #expect(throws: MailError.self) { try await device.settle() }
        #expect(sent.isEmpty)
        await model.undoSend()
        #expect(model.phase == .writing, "it can be taken back as long as it waits")
        await model.send()
        device.reconnect()
        try await device.settle(600)
        #expect(sent == ["Hello"])
    }

    @Test func `without a network the editor has a notice`() async throws {
        let live = try await WritingDevice(besides: device) { $0.isLive = true }
        live.disconnect()
        let model = ComposeModel(.new, in: live.mail)
        _ = try? await live.mail.sync()
        try await until("the notice") { model.notices == [.offline] }
        await live.mail.close()
        try await until("the end") { model.phase == .signedOut }
    }

    @Test func `a mail that can't be queued stays on screen with the error`() async throws {
        let model = try await written()
        device.disk.isFull = true
        await model.send()
        guard case .sending(let error) = model.failure else {
            Issue.record("\(String(describing: model.failure))")
            return
        }
        #expect(error.code == .diskFull && model.phase == .writing && model.text == "Hello")
        device.disk.isFull = false
        await model.send()
        try await device.settle()
        #expect(sent == ["Hello"] && model.failure == nil)
    }

    // MARK: - Refused

    @Test func `a refused mail is opened again with its reason, and its recipient is marked`() async throws {
        device.refuse("gone@example.org")
        let model = try await written()
        model.to.text = "gone@example.org"
        await model.send()
        try await device.settle()
        try await until("the refusal") { model.phase == .writing }
        let again = try await self.model(.stored(id: model.draftID ?? ""))
        for shown in [model, again] {
            guard case .refused(let refusal)? = shown.notices.first else {
                Issue.record("\(shown.notices)")
                continue
            }
            #expect(refusal.code == .recipients && refusal.addresses == ["gone@example.org"])
            #expect(shown.to.chips.map(\.isRefused) == [false, true])
        }
        again.to.remove(again.to.chips[1])
        try await until("it is kept") { again.isSaved }
        #expect(again.notices.count == 1, "the reason stays until it is sent")
        await again.send()
        #expect(again.notices.isEmpty)
        try await device.settle()
        #expect(sent == ["Hello"])
    }

    @Test func `a draft that the server refuses to save has a notice until it is saved`() async throws {
        let model = try await written()
        try await until("it is kept") {
            device.clock.advance(by: 0.5)
            return model.isSaved
        }
        device.server.behave { $0.refusesCreation = { _ in ["type": "overQuota"] } }
        try await device.settle()
        try await until("the reason") { !model.notices.isEmpty }
        guard case .unsaved(let reason)? = model.notices.first else {
            Issue.record("\(model.notices)")
            return
        }
        #expect(reason.code == .overQuota && model.phase == .writing)
        let text = CardTexts(.german).text(of: ComposeNotice.unsaved(reason))
        #expect(text.hasPrefix("Nicht auf dem Server gespeichert"))
        device.server.behave { $0.refusesCreation = { _ in nil } }
        model.text += " again"
        try await until("it is kept") {
            device.clock.advance(by: 0.5)
            return model.isSaved
        }
        try await device.settle()
        try await until("it is saved") { model.notices.isEmpty }
        #expect(device.server.mails(in: "drafts").count == 1)
    }

    @Test func `a mail that may have been sent is reported and isn't resent automatically`() async throws {
        let model = try await written()
        await model.send()
        let ordered = device.clock.now
        try await device.loseNextMail()
        try await until("the outcome") { model.phase == .writing }
        guard let notice = model.notices.first, case .unknown(let since, let attempts?) = notice else {
            Issue.record("\(model.notices)")
            return
        }
        #expect(since >= ordered && sent.isEmpty && attempts.lastRequestAt == since)
        let text = CardTexts(.english).text(of: notice)
        #expect(text.hasPrefix("It isn’t known whether this mail was sent.") && text.contains("Attempts: 1."))
        #expect(text.contains("Last attempt: ") && text.hasSuffix("has this mail, but not among the sent ones."))
    }

    // MARK: - Elsewhere

    @Test func `a draft that is sent by another window closes here`() async throws {
        let model = try await written()
        try await until("it is kept") { model.isSaved }
        let other = try await self.model(.stored(id: model.draftID ?? ""))
        await other.send()
        try await until("the order") { if case .waiting = model.phase { true } else { false } }
        await model.undoSend()
        try await until("the other window") { other.phase == .writing }
        await other.send()
        try await device.settle()
        try await until("it is sent") { model.phase == .sent && other.phase == .sent }
        #expect(sent == ["Hello"])
    }
}
