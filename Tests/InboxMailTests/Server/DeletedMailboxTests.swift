import Eventually
import Foundation
import Groundwork
import RunningMailServer
import Testing

@testable import InboxMail

/// Moves into a mailbox that another client has deleted.
@Suite(.timeLimit(.minutes(10))) struct DeletedMailboxTests {
    /// Each kind of move, and each scope, once; in a long run all pairs.
    private static let cases: [(Bool, MailScope)] =
        ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] == nil
        ? [(true, .everything), (false, .slices)]
        : [(true, .everything), (true, .slices), (false, .everything), (false, .slices)]

    @Test(arguments: cases)
    func `a thread moved into a deleted mailbox is refused and shown where it was`(
        isMove: Bool,
        scope: MailScope
    ) async throws {
        try await MailServer.run { server in
            let imap = try server.imap()
            try await imap.append([plainMail(1, "One"), plainMail(2, "Two")])
            try await imap.create("Work")
            let device = try await TestDevice(server, scope: scope)
            let mail = device.mail
            _ = try await mail.threads()
            try await mail.sync()
            let (refusals, received) = (mail.refusedActions, Locked<[RefusedAction]>([]))
            let listening = Task { for await refusal in refusals { received.withLock { $0.append(refusal) } } }
            let inbox = try await server.mailbox("inbox")
            let work = try #require(try await mail.mailboxes(Query(where: #Predicate { $0.name == "Work" })).first).id
            let threads = try await mail.threads()
            let (one, two) = (try #require(threads.last).id, try #require(threads.first).id)

            // While the device is offline, another client removes the mailbox.
            device.link.fail { _, _ in .losesRequest }
            if isMove {
                try await mail.move(threads: [one], to: work)
            } else {
                try await mail.addLabel(work, toThreads: [one])
            }
            try await mail.star(threads: [two])
            let shown = try #require(try await mail.thread(id: one))
            #expect(shown.mailboxIDs == (isMove ? [work] : [inbox, work]))
            try await imap.remove("Work")
            device.link.fail(nil)

            try await mail.sync()
            #expect(try await eventually { !received.withLock { $0.isEmpty } })
            let refused = received.withLock { $0 }
            #expect(Set(refused.map(\.recordID)) == Set(shown.messageIDs))
            #expect(refused.allSatisfy { $0.property.hasPrefix("mailboxIds/") && !$0.reason.isEmpty })
            #expect(try await mail.thread(id: one)?.mailboxIDs == [inbox], "its mailbox on the server")
            #expect(try await mail.thread(id: two)?.isStarred == true, "other writes aren't delayed")
            #expect(try await mail.mailbox(id: work) == nil)
            #expect(try await mail.status().pendingWrites == 0)
            await #expect(throws: InboxError.self) { try await mail.move(threads: [one], to: work) }

            // Later changes work.
            try await mail.markRead(threads: [one])
            try await mail.sync()
            #expect(try await imap.mails().map { $0.flags.sorted() } == [["\\Seen"], ["\\Flagged"]])
            try await device.expectAgreement(with: server)
            listening.cancel()
            await device.end()
        }
    }

    @Test func `a lost move into a deleted mailbox is rejected, and other moves stay`() async throws {
        try await MailServer.run { server in
            let imap = try server.imap()
            try await imap.append([plainMail(1, "One"), plainMail(2, "Two")])
            try await imap.create("Work")
            let device = try await TestDevice(server)
            let mail = device.mail
            try await mail.sync()
            let (inbox, archive) = (try await server.mailbox("inbox"), try await server.mailbox("archive"))
            let work = try #require(try await mail.mailboxes(Query(where: #Predicate { $0.name == "Work" })).first).id
            let threads = try await mail.threads().map(\.id)
            try await mail.move(threads: [threads[0]], to: work)
            try await mail.archive(threads: [threads[1]])
            try await mail.addLabel(work, toThreads: [threads[1]])
            device.link.fail { request, _ in request.contains("Email/set") ? .losesRequest : nil }
            await #expect(throws: InboxError.self) { try await mail.sync() }
            device.link.fail(nil)
            try await imap.remove("Work")

            try await mail.sync()
            #expect(try await mail.thread(id: threads[0])?.mailboxIDs == [inbox], "it would be in no mailbox")
            #expect(try await mail.thread(id: threads[1])?.mailboxIDs == [archive], "without the label")
            #expect(try await mail.status().pendingWrites == 0)
            try await device.expectAgreement(with: server)
            await device.end()
        }
    }
}
