import Dispatch
import Foundation
import GRDB
import Groundwork
import InboxMail
import Replica
import ReplicaTesting
import StandardMailServer
import Testing

/// What a person types in a screen is kept, at a pace that doesn't depend on how fast they type.
@MainActor @Suite(.timeLimit(.minutes(5))) struct DraftEditorTests {
    /// Counts the writes of a store, and where they run; can make them fail.
    private final class Writes: Sendable {
        private struct State {
            var (count, onMain, isFull) = (0, 0, false)
            /// Whether the next write fails.
            var failsNext = false
            /// Called within the next write.
            var next: (@Sendable () -> Void)?
        }

        // Guarded by the lock: the store's thread writes, tests read.
        private let state = Locked(State())

        var count: Int { state.withLock { $0.count } }
        var onMain: Int { state.withLock { $0.onMain } }
        func fill(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }
        func failNext() { state.withLock { $0.failsNext = true } }
        func onNext(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.next = body } }

        @Sendable func hook(_ moment: WriteMoment) throws {
            guard moment == .commits else { return }
            let next = state.withLock { state in
                defer { state.next = nil }
                return state.next
            }
            next?()
            try state.withLock { state in
                if state.isFull || state.failsNext {
                    state.failsNext = false
                    throw DatabaseError(resultCode: .SQLITE_FULL)
                }
                state.count += 1
                if Thread.isMainThread { state.onMain += 1 }
            }
        }
    }

    /// Waits until something is so, while the editor works.
    private func until(_ condition: () async throws -> Bool) async throws {
        for _ in 0..<60_000 {
            if try await condition() { return }
            try await Task.sleep(for: .milliseconds(1))
        }
        Issue.record("waited in vain")
    }

    @Test func `changes of a draft that can't be read are an error of closing its editor`() async throws {
        try await StandardDevice.run { _, device in
            let id = try await device.mail.save(device.mail.draft("Precious")).id
            let kind = DeviceRecordKind("draft")
            let stored = try await device.mail.store.read { db in try db.deviceRecord(kind, id) }
            let record = try #require(stored)
            let json = record.json.replacing(#""job":{"#, with: #""job":{"order":{"ofALaterVersion":{}},"#)
            let later = DeviceRecord(id: id, json: json, isUnsent: true)
            try await device.mail.store.write { writer in try writer.put(kind, later) }
            let editor = DraftEditor(try #require(try await device.draft(id)), in: device.mail)
            try await editor.close()
            editor.draft.text = "Changed"
            let error = await #expect(throws: MailError.self) { try await editor.close() }
            #expect(error?.code == .unreadableDraft && !editor.isSaved)
        }
    }

    @Test func `typing is written once a second, off the main actor, and uploaded after a pause`() async throws {
        let writes = Writes()
        try await StandardDevice.run(configure: { $0.writeHook = writes.hook }) { server, device in
            var draft = device.mail.draft(String(repeating: "Long text. ", count: 100_000))
            draft.subject = "Typed"
            let editor = DraftEditor(draft, in: device.mail)
            let before = writes.count
            for second in 0..<20 {
                for letter in 0..<10 {
                    editor.draft.text += "\(letter)"
                    await Task.yield()
                }
                try await until { device.clock.sleeperCount > 0 }
                #expect(writes.count - before <= second + 1)
                device.clock.advance(by: 1)
            }
            try await until { editor.isSaved }
            try await until { device.clock.sleeperCount > 0 }
            #expect(writes.count - before <= 21 && writes.count - before >= 10)
            #expect(writes.onMain == 0)
            let stored = try #require(try await device.draft(draft.id))
            #expect(stored.text == editor.draft.text && stored.otherVersions.isEmpty)
            try await device.mail.sync()
            #expect(device.creations == 0)
            try await device.settle(6)
            try await device.settle(60)
            #expect(device.creations == 1)
        }
    }

    @Test func `a closed screen is saved on the server without a pause`() async throws {
        try await StandardDevice.run { server, device in
            let untouched = DraftEditor(device.mail.newDraft(), in: device.mail)
            try await untouched.close()
            #expect(try await device.mail.draftCount() == 0)
            let editor = DraftEditor(device.mail.newDraft(), in: device.mail)
            editor.draft.subject = "Hello"
            try await editor.attach(Data("file".utf8), named: "a.txt")
            editor.draft.text = "Text"
            try await editor.close()
            #expect(editor.isSaved && editor.error == nil)
            try await device.mail.sync()
            let saved = try #require(server.mails(in: "drafts").first)
            #expect(saved["preview"] == "Text" && saved["attachments"]?.arrayValue?.count == 1)
            #expect(try await device.draft(editor.draft.id)?.otherVersions == [])
        }
    }

    @Test func `a failed write is reported, and the next change is saved`() async throws {
        let writes = Writes()
        try await StandardDevice.run(configure: { $0.writeHook = writes.hook }) { server, device in
            let editor = DraftEditor(device.mail.newDraft(), in: device.mail)
            writes.fill(true)
            editor.draft.text = "One"
            try await until { editor.error != nil }
            #expect(editor.error?.code == .diskFull && !editor.isSaved)
            await #expect(throws: MailError.self) { try await editor.save() }
            writes.fill(false)
            editor.draft.text = "One, two"
            try await until { editor.isSaved }
            #expect(editor.error == nil)
            #expect(try await device.draft(editor.draft.id)?.text == "One, two")
        }
    }

    @Test func `changes of two screens are both kept`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.save(device.mail.draft("First"))
            let (one, other) = (DraftEditor(draft, in: device.mail), DraftEditor(draft, in: device.mail))
            one.draft.text = "From the window"
            try await one.save()
            other.draft.text = "From the phone"
            try await other.save()
            other.draft.text = "From the phone, more"
            try await other.save()
            let stored = try #require(try await device.draft(draft.id))
            #expect(stored.text == "From the phone, more")
            #expect(stored.otherVersions.map(\.snippet).contains("From the window"))
        }
    }

    @Test func `text typed while a draft waits is kept when sending is undone`() async throws {
        try await StandardDevice.run { _, device in
            let editor = DraftEditor(device.mail.draft("All of it"), in: device.mail)
            try await editor.send()
            editor.draft.text = "More of it"
            #expect(try await editor.undoSend())
            #expect(editor.draft.text == "More of it")
            try await editor.save()
            #expect(try await device.draft(editor.draft.id)?.text == "More of it")
            #expect(editor.draft.isEditable)
        }
    }

    /// It isn't part of the mail, and would be on no screen.
    @Test func `a screen whose draft waits to be sent doesn't close over what was typed since`() async throws {
        try await StandardDevice.run { _, device in
            let editor = DraftEditor(device.mail.draft("All of it"), in: device.mail)
            editor.draft.text = "All of it."
            try await editor.send()
            try await editor.close()
            editor.draft.text = "More of it"
            let error = await #expect(throws: MailError.self) { try await editor.close() }
            #expect(error?.code == .invalidArgument && !editor.isSaved)
            #expect(try await editor.undoSend())
            try await editor.close()
            #expect(try await device.draft(editor.draft.id)?.text == "More of it")
        }
    }

    @Test func `text typed while the order to send is stored is kept`() async throws {
        let writes = Writes()
        try await StandardDevice.run(configure: { $0.writeHook = writes.hook }) { _, device in
            let editor = DraftEditor(device.mail.draft("All of it"), in: device.mail)
            writes.onNext {
                let typed = DispatchSemaphore(value: 0)
                Task { @MainActor in
                    editor.draft.text = "All of it, and more"
                    typed.signal()
                }
                typed.wait()
            }
            try await editor.send()
            #expect(editor.draft.text == "All of it, and more" && !editor.draft.isEditable)
            #expect(try await device.draft(editor.draft.id)?.text == "All of it")
            #expect(try await editor.undoSend())
            #expect(editor.draft.text == "All of it, and more")
            try await editor.save()
            #expect(try await device.draft(editor.draft.id)?.text == "All of it, and more")
        }
    }

    @Test func `a discarded draft stays discarded when its screen closes`() async throws {
        try await StandardDevice.run { server, device in
            for isStored in [true, false] {
                let editor = DraftEditor(device.mail.draft("Not this"), in: device.mail)
                editor.draft.text = "Not that"
                if isStored { try await editor.save() }
                try await editor.discard()
                try await editor.close()
                #expect(try await device.mail.drafts().isEmpty)
                for _ in 0..<2 { try await device.settle() }
                #expect(server.mails(in: "drafts").isEmpty)
                // The person goes on in a screen that stayed open.
                editor.draft.text = "This"
                try await editor.close()
                #expect(try await device.mail.drafts().map(\.text) == ["This"])
                try await editor.discard()
            }
        }
    }

    /// Two windows' calls, such as a person's second tap on the same button.
    ///
    /// - Parameter isFirst: Whether the call that fails ends before the other one.
    @Test(arguments: [true, false])
    func `a draft that one of two calls discards isn't stored again`(isFirst: Bool) async throws {
        try await runWithFullStore { device, writes, editor in
            writes.fill(false)
            for _ in 0..<2 { await editor.beginDiscarding() }
            if isFirst { editor.endDiscarding(isDiscarded: false) }
            try await device.mail.discard(editor.draft.id)
            editor.endDiscarding(isDiscarded: true)
            if !isFirst { editor.endDiscarding(isDiscarded: false) }
            for _ in 0..<3 {
                for _ in 0..<100 { await Task.yield() }
                device.clock.advance(by: 1)
            }
            try await editor.close()
            #expect(try await device.mail.drafts().isEmpty)
        }
    }

    /// It is stored first, and so is discarded with the rest.
    @Test func `what is typed while a draft is being discarded is a draft again`() async throws {
        try await StandardDevice.run { _, device in
            let editor = DraftEditor(try await device.mail.save(device.mail.draft("One")), in: device.mail)
            await editor.beginDiscarding()
            editor.draft.text = "Two"
            try await until { editor.isSaved }
            try await device.mail.discard(editor.draft.id)
            editor.endDiscarding(isDiscarded: true)
            try await until {
                device.clock.advance(by: 1)
                return editor.isSaved
            }
            #expect(try await device.mail.drafts().map(\.text) == ["Two"])
        }
    }

    /// Copying a large file takes long, and so does asking a slow server for the maximum size.
    @Test func `what is typed while a file is being added is stored meanwhile`() async throws {
        try await StandardDevice.run { server, device in
            let isSlow = Locked(true)
            device.transport.answer { request in
                while isSlow.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
                return server.answer(request)
            }
            let editor = DraftEditor(device.mail.draft("One"), in: device.mail)
            let attaching = Task { @MainActor in try await editor.attach(Data(count: 10_000_001), named: "a.bin") }
            await Task.yield()
            editor.draft.text = "One, two"
            try await until { try await device.draft(editor.draft.id)?.text == "One, two" }
            isSlow.withLock { $0 = false }
            try await attaching.value
            let stored = try #require(try await device.draft(editor.draft.id))
            #expect(stored.text == "One, two" && stored.attachments.map(\.name) == ["a.bin"])
            #expect(stored.otherVersions.isEmpty && editor.error == nil)
        }
    }

    /// A mail without it would be another one. Once the person knows, the next order sends it.
    @Test func `a draft isn't sent without a file that was being added and can't be`() async throws {
        try await StandardDevice.run { server, device in
            let editor = DraftEditor(device.mail.draft("See the file."), in: device.mail)
            let missing = FileManager.default.temporaryDirectory.appendingPathComponent("missing-\(UUID())")
            // They begin in this order.
            let first = Task { @MainActor in try await editor.attach(missing) }
            let second = Task { @MainActor in try await editor.attach(Data("file".utf8), named: "a.txt") }
            let sending = Task { @MainActor in try await editor.send() }
            await #expect(throws: MailError.self) { try await first.value }
            try await second.value
            await #expect(throws: MailError.self) { try await sending.value }
            #expect(editor.draft.isEditable && editor.draft.attachments.map(\.name) == ["a.txt"])
            for _ in 0..<2 { try await device.settle() }
            #expect(server.deliveries.isEmpty)
            try await editor.send()
            for _ in 0..<2 { try await device.settle() }
            #expect(server.deliveries.count == 1)
        }
    }

    @Test func `a draft that is discarded while a file is added stays discarded`() async throws {
        try await StandardDevice.run { _, device in
            let editor = DraftEditor(try await device.mail.save(device.mail.draft("One")), in: device.mail)
            let attaching = Task { @MainActor in try await editor.attach(Data("file".utf8), named: "a.txt") }
            await Task.yield()
            try await editor.discard()
            try await attaching.value
            try await until { editor.isSaved }
            #expect(try await device.mail.drafts().isEmpty)
            try await editor.close()
            #expect(try await device.mail.drafts().isEmpty)
        }
    }

    @Test func `a stored draft isn't stored again when its screen closes`() async throws {
        try await StandardDevice.run { server, device in
            let editor = DraftEditor(device.mail.draft("One"), in: device.mail)
            editor.draft.text = "Two"
            try await editor.save()
            for _ in 0..<2 { try await device.settle() }
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Two"])
            let before = device.creations
            try await editor.close()
            for _ in 0..<2 { try await device.settle() }
            #expect(device.creations == before)
        }
    }

    /// - Parameter isSent: Whether the other device sends it. Otherwise it discards it.
    @Test(arguments: [true, false])
    func `a draft that is gone stays so when its screen closes`(isSent: Bool) async throws {
        try await StandardDevice.run { server, device in
            let editor = DraftEditor(device.mail.draft("One"), in: device.mail)
            editor.draft.text = "Two"
            try await editor.save()
            for _ in 0..<2 { try await device.settle() }
            let other = try await device.anotherDevice(at: server)
            let theirs = try #require(try await other.draft(editor.draft.id))
            if isSent { try await other.mail.send(theirs) } else { try await other.mail.discard(theirs.id) }
            for _ in 0..<2 { try await other.settle() }
            for _ in 0..<3 { try await device.settle(60) }
            #expect(try await device.mail.drafts().isEmpty)
            try await editor.close()
            for _ in 0..<2 { try await device.settle() }
            #expect(try await device.mail.drafts().isEmpty && server.mails(in: "drafts").isEmpty)
            await other.mail.close()
        }
    }

    /// Runs a test with a stored draft whose last change couldn't be stored: every write fails.
    private func runWithFullStore(
        _ body: @MainActor (StandardDevice, Writes, DraftEditor) async throws -> Void
    ) async throws {
        let writes = Writes()
        try await StandardDevice.run(configure: { $0.writeHook = writes.hook }) { _, device in
            let editor = DraftEditor(try await device.mail.save(device.mail.draft("One")), in: device.mail)
            writes.fill(true)
            editor.draft.text = "One, two"
            try await until { editor.error != nil }
            try await body(device, writes, editor)
        }
    }

    @Test func `a draft that can't be discarded keeps what was typed last`() async throws {
        try await runWithFullStore { device, writes, editor in
            await #expect(throws: MailError.self) { try await editor.discard() }
            #expect(!editor.isSaved)
            writes.fill(false)
            try await editor.close()
            #expect(editor.isSaved)
            #expect(try await device.draft(editor.draft.id)?.text == "One, two")
        }
    }

    @Test func `what was typed before a draft couldn't be discarded is stored by itself`() async throws {
        try await runWithFullStore { device, writes, editor in
            writes.fill(false)
            writes.failNext()
            await #expect(throws: MailError.self) { try await editor.discard() }
            try await until { editor.isSaved }
            #expect(try await device.draft(editor.draft.id)?.text == "One, two")
        }
    }

    @Test func `a draft is sent with what was typed last, taken back, and discarded`() async throws {
        try await StandardDevice.run { server, device in
            let editor = DraftEditor(device.mail.draft(""), in: device.mail)
            editor.draft.text = "All of it"
            try await editor.send()
            #expect(!editor.draft.isEditable)
            #expect(try await editor.undoSend() && editor.draft.isEditable)
            editor.draft.text = "More of it"
            try await editor.send()
            try await device.settle()
            #expect(server.mails(in: "sent").map { $0["preview"] } == ["More of it"])

            let other = DraftEditor(device.mail.draft("Not this"), in: device.mail)
            other.draft.text = "Not that"
            try await other.discard()
            #expect(try await device.mail.drafts(Query(where: #Predicate { $0.subject == "Hello" })).isEmpty)
            try await device.settle()
            #expect(server.mails(in: "drafts").isEmpty)
        }
    }
}
