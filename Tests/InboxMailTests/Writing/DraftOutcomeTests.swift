import Foundation
import Groundwork
import InboxMail
import ReplicaTesting
import StandardMailServer
import Testing

/// What became of a draft, as a device can say it.
@Suite(.timeLimit(.minutes(2))) struct DraftOutcomeTests {
    @Test func `the outcome of a draft is sent or discarded, also later`() async throws {
        try await StandardDevice.run { _, device in
            let mail = device.mail
            let draft = mail.draft("Sent")
            #expect(try await mail.outcome(ofDraft: draft.id) == nil, "it was never saved")
            try await mail.save(draft)
            #expect(try await mail.outcome(ofDraft: draft.id) == .pending(.draft))
            try await mail.send(draft)
            guard case .pending(.waiting) = try await mail.outcome(ofDraft: draft.id) else {
                Issue.record("it waits to be sent")
                return
            }
            try await device.settle()
            guard case .sent(let id) = try await mail.outcome(ofDraft: draft.id) else {
                Issue.record("it was sent")
                return
            }
            #expect(try await mail.message(id: id)?.subject == "Hello")
            // The device has forgotten the draft, and has the mail.
            try await device.settle(2 * 86_400)
            #expect(try await mail.outcome(ofDraft: draft.id) == .sent(messageID: id))
            let waiting = try await mail.send(mail.draft("Discarded"))
            try await mail.discard(waiting.id)
            #expect(try await mail.outcome(ofDraft: waiting.id) == .discarded)
            try await device.settle()
            guard [nil, .discarded].contains(try await mail.outcome(ofDraft: waiting.id)) else {
                Issue.record("it was discarded")
                return
            }
        }
    }

    @Test func `what another device has sent or discarded is known after a sync`() async throws {
        try await StandardDevice.run { server, device in
            let other = try await StandardDevice(server, clock: device.clock)
            defer { try? FileManager.default.removeItem(at: other.directory) }
            var drafts: [MailDraft] = []
            for text in ["sent elsewhere", "discarded elsewhere"] {
                drafts.append(try await device.mail.save(device.mail.draft(text)))
            }
            try await device.settle()
            try await other.mail.sync()
            let copy = try #require(try await other.draft(drafts[0].id))
            try await other.mail.send(copy)
            try await other.mail.discard(drafts[1].id)
            try await other.settle()
            try await device.settle()
            try await device.settle()
            guard case .sent(let id) = try await device.mail.outcome(ofDraft: drafts[0].id) else {
                Issue.record("it was sent")
                return
            }
            #expect(try await device.mail.message(id: id)?.isDraft == false)
            #expect(try await device.mail.outcome(ofDraft: drafts[1].id) == .discarded)
            await other.mail.close()
        }
    }
}
