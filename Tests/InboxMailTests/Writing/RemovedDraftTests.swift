import Foundation
import Groundwork
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// Drafts that another device has sent and removed, when its sent mail is gone for good and the server keeps no
/// submissions: nothing shows that a mail was sent, and no second one has its `Message-ID`.
@Suite(.timeLimit(.minutes(5))) struct RemovedDraftTests {
    /// The laptop saves a draft, and the phone has it from the server. What the laptop does then, the phone learns with
    /// its next sync.
    private func run(
        _ body: (StandardMailServer, _ phone: StandardDevice, _ laptop: StandardDevice, MailDraft) async throws -> Void
    ) async throws {
        try await StandardDevice.run { server, phone in
            server.behave { $0.keepsSubmissions = false }
            let laptop = try await StandardDevice(server, clock: phone.clock)
            defer { try? FileManager.default.removeItem(at: laptop.directory) }
            let draft = try await laptop.mail.save(laptop.mail.draft("First"))
            for _ in 0..<2 { try await laptop.settle() }
            try await phone.mail.sync()
            try await body(server, phone, laptop, try #require(try await phone.draft(draft.id)))
            await laptop.mail.close()
        }
    }

    /// The device sends the draft, and the sent mails are removed.
    private func sendForGood(_ id: String, _ server: StandardMailServer, _ device: StandardDevice) async throws {
        try await device.mail.send(try #require(try await device.draft(id)))
        for _ in 0..<2 { try await device.settle() }
        server.empty("sent")
        #expect(server.mails(in: "drafts").isEmpty && server.mails(in: "sent").isEmpty)
    }

    private func refusal(_ draft: MailDraft?) -> DraftRefusal? {
        if case .refused(let refusal) = draft?.state { refusal } else { nil }
    }

    /// Checks that each mail arrived under a `Message-ID` of its own, and that nothing is left to do.
    private func expectSent(_ texts: [String], _ server: StandardMailServer, _ device: StandardDevice) async throws {
        #expect(server.deliveries.map(\.text) == texts)
        #expect(Set(server.deliveries.map(\.messageID)).count == texts.count)
        #expect(server.mails(in: "drafts").isEmpty)
        #expect(try await device.mail.drafts().isEmpty)
    }

    @Test(arguments: [true, false])
    func `a draft sent elsewhere for good is refused, and then sent as a new mail`(searches: Bool) async throws {
        try await run { server, phone, laptop, draft in
            server.behave { $0.searchesHeaders = searches }
            try await sendForGood(draft.id, server, laptop)
            var changed = draft
            changed.text = "Of the phone"
            try await phone.mail.send(changed)
            for _ in 0..<2 { try await phone.settle() }
            let shown = try #require(try await phone.draft(draft.id))
            #expect(refusal(shown)?.code == .alreadySent)
            #expect(refusal(shown)?.description.contains("has removed this draft from the server") ?? false)
            #expect(shown.text == "Of the phone" && shown.isEditable && shown.otherVersions.isEmpty)
            #expect(server.deliveries.map(\.text) == ["First"])
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Of the phone"])
            try await phone.mail.send(shown)
            for _ in 0..<2 { try await phone.settle() }
            try await expectSent(["First", "Of the phone"], server, phone)
        }
    }

    /// The phone's first request to send finds that another mail was received. The draft is removed after the next
    /// search, before the request that reads what has changed.
    @Test func `a draft that is removed while a conflict is examined isn't sent`() async throws {
        try await run { server, phone, _, draft in
            let sendings = Locked(0)
            phone.transport.answer { request in
                if request.isSending {
                    sendings.withLock { $0 += 1 }
                    if sendings.withLock({ $0 }) == 1 {
                        server.receive()
                    }
                }
                if sendings.withLock({ $0 }) == 1, request.has("Email/changes"), request.has("X-Inbox-Attempt") {
                    server.empty("drafts")
                }
                return server.answer(request)
            }
            var changed = draft
            changed.text = "Of the phone"
            try await phone.mail.send(changed)
            for _ in 0..<3 { try await phone.settle() }
            #expect(sendings.withLock { $0 } == 1)
            #expect(refusal(try await phone.draft(draft.id))?.code == .alreadySent)
            #expect(server.deliveries.isEmpty)
        }
    }

    /// The phone has saved its text before it is ordered to send it, so that the search finds that version.
    @Test func `a text saved over a draft that was sent for good is a new mail`() async throws {
        try await run { server, phone, laptop, draft in
            try await sendForGood(draft.id, server, laptop)
            var changed = draft
            changed.text = "Of the phone"
            try await phone.mail.save(changed)
            for _ in 0..<3 { try await phone.settle() }
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Of the phone"])
            try await phone.mail.send(try #require(try await phone.draft(draft.id)))
            for _ in 0..<2 { try await phone.settle() }
            try await expectSent(["First", "Of the phone"], server, phone)
        }
    }

    /// The laptop has written the draft, and gives it back to the server as if the mailbox had been lost.
    @Test func `a draft that is given back is sent as a new mail`() async throws {
        try await run { server, phone, laptop, draft in
            try await sendForGood(draft.id, server, phone)
            for _ in 0..<3 { try await laptop.settle() }
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["First"])
            try await laptop.mail.send(try #require(try await laptop.draft(draft.id)))
            for _ in 0..<2 { try await laptop.settle() }
            try await expectSent(["First", "First"], server, laptop)
        }
    }

    /// Removes the draft from the server. The device gives it back and is ordered to send it, which the server refuses
    /// for now.
    private func orderAgain(_ id: String, _ server: StandardMailServer, _ device: StandardDevice) async throws {
        server.empty("drafts")
        for _ in 0..<3 { try await device.settle() }
        #expect(server.mails(in: "drafts").map { $0["preview"] } == ["First"])
        device.transport.answer { request in
            request.isSending ? TransportResponse(status: 429, url: request.url) : server.answer(request)
        }
        try await device.mail.send(try #require(try await device.draft(id)))
        for _ in 0..<2 { _ = try? await device.settle() }
        device.transport.answer { server.answer($0) }
    }

    /// The laptop waits to send the draft. Its version is still there when it searches again.
    @Test func `a draft that is given back and sent by another device meanwhile is sent once`() async throws {
        try await run { server, phone, laptop, draft in
            try await orderAgain(draft.id, server, laptop)
            try await phone.mail.sync()
            phone.transport.answer { request in
                guard request.has("\"destroy\":[") else { return server.answer(request) }
                return TransportResponse(status: 503, url: request.url)
            }
            try await phone.mail.send(try #require(try await phone.draft(draft.id)))
            for _ in 0..<2 { _ = try? await phone.settle() }
            #expect(server.deliveries.map(\.text) == ["First"])
            #expect(server.mails(in: "drafts").count == 1)
            for _ in 0..<3 { try await laptop.settle(130) }
            #expect(server.deliveries.map(\.text) == ["First"])
            #expect(refusal(try await laptop.draft(draft.id))?.code == .alreadySent)
        }
    }

    /// The phone's request arrives just before the laptop's, and the server's search doesn't know its mail yet.
    @Test func `a draft given back that another device sends at that moment is sent once`() async throws {
        try await run { server, phone, laptop, draft in
            try await orderAgain(draft.id, server, laptop)
            try await phone.mail.sync()
            let late = Locked<TransportRequest?>(nil)
            phone.transport.answer { request in
                guard request.isSending else { return server.answer(request) }
                late.withLock { $0 = request }
                throw TransportError.unreachable("the request is on its way")
            }
            try await phone.mail.send(try #require(try await phone.draft(draft.id)))
            _ = try? await phone.settle()
            let theirs = try #require(late.withLock { $0 })
            laptop.transport.answer { request in
                var request = request
                if request.isSending {
                    _ = server.answer(theirs)
                } else if request.has("Message-ID") {
                    let text = String(decoding: request.body ?? [], as: UTF8.self)
                    request.body = Array(text.replacing(draft.id, with: "nothing").utf8)
                }
                return server.answer(request)
            }
            for _ in 0..<3 { try await laptop.settle(130) }
            #expect(server.deliveries.map(\.text) == ["First"])
            #expect(refusal(try await laptop.draft(draft.id))?.code == .alreadySent)
        }
    }

    /// The laptop's order is taken back, and the phone sends the laptop's version.
    @Test func `a draft given back and then sent by another device isn't given back again`() async throws {
        try await run { server, phone, laptop, draft in
            try await orderAgain(draft.id, server, laptop)
            #expect(try await laptop.mail.undoSend(draft.id) != nil)
            try await phone.mail.sync()
            try await phone.mail.send(try #require(try await phone.draft(draft.id)))
            for _ in 0..<2 { try await phone.settle() }
            for _ in 0..<3 { try await laptop.settle(130) }
            #expect(server.deliveries.map(\.text) == ["First"])
            #expect(server.mails(in: "drafts").isEmpty)
            #expect(try await laptop.mail.drafts().isEmpty)
        }
    }

    /// A third device replaces the laptop's version.
    @Test func `a draft given back and then changed by another device is sent as a new mail`() async throws {
        try await run { server, phone, laptop, draft in
            try await sendForGood(draft.id, server, phone)
            for _ in 0..<3 { try await laptop.settle() }
            #expect(server.mails(in: "drafts").count == 1)
            let tablet = try await phone.anotherDevice(at: server)
            var changed = try #require(try await tablet.draft(draft.id))
            changed.text = "Of the tablet"
            try await tablet.mail.save(changed)
            for _ in 0..<2 { try await tablet.settle() }
            await tablet.mail.close()
            for _ in 0..<2 { try await laptop.settle() }
            let shown = try #require(try await laptop.draft(draft.id))
            #expect(shown.text == "Of the tablet" && shown.otherVersions.isEmpty)
            try await laptop.mail.send(shown)
            for _ in 0..<2 { try await laptop.settle() }
            try await expectSent(["First", "Of the tablet"], server, laptop)
        }
    }

    /// After the refusal, the phone's text is a draft on the laptop too, whose sent mail is removed then.
    @Test func `the device that has sent a draft sends another device's text as a new mail`() async throws {
        try await run { server, phone, laptop, draft in
            try await laptop.mail.send(try #require(try await laptop.draft(draft.id)))
            for _ in 0..<2 { try await laptop.settle() }
            var changed = draft
            changed.text = "Of the phone"
            try await phone.mail.send(changed)
            for _ in 0..<2 { try await phone.settle() }
            #expect(refusal(try await phone.draft(draft.id))?.code == .alreadySent)
            for _ in 0..<2 { try await laptop.settle() }
            let shown = try #require(try await laptop.draft(draft.id))
            #expect(shown.text == "Of the phone")
            server.empty("sent")
            try await laptop.mail.send(shown)
            for _ in 0..<2 { try await laptop.settle() }
            try await expectSent(["First", "Of the phone"], server, laptop)
        }
    }

    @Test func `a draft that another device has changed meanwhile is sent`() async throws {
        try await run { server, phone, laptop, draft in
            var theirs = try #require(try await laptop.draft(draft.id))
            theirs.text = "Of the laptop"
            try await laptop.mail.save(theirs)
            for _ in 0..<2 { try await laptop.settle() }
            var changed = draft
            changed.text = "Of the phone"
            try await phone.mail.send(changed)
            for _ in 0..<2 { try await phone.settle() }
            #expect(server.deliveries.map(\.text) == ["Of the phone"])
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Of the laptop"])
        }
    }

    /// A server need not process the calls of a request at once. A device creates a version before it removes the one
    /// that it replaces: if this one is gone by the first call, the second one finds that one.
    @Test func `the known versions are looked up before the search`() async throws {
        try await run { _, phone, _, draft in
            try await phone.mail.send(draft)
            try await phone.settle()
            let request = try #require(phone.transport.requests.first { $0.has("\"versions\"") })
            let body = String(decoding: request.body ?? [], as: UTF8.self)
            let versions = try #require(body.range(of: "\"versions\""))
            let query = try #require(body.range(of: "\"Email/query\""))
            #expect(versions.upperBound < query.lowerBound)
        }
    }

    /// The device asks again for the removal, and finds that the version is gone.
    @Test func `a version whose removal had no answer doesn't change the Message-ID`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.save(device.mail.draft("First"))
            for _ in 0..<2 { try await device.settle() }
            var changed = try #require(try await device.draft(draft.id))
            changed.text = "Second"
            try await device.mail.save(changed)
            device.transport.answer { request in
                let answer = server.answer(request)
                guard request.has("\"destroy\":[") else { return answer }
                throw TransportError.timedOut(after: 30)
            }
            _ = try? await device.settle()
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Second"])
            device.transport.answer { server.answer($0) }
            for _ in 0..<2 { try await device.settle(60) }
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            for _ in 0..<2 { try await device.settle() }
            #expect(server.deliveries.map { $0.messageID.contains(draft.id) } == [true])
        }
    }

    /// Where the versions are looked up with the search, no request is added.
    @Test func `a saved draft is searched for once before it is sent`() async throws {
        try await run { _, _, laptop, draft in
            let before = laptop.transport.requests.count
            try await laptop.mail.send(try #require(try await laptop.draft(draft.id)))
            try await laptop.settle()
            let requests = laptop.transport.requests.dropFirst(before)
            let versions = try #require(requests.firstIndex { $0.has("\"versions\"") })
            #expect(requests[versions].has("Message-ID"))
            #expect(requests.count { $0.has("\"versions\"") || $0.has("Message-ID") } == 1)
        }
    }
}
