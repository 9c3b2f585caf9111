import Foundation
import Groundwork
import InboxHTTPClient
import InboxMail
import RunningMailServer
import Testing

/// A relay between a device and Cyrus cuts the answers: at each byte in long tests, otherwise once in each answer, at
/// its first byte, in the middle or before its last one. With a Cyrus that deletes the submissions that it has sent, it
/// is every fourth answer, and the one to the request that submits the mail.
@Suite(.timeLimit(.minutes(120))) struct CutAnswerTests {
    private static let isLong = ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] != nil

    @Test(arguments: [false, true])
    func `a mail is sent once when an answer is cut at any byte`(deletesOnSend: Bool) async throws {
        let option = "jmapsubmission_deleteonsend: \(deletesOnSend ? "yes" : "no")"
        try await WritingServer.run(options: [option]) { server in
            let relay = try await CuttingRelay(for: server.server)
            let log = Log()
            let device = try await server.device(at: relay.url) { $0.transport = log }
            try await device.mail.sync()
            // Without a cut, for the number of bytes.
            try await relay.cut(after: .max)
            try await send(0, device, server, log)
            let (total, isCut, beginnings) = try await relay.passed()
            #expect(total > 2_000 && !isCut && beginnings.count > 5 && beginnings.first == 0)
            var (cuts, number) = (0, 1)
            var places = Self.isLong ? Array(0..<total) : Self.places(beginnings, total)
            if deletesOnSend, !Self.isLong {
                places = stride(from: 0, to: places.count, by: 4).map { places[$0] }
                // No submission shows afterwards that the mail was sent. Its place does.
                for count in [0, 100, 400] {
                    try await relay.cut(after: .max)
                    log.beforeSubmission.withLock { $0 = { try await relay.cut(after: count) } }
                    try await send(number, device, server, log)
                    if try await relay.passed().isCut { cuts += 1 }
                    number += 1
                }
            }
            for place in places {
                try await relay.cut(after: place)
                try await send(number, device, server, log)
                if try await relay.passed().isCut { cuts += 1 }
                number += 1
            }
            #expect(cuts >= (number - 1) * 9 / 10, "\(cuts) of \(number - 1) places were reached")
            let received = try await server.receiver.mails()
            let subjects = received.compactMap { $0.header("Subject").first }
            #expect(subjects.sorted() == (0..<number).map { "Mail \($0)" }.sorted())
            #expect(try await server.mails(in: "drafts").isEmpty)
            // No recipient learns of the hidden one, whichever request sent the mail. The sender's copy names it, once.
            #expect(!received.contains { $0.text.contains("eve@") || !$0.header("Bcc").isEmpty })
            #expect(received.allSatisfy { $0.recipients.sorted() == ["bob@example.org", "eve@example.org"] })
            let submitted = log.submitted.withLock { $0 }
            #expect(submitted.count >= number && !submitted.contains { $0.contains(#""bcc""#) })
            // One request creates the mail, submits it and moves it.
            #expect(submitted.allSatisfy { $0.contains(#""Email/set""#) && $0.contains("onSuccessUpdateEmail") })
            let sent = try await server.mails(in: "sent")
            #expect(sent.compactMap { $0["subject"]?.stringValue }.sorted() == subjects.sorted())
            #expect(sent.allSatisfy { $0["bcc"]?.arrayValue?.map { $0["email"] } == ["eve@example.org"] })
            let kept = deletesOnSend ? "deleted" : "kept"
            print("cut answers, submissions \(kept): at \(cuts) of \(total) bytes, in \(beginnings.count) answers")
            await device.end()
            await relay.stop()
        }
    }

    /// The numbers of bytes after which answers are cut, one in each.
    private static func places(_ beginnings: [Int], _ total: Int) -> [Int] {
        zip(beginnings, beginnings.dropFirst() + [total]).enumerated().map { number, answer in
            let (begin, end) = answer
            return [begin, (begin + end) / 2, max(begin, end - 1)][number % 3]
        }
    }

    /// Sends a mail, and goes on until it is sent.
    private func send(_ number: Int, _ device: TestDevice, _ server: WritingServer, _ log: Log) async throws {
        log.lines.withLock { $0 = [] }
        var draft = device.mail.newDraft()
        draft.to = [EmailAddress(email: "bob@example.org")]
        draft.bcc = [EmailAddress(email: "eve@example.org")]
        (draft.subject, draft.text) = ("Mail \(number)", "Hello")
        draft = try await device.mail.save(draft)
        _ = try? await server.settle(device)
        try await device.mail.send(try #require(try await device.mail.draft(id: draft.id)))
        for _ in 0..<10 {
            _ = try? await server.settle(device, seconds: 400)
            if try await device.mail.draft(id: draft.id) == nil { return }
        }
        let state = try await device.mail.draft(id: draft.id)?.state
        let lines = log.lines.withLock { $0.joined(separator: "\n") }
        Issue.record("mail \(number) isn't sent: \(String(describing: state))\n\(lines)")
    }

    /// The transport, with a log of the requests for a mail.
    private final class Log: Transport {
        let lines = Locked<[String]>([])
        /// The requests that submit a mail.
        let submitted = Locked<[String]>([])
        /// Called before the next of them, once.
        let beforeSubmission = Locked<(@Sendable () async throws -> Void)?>(nil)
        private let inner = HTTPClientTransport()

        func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
            let body = String(decoding: request.body ?? [], as: UTF8.self)
            if body.contains("EmailSubmission/set") {
                submitted.withLock { $0.append(body) }
                let action = beforeSubmission.withLock { action in
                    defer { action = nil }
                    return action
                }
                try await action?()
            }
            let text = body.prefix(600)
            do {
                let response = try await inner.send(request, maxBytes: maxBytes)
                let answer = String(decoding: response.body.prefix(600), as: UTF8.self)
                lines.withLock { $0.append("\(request.url.path) \(text)\n  \(response.status) \(answer)") }
                return response
            } catch {
                lines.withLock { $0.append("\(request.url.path) \(text)\n  \(error)") }
                throw error
            }
        }

        func stream(_ request: TransportRequest) async throws -> TransportStream { try await inner.stream(request) }
    }
}
