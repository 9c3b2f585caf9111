import Eventually
import Foundation
import GRDB
import Groundwork
import RunningMailServer
import Testing

@testable import InboxMail

/// Attachments of a real server's mails, stored as records on the device.
@Suite(.timeLimit(.minutes(10))) struct AttachmentTests {
    private static let scopes = [MailScope.everything, .slices]

    @Test(arguments: scopes)
    func `files of mails of all shapes match those of their bodies`(scope: MailScope) async throws {
        try await MailServer.run { server in
            let samples = SampleMail.allCases.filter { $0.refusal == nil && $0 != .largeAttachment }
            try await server.imap().append(samples.map { IMAPClient.Mail($0.bytes) })
            let device = try await TestDevice(server, scope: scope)
            let mail = device.mail
            _ = try await mail.messages()
            try await mail.sync()
            let messages = try await mail.messages()
            #expect(messages.count == samples.count)
            var count = 0
            for message in messages {
                let listed = try await mail.attachments(ofMessage: message.id)
                let body = try await mail.body(of: message.id)
                let expected = message.hasAttachments ? body.attachments + body.inlineFiles : []
                #expect(Set(listed.map(\.file)) == Set(expected), "\(message.subject)")
                #expect(listed.map(\.position) == Array(0..<expected.count), "\(message.subject)")
                #expect(listed.allSatisfy { $0.threadID == message.threadID && $0.receivedAt == message.receivedAt })
                count += listed.count
            }
            #expect(try await mail.attachmentCount() == count && count > 30)
            #expect(Set(try await mail.attachments().map(\.id)).count == count, "each has a unique id")
            let file = try #require(try await mail.attachments(Query(where: #Predicate { $0.size > 0 })).first)
            #expect(try Data(contentsOf: try await mail.download(file.file)).count == file.size)
            await device.end()
        }
    }

    @Test func `file lists follow the mails, newest first, resume, and then cost no request`() async throws {
        try await MailServer.run(options: ["jmap_max_objects_in_get: 20"]) { server in
            try await server.imap().append((0..<60).map { plainMail($0, "Mail \($0)", hasAttachment: $0 % 2 == 0) })
            var device = try await TestDevice(server)
            let lists = Locked(0)
            device.link.fail { request, _ in
                guard request.isAboutFiles else { return nil }
                return lists.withLock { count in
                    count += 1
                    return count > 1 ? .losesRequest : nil
                }
            }
            // The mails were fetched, so the sync has succeeded.
            try await device.mail.sync()
            #expect(try await device.mail.status().messages == 60)
            #expect(
                device.link.log.firstIndex(where: \.isAboutFiles) ?? 0 > device.link.log.lastIndex {
                    $0.contains("\"preview\"")
                } ?? .max
            )
            let some = try await device.mail.attachments().map(\.messageID)
            let newest = Query<MailMessage>(where: #Predicate { $0.hasAttachments }, limit: 20)
            #expect(try await some == device.mail.messages(newest).map(\.id))
            device = try await device.reopened(server)
            try await device.mail.sync()
            #expect(try await device.mail.attachmentCount() == 30)
            #expect(device.link.log.count(where: \.isAboutFiles) == 1)
            let before = device.link.log.count
            try await device.mail.sync()
            #expect(device.link.log.count == before + 1, "a sync without news is one request")
            await device.end()
        }
    }

    @Test func `a store from before file lists fills itself`() async throws {
        try await MailServer.run { server in
            try await server.imap().append((0..<9).map { plainMail($0, "Mail \($0)", hasAttachment: $0 % 3 == 0) })
            let device = try await TestDevice(server)
            try await device.mail.sync()
            let all = try await device.mail.attachments()
            #expect(all.count == 3)
            // The state that an earlier version left.
            try await device.mail.store.write { writer in
                for event in ["INSERT", "UPDATE", "DELETE"] {
                    try writer.db.execute(sql: "DROP TRIGGER email_files_\(event)")
                }
                try writer.db.execute(sql: "DROP TABLE attachment; DROP TABLE unlistedFiles")
                try writer.db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier LIKE 'attachment %'")
            }
            let upgraded = try await device.reopened(server)
            #expect(try await upgraded.mail.attachments() == [])
            try await upgraded.mail.sync()
            #expect(try await upgraded.mail.attachments() == all)
            await upgraded.end()
        }
    }

    @Test func `a live list receives the files of new mails and loses those of removed ones`() async throws {
        try await MailServer.run { server in
            let device = try await TestDevice(server) { configuration in
                configuration.isLive = true
                configuration.pollInterval = 0.05
                configuration.recentBodies = 0
            }
            let mail = device.mail
            let query = Query<MailAttachment>(where: #Predicate { $0.type == "application/pdf" })
            var snapshots = mail.observeAttachments(query).makeAsyncIterator()
            #expect(try await snapshots.next()?.items == [])
            let imap = try server.imap()
            let uids = try await imap.append([plainMail(1, "File", hasAttachment: true), plainMail(2, "None")])
            let snapshot = try #require(try await snapshots.next(until: { $0.items.count == 1 }))
            #expect(snapshot.items[0].name == "a.pdf" && snapshot.items[0].size == 3)
            let live = try #require(try await mail.liveAttachment(snapshot.items[0].id))
            #expect(try await mail.attachment(id: live.id) == snapshot.items[0])
            #expect(try await mail.attachments(inThread: snapshot.items[0].threadID) == snapshot.items)
            let names = await shownNames(mail)
            #expect(names == ["a.pdf"])
            try await imap.expunge(uids)
            #expect(try await snapshots.next(until: { $0.items.isEmpty }) != nil)
            #expect(try await eventually { @MainActor in live.isGone })
            await device.end()
        }
    }

    @MainActor private func shownNames(_ mail: Mail) async -> [String?] {
        let provider = mail.attachmentResults(where: #Predicate { $0.size > 0 }, cachePolicy: .cacheOnly)
        _ = try? await eventually { !provider.items.isEmpty }
        return provider.items.map(\.name)
    }

    @Test func `with slices, a query for files fetches mails with files, removed with the mails`() async throws {
        try await MailServer.run { server in
            let imap = try server.imap()
            try await imap.append((0..<160).map { plainMail($0, "Mail \($0)", hasAttachment: $0 % 4 == 0) })
            let device = try await TestDevice(server, scope: .slices)
            let mail = device.mail
            let three = Query<MailAttachment>(limit: 3)
            #expect(try await mail.attachments(three).isEmpty)
            try await mail.sync()
            let newest = Set(try await mail.attachments(three).map(\.threadID))
            let stored = try await mail.storedThreads()
            #expect(
                Set(stored.filter { newest.contains($0.id) }.map(\.subject)) == ["Mail 148", "Mail 152", "Mail 156"]
            )
            #expect(stored.allSatisfy(\.hasAttachments) && stored.count < 30)
            // First all attachments since a date, then all attachments with a name among the newest.
            let since = Date(timeIntervalSince1970: 1_772_400_000 + 60 * 60)
            let late = Query<MailAttachment>(where: #Predicate { $0.receivedAt >= since })
            _ = try await mail.attachments(late)
            try await mail.sync()
            #expect(try await mail.attachmentCount(late) == 25)
            let named = Query<MailAttachment>(where: #Predicate { $0.name == "a.pdf" })
            _ = try await mail.attachments(named)
            try await mail.sync()
            #expect(try await mail.attachmentCount(named) == 40)
            // The slices end (see SliceStoreTests). Removed mails remove their attachments.
            try await mail.store.write { writer in try writer.endSlices(.email) }
            let uids = try await imap.mails().map(\.uid)
            try await imap.expunge(uids)
            try await mail.sync()
            #expect(try await mail.attachmentCount() == 0)
            await device.end()
        }
    }
}

extension String {
    /// Whether a request fetches lists of attachments and no bodies.
    fileprivate var isAboutFiles: Bool { contains("\"attachments\"") && !contains("bodyValues") }
}

extension MailSnapshots.Iterator {
    /// Returns the first snapshot that meets a condition.
    @concurrent
    mutating func next(until condition: @Sendable (MailSnapshot<Item>) -> Bool) async throws -> MailSnapshot<Item>? {
        while let snapshot = try await next() {
            if condition(snapshot) { return snapshot }
        }
        return nil
    }
}
