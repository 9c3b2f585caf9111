import Foundation
import Groundwork
import RunningMailServer
import Testing

@Suite(.timeLimit(.minutes(10))) struct SampleMailboxTests {
    @Test func `equal seeds give equal mails, and other seeds give other mails`() {
        let bytes = { (seed: UInt64) in SampleMailbox.threads(count: 50, seed: seed).flatMap(\.mails).map(\.bytes) }
        #expect(bytes(1) == bytes(1))
        #expect(bytes(1) != bytes(2))
        #expect(Set(bytes(1)).count == bytes(1).count)
    }

    @Test func `threads have 1 to 12 mails over two years, in order`() throws {
        let threads = SampleMailbox.threads(count: 500, seed: 3)
        #expect(threads.count == 500)
        #expect(Set(threads.map(\.mails.count)).isSuperset(of: 1...10))
        #expect(threads.allSatisfy { (1...12).contains($0.mails.count) })
        #expect(threads.allSatisfy { $0.mails.map(\.date) == $0.mails.map(\.date).sorted() })
        let starts = threads.map { $0.mails[0].date }
        #expect(starts == starts.sorted())
        #expect(starts[0] < SampleMailbox.end - 700 * 86_400)
        #expect(threads.flatMap(\.mails).allSatisfy { $0.date <= SampleMailbox.end })
        #expect(Set(threads.flatMap(\.mails).map(\.folder)) == ["INBOX", "Archive", "Sent"])
    }

    @Test func `a mailbox of a given number of mails has exactly that many`() {
        #expect(SampleMailbox.threads(mails: 1_000, seed: 4).reduce(0) { $0 + $1.mails.count } == 1_000)
    }

    @Test func `threads appended to a mailbox are the same threads there`() async throws {
        let threads = SampleMailbox.threads(mails: 400, seed: 5)
        let mails = threads.flatMap(\.mails)
        try await MailServer.run { server in
            let client = try server.imap()
            try await client.append(mails)
            let boxes = try await server.jmap("Mailbox/get", ["ids": .null])["list"]?.arrayValue ?? []
            #expect(boxes.reduce(0) { $0 + ($1["totalEmails"]?.intValue ?? 0) } == 400)
            let unread = mails.count { !$0.flags.contains("\\Seen") }
            #expect(boxes.reduce(0) { $0 + ($1["unreadEmails"]?.intValue ?? 0) } == unread)
            let all = try await server.jmap("Email/query", ["collapseThreads": true])
            #expect(all["ids"]?.arrayValue?.count == threads.count)

            // A mail's date header is read as the date it was generated from.
            let oldest = try await server.jmap("Email/query", ["sort": [["property": "receivedAt"]], "limit": 1])["ids"]
            let email = try await server.jmap("Email/get", ["ids": oldest ?? []])["list"]?.arrayValue?.first
            #expect(email?["sentAt"] == email?["receivedAt"])
            #expect(email?["sentAt"] != nil)
        }
    }
}
