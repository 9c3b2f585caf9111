import Eventually
import Foundation
import Groundwork
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// What becomes of a draft when the server, or a proxy before it, answers with an error status: the draft stays, and
/// its mail is sent once.
@Suite(.timeLimit(.minutes(5))) struct StatusAnswerTests {
    /// A request for a draft.
    enum Step: String, CaseIterable {
        case upload, save, send

        func matches(_ request: TransportRequest) -> Bool {
            let text = String(decoding: request.body ?? [], as: UTF8.self)
            let isSending = text.contains("EmailSubmission/set")
            return switch self {
            case .upload: request.url.path.hasPrefix("/upload/")
            case .save: text.contains(#""create":{"#) && !isSending
            case .send: isSending
            }
        }
    }

    /// Saves a draft with a file and a hidden recipient, and orders to send it unless it is to be saved alone.
    private func begin(_ step: Step, on device: StandardDevice) async throws -> MailDraft {
        var draft = device.mail.draft("Hi")
        draft.bcc = [EmailAddress(email: "eve@example.org")]
        draft = try await device.mail.attach(Data("file".utf8), named: "a.txt", to: draft)
        return step == .save ? draft : try await device.mail.send(draft)
    }

    /// Answers the requests of a step with a status.
    ///
    /// - Parameter isProcessed: Whether the server processes them all the same.
    private func answer(
        _ step: Step,
        on device: StandardDevice,
        _ server: StandardMailServer,
        with status: Int,
        isProcessed: Bool = false
    ) {
        device.transport.answer { request in
            guard step.matches(request) else { return server.answer(request) }
            if isProcessed { _ = server.answer(request) }
            return TransportResponse(status: status, url: request.url)
        }
    }

    /// A connected device whose outbox works by itself, and sends at once.
    private func liveDevice(_ server: StandardMailServer, _ clock: ManualClock) async throws -> StandardDevice {
        let device = try await StandardDevice(server, clock: clock) { configuration in
            configuration.isLive = true
            configuration.undoSendInterval = 0
        }
        #expect(try await eventually { device.mail.connectionState.isReachable })
        try await device.mail.sync()
        return device
    }

    /// Lets the server answer again, and lets the device finish.
    private func recover(_ device: StandardDevice, _ server: StandardMailServer) async throws {
        device.transport.answer { server.answer($0) }
        for _ in 0..<3 { try await device.settle(120) }
    }

    /// Expects that the mail was sent once, with its file.
    private func expectSentOnce(
        _ server: StandardMailServer,
        _ device: StandardDevice,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await device.expectSentOnce(by: server, sourceLocation: sourceLocation)
        let files = server.mails(in: "sent").first?["attachments"]?.arrayValue?.map { $0["name"] }
        #expect(files == ["a.txt"], sourceLocation: sourceLocation)
    }

    /// All pairs in a long run. Otherwise each status, and each step with two of them: to send, with one below 500 and
    /// one above, which differ there.
    private static let cases: [(Step, Int)] =
        ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] == nil
        ? [(.upload, 401), (.upload, 429), (.save, 403), (.save, 500), (.send, 429), (.send, 503)]
        : Step.allCases.flatMap { step in [401, 403, 429, 500, 503].map { (step, $0) } }

    /// The problem has the type that it has for a request that is too large.
    @Test(arguments: [Step.upload, .send], [429, 503])
    func `a mail isn't too large for a server that limits the rate of requests`(step: Step, status: Int) async throws {
        try await StandardDevice.run { server, device in
            let problem: JSON = ["type": "urn:ietf:params:jmap:error:limit", "limit": "rateLimit"]
            device.transport.answer { request in
                guard step.matches(request) else { return server.answer(request) }
                return TransportResponse(status: status, body: problem.utf8, url: request.url)
            }
            let draft = try await begin(step, on: device)
            await #expect(throws: MailError.self) { try await device.settle() }
            #expect(try await device.draft(draft.id)?.state.name != "refused")
            try await recover(device, server)
            try await expectSentOnce(server, device)
        }
    }

    @Test(arguments: cases)
    func `after a status of an error the draft waits, and is sent once`(step: Step, status: Int) async throws {
        try await StandardDevice.run { server, device in
            answer(step, on: device, server, with: status)
            let draft = try await begin(step, on: device)
            for _ in 0..<2 { await #expect(throws: MailError.self) { try await device.settle() } }
            #expect(server.deliveries.isEmpty)
            let kept = try #require(try await device.draft(draft.id))
            #expect(kept.text == "Hi" && kept.bcc.count == 1 && kept.attachments.map(\.name) == ["a.txt"])
            let expected =
                switch step {
                case .upload: "uploading"
                case .save: "draft"
                // What the server may have processed can't be taken back.
                case .send: status < 500 ? "waiting" : "sending"
                }
            #expect(kept.state.name == expected)
            #expect(try await device.mail.unsentDraftCount() == 1)
            let isRevocable = step == .upload || (step == .send && status < 500)
            if isRevocable {
                #expect(try await device.mail.undoSend(draft.id) != nil)
                try await device.mail.send(try #require(try await device.draft(draft.id)))
            }
            try await recover(device, server)
            if step == .save {
                #expect(server.mails(in: "drafts").count == 1 && server.deliveries.isEmpty)
                try await device.mail.send(try #require(try await device.draft(draft.id)))
                for _ in 0..<2 { try await device.settle() }
            }
            try await expectSentOnce(server, device)
        }
    }

    /// A proxy that doesn't wait for the server, or loses its answer.
    @Test(arguments: [401, 408, 429, 500, 503, 504])
    func `a mail that was sent although the status is an error's isn't sent again`(status: Int) async throws {
        try await StandardDevice.run { server, device in
            answer(.send, on: device, server, with: status, isProcessed: true)
            _ = try await begin(.send, on: device)
            await #expect(throws: MailError.self) { try await device.settle() }
            _ = try? await device.settle(60)
            try await recover(device, server)
            try await expectSentOnce(server, device)
        }
    }

    @Test(arguments: [408, 500, 503, 504])
    func `a version that was saved although the status is an error's is saved once`(status: Int) async throws {
        try await StandardDevice.run { server, device in
            answer(.save, on: device, server, with: status, isProcessed: true)
            let draft = try await begin(.save, on: device)
            await #expect(throws: MailError.self) { try await device.settle() }
            try await recover(device, server)
            let versions = server.mails(in: "drafts")
            #expect(versions.map { $0["preview"] } == ["Hi"])
            #expect(try await device.mail.drafts().map(\.id) == [draft.id])
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            for _ in 0..<2 { try await device.settle() }
            try await expectSentOnce(server, device)
        }
    }

    @Test func `a mail that is too large for the server is refused, and can be made smaller`() async throws {
        try await StandardDevice.run { server, device in
            answer(.send, on: device, server, with: 413)
            let draft = try await begin(.send, on: device)
            try await device.settle()
            let shown = try #require(try await device.draft(draft.id))
            guard case .refused(let refusal) = shown.state else {
                Issue.record("\(shown.state)")
                return
            }
            #expect(refusal.code == .tooLarge && shown.isEditable && shown.text == "Hi")
            // It isn't tried again by itself.
            for _ in 0..<3 { try await device.settle(3_600) }
            #expect(device.transport.requests.count { Step.send.matches($0) } == 1)
            device.transport.answer { server.answer($0) }
            let smaller = try await device.mail.removeAttachment(shown.attachments[0].id, from: shown)
            try await device.mail.send(smaller)
            for _ in 0..<2 { try await device.settle() }
            #expect(server.deliveries.count == 2 && server.mails(in: "drafts").isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `a file that is too large for the server is reported as such`(isOrdered: Bool) async throws {
        try await StandardDevice.run { server, device in
            answer(.upload, on: device, server, with: 413)
            let draft = try await begin(isOrdered ? .send : .save, on: device)
            for _ in 0..<3 { try await device.settle(3_600) }
            // Not once to send it, and once more to save it.
            #expect(device.uploads == 1)
            #expect(server.mails(in: "drafts").isEmpty && server.deliveries.isEmpty)
            let shown = try #require(try await device.draft(draft.id))
            #expect(shown.isEditable && shown.text == "Hi" && shown.attachments.count == 1)
            if isOrdered, case .refused(let refusal) = shown.state {
                #expect(refusal.code == .tooLarge && refusal.description.contains("a.txt"))
            } else {
                #expect(!isOrdered && shown.state.name == "unsaved")
            }
            let smaller = try await device.mail.removeAttachment(shown.attachments[0].id, from: shown)
            try await device.mail.send(smaller)
            for _ in 0..<2 { try await device.settle() }
            #expect(server.deliveries.count == 2 && server.mails(in: "drafts").isEmpty)
        }
    }

    @Test func `a draft that is too large to be saved stays on the device until it is changed`() async throws {
        try await StandardDevice.run { server, device in
            answer(.save, on: device, server, with: 413)
            let draft = try await begin(.save, on: device)
            for _ in 0..<3 { try await device.settle(3_600) }
            #expect(device.creations == 1 && server.mails(in: "drafts").isEmpty)
            var shown = try #require(try await device.draft(draft.id))
            #expect(shown.state.name == "unsaved" && shown.text == "Hi")
            #expect(try await device.mail.unsentDraftCount() == 1)
            device.transport.answer { server.answer($0) }
            shown.text = "Shorter"
            try await device.mail.save(shown)
            try await device.settle()
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Shorter"])
        }
    }

    /// The changes of other drafts don't end the wait.
    @Test(arguments: [429, 503])
    func `a mail that the server postpones waits for its Retry-After`(status: Int) async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        let device = try await liveDevice(server, clock)
        defer { try? FileManager.default.removeItem(at: device.directory) }
        let isBusy = Locked(true)
        device.transport.answer { request in
            guard isBusy.withLock({ $0 }), Step.send.matches(request) else { return server.answer(request) }
            return TransportResponse(status: status, headers: ["retry-after": "600"], url: request.url)
        }
        let draft = try await device.mail.send(device.mail.draft("Hi"))
        #expect(try await eventually { device.transport.requests.count { Step.send.matches($0) } == 1 })
        for _ in 0..<5 {
            clock.advance(by: 60)
            // A write of its own is later than any that the outbox would have begun.
            for _ in 0..<5 { try await device.mail.save(device.mail.draft("Other")) }
        }
        #expect(device.transport.requests.count { Step.send.matches($0) } == 1)
        #expect(try await device.draft(draft.id)?.state.name == (status == 429 ? "waiting" : "sending"))
        isBusy.withLock { $0 = false }
        let isSent = try await eventually {
            clock.advance(by: 60)
            return !server.deliveries.isEmpty
        }
        #expect(isSent && server.deliveries.count == 1)
        await device.mail.close()
    }

    /// Nothing but another password helps, or the person's own attempt.
    @Test func `a live outbox waits while the server refuses the password`() async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        let device = try await liveDevice(server, clock)
        defer { try? FileManager.default.removeItem(at: device.directory) }
        answer(.send, on: device, server, with: 401)
        let draft = try await device.mail.send(device.mail.draft("Hi"))
        #expect(try await eventually { !device.mail.connectionState.isReachable })
        let requests = device.transport.requests.count
        for _ in 0..<10 {
            clock.advance(by: 600)
            for _ in 0..<5 { try await device.mail.save(device.mail.draft("Other")) }
        }
        #expect(device.transport.requests.count == requests)
        #expect(try await device.draft(draft.id)?.state.name == "waiting")
        device.transport.answer { server.answer($0) }
        try await device.mail.sync()
        #expect(server.deliveries.map(\.text) == ["Hi"])
        await device.mail.close()
    }

    /// Such as for a filter of a proxy that a mail's text runs into, or a mistake of the server.
    @Test(arguments: Step.allCases, [403, 500])
    func `a draft for which the server always fails doesn't hold up the others`(step: Step, status: Int) async throws {
        try await StandardDevice.run { server, device in
            let failed = try await begin(step, on: device)
            device.transport.answer { request in
                let text = String(decoding: request.body ?? [], as: UTF8.self)
                let isItsOwn = step == .upload || text.contains(failed.id)
                return step.matches(request) && isItsOwn
                    ? TransportResponse(status: status, url: request.url) : server.answer(request)
            }
            device.clock.advance(by: 1)
            try await device.mail.send(device.mail.draft("Other"))
            for _ in 0..<6 { _ = try? await device.settle(120) }
            #expect(server.deliveries.map(\.text) == ["Other"])
            #expect(try await device.draft(failed.id)?.text == "Hi")
        }
    }
}
