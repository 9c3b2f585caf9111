import Eventually
import Foundation
import GRDB
import Groundwork
import InboxTesting
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxClient
@testable import InboxMail
@testable import Replica

/// Unsent drafts in the file of an inbox, which signing out would delete.
///
/// One test at a time: a write that stops keeps one of the few threads of tasks, and with two of them on two cores
/// nothing could go on.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DraftSignOutTests {
    /// A person refreshes a list twice. The first upload has no answer.
    @Test func `a sign-out neither waits for an upload without an answer nor sends what follows`() async throws {
        try await StandardDevice.run { server, device in
            var draft = device.mail.draft("Hello")
            draft = try await device.mail.attach(Data("file".utf8), named: "a.txt", to: draft)
            try await device.mail.save(draft, waitsForChanges: false)
            let (isCancelled, hasEnded) = (Locked(false), Locked(false))
            device.transport.answer { request in
                guard request.url.path.hasPrefix("/upload/") else { return server.answer(request) }
                defer { hasEnded.withLock { $0 = true } }
                do {
                    // Far longer than the test takes. A cancellation ends it.
                    try await Task.sleep(for: .seconds(200))
                } catch {
                    isCancelled.withLock { $0 = true }
                    throw error
                }
                throw TransportError.unreachable("there is no answer")
            }
            let first = Task { try await device.mail.sync() }
            // The sleeper is the deadline of the upload.
            #expect(try await eventually { device.uploads == 1 && device.clock.sleeperCount == 1 })
            // The count takes five seconds at most, though the upload goes on.
            let count = Task { try await device.mail.unsentDraftCount() }
            #expect(try await eventually { device.clock.sleeperCount == 2 })
            device.clock.advance(by: 5)
            #expect(try await count.value == 1)
            #expect(!hasEnded.withLock { $0 })
            let requests = device.transport.requests.count
            let second = Task { try await device.mail.sync() }
            #expect(try await eventually { device.transport.requests.count > requests })
            for _ in 0..<100 { await Task.yield() }
            try await device.mail.signOut(discardsDrafts: true)
            #expect(isCancelled.withLock { $0 })
            for sync in [first, second] { await #expect(throws: (any Error).self) { try await sync.value } }
            #expect(device.uploads == 1 && device.creations == 0)
        }
    }

    @Test func `an inbox whose file has unsent drafts of mail asks before it signs out`() async throws {
        try await Self.run { inbox, open in
            let mail = try await open("alice@example.com", false)
            let draft = try await mail.save(mail.draft("Precious"))
            let error = await #expect(throws: InboxError.self) { try await inbox.signOut() }
            #expect(error?.code == .unsentDrafts)
            #expect(try await mail.draft(id: draft.id)?.text == "Precious")
            try await inbox.signOut(discardsDrafts: true)
        }
    }

    @Test func `another account's mail in an inbox keeps the unsent drafts of the first`() async throws {
        try await Self.run { inbox, open in
            var mail = try await open("alice@example.com", false)
            let draft = try await mail.save(mail.draft("Precious"))
            await mail.close()
            let error = await #expect(throws: MailError.self) { _ = try await open("bob@example.com", false) }
            #expect(error?.code == .unsentDrafts)
            mail = try await open("alice@example.com", false)
            #expect(try await mail.draft(id: draft.id)?.text == "Precious")
            await mail.close()
            mail = try await open("bob@example.com", true)
            #expect(try await mail.drafts().isEmpty)
            await mail.close()
            try await inbox.signOut()
        }
    }

    @Test func `a current inbox keeps unsent drafts of mail until their person returns`() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("current-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let clock = ManualClock()
        let servers = ["alice": ScriptedServer(person: "alice"), "bob": ScriptedServer(person: "bob")]
        let mailServer = StandardMailServer(clock: clock)
        var settings = InboxConfiguration()
        settings.isLive = false
        settings.clock = clock
        settings.transport = ScriptedTransport { request in
            let person = String(request.headers["Authorization"]?.dropFirst("Bearer ".count) ?? "")
            return servers[person]?.answer(request) ?? TransportResponse(status: 401, url: request.url)
        }
        func files() -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [])
                .filter { $0.hasSuffix(".sqlite") }
        }
        func start(_ server: String = "https://inbox.example") -> CurrentInbox {
            CurrentInbox(server: URL(string: server)!, directory: directory, configuration: settings) { $0 }
        }
        func mail(_ inbox: Inbox) async throws -> Mail {
            try await Self.mail(mailServer, "alice@example.com", in: inbox)
        }
        servers["alice"]?.deliver(Message(id: "alices", title: "Hello", deliverAt: clock.now))
        var current = start()
        current.identify("alice")
        #expect(try await current.fetchMessages().count == 1)
        var alices = try await mail(try await current.inbox)
        let draft = try await alices.save(alices.draft("Precious"))
        current.identify("bob")
        await #expect(throws: InboxError.self) { try await alices.drafts() }
        #expect(try await current.fetchMessages().isEmpty)
        current.identify("alice")
        #expect(try await current.inbox.messages().isEmpty, "the messages from before are gone")
        alices = try await mail(try await current.inbox)
        #expect(try await alices.draft(id: draft.id)?.text == "Precious")
        // Also over starts of the app, of which one is for another server.
        current.anonymize()
        for server in ["https://inbox.example", "https://other.example", "https://inbox.example"] {
            current = start(server)
            current.identify("bob")
            _ = try? await current.inbox
        }
        current.identify("alice")
        alices = try await mail(try await current.inbox)
        #expect(try await alices.draft(id: draft.id)?.text == "Precious")
        // A current inbox of another server has no tokens for it, and asks only for the drafts.
        current.anonymize()
        let folder = InboxFolder(
            server: URL(string: "https://other.example")!,
            directory: directory,
            configuration: settings
        ) { $0 }
        let former = Identity(server: "https://inbox.example", person: "alice")
        let error = await #expect(throws: InboxError.self) { try await folder.delete(former) }
        #expect(error?.code == .unsentDrafts)
        current = start()
        current.identify("alice")
        alices = try await mail(try await current.inbox)
        #expect(try await alices.draft(id: draft.id)?.text == "Precious")
        try await alices.signOut(discardsDrafts: true)
        current.anonymize()
        #expect(try await eventually { files().isEmpty })
    }

    // MARK: - Drafts that are saved at the same time

    /// Stops a write, on its own thread, at a moment.
    private final class Stop: Sendable {
        // Guarded by the lock: any thread writes to the store.
        private let moment = Locked<WriteMoment?>(nil)
        private let reached = DispatchSemaphore(value: 0)
        private let released = DispatchSemaphore(value: 0)

        @Sendable func hook(_ moment: WriteMoment) {
            let isNext = self.moment.withLock { next in
                guard next == moment else { return false }
                next = nil
                return true
            }
            guard isNext else { return }
            reached.signal()
            _ = released.wait(timeout: .now() + 120)
        }

        /// Stops the next write.
        func stop(at moment: WriteMoment) { self.moment.withLock { $0 = moment } }

        func release() { released.signal() }

        /// Waits until a write has stopped, on a thread of its own: those of tasks are few, and the write needs one.
        func wait() async {
            let isReached = Locked(false)
            await onNewThread { [reached] in
                let result = reached.wait(timeout: .now() + 120)
                isReached.withLock { $0 = result == .success }
            }
            #expect(isReached.withLock { $0 })
        }

        /// Releases the write when something that is under way has had time to go ahead of it.
        func releaseSoon() { DispatchQueue.global().asyncAfter(deadline: .now() + 0.5) { self.release() } }
    }

    /// Saves a draft after a sign-out has counted the drafts, and requires the sign-out to be refused.
    /// Has each write run on the writer's thread, as beside another one: stopped there, it keeps no thread of tasks.
    private static func useWriterThread(_ mail: Mail) { mail.store.writes.withLock { $0 += 1 } }

    private static func saveWhileSigningOut(_ mail: Mail, _ counting: Stop, _ saving: Stop) async throws {
        let draft = mail.draft("Precious")
        // Signing out has saved what it could, and counts.
        Self.useWriterThread(mail)
        counting.stop(at: .isCommitted)
        let signOut = Task { try await mail.signOut() }
        await counting.wait()
        saving.stop(at: .commits)
        let save = Task { try await mail.save(draft) }
        await saving.wait()
        saving.releaseSoon()
        counting.release()
        _ = try await save.value
        let error = await #expect(throws: MailError.self) { try await signOut.value }
        #expect(error?.code == .unsentDrafts)
        // Nothing has changed: the mail isn't closed either.
        #expect(try await mail.draft(id: draft.id)?.text == "Precious")
    }

    @Test func `a draft that is saved while mail signs out refuses it`() async throws {
        let (counting, saving) = (Stop(), Stop())
        try await StandardDevice.run { configuration in
            configuration.writeHook = { moment in
                counting.hook(moment)
                saving.hook(moment)
            }
        } _: { _, device in
            try await Self.saveWhileSigningOut(device.mail, counting, saving)
        }
    }

    @Test func `a draft that is saved while mail signs out of an inbox's file refuses it`() async throws {
        let (counting, saving) = (Stop(), Stop())
        let hook: WriteHook = { moment in
            counting.hook(moment)
            saving.hook(moment)
        }
        try await Self.run(writeHook: hook) { _, open in
            let mail = try await open("alice@example.com", false)
            try await Self.saveWhileSigningOut(mail, counting, saving)
            try await mail.signOut(discardsDrafts: true)
        }
    }

    @Test func `a draft that would be saved after mail has signed out isn't reported as saved`() async throws {
        let saving = Stop()
        try await StandardDevice.run(configure: { $0.writeHook = saving.hook }) { server, device in
            let mail = device.mail
            try await device.receive(subject: "Question", from: "carol@example.net", server)
            let question = try #require(try await mail.messages().first)
            try await mail.markRead(thread: question.threadID)
            let draft = mail.draft("Precious")
            saving.stop(at: .begins)
            let save = Task { try await mail.save(draft) }
            await saving.wait()
            device.transport.answer { request in
                // The mail is hidden, and what is left is sent.
                saving.release()
                _ = await save.result
                return server.answer(request)
            }
            try await mail.signOut()
            let error = await #expect(throws: MailError.self) { try await save.value }
            #expect(error?.code == .closed)
        }
    }

    @Test func `a draft that another process saves while mail signs out of an inbox refuses it`() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("sign-out-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let mailServer = StandardMailServer(clock: ManualClock())
        let transport = ScriptedTransport { request in mailServer.answer(request) }
        // An inbox that doesn't share its store has its own connections, like another process.
        func process(_ transport: ScriptedTransport) async throws -> Mail {
            var settings = InboxConfiguration()
            (settings.isLive, settings.sharesEngine, settings.clock) = (false, false, ManualClock())
            settings.transport = ScriptedServer(person: "alice").transport
            let inbox = try await Inbox.open(
                server: URL(string: "https://inbox.example")!,
                person: "alice",
                directory: directory,
                configuration: settings
            ) { "token" }
            return try await Self.mail(mailServer, "alice@example.com", in: inbox, transport: transport)
        }
        let mail = try await process(transport)
        let other = try await process(ScriptedTransport { request in mailServer.answer(request) })
        mailServer.deliver(["subject": "Question", "mailboxIds": ["inbox": true], "keywords": .object(JSONObject())])
        try await mail.sync()
        try await mail.markRead(thread: try #require(try await mail.threads().first).id)
        let draft = other.draft("Precious")
        transport.answer { request in
            // The mail is hidden, and what is left is sent.
            _ = try await other.save(draft)
            return mailServer.answer(request)
        }
        let error = await #expect(throws: MailError.self) { try await mail.signOut() }
        #expect(error?.code == .unsentDrafts)
        #expect(try await other.draft(id: draft.id)?.text == "Precious")
        try await other.signOut(discardsDrafts: true)
        for inbox in [mail.inbox, other.inbox] { await inbox?.close() }
    }

    @Test func `a draft in the file of an inbox refuses signing out of the mail`() async throws {
        try await Self.run { inbox, open in
            let mail = try await open("alice@example.com", false)
            let draft = try await mail.save(mail.draft("Precious"))
            let error = await #expect(throws: MailError.self) { try await mail.signOut() }
            #expect(error?.code == .unsentDrafts)
            #expect(try await mail.draft(id: draft.id)?.text == "Precious")
            try await mail.signOut(discardsDrafts: true)
            let again = try await open("alice@example.com", false)
            #expect(try await again.drafts().isEmpty)
        }
    }

    @Test func `a draft that is saved while its inbox signs out refuses it`() async throws {
        let saving = Stop()
        try await Self.run(writeHook: saving.hook) { inbox, open in
            let mail = try await open("alice@example.com", false)
            let draft = mail.draft("Precious")
            Self.useWriterThread(mail)
            saving.stop(at: .commits)
            let save = Task { try await mail.save(draft) }
            await saving.wait()
            saving.releaseSoon()
            let error = await #expect(throws: InboxError.self) { try await inbox.signOut() }
            _ = try await save.value
            #expect(error?.code == .unsentDrafts)
            #expect(try await mail.draft(id: draft.id)?.text == "Precious")
            try await inbox.signOut(discardsDrafts: true)
        }
    }

    @Test func `a draft that is saved while another person is identified is kept`() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("current-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let clock = ManualClock()
        let mailServer = StandardMailServer(clock: clock)
        let saving = Stop()
        var settings = InboxConfiguration()
        settings.isLive = false
        settings.clock = clock
        settings.transport = ScriptedServer(person: "alice").transport
        settings.writeHook = saving.hook
        let current = CurrentInbox(
            server: URL(string: "https://inbox.example")!,
            directory: directory,
            configuration: settings
        ) { $0 }
        current.identify("alice")
        var mail = try await Self.mail(mailServer, "alice@example.com", in: try await current.inbox)
        let draft = mail.draft("Precious")
        Self.useWriterThread(mail)
        saving.stop(at: .commits)
        let save = Task { [mail] in try await mail.save(draft) }
        await saving.wait()
        current.anonymize()
        saving.releaseSoon()
        _ = try await save.value
        current.identify("alice")
        mail = try await Self.mail(mailServer, "alice@example.com", in: try await current.inbox)
        #expect(try await mail.draft(id: draft.id)?.text == "Precious")
        try await mail.signOut(discardsDrafts: true)
    }

    // MARK: - Another process that doesn't finish its write

    /// Another process, which is in the middle of a write to a store in a folder.
    private struct OtherWriter {
        private let queue: DatabaseQueue

        init(in directory: URL) throws {
            let files = try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let file = try #require(files.first { $0.pathExtension == "sqlite" })
            queue = try DatabaseQueue(path: file.path, configuration: configuration)
            try queue.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
        }

        func finish() throws { try queue.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") } }
    }

    @Test func `a sign-out that can't count the drafts throws the reason and changes nothing`() async throws {
        try await StandardDevice.run { _, device in
            let mail = device.mail
            let draft = try await mail.save(mail.draft("Precious"))
            let other = try OtherWriter(in: device.directory)
            let error = await #expect(throws: MailError.self) { try await mail.signOut() }
            #expect(error?.code == .otherProcess)
            #expect(error?.description.contains("Try again; if that process is stopped, continue or end it.") == true)
            try other.finish()
            #expect(try await mail.draft(id: draft.id)?.text == "Precious")
            try await mail.signOut(discardsDrafts: true)
        }
    }

    @Test func `an inbox that can't count the drafts of mail isn't signed out`() async throws {
        try await Self.run { inbox, open in
            let mail = try await open("alice@example.com", false)
            let draft = try await mail.save(mail.draft("Precious"))
            let other = try OtherWriter(in: inbox.store.location.file.deletingLastPathComponent())
            let error = await #expect(throws: InboxError.self) { try await inbox.signOut() }
            #expect(error?.code == .otherProcess)
            try other.finish()
            #expect(try await mail.draft(id: draft.id)?.text == "Precious")
            let refusal = await #expect(throws: InboxError.self) { try await inbox.signOut() }
            #expect(refusal?.code == .unsentDrafts)
        }
    }

    @Test func `drafts that can't be counted are kept when another person is identified`() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("current-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let mailServer = StandardMailServer(clock: ManualClock())
        var settings = InboxConfiguration()
        settings.isLive = false
        settings.clock = ManualClock()
        settings.transport = ScriptedServer(person: "alice").transport
        let current = CurrentInbox(
            server: URL(string: "https://inbox.example")!,
            directory: directory,
            configuration: settings
        ) { $0 }
        current.identify("alice")
        var mail = try await Self.mail(mailServer, "alice@example.com", in: try await current.inbox)
        let draft = try await mail.save(mail.draft("Precious"))
        let other = try OtherWriter(in: directory)
        current.anonymize()
        current.identify("alice")
        let error = await #expect(throws: InboxError.self) { try await current.inbox }
        #expect(error?.code == .otherProcess)
        try other.finish()
        mail = try await Self.mail(mailServer, "alice@example.com", in: try await current.inbox)
        #expect(try await mail.draft(id: draft.id)?.text == "Precious")
        try await mail.signOut(discardsDrafts: true)
    }

    private static func mail(
        _ server: StandardMailServer,
        _ user: String,
        in inbox: Inbox,
        discards: Bool = false,
        transport: ScriptedTransport? = nil
    ) async throws -> Mail {
        var configuration = MailConfiguration()
        configuration.isLive = false
        configuration.transport = transport ?? ScriptedTransport { request in server.answer(request) }
        configuration.discardsOtherDrafts = discards
        return try await Mail.open(
            server: StandardMailServer.url,
            credentials: .basic(user: user) { "secret" },
            in: inbox,
            configuration: configuration
        )
    }

    private static func run(
        writeHook: WriteHook? = nil,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (Inbox, _ open: @Sendable (_ user: String, _ discards: Bool) async throws -> Mail) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("sign-out-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let clock = ManualClock()
        let server = ScriptedServer(person: "alice")
        var configuration = InboxConfiguration()
        configuration.isLive = false
        configuration.transport = server.transport
        configuration.clock = clock
        configuration.writeHook = writeHook
        let inbox = try await Inbox.open(
            server: URL(string: "https://inbox.example")!,
            person: "alice",
            directory: directory,
            configuration: configuration
        ) { "token" }
        let mailServer = StandardMailServer(clock: clock)
        try await body(inbox) { user, discards in
            try await mail(mailServer, user, in: inbox, discards: discards)
        }
        await inbox.close()
    }
}
