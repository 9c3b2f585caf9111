import Foundation
import Groundwork
import InboxMail
import InboxMailViews
import MailComposing
import Replica
import ReplicaTesting
import Screens
import StandardMailServer
import Testing

/// A mail that a person writes: kept, checked, closed, discarded.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct ComposeModelTests {
    private let device: WritingDevice
    private var mail: Mail { device.mail }

    init() async throws { device = try await WritingDevice() }

    private func model(_ start: ComposeStart = .new, in mail: Mail? = nil) async throws -> ComposeModel {
        let model = ComposeModel(start, in: mail ?? self.mail, locale: Locale(identifier: "en"))
        try await until("the draft") { model.phase != .loading }
        return model
    }

    private func saved(_ model: ComposeModel) async throws {
        try await until("it is kept") {
            device.clock.advance(by: 1)
            return model.isSaved
        }
    }

    // MARK: - Keeping

    @Test func `typed text is saved automatically and available after a restart`() async throws {
        let model = try await model()
        model.to.text = "bob@example.org, carol@"
        model.subject = "Hello"
        model.text = "Dear Bob,"
        let id = try #require(model.draftID)
        try await saved(model)
        let process = try await WritingDevice(besides: device, sharesStore: true)
        let again = try await self.model(.stored(id: id), in: process.mail)
        #expect(again.subject == "Hello" && again.text == "Dear Bob," && again.phase == .writing)
        #expect(again.to.chips.map(\.address.email) == ["bob@example.org"] && again.to.text == "carol@")
        #expect(again.to.problem == .missingDomain)
        await process.mail.close()
    }

    @Test func `the fields for copies are there from the beginning if the draft has any`() async throws {
        var (copied, hidden) = (device.draft("Hello"), device.draft("Hello"))
        copied.cc = [EmailAddress(email: "carol@example.org")]
        hidden.bcc = [EmailAddress(email: "carol@example.org")]
        for (draft, shows) in [(device.draft("Hello"), false), (copied, true), (hidden, true)] {
            #expect(try await model(.draft(draft)).showsCopies == shows)
        }
    }

    @Test func `a mail that was never changed isn't kept, nor an emptied new one`() async throws {
        let untouched = try await model()
        #expect(await untouched.close())
        let emptied = try await model()
        emptied.subject = "Hello"
        try await saved(emptied)
        #expect(try await mail.draftCount() == 1)
        emptied.subject = ""
        #expect(await emptied.close())
        #expect(try await mail.draftCount() == 0)
        let reply = try await model(.reply(to: try await device.receive("Lunch")))
        #expect(await reply.close())
        #expect(try await mail.draftCount() == 0)
    }

    @Test func `closing the screen keeps what is being typed, and saves it without a pause`() async throws {
        let model = try await model()
        model.subject = "Hello"
        for letter in "bob@example.org" { model.to.text.append(letter) }
        #expect(await model.close())
        try await mail.sync()
        let saved = try #require(device.server.mails(in: "drafts").first)
        #expect(saved["subject"] == "Hello" && saved["to"]?.arrayValue?.first?["email"] == "bob@example.org")
    }

    @Test func `a failed save is reported and keeps the screen open until a save succeeds`() async throws {
        let model = try await model()
        device.disk.isFull = true
        model.text = "One"
        try await until("the failure") { model.savingError?.code == .diskFull }
        #expect(await !model.close())
        guard case .saving(let error) = model.failure else {
            Issue.record("\(String(describing: model.failure))")
            return
        }
        #expect(error.code == .diskFull && model.text == "One")
        device.disk.isFull = false
        await model.keep()
        #expect(model.isSaved && model.savingError == nil)
        #expect(try await device.stored(model.draftID ?? "")?.text == "One")
        #expect(await model.close() && model.failure == nil)
    }

    @Test func `a released window saves the text typed last`() async throws {
        var id: String?
        do {
            let model = try await model()
            model.text = "Last words"
            id = model.draftID
        }
        try await until("it is kept") { try await device.stored(id ?? "")?.text == "Last words" }
    }

    @Test func `a sign-out elsewhere is reported, and the text stays on screen`() async throws {
        let model = try await model()
        model.text = "Hello"
        try await saved(model)
        try await mail.signOut(discardsDrafts: true)
        try await until("the sign-out") { model.phase == .signedOut }
        #expect(model.text == "Hello" && model.notices.isEmpty)
        model.text = "More"
        await model.send()
        #expect(model.text == "Hello" && model.phase == .signedOut)
    }

    // MARK: - Opening

    @Test func `a draft that doesn't exist is reported as gone`() async throws {
        #expect(try await model(.stored(id: "unknown")).phase == .gone)
        #expect(try await model(.reply(to: "unknown")).phase == .gone)
    }

    @Test func `a text that another device has written is fetched, also later`() async throws {
        let other = try await WritingDevice(besides: device)
        let draft = try await other.mail.save(other.draft("From the phone"))
        try await other.settle()
        try await mail.sync()
        let isHere = try await mail.drafts().first?.isComplete ?? false
        device.disconnect()
        let model = ComposeModel(.stored(id: draft.id), in: mail)
        try await until("an answer") { model.phase != .loading }
        if !isHere {
            guard case .failed(let error) = model.phase else {
                Issue.record("\(model.phase)")
                return
            }
            #expect(error.code == .notConnected)
        }
        device.reconnect()
        model.retry()
        try await until("the text") { model.text == "From the phone" }
        #expect(model.to.chips.map(\.label) == ["Bob"] && model.phase == .writing)
        await other.mail.close()
    }

    @Test func `a reply is above the quoted mail, whose HTML stays`() async throws {
        let id = try await device.receive("Lunch", html: "<p><b>Lunch?</b></p>")
        let model = try await model(.replyAll(to: id))
        #expect(model.to.chips.map(\.address.email) == ["anna@example.com"] && model.subject == "Re: Lunch")
        #expect(model.text == "" && model.quotedText?.contains("> Lunch?") == true)
        model.text = "Yes & no"
        try await saved(model)
        let stored = try #require(try await device.stored(model.draftID ?? ""))
        #expect(stored.text.hasPrefix("Yes & no\n\n") && stored.text.contains("> Lunch?"))
        #expect(stored.html?.contains("Yes &amp; no") == true && stored.html?.contains("<b>Lunch?</b>") == true)
        #expect(stored.answeredMessageID == id)
        let again = try await self.model(.stored(id: stored.id))
        #expect(again.text == "Yes & no" && again.quotedText == model.quotedText)
    }

    /// As in the documentation.
    @Test func `a reply is written and sent without a screen, once it is read`() async throws {
        let model = ComposeModel(.reply(to: try await device.receive("Lunch")), in: mail)
        #expect(model.phase == .loading)
        #expect(await model.waitUntilRead())
        model.text = "Yes!"
        await model.send()
        for _ in 0..<2 { try await device.settle() }
        #expect(device.server.deliveries.map(\.text) == ["Yes!"])
        let gone = ComposeModel(.reply(to: "unknown"), in: mail)
        #expect(await !gone.waitUntilRead() && gone.phase == .gone)
        #expect(await ComposeModel(in: mail).waitUntilRead())
    }

    /// A forwarded mail may have megabytes.
    @Test func `a key leaves the quoted mail alone, and what reads or stores the draft has it`() async throws {
        let model = try await model(.reply(to: try await device.receive("Lunch", html: "<p><b>Lunch?</b></p>")))
        let editor = try #require(model.editor)
        let begun = editor.draft
        for letter in "Yes" { model.text.append(letter) }
        #expect(editor.draft.text == begun.text && editor.draft.html == begun.html)
        let draft = try #require(model.draft)
        #expect(draft.text == "Yes\(begun.text)" && draft.html?.contains(">Yes</div>") == true)
        #expect(draft.html?.contains("<b>Lunch?</b>") == true)
        try await saved(model)
        for letter in " & no" { model.text.append(letter) }
        await model.send()
        for _ in 0..<2 { try await device.settle() }
        #expect(device.server.deliveries.first?.text.hasPrefix("Yes & no\n\n") == true)
        let sent = device.server.mails(in: "sent").first?["bodyValues"]?["2"]?["value"]?.stringValue ?? ""
        #expect(sent.contains(">Yes &amp; no</div>") && sent.contains("<b>Lunch?</b>"), "\(sent)")
    }

    /// Such as a greeting, or the signature of the identity.
    @Test func `words that an app puts into a reply are above the quoted mail, whose HTML stays`() async throws {
        let id = try await device.receive("Lunch", html: "<p><b>Lunch?</b></p>")
        var draft = try await mail.reply(to: id)
        draft.text = "With pleasure.\(draft.text)"
        let model = try await model(.draft(draft))
        #expect(model.text == "With pleasure." && model.quotedText?.contains("> Lunch?") == true)
        model.subject = "Lunch on Friday"
        try await saved(model)
        let stored = try #require(try await device.stored(draft.id))
        try await until("it is shown") { model.draft?.isSameStored(as: stored) == true }
        #expect(model.notices.isEmpty && model.text == "With pleasure.")
        model.text = "Gladly."
        try await saved(model)
        let html = try #require(try await device.stored(draft.id)?.html)
        #expect(html.contains(">Gladly.</div>") && html.contains("<b>Lunch?</b>"), "\(html)")
    }

    @Test func `a notice names the loss of formatting before a change removes it`() async throws {
        var draft = device.draft("Hello Bob")
        draft.html = "<p>Hello <i>Bob</i></p>"
        let model = try await model(.draft(draft))
        #expect(model.notices == [.losesFormatting])
        model.text = "Hello Carol"
        #expect(model.notices.isEmpty)
        try await saved(model)
        let stored = try #require(try await device.stored(draft.id))
        #expect(stored.html == nil && stored.text == "Hello Carol")
    }

    @Test func `the account's people are offered, and its addresses to send with`() async throws {
        _ = try await device.receive("Lunch", from: "anna@example.com")
        let model = try await model()
        model.to.text = "a"
        try await until("Anna") { model.to.completions.map(\.detail) == ["anna@example.com"] }
        try await until("the identities") { model.identities.map(\.email) == ["alice@example.com"] }
        model.identityID = "i1"
        try await saved(model)
        #expect(try await device.stored(model.draftID ?? "")?.identityID == "i1")
    }

    // MARK: - Discarding

    @Test func `a draft is discarded after a question, and at once if nothing was written`() async throws {
        let untouched = try await model(.reply(to: try await device.receive("Lunch")))
        await untouched.askToDiscard()
        #expect(untouched.phase == .discarded && !untouched.isAskingToDiscard)
        let model = try await model()
        model.text = "Hello"
        await model.askToDiscard()
        #expect(model.isAskingToDiscard && model.phase == .writing)
        model.keepWriting()
        #expect(!model.isAskingToDiscard)
        try await saved(model)
        #expect(try await mail.draftCount() == 1)
        await model.askToDiscard()
        await model.discard()
        #expect(model.phase == .discarded && !model.isAskingToDiscard)
        #expect(try await mail.draftCount() == 0)
        #expect(await model.close())
        #expect(try await mail.draftCount() == 0, "nothing follows")
    }

    @Test func `a draft that is opened again is asked about`() async throws {
        let draft = try await mail.save(device.draft("Hello"))
        let model = try await model(.stored(id: draft.id))
        await model.askToDiscard()
        #expect(model.isAskingToDiscard && model.phase == .writing)
    }

    // MARK: - Files

    @Test func `files are attached and removed, with the progress of their upload`() async throws {
        let model = try await model()
        let url = device.directory.appending(path: "Report ü.pdf")
        try Data("%PDF".utf8).write(to: url)
        await model.attach(url)
        await model.attach(Data(repeating: 7, count: 200), named: "data.bin")
        #expect(model.attachments.map(\.name) == ["Report ü.pdf", "data.bin"] && model.attachingCount == 0)
        #expect(model.attachments.map(\.state) == [.waiting, .waiting] && model.attachments[1].size == 200)
        let gate = Gate()
        let server = device.server
        device.transport.answer { request in
            guard request.url.path.hasPrefix("/upload/"), request.body?.count == 200 else {
                return server.answer(request)
            }
            SendProgress.listener?(50)
            await gate.wait()
            return server.answer(request)
        }
        device.clock.advance(by: 6)
        let syncing = Task { try await device.mail.sync() }
        try await until("the progress") { model.attachments.last?.state == .uploading(0.25) }
        await gate.open()
        try await syncing.value
        try await until("the uploads") { model.attachments.map(\.state) == [.uploaded, .uploaded] }
        await model.remove(model.attachments[0])
        #expect(model.attachments.map(\.name) == ["data.bin"])
        #expect(try await device.stored(model.draftID ?? "")?.attachments.map(\.name) == ["data.bin"])
    }

    @Test func `a file that can't be read is named, and the others are attached`() async throws {
        let model = try await model()
        await model.attach(device.directory.appending(path: "missing.txt"))
        guard case .attaching(let name, let error) = model.failure else {
            Issue.record("\(String(describing: model.failure))")
            return
        }
        #expect(name == "missing.txt" && error.code == .invalidArgument && model.attachments.isEmpty)
        // There is nothing to save again.
        #expect(model.isSaved && model.savingError == nil)
        await model.attach(Data("a".utf8), named: "a.txt")
        #expect(model.failure == nil && model.attachments.map(\.name) == ["a.txt"])
    }

    /// Without the file, a new mail that is closed is empty, and one that is discarded would be a draft again with it.
    @Test func `a mail that ends while a file is attached is kept with it, or stays discarded`() async throws {
        let kept = try await model()
        var copying = Task { await kept.attach(Data("a".utf8), named: "a.txt") }
        await Task.yield()
        #expect(await kept.close() && kept.phase == .writing)
        await copying.value
        #expect(try await mail.drafts().map { $0.attachments.map(\.name) } == [["a.txt"]])
        let discarded = try await model()
        copying = Task { await discarded.attach(Data("b".utf8), named: "b.txt") }
        await Task.yield()
        await discarded.discard()
        await copying.value
        #expect(discarded.phase == .discarded)
        #expect(try await mail.draftCount() == 1)
    }

    /// Such as by the object that has opened the screen. A file that is chosen after that makes it a draft again.
    @Test func `a mail that is discarded elsewhere while a file is attached stays discarded`() async throws {
        let model = try await model()
        let copying = Task { await model.attach(Data("a".utf8), named: "a.txt") }
        while model.attachingCount == 0 { await Task.yield() }
        model.wasDiscarded()
        await copying.value
        #expect(try await mail.draftCount() == 0)
        guard case .attaching(name: "a.txt", _) = model.failure else {
            Issue.record("\(String(describing: model.failure))")
            return
        }
        await model.attach(Data("a".utf8), named: "a.txt")
        #expect(model.failure == nil && model.attachments.map(\.name) == ["a.txt"])
        #expect(try await mail.draftCount() == 1)
    }
}
