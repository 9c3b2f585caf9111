import Eventually
import Foundation
import Groundwork
import InboxTesting
import RunningMailServer
import Testing

@testable import InboxMail

/// A device with slices and a real server.
@Suite(.timeLimit(.minutes(10))) struct MailSliceTests {
    private static let inInbox = #Predicate<MailThread> { $0.isInInbox }

    private func withInbox(
        _ mails: [IMAPClient.Mail],
        archive: [IMAPClient.Mail] = [],
        options: [String] = [],
        configure: (inout MailConfiguration) -> Void = { _ in },
        _ body: (TestDevice, IMAPClient, MailServer) async throws -> Void
    ) async throws {
        try await MailServer.run(options: options) { server in
            let imap = try server.imap()
            if !mails.isEmpty { try await imap.append(mails) }
            if !archive.isEmpty { try await imap.append(archive, to: "Archive") }
            let device = try await TestDevice(server, scope: .slices, configure: configure)
            try await body(device, imap, server)
            await device.end()
        }
    }

    @Test func `only requested threads are fetched and stored, as whole threads`() async throws {
        try await MailServer.run { server in
            try await server.imap().append(SampleMailbox.threads(mails: 300, seed: 3).flatMap(\.mails))
            let full = try await TestDevice(server)
            try await full.mail.sync()
            let device = try await TestDevice(server, scope: .slices)
            let query = Query(where: Self.inInbox, limit: 10)
            try await device.mail.sync()
            #expect(try await device.mail.status().messages == 0, "no query was made")
            #expect(try await device.mail.threads(query).isEmpty, "only stored threads are returned")
            try await device.mail.sync()
            let threads = try await device.mail.threads(query)
            #expect(threads.count == 10)
            let everything = try await full.mail.storedThreads()
            #expect(threads.allSatisfy(everything.contains))
            #expect(try await device.mail.storedThreads().count == 10)
            let mails = threads.flatMap(\.messageIDs)
            #expect(mails.count > 10, "a thread has more than one mail")
            #expect(try await device.mail.status().messages == mails.count)
            #expect(device.link.requestedMailIDs.sorted() == mails.sorted())
            // A sync without changes is one request.
            let before = device.link.log.count
            try await device.mail.sync()
            #expect(device.link.log.count == before + 1)
            for device in [device, full] { await device.end() }
        }
    }

    @Test func `a growing slice fetches the rest only, and an interrupted one resumes`() async throws {
        let mails = (1...30).map { plainMail($0, "Mail \($0)") }
        try await withInbox(mails, options: ["jmap_max_objects_in_get: 8"]) { device, _, _ in
            func subjects(_ limit: Int) async throws -> [String] {
                try await device.mail.threads(Query(where: Self.inInbox, limit: limit)).map(\.subject)
            }
            #expect(try await subjects(5).isEmpty)
            try await device.mail.sync()
            #expect(try await subjects(5) == (26...30).reversed().map { "Mail \($0)" })
            #expect(try await subjects(25).count == 5)
            let gets = Locked(0)
            device.link.fail { request, _ in
                guard request.contains("\"preview\""), !request.contains("\"ids\":[]") else { return nil }
                return gets.withLock { count in
                    count += 1
                    return count == 3 ? .losesRequest : nil
                }
            }
            await #expect(throws: InboxError.self) { try await device.mail.sync() }
            device.link.fail(nil)
            let fetchedCount = try await subjects(25).count
            #expect(fetchedCount > 5 && fetchedCount < 25)
            try await device.mail.sync()
            #expect(try await subjects(25) == (6...30).reversed().map { "Mail \($0)" })
            let requested = device.link.requestedMailIDs
            #expect(Set(requested).count == 25 && requested.count <= 25 + 8, "only lost mails are requested twice")
            #expect(try await device.mail.storedThreads().count == 25)
        }
    }

    @Test func `a live list gains matching threads, loses others, and no other thread is stored`() async throws {
        try await withInbox(
            [plainMail(1, "First")],
            configure: { configuration in
                configuration.isLive = true
                configuration.pollInterval = 0.05
            }
        ) { device, imap, _ in
            let snapshots = device.mail.observeThreads(Query(where: Self.inInbox))
            let shown = Locked<[String]>([])
            let list = Task {
                for try await snapshot in snapshots { shown.withLock { $0 = snapshot.items.map(\.subject) } }
            }
            #expect(try await eventually { shown.withLock { $0 } == ["First"] })
            let uid = try await imap.append([plainMail(2, "Second")])
            try await imap.append([plainMail(3, "Elsewhere")], to: "Archive")
            #expect(try await eventually { shown.withLock { $0 } == ["Second", "First"] })
            try await device.mail.sync()
            #expect(try await device.mail.storedSubjects() == ["First", "Second"])
            // An answer in another mailbox belongs to the thread, too.
            try await imap.append([plainMail(4, "Re: First", answers: 1, flags: ["\\Seen"])], to: "Sent")
            #expect(try await eventually { shown.withLock { $0 } == ["First", "Second"] })
            try await imap.move(uid, to: "Archive")
            #expect(try await eventually { shown.withLock { $0 } == ["First"] })
            try await device.mail.sync()
            #expect(try await device.mail.storedSubjects() == ["First"])
            #expect(try await device.mail.storedThreads().first?.messageCount == 2)
            list.cancel()
        }
    }

    @Test func `offline, stored threads are shown, and a provider reports the failed fetch`() async throws {
        try await withInbox([plainMail(1, "One")], archive: [plainMail(2, "Two")]) { device, _, server in
            _ = try await device.mail.threads(Query(where: Self.inInbox))
            try await device.mail.sync()
            device.link.fail { _, _ in .losesRequest }
            #expect(try await device.mail.threads(Query(where: Self.inInbox)).map(\.subject) == ["One"])
            await #expect(throws: InboxError.self) { try await device.mail.sync() }
            try await Self.provide(device, archive: try await server.mailbox("archive"))
        }
    }

    @MainActor private static func provide(_ device: TestDevice, archive: String) async throws {
        let listener = FetchListener()
        let provider = device.mail.threadResults(where: #Predicate { $0.mailboxIDs.contains(archive) })
        provider.delegate = listener
        #expect(try await eventually { listener.failed == 1 })
        #expect(provider.items.isEmpty)
        device.link.fail(nil)
        await provider.refresh()
        #expect(listener.completed == 1)
        #expect(try await eventually { provider.items.map(\.subject) == ["Two"] })
    }

    @Test func `a write of a dropped slice reaches the server before its thread is removed`() async throws {
        let clock = ManualClock(now: Date(timeIntervalSince1970: 1_780_000_000))
        try await withInbox(
            [plainMail(1, "One"), plainMail(2, "Two")],
            archive: [plainMail(3, "Three")],
            configure: { $0.clock = clock }
        ) { device, imap, server in
            let mail = device.mail
            _ = try await mail.threads(Query(where: Self.inInbox))
            try await mail.sync()
            let one = try #require(try await mail.storedThreads().first { $0.subject == "One" })
            device.link.fail { _, _ in .losesRequest }
            try await mail.markRead(threads: [one.id])
            clock.advance(by: 31 * 86_400)
            let archive = try await server.mailbox("archive")
            _ = try await mail.threads(Query(where: #Predicate { $0.mailboxIDs.contains(archive) }))
            #expect(try await mail.sliceCount() == 1)
            await #expect(throws: InboxError.self) { try await mail.sync() }
            #expect(try await mail.storedSubjects() == ["One", "Two"], "nothing is removed without the server")
            device.link.fail(nil)
            try await mail.sync()
            #expect(try await imap.mails().map(\.flags) == [["\\Seen"], []])
            #expect(try await mail.status().pendingWrites == 0)
            try await mail.sync()
            #expect(try await mail.storedSubjects() == ["Three"])
        }
    }

    @Test func `fifty slices are kept: the least recently used is dropped, none on screen`() async throws {
        let clock = ManualClock(now: Date(timeIntervalSince1970: 1_780_000_000))
        try await withInbox([plainMail(1, "One")], configure: { $0.clock = clock }) { device, _, _ in
            let mail = device.mail
            var shown = mail.observeThreads(Query(where: Self.inInbox)).makeAsyncIterator()
            _ = try await shown.next()
            for days in 0..<60 {
                clock.advance(by: 1)
                let date = Date(timeIntervalSince1970: Double(days) * 86_400)
                _ = try await mail.messages(Query(where: #Predicate { $0.receivedAt < date }, limit: 1))
            }
            #expect(try await mail.sliceCount() == 50)
            try await mail.sync()
            let items = try await shown.next()?.items
            #expect(items?.map(\.subject) == ["One"])
            clock.advance(by: 31 * 86_400)
            _ = try await mail.threads(Query(where: #Predicate { $0.isStarred }))
            #expect(try await mail.sliceCount() == 2, "the observed list and the new one")
            try await mail.sync()
            #expect(try await mail.storedSubjects() == ["One"])
        }
    }

    @Test func `a change of scope works both ways and fetches only what is missing`() async throws {
        let archive = [plainMail(3, "Three"), plainMail(4, "Four")]
        try await withInbox([plainMail(1, "One"), plainMail(2, "Two")], archive: archive) { first, imap, server in
            _ = try await first.mail.threads(Query(where: Self.inInbox))
            try await first.mail.sync()
            #expect(try await first.mail.storedSubjects() == ["One", "Two"])
            try await imap.flag([1], add: ["\\Flagged"])
            let full = try await first.reopened(server)
            try await full.mail.sync()
            try await full.expectAgreement(with: server)
            #expect(
                Set(full.link.requestedMailIDs).count == 2,
                "the missing ones, since changed ones arrive with the changes"
            )
            #expect(try await full.mail.sliceCount() == 0)
            // Back to slices: threads in no slice are removed, except those with pending writes.
            full.link.fail { _, _ in .losesRequest }
            let three = try #require(try await full.mail.storedThreads().first { $0.subject == "Three" })
            try await full.mail.star(threads: [three.id])
            let last = try await full.reopened(server, scope: .slices)
            #expect(try await last.mail.storedThreads().count == 4)
            _ = try await last.mail.threads(Query(where: Self.inInbox))
            last.link.fail { request, _ in request.contains("Email/set") ? .losesRequest : nil }
            try? await last.mail.sync()
            #expect(try await last.mail.storedThreads().contains { $0.subject == "Three" })
            last.link.fail(nil)
            try await last.mail.sync()
            try await last.mail.sync()
            #expect(try await last.mail.storedSubjects() == ["One", "Two"])
            #expect(try await imap.mails(in: "Archive").flatMap(\.flags) == ["\\Flagged"])
            await last.end()
        }
    }

    @Test func `a condition that only the device can decide is searched page by page, once`() async throws {
        var mails = (1...120).map { plainMail($0, "Mail \($0)", hasAttachment: $0 % 40 == 0) }
        // The attachment is in an answer outside the inbox.
        mails.append(plainMail(200, "Bare"))
        let answer = plainMail(201, "Re: Bare", answers: 200, hasAttachment: true)
        try await withInbox(mails, archive: [answer]) { device, imap, _ in
            let query = Query<MailThread>(where: #Predicate { $0.isInInbox && $0.hasAttachments }, limit: 3)
            _ = try await device.mail.threads(query)
            try await device.mail.sync()
            let found = try await device.mail.threads(query).map(\.subject)
            #expect(found == ["Bare", "Mail 120", "Mail 80"])
            #expect(try await device.mail.storedSubjects() == found.sorted())
            let requested = device.link.requestedMailIDs.count
            #expect(requested < 110, "no further than the third match")
            try await imap.append([plainMail(300, "Mail 300", hasAttachment: true), plainMail(301, "Mail 301")])
            try await device.mail.sync()
            #expect(try await device.mail.threads(query).map(\.subject) == ["Mail 300", "Bare", "Mail 120"])
            #expect(device.link.requestedMailIDs.count == requested + 2, "mails that didn't match aren't fetched again")
        }
    }

    @Test func `a query that the server can't filter fetches the newest threads`() async throws {
        try await withInbox((1...10).map { plainMail($0, "Mail \($0)") }) { device, _, _ in
            let query = Query<MailThread>(where: #Predicate { $0.subject.contains("Mail 1") || $0.isStarred }, limit: 4)
            _ = try await device.mail.threads(query)
            try await device.mail.sync()
            #expect(try await device.mail.threads(query).map(\.subject) == ["Mail 10"])
            #expect(device.link.requestedMailIDs.count == 4)
        }
    }

    @Test func `a removed or unknown mailbox blocks no other query`() async throws {
        try await withInbox([plainMail(1, "One")]) { device, imap, _ in
            try await imap.create("Old")
            try await imap.append([plainMail(2, "Two")], to: "Old")
            try await device.mail.sync()
            let old = try #require(try await device.mail.mailboxes().first { $0.name == "Old" }).id
            let query = Query<MailThread>(where: #Predicate { $0.mailboxIDs.contains(old) })
            _ = try await device.mail.threads(query)
            try await device.mail.sync()
            #expect(try await device.mail.threads(query).map(\.subject) == ["Two"])
            let none = Query<MailThread>(where: #Predicate { $0.mailboxIDs.contains("nowhere") })
            #expect(
                try await device.mail.threads(none).isEmpty,
                "Cyrus refuses a filter on a mailbox that it never had"
            )
            try await imap.remove("Old")
            _ = try await device.mail.threads(Query(where: Self.inInbox))
            try await device.mail.sync()
            #expect(try await device.mail.threads(query).isEmpty)
            #expect(try await device.mail.storedSubjects() == ["One"])
        }
    }

    @Test func `an opened thread that leaves its slice stays for a day`() async throws {
        let clock = ManualClock(now: Date(timeIntervalSince1970: 1_780_000_000))
        try await withInbox([plainMail(1, "One"), plainMail(2, "Two")], configure: { $0.clock = clock }) {
            device,
            imap,
            _ in
            let query = Query<MailThread>(where: #Predicate { $0.isUnread })
            _ = try await device.mail.threads(query)
            try await device.mail.sync()
            let one = try #require(try await device.mail.threads(query).first { $0.subject == "One" })
            #expect(try await device.mail.messages(inThread: one.id).count == 1)
            try await device.mail.markRead(threads: try await device.mail.storedThreads().map(\.id))
            try await device.mail.sync()
            #expect(try await device.mail.threads(query).isEmpty)
            #expect(try await device.mail.storedSubjects() == ["One"])
            try await imap.append([plainMail(3, "Re: One", answers: 1, flags: ["\\Seen"])], to: "Archive")
            try await device.mail.sync()
            #expect(try await device.mail.messages(inThread: one.id).count == 2, "stored threads are kept up to date")
            clock.advance(by: 2 * 86_400)
            try await imap.append([plainMail(4, "Four", flags: ["\\Seen"])])
            try await device.mail.sync()
            #expect(try await device.mail.storedSubjects() == [])
        }
    }

    @Test func `a search on the server stores its results`() async throws {
        try await withInbox([plainMail(1, "Budget"), plainMail(2, "Holidays")]) { device, _, _ in
            let mail = device.mail
            let before = try await mail.search("Budget")
            #expect(before.isEmpty)
            #expect(try await mail.searchServer("Budget").map(\.message.subject) == ["Budget"])
            #expect(try await mail.search("Budg").map(\.message.subject) == ["Budget"])
            #expect(try await mail.storedSubjects() == ["Budget"])
        }
    }
}

/// Counts the results of fetches.
@MainActor private final class FetchListener: LiveResultsDelegate {
    var failed = 0
    var completed = 0

    func results(_ results: LiveResults<MailThread>, didFailWith error: any Error) { failed += 1 }
    func resultsDidRefresh(_ results: LiveResults<MailThread>) { completed += 1 }
}
