import Eventually
import Foundation
import GRDB
import Groundwork
import InboxTesting
import Testing

@testable import InboxClient
@testable import Replica

/// Failures while opening or signing out, and recovery from them.
@Suite(.timeLimit(.minutes(5))) struct CurrentInboxFailureTests {
    private let app = App()
    private let files = FileManager.default

    private func code(of body: () async throws -> Void) async throws -> InboxError.Code? {
        await #expect(throws: InboxError.self) { try await body() }?.code
    }

    private func location(_ person: String) -> StoreLocation {
        StoreLocation(directory: app.directory, server: URL(string: "https://inbox.example")!, person: person)
    }

    /// Leaves an app in which Alice is identified and her file can't be opened, but can be deleted.
    private func corruptAlicesFile() async throws {
        let first = app.start()
        first.identify("alice")
        _ = try await first.fetchMessages()
        await (try await first.inbox).close()
        for file in location("alice").database { try? files.removeItem(at: file) }
        try files.createDirectory(at: location("alice").file, withIntermediateDirectories: false)
    }

    // MARK: - Opening

    @Test(arguments: [true, false]) func `a failed opening is tried again at the next use`(isIdentifiedAgain: Bool)
        async throws
    {
        let app = App()
        #expect(files.createFile(atPath: app.directory.path, contents: nil), "a file in place of the folder")
        let current = app.start()
        current.identify("alice")
        #expect(try await code { _ = try await current.inbox } == .storage)
        #expect(try await code { _ = try await current.fetchMessages() } == .storage)
        try files.removeItem(at: app.directory)
        if isIdentifiedAgain { current.identify("alice", keepingMessages: true) }
        #expect(try await current.fetchMessages().map(\.id) == ["alices"])
        #expect(try await current.inbox === current.inbox)
    }

    @Test func `failed clearing shows no messages and is tried again on the same inbox`() async throws {
        let isFull = Locked(false)
        let current = app.start { moment in
            guard moment == .begins, isFull.withLock({ $0 }) else { return }
            throw StoreError.directory(path: "", reason: "no space")
        }
        current.identify("alice")
        _ = try await current.fetchMessages()
        let inbox = try await current.inbox
        isFull.withLock { $0 = true }
        current.identify("alice")
        #expect(try await code { _ = try await current.inbox } == .storage)
        #expect(try await code { _ = try await current.withInbox { try await $0.messages() } } == .storage)
        current.identify("alice", keepingMessages: true)
        #expect(try await code { _ = try await current.inbox } == .storage)
        isFull.withLock { $0 = false }
        #expect(try await current.withInbox { try await $0.messages() }.isEmpty)
        #expect(try await current.inbox === inbox)
        current.identify("alice")
        #expect(try await current.inbox === inbox)
        current.anonymize()
        #expect(try await code { _ = try await inbox.messages() } == .closed)
    }

    /// The next use rebuilds the file, or another process has rebuilt it.
    @Test(arguments: [true, false])
    func `a damaged file is reopened at the next use`(byAnother: Bool) async throws {
        let app = App()
        let current = app.start()
        current.identify("alice")
        _ = try await current.fetchMessages()
        let damaged = try await current.inbox
        #expect(
            files.createFile(atPath: damaged.store.location.damageNote.path, contents: nil),
            "the note of the damage"
        )
        if byAnother {
            let another = try await Inbox.open(
                server: current.server,
                person: "alice",
                directory: app.directory,
                configuration: app.configuration
            ) { "alice" }
            #expect(another.repair != nil)
            await another.close()
        }
        let inbox = try await current.inbox
        #expect(inbox !== damaged)
        #expect(byAnother || inbox.repair != nil)
        #expect(try await code { _ = try await damaged.messages() } == .closed)
        #expect(try await current.fetchMessages().map(\.id) == ["alices"])
        #expect(try await current.inbox === inbox)
        current.anonymize()
        #expect(try await code { _ = try await inbox.messages() } == .closed)
        #expect(try await eventually { app.files.isEmpty })
    }

    // MARK: - Signing out

    @Test func `signing out of an inbox that can't be opened deletes its file`() async throws {
        try await corruptAlicesFile()
        let current = app.start()
        #expect(try await code { _ = try await current.inbox } == .storage)
        current.anonymize()
        #expect(try await eventually { app.files.isEmpty && !app.remembers("alice") })
    }

    @Test func `signing out keeps the file of a newer version until that version runs`() async throws {
        let first = app.start()
        first.identify("alice")
        _ = try await first.fetchMessages()
        await (try await first.inbox).close()
        let file = try DatabaseQueue(path: location("alice").file.path)
        try await file.write { db in try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('replica 999')") }
        let current = app.start()
        #expect(try await code { _ = try await current.inbox } == .newerVersion)
        current.anonymize()
        for _ in 0..<1_000 { await Task.yield() }
        #expect(app.remembers("alice") && app.files.contains(location("alice").file.lastPathComponent))
        try await file.write { db in
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'replica 999'")
        }
        try file.close()
        _ = app.start()
        #expect(try await eventually { app.files.isEmpty && !app.remembers("alice") })
    }

    @Test func `signing out of a closed inbox sends pending writes and deletes its file`() async throws {
        let current = app.start()
        current.identify("alice")
        _ = try await current.fetchMessages()
        try await current.inbox.markRead("alices")
        await (try await current.inbox).close()
        current.anonymize()
        #expect(try await eventually { app.files.isEmpty && !app.remembers("alice") })
        #expect(app.alice.messages.first?.isUnread == false)
    }

    @Test func `a failed sign-out is stored and completed before the person signs in again`() async throws {
        try await corruptAlicesFile()
        let other = FileLock(location("alice").lock)
        #expect(other.acquire(), "another process syncs")
        let current = app.start()
        current.identify("bob")
        #expect(try await current.fetchMessages().map(\.id) == ["bobs"])
        current.identify("alice")
        #expect(try await code { _ = try await current.inbox } == .closed)
        #expect(app.remembers("alice") && app.files.contains(location("alice").file.lastPathComponent))
        other.release()
        #expect(try await current.inbox.messages().isEmpty)
        #expect(try await current.fetchMessages().map(\.id) == ["alices"])
        #expect(try await eventually { app.files.count == 1 })
    }

    @Test func `a failed sign-out is completed at the next start`() async throws {
        try await corruptAlicesFile()
        let other = FileLock(location("alice").lock)
        #expect(other.acquire(), "another process syncs")
        app.start().anonymize()
        for _ in 0..<1_000 { await Task.yield() }
        #expect(app.remembers("alice") && app.files.count == 1)
        other.release()
        #expect(app.start().person == nil)
        #expect(try await eventually { app.files.isEmpty && !app.remembers("alice") })
    }

    @Test func `a person identified on another server is signed out without a request`() async throws {
        let first = app.start()
        first.identify("alice")
        _ = try await first.fetchMessages()
        try await first.inbox.markRead("alices")
        await (try await first.inbox).close()
        let requests = app.transport.requests.count
        let other = app.start(server: "https://other.example")
        #expect(other.person == nil)
        #expect(try await eventually { app.files.isEmpty && !app.remembers("alice") })
        #expect(app.transport.requests.count == requests)
        other.identify("alice")
        #expect(try await other.fetchMessages().map(\.id) == ["alices"])
        #expect(app.files.count == 1)
    }

    // MARK: - Identity

    @Test func `person ids are compared by their bytes`() async throws {
        let current = app.start()
        current.identify("\u{E9}")
        let push = "{\"inbox\":{\"id\":\"m\",\"person\":\"\u{E9}\",\"title\":\"t\"}}"
        try await current.inbox.receive(push: Data(push.utf8))
        current.identify("e\u{301}", keepingMessages: true)
        #expect(current.person.map { Array($0.utf8) } == Array("e\u{301}".utf8))
        #expect(try await current.inbox.messages().isEmpty)
        #expect(try await eventually { app.files == [location("e\u{301}").file.lastPathComponent] })
        // Signing out of one person doesn't affect the other.
        current.identify("\u{E9}")
        #expect(try await current.inbox.messages().isEmpty)
        #expect(try await eventually { app.files == [location("\u{E9}").file.lastPathComponent] })
    }

    @Test func `the identified person is stored for the owner only and readable by extensions`() throws {
        let server = URL(string: "https://inbox.example")!
        func identified(_ server: URL) -> String? {
            CurrentInbox.identifiedPerson(directory: app.directory, server: server)
        }
        #expect(identified(server) == nil)
        let current = app.start()
        current.identify("alice")
        for (path, permissions) in [(app.directory.path, 0o700), (app.identityFile.path, 0o600)] {
            let found = try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(found.map { $0 & 0o777 } == permissions)
        }
        #expect(identified(server) == "alice")
        #expect(identified(URL(string: "https://other.example")!) == nil)
        current.anonymize()
        #expect(identified(server) == nil)
    }
}
