import Eventually
import Foundation
import Groundwork
import Replica
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// The rules of the queue of drafts that are to be saved and sent, and what a server's refusals mean.
@Suite(.timeLimit(.minutes(5))) struct SendingQueueTests {
    @Test func `sending waits for the upload, which is tried again, also after a restart`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.attach(Data("file".utf8), named: "a.txt", to: device.mail.draft("Hi"))
            try await device.mail.send(draft)
            device.transport.fail(with: .status(503))
            await #expect(throws: MailError.self) { try await device.settle() }
            #expect(server.deliveries.isEmpty)
            await device.mail.close()
            let next = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            try await next.settle(200)
            #expect(next.uploads == 1)
            #expect(server.deliveries.map(\.recipient) == ["bob@example.org"])
            await next.mail.close()
        }
    }

    @Test func `a clock that is set back delays no draft`() async throws {
        try await StandardDevice.run { server, device in
            try await device.mail.save(device.mail.draft("Saved", subject: "One"))
            try await device.mail.send(device.mail.draft("Sent", subject: "Two"))
            let later = try await device.mail.send(
                device.mail.draft("Later", subject: "Three"),
                later: device.clock.now.addingTimeInterval(7_200)
            )
            device.clock.advance(by: -86_400)
            try await device.mail.sync()
            try await device.settle()
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Saved"])
            try await device.settle(30)
            #expect(server.deliveries.map(\.text) == ["Sent"])
            try await device.settle(7_000)
            #expect(server.deliveries.count == 1)
            #expect(try await device.draft(later.id)?.state.name == "waiting")
            // Its date is the one that was given.
            try await device.settle(86_600)
            #expect(server.deliveries.map(\.text) == ["Sent", "Later"])
        }
    }

    @Test func `a wait after a failure ends though the clock is set back`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.refusal = { _ in ["type": "rateLimit"] } }
            try await device.mail.send(device.mail.draft("Hello"))
            try await device.settle()
            server.behave { $0.refusal = { _ in nil } }
            device.clock.advance(by: -86_400)
            try await device.settle(0)
            try await device.settle(130)
            #expect(server.deliveries.count == 1)
        }
    }

    @Test(arguments: [
        ("invalidArguments", "refused"), ("unknownMethod", "refused"), ("serverUnavailable", "waiting"),
        ("accountNotSupportedByMethod", "waiting"), ("serverFail", "sending"),
    ])
    func `a mail whose submission fails is refused, sent again or searched for`(
        type: String,
        expected: String
    ) async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.submissionError = type }
            let draft = try await device.mail.send(device.mail.draft("Hello"))
            try await device.settle()
            try await device.settle()
            #expect(try await device.draft(draft.id)?.state.name == expected)
            // Where nothing was submitted, other devices find no attempt that seems to be under way.
            let attempts = server.mails(in: "drafts").count { mail in
                mail["messageId"]?.arrayValue?.first?.stringValue.flatMap(DraftToken.read)?.isForSending ?? false
            }
            #expect(attempts == (type == "serverFail" ? 1 : 0))
            server.behave { $0.submissionError = nil }
            for _ in 0..<4 { try await device.settle(100) }
            #expect(server.deliveries.count == (expected == "waiting" ? 1 : 0))
            if type == "serverFail" { #expect(try await device.draft(draft.id)?.state.name == "unknown") }
        }
    }

    @Test func `files outlive a restart of a live device, and drafts that aren't saved yet`() async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        let device = try await StandardDevice(server, clock: clock)
        defer { try? FileManager.default.removeItem(at: device.directory) }
        try await device.mail.sync()
        let draft = try await device.mail.attach(Data("file".utf8), named: "a.txt", to: device.mail.draft("Hi"))
        await device.mail.close()
        // Those of a draft that is about to be saved, and of one that never was.
        let paths = try FileManager.default.subpathsOfDirectory(atPath: device.directory.path)
        let file = try #require(paths.first { $0.hasSuffix(draft.attachments[0].id) })
        let folder = device.directory.appendingPathComponent(file).deletingLastPathComponent()
        let others = ["unsaved", "old"].map { folder.deletingLastPathComponent().appendingPathComponent($0) }
        for other in others { try FileManager.default.copyItem(at: folder, to: other) }
        for old in [folder, others[1]] {
            let date = Date(timeIntervalSinceNow: -100_000)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: old.path)
        }
        let next = try await StandardDevice(server, clock: clock, directory: device.directory) { configuration in
            configuration.isLive = true
            configuration.undoSendInterval = 0
        }
        #expect(try await eventually { !FileManager.default.fileExists(atPath: others[1].path) })
        #expect(FileManager.default.fileExists(atPath: others[0].path))
        try await next.mail.send(try #require(try await next.draft(draft.id)))
        #expect(
            try await eventually {
                clock.advance(by: 60)
                return !server.deliveries.isEmpty
            }
        )
        #expect(server.mails(in: "sent").first?["attachments"]?.arrayValue?.map { $0["name"] } == ["a.txt"])
        await next.mail.close()
    }

    @Test func `a file that was changed on the device isn't sent`() async throws {
        try await StandardDevice.run { server, device in
            var draft = try await device.mail.attach(Data("file".utf8), named: "a.txt", to: device.mail.draft("Hi"))
            let files = try FileManager.default.subpathsOfDirectory(atPath: device.directory.path)
            let file = try #require(files.first { $0.hasSuffix(draft.attachments[0].id) })
            try Data("changed".utf8).write(to: device.directory.appendingPathComponent(file))
            try await device.mail.send(draft)
            try await device.settle()
            draft = try #require(try await device.draft(draft.id))
            guard case .refused(let refusal) = draft.state else {
                Issue.record("\(draft.state)")
                return
            }
            #expect(refusal.code == .attachment && refusal.description.contains("a.txt"))
            #expect(server.deliveries.isEmpty)
            // Without the file, it can be sent.
            draft = try await device.mail.removeAttachment(draft.attachments[0].id, from: draft)
            try await device.mail.send(draft)
            try await device.settle()
            #expect(server.deliveries.count == 1)
        }
    }

    /// It is as long as before.
    @Test func `a file that changes before its upload starts again isn't sent`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.attach(Data("file".utf8), named: "a.txt", to: device.mail.draft("Hi"))
            try await device.mail.send(draft)
            device.transport.fail(with: .status(503))
            await #expect(throws: MailError.self) { try await device.settle() }
            await device.mail.close()
            let files = try FileManager.default.subpathsOfDirectory(atPath: device.directory.path)
            let file = try #require(files.first { $0.hasSuffix(draft.attachments[0].id) })
            try Data("elif".utf8).write(to: device.directory.appendingPathComponent(file))
            let next = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            try await next.settle(200)
            #expect(next.uploads == 0 && server.deliveries.isEmpty)
            if case .refused(let refusal)? = try await next.draft(draft.id)?.state {
                #expect(refusal.code == .attachment && refusal.description.contains("a.txt"))
            } else {
                Issue.record("the draft isn't refused")
            }
            await next.mail.close()
        }
    }

    @Test func `bytes that the server has lost are uploaded again`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.attach(Data("file".utf8), named: "a.txt", to: device.mail.draft("Hi"))
            try await device.settle()
            #expect(device.uploads == 1)
            server.removeBlob(Array("file".utf8))
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            try await device.settle()
            try await device.settle(100)
            #expect(device.uploads == 2)
            #expect(server.deliveries.count == 1)
        }
    }

    @Test func `of several files, only those that the server has lost are uploaded again`() async throws {
        try await StandardDevice.run { server, device in
            var draft = device.mail.draft("Hi")
            for name in ["a", "b", "c"] {
                draft = try await device.mail.attach(Data(name.utf8), named: "\(name).txt", to: draft)
            }
            try await device.settle()
            #expect(device.uploads == 3)
            server.removeBlob(Array("b".utf8))
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            try await device.settle()
            try await device.settle(100)
            let uploaded = device.transport.requests.filter { $0.url.path.hasPrefix("/upload/") }.compactMap(\.body)
            #expect(uploaded.map { String(decoding: $0, as: UTF8.self) } == ["a", "b", "c", "b"])
            #expect(server.deliveries.count == 1)
            let files = server.mails(in: "sent").first?["attachments"]?.arrayValue
            #expect(files?.map { $0["name"] } == ["a.txt", "b.txt", "c.txt"])
        }
    }

    @Test func `a mail whose file the server loses each time is refused, and can be changed`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.lostFiles = { $0 } }
            var draft = device.mail.draft("Hi")
            for name in ["a", "b"] {
                draft = try await device.mail.attach(Data(name.utf8), named: "\(name).txt", to: draft)
            }
            try await device.mail.send(draft)
            for _ in 0..<60 { try await device.settle(60) }
            let stored = try #require(try await device.draft(draft.id))
            guard case .refused(let refusal) = stored.state else {
                Issue.record("\(stored.state)")
                return
            }
            #expect(refusal.code == .attachment && refusal.description.contains("a.txt, b.txt") && stored.isEditable)
            #expect(device.uploads == 2 * 5 && server.deliveries.isEmpty)
            #expect(try await device.mail.unsentDraftCount() == 1)
            // Another order tries as often, and so does a changed text.
            try await device.mail.send(stored)
            for _ in 0..<60 { try await device.settle(60) }
            #expect(device.uploads == 2 * 10)
            var changed = try #require(try await device.draft(draft.id))
            changed.text = "Hello"
            try await device.mail.save(changed)
            for _ in 0..<60 { try await device.settle(60) }
            #expect(device.uploads == 2 * 15 && server.mails(in: "drafts").isEmpty)
            // A server that keeps files again has the mail.
            server.behave { $0.lostFiles = nil }
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            try await device.settle()
            #expect(server.deliveries.count == 1 && device.uploads == 2 * 16)
        }
    }

    @Test(arguments: [false, true])
    func `a server that reports an unrelated file as lost gets few requests`(_ hasFile: Bool) async throws {
        try await StandardDevice.run { server, device in
            var draft = device.mail.draft("Hi")
            if hasFile { draft = try await device.mail.attach(Data("a".utf8), named: "a.txt", to: draft) }
            server.behave { $0.lostFiles = { _ in ["other"] } }
            try await device.mail.send(draft)
            for _ in 0..<60 { try await device.settle(60) }
            let stored = try #require(try await device.draft(draft.id))
            guard case .refused(let refusal) = stored.state else {
                Issue.record("\(stored.state)")
                return
            }
            #expect(refusal.code == .attachment && stored.isEditable)
            #expect(device.creations <= 6, "\(device.creations)")
        }
    }

    @Test func `a mail can be taken back until its stated time, and isn't sent before`() async throws {
        try await StandardDevice.run(configure: { $0.undoSendInterval = 30 }) { server, device in
            let (first, second) = (device.mail.draft("First"), device.mail.draft("Second"))
            let end = device.clock.now.addingTimeInterval(30)
            for draft in [first, second] { #expect(try await device.mail.send(draft).state == .waiting(until: end)) }
            try await device.settle(29)
            #expect(device.creations == 0 && server.deliveries.isEmpty)
            #expect(try await device.mail.undoSend(first.id)?.state == .draft)
            try await device.settle(1)
            #expect(server.deliveries.map(\.text) == ["Second"])
            #expect(try await device.mail.undoSend(second.id) == nil)
            #expect(try await device.draft(first.id)?.text == "First")
        }
    }

    @Test func `past ten thousand drafts no other is saved, and each of them can be changed`() async throws {
        try await StandardDevice.run { _, device in
            let text = device.mail.draft("Many").stored
            let ids = (0..<10_000).map { _ in DraftToken.make(.system) }
            try await device.mail.store.write { writer in
                for id in ids {
                    var job = DraftJob(token: id, editedAt: writer.now)
                    // They wait on the device.
                    job.unsavableRevision = job.revision
                    try writer.put(DraftDocument(id: id, text: text, job: job))
                }
            }
            #expect(try await device.mail.draftCount() == 10_000)
            let error = await #expect(throws: MailError.self) { try await device.mail.save(device.mail.draft("More")) }
            #expect(error?.code == .invalidArgument && error?.description.contains("Discard some") ?? false)
            var draft = try #require(try await device.draft(ids[0]))
            draft.text = "Changed"
            try await device.mail.save(draft)
            try await device.mail.discard(ids[1])
            try await device.settle(1)
            try await device.mail.save(device.mail.draft("More"))
            #expect(try await device.mail.draftCount() == 10_000)
        }
    }

    @Test func `a discard cancels what waits, and is refused once sending began`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            try await device.mail.discard(draft.id)
            try await device.settle(600)
            #expect(server.deliveries.isEmpty && device.creations == 0)

            let other = try await device.mail.send(device.mail.draft("Hi"))
            device.loseAnswersToSending(by: server)
            _ = try? await device.settle()
            let begun = try #require(try await device.draft(other.id))
            #expect(begun.state == .sending && !begun.isEditable)
            await #expect(throws: MailError.self) { try await device.mail.discard(other.id) }
            #expect(try await device.mail.undoSend(other.id) == nil)
        }
    }

    /// The copy that names the hidden recipients is still to be made then.
    @Test func `a sent draft can't be discarded`() async throws {
        try await StandardDevice.run { server, device in
            var draft = device.mail.draft("Hi")
            draft.bcc = [EmailAddress(email: "eve@example.org")]
            let id = try await device.mail.send(draft).id
            device.transport.answer { request in
                // The copy is created where sent mails are.
                if request.has(#""create":{"mail":{"mailboxIds":{"sent""#) {
                    throw TransportError.timedOut(after: 30)
                }
                return server.answer(request)
            }
            _ = try? await device.settle()
            #expect(try await device.draft(id)?.state.name == "sent")
            await #expect(throws: MailError.self) { try await device.mail.discard(id) }
            device.transport.answer { server.answer($0) }
            try await device.settle(600)
            let sent = server.mails(in: "sent")
            #expect(sent.map { $0["bcc"]?.arrayValue?.count } == [1])
            await #expect(throws: MailError.self) { try await device.mail.discard(id) }
            #expect(server.mails(in: "sent").count == 1 && server.mails(in: "trash").isEmpty)
        }
    }

    @Test func `a draft that is refused doesn't hold up the others`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { behaviour in
                behaviour.refusal = { recipients in
                    recipients.contains("gone@example.org")
                        ? ["type": "invalidRecipients", "invalidRecipients": ["gone@example.org"]] : nil
                }
            }
            var refused = device.mail.draft("No")
            refused.to = [EmailAddress(email: "gone@example.org")]
            refused = try await device.mail.send(refused)
            try await device.mail.send(device.mail.draft("Yes"))
            try await device.settle()
            #expect(server.deliveries.map(\.text) == ["Yes"])
            guard case .refused(let refusal) = try await device.draft(refused.id)?.state else {
                Issue.record("not refused")
                return
            }
            #expect(refusal.code == .recipients && refusal.addresses == ["gone@example.org"])
            #expect(try await device.mail.drafts(Query(where: #Predicate { $0.state.name == "refused" })).count == 1)
        }
    }

    @Test func `a very small maximum of recipients may be a refused recipient`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.refusal = { _ in ["type": "tooManyRecipients", "maxRecipients": 1] } }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            try await device.settle()
            guard case .refused(let refusal) = try await device.draft(draft.id)?.state else {
                Issue.record("not refused")
                return
            }
            #expect(refusal.code == .recipients)
            #expect(refusal.description == "The server refuses a recipient, or allows only 1. Check the addresses.")
        }
    }

    @Test(arguments: [
        ("tooLarge", DraftRefusal.Code.tooLarge), ("overQuota", .overQuota), ("forbiddenFrom", .sender),
        ("forbiddenMailFrom", .sender), ("invalidRecipients", .recipients), ("noRecipients", .noRecipients),
        ("forbiddenToSend", .forbidden), ("invalidEmail", .other),
    ])
    func `a server's refusal is reported with its code and description`(type: String, code: DraftRefusal.Code)
        async throws
    {
        try await StandardDevice.run { server, device in
            server.behave { $0.refusal = { _ in ["type": .string(type), "description": "because"] } }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            try await device.settle()
            guard case .refused(let refusal) = try await device.draft(draft.id)?.state else {
                Issue.record("not refused: \(String(describing: try await device.draft(draft.id)?.state))")
                return
            }
            #expect(refusal.code == code && refusal.description.contains("because"))
            // The text is one draft, on the server too.
            try await device.settle(600)
            #expect(server.mails(in: "drafts").count == 1)
            // It can be sent again.
            server.behave { $0.refusal = { _ in nil } }
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            try await device.settle()
            try await device.settle()
            #expect(server.deliveries.count == 1)
            #expect(server.mails(in: "drafts").isEmpty && server.mails(in: "sent").count == 1)
        }
    }

    @Test func `a temporary refusal is final after a day`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.refusal = { _ in ["type": "forbiddenToSend", "description": "451 4.7.1 greylisted"] } }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            try await device.settle()
            for _ in 0..<23 { try await device.settle(3_600) }
            #expect(try await device.draft(draft.id)?.state.name == "waiting")
            for _ in 0..<2 { try await device.settle(3_600) }
            #expect(try await device.draft(draft.id)?.state.name == "refused")
            #expect(server.deliveries.isEmpty)
        }
    }

    @Test func `a mailbox that changes all the time isn't asked without a pause`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            device.transport.answer { request in
                guard request.isSending else {
                    return server.answer(request)
                }
                let text = #"{"methodResponses":[["error",{"type":"stateMismatch"},"create"]],"sessionState":"0"}"#
                return TransportResponse(status: 200, body: Array(text.utf8), url: request.url)
            }
            try await device.settle()
            #expect((1...6).contains(device.creations))
            guard case .waiting(let date) = try await device.draft(draft.id)?.state else {
                Issue.record("it waits for the next attempt")
                return
            }
            #expect(date > device.clock.now)
            device.transport.answer { request in server.answer(request) }
            try await device.settle(60)
            #expect(server.deliveries.count == 1)
        }
    }

    @Test func `a mail taken back during the search isn't sent`() async throws {
        try await StandardDevice.run { server, device in
            let saved = try await device.mail.save(device.mail.draft("Hi"), waitsForChanges: false)
            try await device.settle()
            let draft = try #require(try await device.draft(saved.id))
            try await device.mail.send(draft)
            let mail = device.mail
            device.transport.answer { request in
                if request.has("Email/query"), request.has(draft.id) { try await mail.undoSend(draft.id) }
                return server.answer(request)
            }
            try await device.settle()
            #expect(try await device.draft(draft.id)?.state == .draft)
            #expect(server.deliveries.isEmpty)
        }
    }

    @Test func `a mail rescheduled during the search waits`() async throws {
        try await StandardDevice.run { server, device in
            let saved = try await device.mail.save(device.mail.draft("Hi"), waitsForChanges: false)
            try await device.settle()
            let draft = try #require(try await device.draft(saved.id))
            try await device.mail.send(draft)
            let (mail, clock, isOrdered) = (device.mail, device.clock, Locked(false))
            device.transport.answer { request in
                if request.has("Email/query"), request.has(draft.id), !isOrdered.withLock({ $0 }),
                    let draft = try await mail.undoSend(draft.id)
                {
                    isOrdered.withLock { $0 = true }
                    try await mail.send(draft, later: clock.now.addingTimeInterval(3_600))
                }
                return server.answer(request)
            }
            try await device.settle()
            #expect(isOrdered.withLock { $0 })
            #expect(server.deliveries.isEmpty)
            try await device.settle(3_700)
            #expect(server.deliveries.count == 1)
        }
    }

    /// Another device's attempt is found, of which it isn't known whether it was sent.
    @Test(arguments: [true, false])
    func `a discard or save during the search is kept`(isDiscarded: Bool) async throws {
        try await StandardDevice.run { server, device in
            let saved = try await device.mail.save(device.mail.draft("Hi"), waitsForChanges: false)
            try await device.settle()
            let draft = try #require(try await device.draft(saved.id))
            server.deliver([
                "mailboxIds": ["drafts": true], "keywords": ["$draft": true],
                "messageId": [.string(DraftToken.messageID(draft.id, domain: "example.com"))],
                "bodyStructure": ["partId": "1", "type": "text/plain"], "bodyValues": ["1": ["value": "Hi"]],
            ])
            try await device.mail.send(draft)
            let mail = device.mail
            device.transport.answer { request in
                if request.has("Email/query"), request.has(draft.id) {
                    if isDiscarded {
                        try? await mail.discard(draft.id)
                    } else {
                        try await mail.undoSend(draft.id)
                    }
                }
                return server.answer(request)
            }
            _ = try? await device.settle()
            device.transport.answer { server.answer($0) }
            _ = try? await device.settle()
            let left = try await device.draft(draft.id)
            #expect(isDiscarded ? left == nil : left?.state == .draft)
            #expect(server.deliveries.isEmpty)
        }
    }

    @Test func `a mail that is refused temporarily waits and is sent later`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.refusal = { _ in ["type": "forbiddenToSend", "description": "451 4.7.1 Later"] } }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            try await device.settle()
            #expect(device.creations == 1)
            try await device.settle(5)
            #expect(device.creations == 1)
            #expect(try await device.draft(draft.id)?.state.name == "waiting")
            server.behave { $0.refusal = { _ in nil } }
            try await device.settle(120)
            #expect(server.deliveries.count == 1)
        }
    }

    @Test func `a draft whose files are uploaded, and that can't be sent yet, waits`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.attach(Data("file".utf8), named: "a.txt", to: device.mail.draft("Hi"))
            try await device.mail.send(draft)
            device.transport.answer { request in
                request.isSending
                    ? TransportResponse(status: 429, url: request.url) : server.answer(request)
            }
            _ = try? await device.settle()
            let stored = try #require(try await device.draft(draft.id))
            #expect(stored.state.name == "waiting" && stored.attachments.allSatisfy(\.isUploaded))
        }
    }

    @Test(arguments: [false, true])
    func `a mail that the server leaves among the drafts is moved`(searchesHeaders: Bool) async throws {
        try await StandardDevice.run { server, device in
            server.behave { behaviour in
                behaviour.ignoresSuccessUpdate = true
                behaviour.searchesHeaders = searchesHeaders
            }
            var draft = device.mail.draft("Hi")
            draft.bcc = [EmailAddress(email: "eve@example.org")]
            try await device.mail.save(draft)
            try await device.settle()
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            try await device.settle()
            try await device.settle()
            #expect(server.deliveries.map(\.recipient) == ["bob@example.org", "eve@example.org"])
            #expect(server.mails(in: "drafts").isEmpty)
            let sent = server.mails(in: "sent")
            #expect(sent.map { $0["bcc"]?.arrayValue?.count } == [1])
        }
    }

    @Test func `an account without a mailbox for sent mails keeps them in the drafts' one`() async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        server.behave { $0.roles = ["inbox", "drafts"] }
        let device = try await StandardDevice(server, clock: clock)
        try await device.mail.sync()
        try await device.mail.send(device.mail.draft("Hi"))
        try await device.settle()
        try await device.settle()
        #expect(server.deliveries.count == 1)
        #expect(server.mails(in: "drafts").map { $0["keywords"]?["$draft"] } == [JSON?.none])
        #expect(try await device.mail.drafts().isEmpty)
        await device.mail.close()
        try? FileManager.default.removeItem(at: device.directory)
    }
}
