import Foundation
import Groundwork
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// What became of a draft, as a device can say it.
@Suite(.timeLimit(.minutes(5))) struct DraftOutcomeTests {
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

    @Test func `a draft that was sent stays sent though another device has written it since`() async throws {
        try await StandardDevice.run { server, device in
            let mail = device.mail
            let draft = try await mail.save(mail.draft("Mine"))
            for _ in 0..<2 { try await device.settle() }
            let other = try await device.anotherDevice(at: server)
            var theirs = try #require(try await other.draft(draft.id))
            theirs.text = "Theirs"
            try await other.mail.save(theirs)
            for _ in 0..<2 { try await other.settle() }
            try await mail.send(draft)
            for _ in 0..<3 { try await device.settle(60) }
            #expect(server.mails(in: "sent").map { $0["preview"] } == ["Mine"])
            guard case .sent = try await mail.outcome(ofDraft: draft.id) else {
                Issue.record("it was sent")
                return
            }
            #expect(try await device.draft(draft.id)?.text == "Theirs")
            await other.mail.close()
        }
    }

    /// Another process may sync between the request that sends and the one that removes the saved version.
    @Test func `a sent draft isn't shown again while its saved version is on this device`() async throws {
        try await StandardDevice.run { server, device in
            let mail = device.mail
            let draft = try await mail.save(mail.draft("Hello"))
            try await device.settle()
            let saved = try #require(try await device.draft(draft.id))
            try await mail.send(saved)
            device.clock.advance(by: 6)
            device.transport.answer { request in
                let body = String(decoding: request.body ?? [], as: UTF8.self)
                if body.contains("\"destroy\":[") { try await mail.engine.sync() }
                return server.answer(request)
            }
            _ = try await mail.open.outbox.flush()
            guard case .sent(let id) = try await mail.outcome(ofDraft: draft.id) else {
                Issue.record("it was sent")
                return
            }
            #expect(try await mail.message(id: id)?.isDraft == false)
            #expect(try await mail.drafts().isEmpty)
            try await device.settle()
            #expect(try await mail.drafts().isEmpty)
        }
    }

    @Test func `a discarded draft isn't shown again before the next sync, nor later`() async throws {
        try await StandardDevice.run { _, device in
            let mail = device.mail
            let draft = try await mail.save(mail.draft("Hello"))
            try await device.settle()
            #expect(try await mail.drafts().count == 1)
            try await mail.discard(draft.id)
            _ = try await mail.open.outbox.flush()
            #expect(try await mail.drafts().isEmpty)
            #expect(try await mail.outcome(ofDraft: draft.id) == .discarded)
            #expect(try await mail.unsentDraftCount() == 0, "the server has discarded it")
            try await device.settle()
            #expect(try await mail.drafts().isEmpty)
            let isForgotten = try await mail.read { db in try db.draftDocument(draft.id) == nil }
            #expect(isForgotten)
        }
    }

    @Test func `a replaced version isn't another version before the next sync`() async throws {
        try await StandardDevice.run { _, device in
            let mail = device.mail
            let first = try await mail.save(mail.draft("One"))
            try await device.settle()
            var second = try #require(try await device.draft(first.id))
            second.text = "Two"
            try await mail.save(second)
            device.clock.advance(by: 6)
            _ = try await mail.open.outbox.flush()
            let shown = try #require(try await device.draft(first.id))
            #expect(shown.text == "Two" && shown.otherVersions.isEmpty)
        }
    }

    @Test func `drafts sent or discarded on another device have that outcome after a sync`() async throws {
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
