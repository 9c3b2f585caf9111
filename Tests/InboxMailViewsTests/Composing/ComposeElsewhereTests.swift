import Foundation
import InboxCards
import InboxMail
import InboxMailViews
import MailComposing
import Replica
import ReplicaTesting
import Screens
import StandardMailServer
import Testing

/// A draft on screen that other windows and devices change too.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct ComposeElsewhereTests {
    private let device: WritingDevice
    private var mail: Mail { device.mail }

    init() async throws { device = try await WritingDevice() }

    private func model(_ start: ComposeStart, in mail: Mail? = nil) async throws -> ComposeModel {
        let model = ComposeModel(start, in: mail ?? self.mail)
        try await until("the draft") { model.phase != .loading }
        return model
    }

    @Test func `a change in another window is shown with a notice`() async throws {
        let draft = try await mail.save(device.draft("First"))
        let (one, other) = (try await model(.stored(id: draft.id)), try await model(.stored(id: draft.id)))
        other.text = "Second"
        other.cc.text = "carol@example.org,"
        try await until("the change") { one.text == "Second" }
        #expect(one.cc.chips.map(\.label) == ["carol@example.org"])
        #expect(one.notices == [.updatedElsewhere] && other.notices.isEmpty)
        one.text = "Third"
        #expect(one.notices.isEmpty)
        try await until("the change back") { other.text == "Third" }
        let stored = try #require(try await device.stored(draft.id))
        #expect(stored.otherVersions.isEmpty)
    }

    /// Such as one that a later version of the app has stored: the server has its text, which is shown.
    @Test func `what is typed into a saved draft that can't be read isn't kept, with the reason`() async throws {
        let draft = try await mail.save(device.draft("First"))
        for _ in 0..<2 { try await device.settle() }
        let unreadable = DeviceRecord(id: draft.id, json: "{")
        try await mail.store.write { writer in try writer.put(DeviceRecordKind("draft"), unreadable) }
        let model = try await model(.stored(id: draft.id))
        #expect(model.phase == .writing && model.text.hasPrefix("First"))
        model.text = "Second"
        try await until("the failure") { model.savingError != nil }
        let error = try #require(model.savingError)
        let texts = CardTexts(.english)
        #expect(error.code == .unreadableDraft)
        #expect(texts.text(of: ComposeFailure.saving(error)) == texts[.draftUnreadable])
    }

    /// - Parameter isElsewhere: Whether another window has stored a text since the value was read.
    @Test(arguments: [false, true])
    func `changes of a stored draft that the screen is opened with are saved`(isElsewhere: Bool) async throws {
        let draft = try await mail.save(device.draft("First"))
        var (changed, other) = (draft, draft)
        (changed.text, changed.cc) = ("Of the app", [EmailAddress(email: "carol@example.org")])
        other.text = "Of another window"
        if isElsewhere { try await mail.save(other) }
        let model = try await model(.draft(changed))
        try await until("it is kept") {
            device.clock.advance(by: 1)
            return model.isSaved
        }
        #expect(model.text == "Of the app" && model.cc.chips.map(\.label) == ["carol@example.org"])
        let stored = try #require(try await device.stored(draft.id))
        #expect(stored.text == "Of the app" && stored.cc == changed.cc)
        #expect(stored.otherVersions.map(\.snippet) == (isElsewhere ? ["Of another window"] : []))
        #expect(await model.close())
        try await mail.sync()
        #expect(device.server.mails(in: "drafts").map { $0["preview"] }.contains("Of the app"))
    }

    /// - Parameter isSet: Whether the app sets properties to what they are, such as to the recipients that it checked.
    @Test(arguments: [false, true])
    func `an earlier value of a draft that wasn't changed shows the stored text`(isSet: Bool) async throws {
        let draft = try await mail.save(device.draft("First"))
        var changed = draft
        changed.text = "Second"
        try await mail.save(changed)
        var earlier = draft
        if isSet { (earlier.text, earlier.to, earlier.from) = (draft.text, draft.to, draft.from) }
        let model = try await model(.draft(earlier))
        try await until("the stored text") { model.text == "Second" }
        let stored = try #require(try await device.stored(draft.id))
        #expect(stored.text == "Second" && stored.otherVersions.isEmpty)
    }

    @Test func `changes in another window are shown after the store couldn't be read`() async throws {
        let draft = try await mail.save(device.draft("First"))
        let model = try await model(.stored(id: draft.id))
        // It observes: a change is shown.
        var changed = try #require(try await device.stored(draft.id))
        changed.text = "Second"
        try await mail.save(changed)
        try await until("the change") { model.text == "Second" }
        let before = device.clock.sleeperCount
        try mail.store.setReadable(false)
        try await until("the wait") { device.clock.sleeperCount > before }
        #expect(model.phase == .writing && model.text == "Second" && model.failure == nil)
        try mail.store.setReadable(true)
        changed = try #require(try await device.stored(draft.id))
        changed.text = "Third"
        try await mail.save(changed)
        device.clock.advance(by: 1)
        try await until("the change") { model.text == "Third" }
        // After the end of the account nothing is observed again.
        await mail.close()
        try await until("the end") { model.phase == .signedOut }
    }

    @Test func `saved and synced versions of a text don't undo later typing`() async throws {
        let model = try await model(.new)
        for number in 0..<40 {
            model.text += "\(number) "
            if number.isMultiple(of: 4) { device.clock.advance(by: 1) }
            for _ in 0..<20 { await Task.yield() }
            try await Task.sleep(for: .milliseconds(1))
        }
        let text = (0..<40).map { "\($0) " }.joined()
        #expect(model.text == text && model.notices.isEmpty)
        await model.keep()
        #expect(model.text == text && model.notices.isEmpty)
        try await device.settle()
        try await device.settle(60)
        try await device.settle(600)
        #expect(model.text == text && model.notices.isEmpty, "what the server returns is the same")
        #expect(try await device.stored(model.draftID ?? "")?.text == text)
    }

    /// Two devices change a draft before either has the other's text. Then the screen of this one shows both texts.
    private func writeOnTwoDevices() async throws -> (other: WritingDevice, here: ComposeModel, there: ComposeModel) {
        let other = try await WritingDevice(besides: device)
        let draft = try await mail.save(device.draft("First"))
        try await device.settle()
        try await other.mail.sync()
        let (here, there) = (
            try await model(.stored(id: draft.id)), try await model(.stored(id: draft.id), in: other.mail)
        )
        (here.text, there.text) = ("From the desk", "From the phone")
        _ = await (here.close(), there.close())
        try await device.settle()
        try await other.settle(10)
        try await device.settle(10)
        // The list of versions may follow before the text.
        try await until("both texts") { others(here).count == 1 && others(here)[0].snippet != here.text }
        return (other, here, there)
    }

    @Test func `texts of two devices are both kept, and the person chooses`() async throws {
        let (other, here, _) = try await writeOnTwoDevices()
        let version = try #require(others(here).first)
        let texts = Set([here.text, version.snippet])
        #expect(texts == ["From the desk", "From the phone"])
        let hidden = version.snippet
        let shown = here.text
        await here.use(version)
        #expect(here.text == hidden && here.failure == nil)
        try await until("the text that was shown") { others(here).map(\.snippet) == [shown] }
        // It stays so when the server has the choice.
        for _ in 0..<3 { try await device.settle(60) }
        #expect(here.text == hidden && others(here).map(\.snippet) == [shown])
        await other.mail.close()
    }

    @Test func `the other text is discarded on all devices, before and after a choice`() async throws {
        for chooses in [false, true] {
            let (other, here, there) = try await writeOnTwoDevices()
            if chooses {
                await here.use(others(here)[0])
                try await until("the text that was shown") { others(here).count == 1 }
            }
            let (kept, version) = (here.text, others(here)[0])
            await here.discard(version)
            #expect(here.failure == nil && here.text == kept && others(here).isEmpty)
            for _ in 0..<3 {
                try await device.settle(60)
                try await other.settle(60)
            }
            #expect(here.text == kept && others(here).isEmpty)
            #expect(device.server.mails(in: "drafts").map { $0["preview"]?.stringValue } == [kept])
            let stored = try #require(try await other.mail.draft(id: here.draftID ?? ""))
            #expect(stored.text == kept && stored.otherVersions.isEmpty)
            var isSame = false
            for _ in 0..<10_000 where !isSame {
                try await Task.sleep(for: .milliseconds(5))
                isSame = there.text == kept && others(there).isEmpty
            }
            #expect(isSame, "\(there.text), \(there.phase), \(there.notices), chosen: \(chooses)")
            // One that is gone by now is reported.
            await here.discard(version)
            #expect(here.failure != nil)
            await here.discard()
            try await device.settle()
            await other.mail.close()
        }
    }

    @Test func `choosing another version keeps the unsaved text among the others`() async throws {
        let (other, here, _) = try await writeOnTwoDevices()
        let version = others(here)[0]
        here.text = "Kept at once"
        try await until("it is kept") { here.isSaved }
        here.text = "Kept a second later"
        #expect(!here.isSaved)
        await here.use(version)
        #expect(here.text == version.snippet)
        try await until("the text that was typed") { others(here).contains { $0.snippet == "Kept a second later" } }
        await other.mail.close()
    }

    @Test func `a discarded draft stays discarded on screen when another device edits it`() async throws {
        let other = try await WritingDevice(besides: device)
        let draft = try await mail.save(device.draft("First"))
        try await device.settle()
        try await other.mail.sync()
        let here = try await model(.stored(id: draft.id))
        let there = try await model(.stored(id: draft.id), in: other.mail)
        there.text = "Written meanwhile"
        await here.discard()
        #expect(here.phase == .discarded)
        try await device.settle()
        _ = await there.close()
        try await other.settle(10)
        try await until("the draft of there") {
            try await device.settle(10)
            return try await mail.drafts().map(\.text) == ["Written meanwhile"]
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(here.phase == .discarded)
        await other.mail.close()
    }

    @Test func `closing an account leaves the outcomes sent and discarded`() async throws {
        let (sent, discarded) = (try await model(.draft(device.draft("Hi"))), try await model(.new))
        await sent.send()
        try await device.settle()
        try await until("it is sent") { sent.phase == .sent }
        discarded.text = "Nothing"
        await discarded.discard()
        let writing = try await model(.draft(device.draft("More")))
        await mail.close()
        try await until("the end") { writing.phase == .signedOut }
        #expect(sent.phase == .sent && discarded.phase == .discarded)
    }

    private func others(_ model: ComposeModel) -> [DraftVersion] {
        for notice in model.notices {
            if case .otherVersions(let versions) = notice { return versions }
        }
        return []
    }

    @Test func `a draft discarded elsewhere is reported, and the next change keeps it`() async throws {
        let draft = try await mail.save(device.draft("Hello"))
        let model = try await model(.stored(id: draft.id))
        model.text = "Hello, Bob"
        try await until("it is kept") { try await device.stored(draft.id)?.text == "Hello, Bob" }
        try await mail.discard(draft.id)
        try await until("the notice") { model.notices == [.discardedElsewhere] }
        #expect(model.phase == .writing && model.text == "Hello, Bob")
        #expect(await model.close())
        #expect(try await device.stored(draft.id) == nil, "closing it isn't a change")
        model.text = "Hello again"
        #expect(model.notices.isEmpty)
        try await until("it is kept again") {
            device.clock.advance(by: 1)
            return try await device.stored(draft.id)?.text == "Hello again"
        }
    }
}
