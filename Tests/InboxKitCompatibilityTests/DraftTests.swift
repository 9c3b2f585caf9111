import Coverage
import Eventually
import Foundation
import Groundwork
import InboxKitCompatibility
import InboxMailViews
import Replica
import RunningMailServer
import Testing

/// Drafts by InboxKit's names, against Cyrus and a receiver.
@MainActor @Suite(.timeLimit(.minutes(10))) struct DraftTests {
    /// Runs a test with a device whose mails arrive at a receiver.
    private func run(
        _ mails: IMAPClient.Mail...,
        transport: (any Transport)? = nil,
        body: @MainActor (Device, MailServer, MailReceiver) async throws -> Void
    ) async throws {
        let receiver = try await MailReceiver()
        do {
            try await MailServer.run(options: receiver.options) { server in
                if !mails.isEmpty { try await server.imap().append(mails) }
                let device = try await Device(server) { configuration in
                    configuration.sender = EmailAddress(name: "Alice", email: "alice@example.com")
                    configuration.undoSendInterval = 0
                    configuration.transport = transport
                }
                do {
                    try await device.namespace.mail.sync()
                    try await body(device, server, receiver)
                } catch {
                    await device.end()
                    throw error
                }
                await device.end()
            }
        } catch {
            await receiver.stop()
            throw error
        }
        await receiver.stop()
    }

    private func draft(_ device: Device, _ subject: String) -> INDraft {
        let draft = INDraft(in: device.namespace)
        draft.to = [EmailAddress(name: "Bob", email: "bob@example.org")]
        (draft.subject, draft.body) = (subject, "Hello")
        return draft
    }

    /// Counts the notifications of an object.
    private func observed(_ object: INModelObject, _ counter: Counter) -> any NSObjectProtocol {
        NotificationCenter.default.addObserver(
            forName: INModelObjectChangedNotification,
            object: object,
            queue: nil
        ) { _ in MainActor.assumeIsolated { counter.count += 1 } }
    }

    @Test(.shows(.k34)) func `a draft is kept, sent once, and reports its states to its observers`() async throws {
        try await run { device, _, receiver in
            let draft = draft(device, "Plans")
            draft.cc = [EmailAddress(email: "carol@example.org")]
            let counter = Counter()
            let observer = observed(draft, counter)
            #expect(draft.state == .unsent && draft.hasUnsavedChanges && draft.isDataAvailable())
            draft.bcc = []
            #expect(counter.count == 0, "nothing has changed")
            draft.subject = "Plans for May"
            #expect(counter.count == 1)
            try await draft.save()
            #expect(!draft.hasUnsavedChanges && counter.count > 1)
            let stored = try #require(try await device.namespace.mail.draft(id: draft.ID))
            #expect(stored.subject == "Plans for May" && stored.cc.map(\.email) == ["carol@example.org"])
            try await draft.send()
            #expect(draft.state == .sending)
            await #expect(throws: InboxError.self) { try await draft.save() }
            try await device.namespace.mail.sync()
            #expect(try await eventually { draft.state == .sent })
            try await device.namespace.mail.sync()
            let mails = try await receiver.mails()
            #expect(mails.flatMap(\.recipients).sorted() == ["bob@example.org", "carol@example.org"])
            #expect(Set(mails.flatMap { $0.header("Subject") }) == ["Plans for May"])
            NotificationCenter.default.removeObserver(observer)
        }
    }

    @Test func `a refused draft has failed, keeps its text, and is sent after a fix`() async throws {
        try await run { device, _, receiver in
            try await receiver.behave(refused: ["bob@example.org": "550 5.1.1 no such person"])
            let draft = draft(device, "Plans")
            try await draft.send()
            try await device.namespace.mail.sync()
            #expect(try await eventually { draft.state == .sendingFailed })
            draft.to = [EmailAddress(email: "carol@example.org")]
            try await draft.send()
            try await device.namespace.mail.sync()
            #expect(try await eventually { draft.state == .sent })
            #expect(try await receiver.mails().flatMap(\.recipients) == ["carol@example.org"])
            let empty = INDraft(in: device.namespace)
            await #expect(throws: InboxError.self, "it has no recipient") { try await empty.send() }
            #expect(empty.state == .unsent)
        }
    }

    @Test func `a draft that this version can't read has failed, until it is deleted`() async throws {
        try await run { device, _, _ in
            let mail = device.namespace.mail
            let id = try await mail.save(mail.newDraft()).id
            let unreadable = DeviceRecord(id: id, json: "{", isUnsent: true)
            try await mail.store.write { writer in try writer.put(DeviceRecordKind("draft"), unreadable) }
            let draft = try #require(try await device.namespace.draft(withID: id))
            #expect(draft.state == .sendingFailed)
            guard case .unsaved(let reason) = draft.value.state else {
                Issue.record("\(draft.value.state)")
                return
            }
            #expect(reason.code == .unreadable && reason.description.contains("may have been sent"))
            await #expect(throws: InboxError.self) { try await draft.save() }
            try await draft.delete()
            #expect(try await mail.drafts().isEmpty)
        }
    }

    @Test func `calls in a row keep their order and the text of their time`() async throws {
        try await run { device, _, receiver in
            let draft = draft(device, "First")
            let outcome = Counter()
            @MainActor func type() {
                draft.save()
                draft.subject = "Second"
                draft.addAttachment(INFile(filename: "a.txt", mimetype: "text/plain", data: Data("abc".utf8)))
                draft.send { went, error in if went, error == nil { outcome.count += 1 } }
                draft.subject = "Too late"
            }
            type()
            #expect(try await eventually { outcome.count == 1 })
            #expect(draft.subject == "Too late" && draft.hasUnsavedChanges)
            try await device.namespace.mail.sync()
            let mails = try await receiver.mails()
            #expect(mails.map { $0.header("Subject") } == [["Second"]] && mails[0].text.contains("YWJj"))
            #expect(try await device.namespace.mail.drafts().isEmpty, "no call has made another version")
            #expect(try await eventually { draft.state == .sent })
        }
    }

    @Test func `a draft isn't sent without a file that was added before and can't be`() async throws {
        try await run { device, _, receiver in
            let draft = draft(device, "Files")
            let missing = INFile(contentsOf: device.directory.appendingPathComponent("missing.bin"))
            let failures = Counter()
            draft.addAttachment(missing, nil)
            draft.send { went, error in if !went, error != nil { failures.count += 1 } }
            #expect(try await eventually { failures.count == 1 })
            #expect(draft.state == .unsent)
            try await device.namespace.mail.sync()
            #expect(try await receiver.mails().isEmpty)
            // Now the app knows.
            try await draft.send()
            try await device.namespace.mail.sync()
            #expect(try await receiver.mails().count == 1)
        }
    }

    @Test(.shows(.k34)) func `a draft has one object, which lists share, until it is deleted`() async throws {
        try await run { device, _, _ in
            let provider = device.namespace.newDraftsProvider()
            let screen = Screen()
            provider.delegate = screen
            let draft = draft(device, "Plans")
            #expect(try await device.namespace.draft(withID: draft.ID) === draft, "also before it is saved")
            draft.save(nil)
            #expect(try await eventually { provider.models.count == 1 })
            #expect(provider.models.first === draft)
            #expect(try await device.namespace.draft(withID: draft.ID) === draft)
            // Another window changes it.
            var other = try #require(try await device.namespace.mail.draft(id: draft.ID))
            other.subject = "Other plans"
            try await device.namespace.mail.save(other)
            #expect(try await eventually { draft.subject == "Other plans" })
            // What the person is typing isn't replaced, and both texts are kept.
            draft.subject = "My plans"
            other = try #require(try await device.namespace.mail.draft(id: draft.ID))
            other.subject = "Their plans"
            let counter = Counter()
            let observer = observed(draft, counter)
            try await device.namespace.mail.save(other)
            #expect(try await eventually { counter.count > 0 })
            NotificationCenter.default.removeObserver(observer)
            try await draft.save()
            #expect(try await eventually { draft.value.otherVersions.map(\.subject) == ["Their plans"] })
            #expect(draft.subject == "My plans")
            draft.delete(nil)
            #expect(try await eventually { provider.items.isEmpty && !draft.isDataAvailable() })
            let unsaved = INDraft(in: device.namespace)
            try await unsaved.delete()
            #expect(try await device.namespace.mail.drafts().isEmpty)
        }
    }

    @Test func `a call that waits replaces no text that another window saves meanwhile`() async throws {
        try await run { device, _, _ in
            let mail = device.namespace.mail
            let (draft, other) = (self.draft(device, "Plans"), self.draft(device, "Other"))
            try await draft.save()
            var window = try #require(try await mail.draft(id: draft.ID))
            window.subject = "Their plans"
            for _ in 0..<300 { other.save(nil) }
            let outcome = Counter()
            let file = INFile(filename: "a.txt", mimetype: "text/plain", data: Data("abc".utf8))
            draft.addAttachment(file) { went, _ in if went { outcome.count += 1 } }
            try await mail.save(window)
            #expect(try await eventually { outcome.count == 1 })
            let stored = try #require(try await mail.draft(id: draft.ID))
            #expect(Set([stored.subject] + stored.otherVersions.map(\.subject)) == ["Plans", "Their plans"])
        }
    }

    @Test func `a new draft follows the screen that stores or sends it`() async throws {
        try await run { device, _, receiver in
            let draft = draft(device, "Plans")
            let screen = draft.composeModel()
            #expect(draft.state == .unsent && draft.hasUnsavedChanges)
            screen.text = "At one?"
            await screen.send()
            #expect(try await eventually { draft.state == .sending })
            #expect(!draft.hasUnsavedChanges && draft.body == "At one?")
            try await device.namespace.mail.sync()
            #expect(try await eventually { draft.state == .sent })
            #expect(try await receiver.mails().count == 1)
            // A screen that was closed has kept its draft, which is deleted, whether it is followed yet or not.
            let other = self.draft(device, "Other plans")
            let closed = other.composeModel()
            closed.text = "Never mind"
            await closed.close()
            try await other.delete()
            let id = other.ID
            #expect(try await device.namespace.mail.drafts(Query(where: #Predicate { $0.id == id })).isEmpty)
            #expect(other.isDeleted)
        }
    }

    @Test func `changes of a stored draft that its screen has stored are saved`() async throws {
        try await run { device, _, _ in
            let draft = draft(device, "Plans")
            try await draft.save()
            draft.subject = "Plans for May"
            let screen = draft.composeModel()
            #expect(try await eventually { !draft.hasUnsavedChanges }, "the screen stores what it was given")
            #expect(screen.subject == "Plans for May" && screen.text == "Hello")
            screen.text = "At one?"
            await screen.keep()
            #expect(!draft.hasUnsavedChanges && draft.subject == "Plans for May" && draft.body == "At one?")
            try await draft.save()
            let stored = try #require(try await device.namespace.mail.draft(id: draft.ID))
            #expect(stored.subject == "Plans for May" && stored.text == "At one?" && stored.otherVersions.isEmpty)
            // So are those of a draft that another screen has stored just now.
            let new = self.draft(device, "New plans")
            let first = new.composeModel()
            first.text = "At three?"
            await first.keep()
            new.subject = "Newest plans"
            let second = new.composeModel()
            #expect(try await eventually { !new.hasUnsavedChanges })
            #expect(second.subject == "Newest plans" && second.text == "At three?")
            // Changes that a screen doesn't have are another text.
            let other = self.draft(device, "Other plans")
            try await other.save()
            let window = other.composeModel()
            other.subject = "Later plans"
            window.text = "At two?"
            await window.keep()
            #expect(other.hasUnsavedChanges && other.subject == "Later plans" && other.body == "Hello")
            try await other.save()
            #expect(try await eventually { other.value.otherVersions.map(\.snippet) == ["At two?"] })
        }
    }

    /// - Parameter isStored: Whether the draft was saved before, and the screen has to store the changes since then.
    @Test(arguments: [false, true])
    func `a draft that is deleted right after its screen was opened stays deleted`(isStored: Bool) async throws {
        try await run { device, _, _ in
            let draft = draft(device, "Plans")
            if isStored { try await draft.save() }
            draft.subject = "Plans for May"
            let screen = draft.composeModel()
            if !isStored { screen.text = "At one?" }
            try await draft.delete()
            #expect(try await eventually { screen.notices.contains(.discardedElsewhere) })
            // The screen goes.
            await screen.keep()
            #expect(await screen.close())
            let id = draft.ID
            let query = Query<MailDraft>(where: #Predicate { $0.id == id })
            #expect(try await device.namespace.mail.drafts(query).isEmpty)
            // What is written in it after that is a draft again.
            screen.text = "At two?"
            #expect(await screen.close())
            #expect(try await device.namespace.mail.drafts(query).map(\.text) == ["At two?"])
        }
    }

    @Test func `a deleted draft that the server refuses to remove is back with the reason`() async throws {
        try await run { device, server, _ in
            let draft = draft(device, "Plans")
            try await draft.save()
            let mail = device.namespace.mail
            let stored = try #require(try await mail.draft(id: draft.ID))
            try await mail.save(stored, waitsForChanges: false)
            for _ in 0..<2 { try await mail.sync() }
            try await server.imap().setRights(of: "alice", to: "lrswipka", on: "Drafts")
            try await draft.delete()
            #expect(draft.isDeleted)
            try await mail.sync()
            #expect(try await eventually { !draft.isDeleted && draft.isDataAvailable() })
            guard case .refused(let reason) = draft.value.state else {
                Issue.record("\(draft.value.state)")
                return
            }
            #expect(reason.code == .notDiscarded && draft.state == .unsent)
        }
    }

    /// Its editor goes on storing what it was given.
    @Test func `a draft that is deleted while its closed screen is still storing stays deleted`() async throws {
        try await run { device, _, _ in
            let draft = draft(device, "Plans")
            try await draft.save()
            for number in 0..<10 {
                draft.subject = "Plans \(number)"
                _ = draft.composeModel()
            }
            try await draft.delete()
            let id = draft.ID
            let query = Query<MailDraft>(where: #Predicate { $0.id == id })
            #expect(try await device.namespace.mail.drafts(query).isEmpty)
            try await device.namespace.mail.sync()
            #expect(try await device.namespace.mail.drafts(query).isEmpty)
        }
    }

    @Test func `a waiting draft that another window discards becomes unsent`() async throws {
        try await run { device, _, receiver in
            let draft = draft(device, "Plans")
            try await draft.send()
            #expect(draft.state == .sending && !draft.isDeleted)
            try await device.namespace.mail.discard(draft.ID)
            #expect(try await eventually { draft.isDeleted })
            #expect(draft.state == .unsent && !draft.isDataAvailable())
            // Another one that is taken back is a draft again.
            let other = self.draft(device, "Other plans")
            try await other.send()
            try await device.namespace.mail.undoSend(other.ID)
            #expect(try await eventually { other.state == .unsent })
            #expect(!other.isDeleted && other.isDataAvailable())
            try await device.namespace.mail.sync()
            #expect(try await receiver.mails().isEmpty)
        }
    }

    @Test func `signing out asks before it loses drafts of any account`() async throws {
        try await run { device, _, _ in
            let draft = draft(device, "Plans")
            try await device.namespace.mail.send(draft.value, later: Date(timeIntervalSinceNow: 3_600))
            let error = await #expect(throws: InboxError.self) { try await device.manager.unauthenticate() }
            #expect(error?.code == .unsentDrafts)
            #expect(device.manager.namespaces().count == 1, "nothing has changed")
            #expect(try await device.namespace.mail.unsentDraftCount() == 1)
            #expect(try await device.namespace.mail.draft(id: draft.ID)?.text == "Hello")
            try await device.manager.unauthenticate(discardsDrafts: true)
            #expect(!device.manager.isAuthenticated())
        }
    }

    /// Such as on a full disk.
    @Test func `an account whose drafts can't be counted stays signed in`() async throws {
        try await MailServer.run { server in
            let isFull = Locked(false)
            let device = try await Device(server) { configuration in
                configuration.writeHook = { _ in
                    if isFull.withLock({ $0 }) { throw CocoaError(.fileWriteOutOfSpace) }
                }
            }
            let draft = draft(device, "Plans")
            try await draft.save()
            isFull.withLock { $0 = true }
            await #expect(throws: (any Error).self) { try await device.manager.unauthenticate() }
            #expect(device.manager.namespaces().first === device.namespace)
            isFull.withLock { $0 = false }
            #expect(try await device.namespace.mail.draft(id: draft.ID)?.text == "Hello")
            await device.end()
        }
    }

    @Test func `unsent drafts of one account keep every account signed in`() async throws {
        try await MailServer.run(users: ["alice", "bob"]) { server in
            let device = try await Device(server)
            let password = server.users["bob"]?.password ?? ""
            var configuration = MailConfiguration()
            configuration.isLive = false
            configuration.sender = EmailAddress(name: "Bob", email: "bob@example.com")
            let bob = try await device.manager.authenticate(
                server: server.url,
                credentials: .basic(user: "bob") { password },
                directory: device.directory,
                configuration: configuration
            )
            try await bob.mail.sync()
            let draft = INDraft(in: bob)
            draft.to = [EmailAddress(email: "carol@example.org")]
            draft.body = "Hello"
            try await bob.mail.send(draft.value, later: Date(timeIntervalSinceNow: 3_600))
            let error = await #expect(throws: InboxError.self) { try await device.manager.unauthenticate() }
            #expect(error?.code == .unsentDrafts && device.manager.namespaces().count == 2)
            #expect(device.namespace.mail.connectionState != .closed)
            try await device.manager.unauthenticate(discardsDrafts: true)
            #expect(device.manager.namespaces().isEmpty)
            await device.end()
        }
    }

    @Test(.shows(.k35)) func `a file is uploaded with progress, and arrives as it was`() async throws {
        let seen = Locked<[Double]>([])
        let transport = PacedTransport { sent in
            (seen.withLock { $0.last } ?? 0) >= Double(sent * 100 / 6_000_000) / 100
        }
        try await run(transport: transport) { device, _, receiver in
            let draft = draft(device, "Files")
            let bytes = Data((0..<6_000_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
            let file = device.directory.appendingPathComponent("large.bin")
            try bytes.write(to: file)
            let new = INFile(contentsOf: file)
            #expect(new.uploadProgress == 0 && new.filename == "large.bin" && new.size == bytes.count)
            try await draft.addAttachment(new)
            try FileManager.default.removeItem(at: file)
            try await draft.addAttachment(INFile(filename: "b.png", mimetype: "image/png", data: Data([1, 2, 3])))
            #expect(draft.files.map(\.filename) == ["large.bin", "b.png"])
            #expect(draft.files.map(\.uploadProgress) == [0, 0])
            try await draft.removeAttachment(try #require(draft.files.last))
            #expect(draft.files.map(\.filename) == ["large.bin"])
            #expect(try await draft.files.first?.data() == bytes)
            let observer = NotificationCenter.default.addObserver(
                forName: INModelObjectChangedNotification,
                object: draft,
                queue: nil
            ) { _ in
                MainActor.assumeIsolated { seen.withLock { $0 += draft.files.map(\.uploadProgress) } }
            }
            try await draft.send()
            try await device.namespace.mail.sync()
            #expect(try await eventually { draft.state == .sent && draft.files.map(\.uploadProgress) == [1] })
            let steps = seen.withLock { $0 }
            #expect(steps.contains { $0 > 0 && $0 < 1 } && steps == steps.sorted())
            let text = try #require(try await receiver.mails().first?.text)
            #expect(text.contains("large.bin") && text.utf8.count > bytes.count)
            NotificationCenter.default.removeObserver(observer)
        }
    }

    @Test func `a mail within a mail is attached with a name that says what it is`() async throws {
        let text = """
            From: Anna <anna@example.com>
            To: Alice <alice@example.com>
            Subject: Forwarded
            Date: Tue, 03 Mar 2026 10:20:30 +0100
            Message-ID: <forwarded@example.com>
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=mixed

            --mixed
            Content-Type: text/plain

            See below.
            --mixed
            Content-Type: message/rfc822

            From: Carol <carol@example.org>
            Subject: Within
            Date: Tue, 03 Mar 2026 10:20:30 +0100
            Message-ID: <within@example.org>

            Hello.
            --mixed--

            """
        let mail = IMAPClient.Mail(Array(text.replacing("\n", with: "\r\n").utf8))
        try await run(mail) { device, _, _ in
            let message = try #require(try await device.message("Forwarded"))
            try await message.reload()
            let draft = draft(device, "With a mail")
            try await draft.addAttachment(try #require(message.files.first))
            #expect(draft.files.map(\.filename) == ["file.eml"])
        }
    }

    @Test(.shows(.k34)) func `a reply goes to the participants without the person`() async throws {
        try await run(mail("Plans", at: 0, body: "Let us go.")) { device, _, receiver in
            let thread = try #require(try await device.thread("Plans"))
            let reply = try await INDraft(in: device.namespace, inReplyTo: thread)
            #expect(reply.to.map(\.email) == ["anna@example.com"] && reply.cc.isEmpty && reply.subject == "Re: Plans")
            #expect(reply.threadID == thread.ID && reply.body.contains("> Let us go."))
            #expect(try await thread.draftIDs().isEmpty)
            try await reply.save()
            #expect(try await thread.draftIDs() == [reply.ID])
            let provider = thread.newDraftsProvider()
            #expect(try await eventually { provider.models.first === reply })
            let message = try #require(try await device.namespace.message(withID: thread.messageIDs[0]))
            #expect(try await message.newReply().to.map(\.email) == ["anna@example.com"])
            #expect(try await message.newReplyToAll().to.map(\.email) == ["anna@example.com"])
            let forward = try await message.newForward()
            #expect(forward.to.isEmpty && forward.subject == "Fwd: Plans" && forward.threadID == nil)
            reply.body = "Yes!\n\n" + reply.body
            try await reply.send()
            try await device.namespace.mail.sync()
            let sent = try #require(try await receiver.mails().first)
            #expect(sent.recipients == ["anna@example.com"] && sent.header("In-Reply-To").count == 1)
            #expect(sent.text.contains("Yes!"))
        }
    }

    @Test(.shows(.k34)) func `a reply goes to the participants of the earlier mails too`() async throws {
        let others = "Alice <alice@example.com>, Dave <dave@example.org>"
        try await run(
            mail("Plans", at: 0, to: others, id: "plans"),
            mail("Re: Plans", at: 1, from: "Carol <carol@example.org>", answering: "plans")
        ) { device, _, _ in
            let thread = try #require(try await device.thread("Plans"))
            #expect(thread.messageIDs.count == 2)
            let reply = try await INDraft(in: device.namespace, inReplyTo: thread)
            #expect(reply.to.map(\.email) == ["carol@example.org"])
            #expect(reply.cc.map(\.email) == ["anna@example.com", "dave@example.org"])
        }
    }
}
