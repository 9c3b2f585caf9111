import Eventually
import Foundation
import Groundwork
import RunningMailServer
import Testing

@testable import InboxMail

/// Syncs with a real server.
@Suite(.timeLimit(.minutes(30))) struct MailSyncTests {
    @Test func `mails of all shapes are fetched and equal the server's`() async throws {
        try await MailServer.run { server in
            let samples = SampleMail.allCases.filter { $0.refusal == nil }
            try await server.imap().append(samples.map { IMAPClient.Mail($0.bytes) })
            let device = try await TestDevice(server)
            try await device.mail.sync()
            try await device.expectAgreement(with: server, areCounted: true)
            let status = try await device.mail.status()
            #expect(status.messages == samples.count && status.unreadableRecords == 0 && status.pendingWrites == 0)
            #expect(try await device.mail.mailboxes().compactMap(\.role).contains(.archive))
            #expect(try await device.mail.identities().count <= 1)
            // All of them can be opened.
            for message in try await device.mail.messages() { _ = try await device.mail.body(of: message.id) }
            let many = try await device.mail.messages().first { $0.to.count >= 3_000 }
            #expect(many != nil)
            await device.end()
        }
    }

    @Test func `an empty account is no error, and a sync without news is one request`() async throws {
        try await MailServer.run { server in
            let device = try await TestDevice(server)
            try await device.mail.sync()
            #expect(try await device.mail.threads().isEmpty)
            #expect(try await device.mail.counts() == MailCounts())
            let before = device.link.log.count
            try await device.mail.sync()
            #expect(device.link.log.count == before + 1)
            await device.end()
        }
    }

    @Test func `changes of other clients arrive, and offline changes are sent per member`() async throws {
        try await MailServer.run { server in
            let imap = try server.imap()
            let uids = try await imap.append([
                IMAPClient.Mail(SampleMail.plainText.bytes), IMAPClient.Mail(SampleMail.alternative.bytes),
            ])
            let device = try await TestDevice(server)
            try await device.mail.sync()
            let ids = Dictionary(uniqueKeysWithValues: try await imap.mails().map { ($0.uid, $0.emailID) })
            let (first, second) = (try #require(ids[uids[0]]), try #require(ids[uids[1]]))
            // While the device is offline, another client stars the same mail and destroys the other one.
            device.link.fail { _, _ in .losesRequest }
            try await device.mail.markRead(messages: [first])
            await #expect(throws: InboxError.self) { try await device.mail.sync() }
            #expect(try await device.mail.message(id: first)?.isUnread == false)
            try await imap.flag([uids[0]], add: ["\\Flagged"])
            try await imap.expunge([uids[1]])
            device.link.fail(nil)
            try await device.mail.sync()
            let mine = try #require(try await device.mail.message(id: first))
            #expect(!mine.isUnread && mine.isStarred)
            #expect(try await device.mail.message(id: second) == nil)
            #expect(try await imap.mails().map(\.flags) == [["\\Flagged", "\\Seen"]])
            try await device.expectAgreement(with: server)
            await device.end()
        }
    }

    @Test func `a thread seen in a list stays unread and is seen on every device`() async throws {
        try await MailServer.run { server in
            let imap = try server.imap()
            try await imap.append([
                IMAPClient.Mail(SampleMail.plainText.bytes), IMAPClient.Mail(SampleMail.alternative.bytes),
            ])
            let (phone, tablet) = (try await TestDevice(server), try await TestDevice(server))
            try await phone.mail.sync()
            try await tablet.mail.sync()
            #expect(phone.mail.latestCounts.unseenInInbox == 2)
            let unseen = try await phone.mail.threads(Query(where: #Predicate { $0.isUnseen })).map(\.id)
            try await phone.mail.markSeen(threads: [unseen[0]])
            #expect(phone.mail.latestCounts.unseenInInbox == 1 && phone.mail.latestCounts.unreadInInbox == 2)
            #expect(try await phone.mail.markSeen(threads: [unseen[0], "nothing"]) == [], "seen once")
            try await phone.mail.sync()
            try await tablet.mail.sync()
            #expect(try await tablet.mail.threads(Query(where: #Predicate { $0.isUnseen })).map(\.id) == [unseen[1]])
            #expect(try await imap.mails().flatMap(\.flags) == ["swift-inbox-noticed"])
            try await tablet.expectAgreement(with: server)
            await phone.end()
            await tablet.end()
        }
    }

    @Test func `a shared account is listed and has its own store`() async throws {
        try await MailServer.run(users: ["alice", "bob"]) { server in
            let bob = try server.imap("bob")
            try await bob.append([IMAPClient.Mail(SampleMail.plainText.bytes)])
            try await bob.share(with: "alice")
            let device = try await TestDevice(server)
            try await device.mail.sync()
            let accounts = try await device.mail.accounts()
            #expect(accounts.map(\.isPrimary) == [true, false] && accounts.map(\.isPersonal) == [true, false])
            let shared = try #require(accounts.last)
            #expect(shared.name.contains("bob") && device.mail.account == nil)
            // The accounts are available when the server can't be reached.
            let reopened = try await device.reopened(server)
            reopened.link.fail { _, _ in .losesRequest }
            #expect(try await reopened.mail.accounts() == accounts)
            let sharedDevice = try await TestDevice(server, account: shared.id)
            try await sharedDevice.mail.sync()
            #expect(try await reopened.mail.threads().isEmpty)
            let message = try #require(try await sharedDevice.mail.messages().first)
            #expect(try await sharedDevice.mail.body(of: message.id).text.isEmpty == false)
            try await sharedDevice.mail.star(messages: [message.id])
            try await sharedDevice.mail.sync()
            #expect(try await bob.mails().map(\.flags) == [["\\Flagged"]])
            let unknown = try await TestDevice(server, account: "unknown")
            await #expect(throws: InboxError.self) { try await unknown.mail.sync() }
            for some in [reopened, sharedDevice, unknown] { await some.end() }
        }
    }

    @Test func `archiving, unarchiving, moving, labelling and trashing reach the server`() async throws {
        try await MailServer.run { server in
            let imap = try server.imap()
            try await imap.append([IMAPClient.Mail(SampleMail.plainText.bytes)])
            try await imap.create("Work")
            let device = try await TestDevice(server)
            let mail = device.mail
            try await mail.sync()
            let thread = try #require(try await mail.threads().first).id
            let work = try #require(try await mail.mailboxes().first { $0.name == "Work" }).id
            func mailboxIDs() async throws -> Set<String> {
                #expect(
                    try await mail.messages().first?.mailboxIDs
                        == Set(try await server.emails().values.first?["mailboxIds"]?.objectValue?.names ?? [])
                )
                return try #require(try await mail.thread(id: thread)).mailboxIDs
            }
            let (inbox, archive, trash) = (
                try await server.mailbox("inbox"), try await server.mailbox("archive"),
                try await server.mailbox("trash")
            )
            #expect(try await mail.archive(threads: [thread]).count == 1)
            #expect(try await mail.thread(id: thread)?.isInInbox == false)
            try await mail.sync()
            #expect(try await mailboxIDs() == [archive])
            try await mail.unarchive(threads: [thread])
            try await mail.addLabel(work, toThreads: [thread])
            try await mail.sync()
            #expect(try await mailboxIDs() == [inbox, work])
            try await mail.removeLabel(inbox, fromThreads: [thread])
            try await mail.sync()
            #expect(try await mailboxIDs() == [work])
            try await mail.move(threads: [thread], to: inbox)
            try await mail.sync()
            #expect(try await mailboxIDs() == [inbox])
            try await mail.trash(threads: [thread])
            try await mail.sync()
            #expect(try await mailboxIDs() == [trash])
            #expect(try await mail.archive(threads: [thread]).isEmpty, "it isn't in the inbox")
            await #expect(throws: InboxError.self) { try await mail.move(threads: [thread], to: "nowhere") }
            await device.end()
        }
    }

    @Test func `after a lost answer, a write is sent again only where the server lacks it`() async throws {
        try await MailServer.run { server in
            let imap = try server.imap()
            try await imap.append([IMAPClient.Mail(SampleMail.plainText.bytes)])
            let device = try await TestDevice(server)
            try await device.mail.sync()
            let id = try #require(try await device.mail.messages().first).id
            for fault in [FaultyTransport.Fault.losesAnswer, .losesRequest] {
                try await device.mail.star(messages: [id])
                device.link.fail { request, _ in request.contains("Email/set") ? fault : nil }
                await #expect(throws: InboxError.self) { try await device.mail.sync() }
                device.link.fail(nil)
                let before = device.link.log.count
                try await device.mail.sync()
                let sets = device.link.log.dropFirst(before).filter { $0.contains("Email/set") }
                #expect(sets.count == (fault == .losesRequest ? 1 : 0))
                #expect(try await imap.mails().first?.flags == ["\\Flagged"])
                #expect(try await device.mail.status().pendingWrites == 0)
                try await device.mail.unstar(messages: [id])
                try await device.mail.sync()
                #expect(try await imap.mails().first?.flags == [])
            }
            await device.end()
        }
    }

    @Test func `an interrupted first sync resumes, also after a restart, with later changes`() async throws {
        try await MailServer.run(options: ["jmap_max_objects_in_get: 20"]) { server in
            let imap = try server.imap()
            let mails = SampleMailbox.threads(mails: 100, seed: 1).flatMap(\.mails)
            let uids = try await imap.append(mails.map { IMAPClient.Mail($0.bytes, date: $0.date) })
            var device = try await TestDevice(server)
            await device.interruptSync(afterGets: 2)
            let fetchedCount = try await device.mail.status().messages
            #expect(fetchedCount > 0 && fetchedCount < 100)
            #expect(try await device.mail.threads().count > 0, "fetched threads are shown")
            // A fetched mail and one that isn't fetched yet change, and others are removed.
            try await imap.flag(uids, add: ["\\Seen"])
            try await imap.expunge([uids[0], uids[99]])
            device = try await device.reopened(server)
            try await device.mail.sync()
            try await device.expectAgreement(with: server)
            #expect(try await device.mail.counts().unread == 0)
            #expect(try await device.mail.status().messages == 98)
            await device.end()
        }
    }

    @Test func `mails that arrive and disappear between two pages of ids are handled`() async throws {
        try await MailServer.run { server in
            let imap = try server.imap()
            let mails = SampleMailbox.threads(mails: 60, seed: 7).flatMap(\.mails)
            let uids = try await imap.append(mails.map { IMAPClient.Mail($0.bytes, date: $0.date) })
            let newest = zip(mails, uids).sorted { $0.0.date > $1.0.date }.map(\.1)
            let device = try await TestDevice(server)
            device.link.rewrite { request in
                var request = request
                let text = String(decoding: request.body ?? [], as: UTF8.self)
                request.body = request.body.map { _ in
                    Array(text.replacing("\"limit\":10000", with: "\"limit\":20").utf8)
                }
                return request
            }
            let isDone = Locked(false)
            device.link.beforeSending { request in
                guard request.contains("\"position\":20,"), !isDone.withLock({ exchange(&$0, with: true) }) else {
                    return
                }
                // Mails of the second page move up to the first page, which has been read.
                try await imap.expunge(Array(newest[3..<9]))
                try await imap.append([IMAPClient.Mail(SampleMail.plainText.bytes)])
            }
            try await device.mail.sync()
            #expect(isDone.withLock { $0 })
            #expect(try await device.mail.status().messages == 55)
            try await device.expectAgreement(with: server)
            await device.end()
        }
    }

    @Test func `a change during the first sync is sent before its end`() async throws {
        try await MailServer.run(options: ["jmap_max_objects_in_get: 20"]) { server in
            let imap = try server.imap()
            let mails = SampleMailbox.threads(mails: 100, seed: 6).flatMap(\.mails)
            try await imap.append(mails.map { IMAPClient.Mail($0.bytes, date: $0.date) })
            let device = try await TestDevice(server)
            let isFetch: @Sendable (String) -> Bool = { $0.contains("Email/get") && $0.contains("\"preview\"") }
            await device.interruptSync(afterGets: 2)
            let thread = try #require(try await device.mail.threads().first)
            try await device.mail.star(threads: [thread.id])
            let before = device.link.log.count
            try await device.mail.sync()
            let log = device.link.log.dropFirst(before)
            let (sent, last) = (
                try #require(log.firstIndex { $0.contains("Email/set") }), log.lastIndex(where: isFetch)
            )
            #expect(sent < (last ?? 0))
            #expect(log.count { $0.contains("Email/set") } == 1)
            try await device.expectAgreement(with: server)
            #expect(try await device.mail.thread(id: thread.id)?.isStarred == true)
            await device.end()
        }
    }

    @Test func `a write whose answer was too large is verified before it is sent again`() async throws {
        try await MailServer.run(options: ["jmap_max_objects_in_get: 20"]) { server in
            let imap = try server.imap()
            let mails = SampleMailbox.threads(mails: 60, seed: 8).flatMap(\.mails)
            try await imap.append(mails.map { IMAPClient.Mail($0.bytes, date: $0.date) })
            let device = try await TestDevice(server)
            await device.interruptSync(afterGets: 1)
            let thread = try #require(try await device.mail.threads().first)
            try await device.mail.star(threads: [thread.id])
            // The remaining mails are requested together with the write. The server applies it, and the answer is lost.
            device.link.fail { request, _ in request.contains("Email/set") ? .answerIsTooLarge : nil }
            await #expect(throws: InboxError.self) { try await device.mail.sync() }
            device.link.fail(nil)
            try await device.mail.sync()
            #expect(device.link.log.count { $0.contains("Email/set") } == 1)
            #expect(try await device.mail.status().pendingWrites == 0)
            try await device.expectAgreement(with: server)
            #expect(try await device.mail.thread(id: thread.id)?.isStarred == true)
            await device.end()
        }
    }

    @Test func `many changes, renamed and removed mailboxes and a restart are synced`() async throws {
        try await MailServer.run { server in
            let imap = try server.imap()
            // As many changes as a busy account has, or fewer in a short run.
            let count = ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] == nil ? 600 : 10_000
            let mails = SampleMailbox.threads(mails: count, seed: 2).flatMap(\.mails)
            let uids = try await imap.append(mails.map { IMAPClient.Mail($0.bytes, date: $0.date) })
            try await imap.create("Old")
            let device = try await TestDevice(server)
            try await device.mail.sync()
            try await device.expectAgreement(with: server)
            try await imap.flag(uids, add: ["\\Flagged"])
            try await imap.move(Array(uids.prefix(50)), to: "Old")
            try await imap.rename("Old", to: "New")
            try await server.kill()
            await #expect(throws: InboxError.self) { try await device.mail.sync() }
            #expect(try await device.mail.threads().count > 0, "offline, stored threads are shown")
            try await server.restart()
            try await device.mail.sync()
            try await device.expectAgreement(with: server)
            #expect(try await device.mail.counts().starred == device.mail.counts().total)
            #expect(try await device.mail.mailboxes().contains { $0.name == "New" })
            try await server.imap().remove("New")
            try await device.mail.sync()
            #expect(!(try await device.mail.mailboxes().contains { $0.name == "New" }))
            try await device.expectAgreement(with: server)
            await device.end()
        }
    }

    @Test func `a live device polls without push, and lists follow`() async throws {
        try await MailServer.run { server in
            let device = try await TestDevice(server) { configuration in
                configuration.isLive = true
                configuration.pollInterval = 0.05
            }
            var snapshots = device.mail.observeThreads(Query(where: #Predicate { $0.isUnread })).makeAsyncIterator()
            #expect(try await snapshots.next()?.items == [])
            let imap = try server.imap()
            let uid = try await imap.append([IMAPClient.Mail(SampleMail.plainText.bytes)])
            // The first sync, and later fetches of the mail's parts, may produce their own snapshots.
            var inserted = try #require(try await snapshots.next())
            while inserted.items.isEmpty { inserted = try #require(try await snapshots.next()) }
            #expect(
                inserted.items.count == 1 && inserted.counts.unreadInInbox == 1
                    && inserted.changes.insertions.count == 1
            )
            #expect(device.mail.connectionState == .polling)
            try await imap.flag(uid, add: ["\\Seen"])
            var deleted = try #require(try await snapshots.next())
            while !deleted.items.isEmpty { deleted = try #require(try await snapshots.next()) }
            #expect(deleted.changes.deletions.count == 1)
            await device.end()
        }
    }

    @Test func `an event source delivers changes without polling`() async throws {
        try await MailServer.run { server in
            let relay = try await MailRelay(for: server)
            // With an interval of an hour, changes arrive by push only.
            let device = try await TestDevice(server, at: relay.url) { configuration in
                configuration.isLive = true
                configuration.pollInterval = 3_600
            }
            var snapshots = device.mail.observeThreads().makeAsyncIterator()
            #expect(try await snapshots.next()?.items == [])
            #expect(try await eventually { device.mail.connectionState == .live })
            try await device.mail.sync()
            let imap = try server.imap()
            let uid = try await imap.append([IMAPClient.Mail(SampleMail.plainText.bytes)])
            // The end of the first sync may produce its own snapshot.
            var snapshot = try await snapshots.next()
            while snapshot?.items.isEmpty ?? false { snapshot = try await snapshots.next() }
            #expect(snapshot?.items.count == 1)
            try await imap.flag(uid, add: ["\\Seen"])
            #expect(try await snapshots.next()?.items.first?.isUnread == false)
            // The person's changes are sent at once, and their echo causes no change.
            try await device.mail.star(threads: try await device.mail.threads().map(\.id))
            #expect(try await eventually { try await imap.mails().first?.flags == ["\\Flagged", "\\Seen"] })
            #expect(device.mail.connectionState == .live)
            await relay.stop()
            #expect(try await eventually { device.mail.connectionState != .live })
            await device.end()
        }
    }

    @Test func `a state that the server doesn't know starts a full sync without loss`() async throws {
        try await MailServer.run { server in
            let imap = try server.imap()
            let mails = SampleMailbox.threads(mails: 40, seed: 3).flatMap(\.mails)
            let uids = try await imap.append(mails.map { IMAPClient.Mail($0.bytes, date: $0.date) })
            let device = try await TestDevice(server)
            try await device.mail.sync()
            let threads = try await device.mail.threads().map(\.id)
            try await device.mail.star(threads: threads)
            try await imap.expunge([uids[0]])
            // The server forgets, once, the changes since the device's state.
            let isForgotten = Locked(false)
            device.link.rewrite { request in
                let text = String(decoding: request.body ?? [], as: UTF8.self)
                guard text.contains("\"Email/changes\""), !isForgotten.withLock({ exchange(&$0, with: true) }) else {
                    return request
                }
                var request = request
                request.body = Array(text.replacing(/"sinceState":"[^"]*"/, with: "\"sinceState\":\"forgotten\"").utf8)
                return request
            }
            try await device.mail.sync()
            #expect(isForgotten.withLock { $0 })
            try await device.expectAgreement(with: server)
            #expect(try await device.mail.counts().starred == device.mail.counts().total)
            await device.end()
        }
    }

    @Test(arguments: [MailScope.everything, .slices])
    func `changes that the server can't calculate are found by comparison`(scope: MailScope) async throws {
        try await MailServer.run { server in
            let imap = try server.imap()
            let mails = SampleMailbox.threads(mails: 30, seed: 8).flatMap(\.mails)
            let uids = try await imap.append(mails.map { IMAPClient.Mail($0.bytes, date: $0.date) })
            let device = try await TestDevice(server, scope: scope)
            let query = Query<MailThread>(where: #Predicate { $0.isInInbox })
            _ = try await device.mail.threads(query)
            try await device.mail.sync()
            try await device.expectAgreement(with: server)
            let starred = try #require(try await device.mail.threads(query).first).id
            try await device.mail.star(threads: [starred])
            try await imap.expunge([uids[3]])
            try await imap.flag([uids[5]], add: ["\\Answered"])
            try await imap.append([IMAPClient.Mail(SampleMail.alternative.bytes)])
            let count = Locked(0)
            device.link.rewriteAnswer { request, answer in
                let text = String(decoding: request.body ?? [], as: UTF8.self)
                // Once, like a server that forgot its changes. Later changes are known.
                guard text.contains("\"Email/changes\""), count.withLock({ exchange(&$0, with: 1) }) == 0 else {
                    return answer
                }
                return answer.withoutChanges(of: "Email", requestedBy: request)
            }
            try await device.mail.sync()
            #expect(count.withLock { $0 } == 1)
            try await device.expectAgreement(with: server)
            #expect(try await device.mail.thread(id: starred)?.isStarred == true)
            #expect(try await device.mail.status().pendingWrites == 0)
            await device.end()
        }
    }

    @Test func `the first sync reports its progress`() async throws {
        try await MailServer.run(options: ["jmap_max_objects_in_get: 20"]) { server in
            let mails = SampleMailbox.threads(mails: 200, seed: 9).flatMap(\.mails)
            try await server.imap().append(mails.map { IMAPClient.Mail($0.bytes, date: $0.date) })
            let device = try await TestDevice(server)
            let (steps, received) = (device.mail.progress, Locked<[Mail.Progress?]>([]))
            let listening = Task { for await step in steps { received.withLock { $0.append(step) } } }
            // A slow observer receives only the newest value, so requests wait until the step is received.
            device.link.beforeSending { [mail = device.mail] _ in
                let now = await mail.progress.first { _ in true }
                _ = try await eventually { received.withLock { $0.last } == now }
            }
            try await device.mail.sync()
            device.link.beforeSending(nil)
            await device.end()
            await listening.value
            let all = received.withLock { $0 }
            let going = all.compactMap(\.self)
            #expect(all.first == .some(nil) && all.last == .some(nil), "no progress before and after")
            #expect(going.count > 2 && going.allSatisfy { $0.total == 200 && $0.done <= 200 })
            #expect(going.map(\.done) == going.map(\.done).sorted())
        }
    }

    @Test(arguments: [MailScope.everything, .slices])
    func `a server that was replaced but accepts the old state is fetched completely`(_ scope: MailScope) async throws {
        try await MailServer.run { old in
            let imap = try old.imap()
            let mails = SampleMailbox.threads(mails: 30, seed: 4).flatMap(\.mails)
            try await imap.append(mails.map { IMAPClient.Mail($0.bytes, date: $0.date) })
            let device = try await TestDevice(old, scope: scope)
            // With slices, the device fetches the requested mails: here all of them.
            _ = try await device.mail.messages()
            try await device.mail.sync()
            #expect(try await device.mail.status().messages == 30)
            try await MailServer.run { new in
                // Fewer mails, so that the new server's states are smaller numbers than the old server's state.
                let other = SampleMailbox.threads(mails: 5, seed: 5).flatMap(\.mails)
                try await new.imap().append(other.map { IMAPClient.Mail($0.bytes, date: $0.date) })
                let (from, to) = (old.url.absoluteString, new.url.absoluteString)
                let authorization = new.users["alice"]?.basic
                device.link.rewrite { request in
                    var request = request
                    request.url = URL(string: request.url.absoluteString.replacing(from, with: to)) ?? request.url
                    request.headers["Authorization"] = authorization
                    return request
                }
                try await device.mail.sync()
                try await device.expectAgreement(with: new)
                #expect(try await device.mail.status().messages == 5)
                // The comparison created slices of its own.
                if scope == .slices { try await device.mail.sync() }
                let before = device.link.log.count
                try await device.mail.sync()
                #expect(device.link.log.count == before + 1, "once is enough")
            }
            await device.end()
        }
    }

    @Test func `a wrong password is unauthorized, and another one is requested`() async throws {
        try await MailServer.run { server in
            let directory = FileManager.default.temporaryDirectory.appendingPathComponent("wrong-\(UUID())")
            var configuration = MailConfiguration()
            configuration.isLive = false
            let passwords = Locked(["wrong", server.users["alice"]?.password ?? ""])
            let mail = try await Mail.open(
                server: server.url,
                credentials: .basic(user: "alice") { passwords.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } },
                directory: directory,
                configuration: configuration
            )
            try await mail.sync()
            #expect(try await mail.mailboxes().isEmpty == false)
            await mail.close()
            let token = server.users["alice"]?.token ?? ""
            let other = try await Mail.open(
                server: server.url,
                credentials: .bearer(user: "alice-by-token") { token },
                directory: directory,
                configuration: configuration
            )
            try await other.sync()
            #expect(try await other.mailboxes().isEmpty == false)
            #expect(try await other.signOut() == 0)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: directory.path).allSatisfy {
                    !$0.contains(".files")
                }
            )
            try? FileManager.default.removeItem(at: directory)
        }
    }
}

private func exchange<T>(_ value: inout T, with new: T) -> T {
    let old = value
    value = new
    return old
}
