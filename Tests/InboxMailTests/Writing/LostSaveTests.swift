import Foundation
import Groundwork
import InboxMail
import MailComposing
import RunningMailServer
import Testing

/// Requests to save whose answers are lost, with a real server.
@Suite(.timeLimit(.minutes(10))) struct LostSaveTests {
    private static let count = 12

    /// The server shows what was written, or what it makes of it. Otherwise each text would be there twice.
    @Test func `a version whose answer was lost is recognised by its text`() async throws {
        try await WritingServer.run { server in
            let device = try await server.device()
            try await device.mail.sync()
            for seed in 0..<Self.count {
                let random = await RandomMail(seed: UInt64(seed)) { _ in "" }
                var draft = device.mail.newDraft()
                (draft.to, draft.cc, draft.bcc) = (random.mail.to, random.mail.cc, random.mail.bcc)
                (draft.subject, draft.text, draft.html) = (random.mail.subject, random.mail.text, random.mail.html)
                draft = try await device.mail.save(draft)
                for (file, bytes) in zip(random.mail.attachments, random.files) {
                    draft = try await device.mail.attach(
                        Data(bytes),
                        named: file.name ?? "",
                        to: draft,
                        type: file.type,
                        contentID: file.contentID
                    )
                }
            }
            device.link.fail { request, _ in request.contains(#""create":{"#) ? .losesAnswer : nil }
            for _ in 0..<(4 * Self.count) where try await server.mails(in: "drafts").count < Self.count {
                _ = try? await server.settle(device)
            }
            device.link.fail(nil)
            for _ in 0..<4 { try await server.settle(device, seconds: 400) }
            #expect(try await server.mails(in: "drafts").count == Self.count)
            let drafts = try await device.mail.drafts()
            #expect(drafts.count == Self.count)
            for draft in drafts { #expect(draft.otherVersions.isEmpty, "\(draft)") }
            await device.end()
        }
    }
}
