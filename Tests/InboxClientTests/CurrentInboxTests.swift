import Coverage
import Eventually
import Foundation
import Groundwork
import InboxModel
import InboxTesting
import Replica
import Testing

@testable import InboxClient

@Suite(.timeLimit(.minutes(5))) struct CurrentInboxTests {
    private let app = App()

    private func code(of body: () async throws -> Void) async throws -> InboxError.Code? {
        await #expect(throws: InboxError.self) { try await body() }?.code
    }

    // MARK: - The identified person

    @Test func `without an identified person, each call throws notIdentified`() async throws {
        let current = app.start()
        #expect(current.person == nil)
        #expect(try await code { _ = try await current.inbox } == .notIdentified)
        #expect(try await code { _ = try await current.fetchMessages() } == .notIdentified)
        #expect(try await code { _ = try await current.fetchMessage(id: "alices") } == .notIdentified)
        #expect(app.transport.requests.isEmpty)
    }

    @Test func `after identifying and then anonymizing, no messages and no files remain`() async throws {
        let current = app.start()
        current.identify("alice")
        #expect(try await current.fetchMessages().map(\.id) == ["alices"])
        let inbox = try await current.inbox
        current.anonymize()
        #expect(inbox.latestCounts().total == 0)
        #expect(try await code { _ = try await inbox.messages() } == .closed)
        #expect(try await code { _ = try await current.fetchMessages() } == .notIdentified)
        #expect(try await eventually { app.files.isEmpty })
    }

    @Test func `an invalid person id throws at the first use`() async throws {
        let current = app.start()
        current.identify("")
        #expect(try await code { _ = try await current.inbox } == .invalidArgument)
        current.identify("alice")
        #expect(try await current.fetchMessages().map(\.id) == ["alices"])
    }

    // MARK: - Another person

    @Test(.rulesOut(.brazeWeb134))
    func `identifying another person during a fetch keeps the fetched messages apart`() async throws {
        let current = app.start()
        current.identify("alice")
        let alices = try await current.inbox
        let (resume, release) = AsyncStream.makeStream(of: Void.self)
        app.delay("alice", until: resume)
        let fetch = Task { try await current.fetchMessages() }
        #expect(try await eventually { !app.transport.requests.isEmpty })
        current.identify("bob")
        #expect(try await code { _ = try await alices.messages() } == .closed)
        #expect(try await current.fetchMessages().map(\.id) == ["bobs"])
        release.finish()
        #expect(try await code { _ = try await fetch.value } == .closed)
        #expect(try await current.inbox.messages(.active).map(\.id) == ["bobs"])
        #expect(try await eventually { app.files.count == 1 })
    }

    @Test func `identifying another person before the inbox is open drops the first fetch`() async throws {
        let current = app.start()
        current.identify("alice")
        let fetch = Task { try await current.fetchMessages() }
        current.identify("bob")
        #expect(try await current.fetchMessages().map(\.id) == ["bobs"])
        // If the task began late, it fetched Bob's messages.
        if let fetched = try? await fetch.value { #expect(fetched.map(\.id) == ["bobs"]) }
        #expect(try await eventually { app.files.count == 1 })
    }

    /// The result of a fetch isn't shown after another person was identified on the same actor.
    @MainActor @Test(.rulesOut(.brazeWeb134), arguments: stride(from: 0, to: 60, by: 4).map { $0 })
    func `a result on the main actor belongs to the current person`(
        yields: Int
    ) async throws {
        let current = app.start()
        current.identify("alice")
        _ = try await current.fetchMessages()
        var shown: [String] = []
        let fetch = Task { @MainActor in
            let messages = try? await current.withInbox { try await $0.messages() }
            #expect(messages == nil || current.person == "alice")
            shown = messages?.map(\.id) ?? []
        }
        for _ in 0..<yields { await Task.yield() }
        current.anonymize()
        let before = shown
        await fetch.value
        #expect(shown == before)
    }

    @Test func `the next person doesn't wait for the previous person's unsent writes`() async throws {
        let current = app.start()
        current.identify("alice")
        _ = try await current.fetchMessages()
        try await current.inbox.archive("alices")
        let (resume, release) = AsyncStream.makeStream(of: Void.self)
        app.delay("alice", until: resume)
        current.identify("bob")
        #expect(try await current.fetchMessages().map(\.id) == ["bobs"])
        #expect(app.files.count == 2)
        #expect(try await eventually { app.clock.sleeperCount > 0 })
        app.clock.advance(by: 5.1)
        #expect(try await eventually { app.files.count == 1 })
        release.finish()
    }

    @Test func `identifying the same person during the sign-out starts with a new file`() async throws {
        let current = app.start()
        current.identify("alice")
        _ = try await current.fetchMessages()
        try await current.inbox.archive("alices")
        let (resume, release) = AsyncStream.makeStream(of: Void.self)
        app.delay("alice", until: resume)
        current.anonymize()
        #expect(try await eventually { app.clock.sleeperCount > 0 })
        current.identify("alice")
        let opened = Locked(false)
        let opening = Task {
            let inbox = try await current.inbox
            opened.withLock { $0 = true }
            return inbox
        }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(!opened.withLock { $0 })
        app.clock.advance(by: 5.1)
        #expect(try await opening.value.messages(.active).isEmpty)
        release.finish()
        app.connect()
        #expect(try await current.inbox.fetchMessages().count <= 1)
    }

    // MARK: - The same person

    @Test func `identifying the same person clears the inbox and keeps unsent writes`() async throws {
        let current = app.start()
        current.identify("alice")
        _ = try await current.fetchMessages()
        app.disconnect()
        try await current.inbox.markRead("alices")
        current.identify("alice")
        #expect(try await current.inbox.messages().isEmpty)
        #expect(try await current.inbox.status().pendingWrites == 1)
        app.connect()
        #expect(try await current.fetchMessages().first?.isUnread == false)
        #expect(app.alice.messages.first?.readAt != nil)
    }

    @Test func `identifying the same person during a fetch shows nothing from before`() async throws {
        let current = app.start()
        current.identify("alice")
        _ = try await current.fetchMessages()
        let (resume, release) = AsyncStream.makeStream(of: Void.self)
        app.delay("alice", until: resume)
        let before = app.transport.requests.count
        let fetch = Task { try await current.fetchMessages() }
        #expect(try await eventually { app.transport.requests.count > before })
        current.identify("alice")
        #expect(try await current.inbox.messages().isEmpty)
        release.finish()
        _ = try? await fetch.value
        app.connect()
        #expect(try await current.fetchMessages().map(\.id) == ["alices"])
    }

    @Test func `identifying the same person can keep the messages`() async throws {
        let current = app.start()
        current.identify("alice")
        _ = try await current.fetchMessages()
        app.disconnect()
        current.identify("alice", keepingMessages: true)
        #expect(try await current.inbox.messages().map(\.id) == ["alices"])
    }

    // MARK: - The next start

    @Test func `the identified person remains so at the next start, also offline`() async throws {
        var current: CurrentInbox? = app.start()
        current?.identify("alice")
        _ = try await current?.fetchMessages()
        try await current?.inbox.close()
        current = nil
        app.disconnect()
        let again = app.start()
        #expect(again.person == "alice")
        #expect(try await again.inbox.messages().map(\.id) == ["alices"])
        again.anonymize()
        #expect(app.start().person == nil)
    }

    /// The state after a process is killed during a sign-out, before or after the file was marked.
    @Test(arguments: [true, false]) func `a sign-out that the app's end interrupted is completed at the next start`(
        isMarked: Bool
    ) async throws {
        let app = App()
        let first = app.start()
        first.identify("alice")
        _ = try await first.fetchMessages()
        let inbox = try await first.inbox
        try await inbox.markRead("alices")
        let file = inbox.store.location.file
        if isMarked { _ = try await inbox.store.markSignedOut(keepingUnsent: false) }
        await inbox.close()
        let (alice, bob) = (
            #"{"server":"https://inbox.example","person":"alice"}"#,
            #"{"server":"https://inbox.example","person":"bob"}"#
        )
        let note = #"{"identified":\#(bob),"departing":[\#(alice)]}"#
        try Data(note.utf8).write(to: app.identityFile)
        let second = app.start()
        #expect(second.person == "bob")
        #expect(try await second.fetchMessages().map(\.id) == ["bobs"])
        #expect(try await eventually { !FileManager.default.fileExists(atPath: file.path) })
        if !isMarked { #expect(app.alice.messages.first?.isUnread == false, "the pending write was sent") }
        #expect(try await eventually { !app.remembers("alice") && app.remembers("bob") })
    }

    @Test func `a person who couldn't be stored isn't identified at the next start`() async throws {
        app.start().identify("alice")
        try FileManager.default.removeItem(at: app.identityFile)
        try FileManager.default.createDirectory(at: app.identityFile, withIntermediateDirectories: false)
        #expect(app.start().person == nil)
        app.start().identify("bob")
        #expect(app.start().person != "alice")
    }

    // MARK: - One message

    @Test func `a message is read from the device, or fetched once`() async throws {
        let current = app.start()
        current.identify("alice")
        #expect(try await current.fetchMessage(id: "alices")?.id == "alices")
        let earlierRequests = app.transport.requests.count
        #expect(try await current.fetchMessage(id: "alices")?.id == "alices")
        #expect(app.transport.requests.count == earlierRequests)
        app.alice.deliver(.at(1, "later"))
        #expect(try await current.fetchMessage(id: "later")?.id == "later")
        #expect(app.transport.requests.count == earlierRequests + 1)
        // It is fetched by its id too, since a device doesn't store all messages.
        #expect(try await current.fetchMessage(id: "nothing") == nil)
        #expect(app.transport.requests.count == earlierRequests + 3)
        app.disconnect()
        #expect(try await current.fetchMessage(id: "later")?.id == "later")
        #expect(try await code { _ = try await current.fetchMessage(id: "nothing") } == .notConnected)
    }
}
