import Foundation
import Groundwork
import InboxHTTPClient
import InboxMail
import RunningMailServer
import Testing

/// A relay between a device and Cyrus cuts the answers: at each byte in long tests, at some of them otherwise.
@Suite(.timeLimit(.minutes(120))) struct CutAnswerTests {
    private static let isLong = ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] != nil

    @Test func `a mail is sent once, wherever an answer is cut`() async throws {
        try await WritingServer.run { server in
            let relay = try await CuttingRelay(for: server.server)
            let device = try await server.device(at: relay.url) { $0.transport = HTTPClientTransport() }
            try await device.mail.sync()
            // Without a cut, for the number of bytes.
            try await relay.cut(after: .max)
            try await send(0, device, server)
            let (total, isCut) = try await relay.passed()
            #expect(total > 2_000 && !isCut)
            var (cuts, number) = (0, 1)
            for place in stride(from: 0, to: total, by: Self.isLong ? 1 : total / 40) {
                try await relay.cut(after: place)
                try await send(number, device, server)
                if try await relay.passed().isCut { cuts += 1 }
                number += 1
            }
            #expect(cuts >= (number - 1) * 9 / 10, "\(cuts) of \(number - 1) places were reached")
            let received = try await server.receiver.mails()
            let subjects = received.compactMap { $0.header("Subject").first }
            #expect(subjects.sorted() == (0..<number).map { "Mail \($0)" }.sorted())
            #expect(try await server.mails(in: "drafts").isEmpty)
            #expect(try await server.mails(in: "sent").count == number)
            print("cut answers: at \(cuts) of \(total) bytes of a mail that is sent")
            await device.end()
            await relay.stop()
        }
    }

    /// Sends a mail, and goes on until it is sent.
    private func send(_ number: Int, _ device: TestDevice, _ server: WritingServer) async throws {
        var draft = device.mail.newDraft()
        draft.to = [EmailAddress(email: "bob@example.org")]
        draft.bcc = [EmailAddress(email: "eve@example.org")]
        (draft.subject, draft.text) = ("Mail \(number)", "Hello")
        draft = try await device.mail.save(draft)
        _ = try? await server.settle(device)
        try await device.mail.send(try #require(try await device.mail.draft(id: draft.id)))
        for _ in 0..<10 {
            _ = try? await server.settle(device, seconds: 400)
            if try await device.mail.drafts().isEmpty { return }
        }
        let state = try await device.mail.draft(id: draft.id)?.state
        Issue.record("mail \(number) isn't sent: \(String(describing: state))")
    }
}
