import Foundation
import Groundwork
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// For how long a mail is tried again that the server doesn't take for now: a day from its first failure on.
@Suite(.timeLimit(.minutes(5))) struct PostponedSendingTests {
    /// A failure that may pass.
    enum Failure: String, CaseIterable {
        case refusedForNow, unavailable, searchFails, stateMismatch

        /// Lets the server fail, for requests about drafts.
        func begin(_ server: StandardMailServer, _ device: StandardDevice) {
            switch self {
            case .refusedForNow:
                server.behave {
                    $0.refusal = { _ in ["type": "forbiddenToSend", "description": "451 4.7.1 greylisted"] }
                }
            case .unavailable: server.behave { $0.submissionError = "serverUnavailable" }
            case .searchFails: answer(device, server, "Email/query", "query", ["type": "serverUnavailable"])
            case .stateMismatch:
                answer(device, server, "EmailSubmission/set", "create", ["type": "stateMismatch"])
            }
        }

        func end(_ server: StandardMailServer, _ device: StandardDevice) {
            server.behave { behaviour in
                behaviour.refusal = { _ in nil }
                behaviour.submissionError = nil
            }
            device.transport.answer { server.answer($0) }
        }

        /// Answers the requests about a draft's mail in which a method is called with an error.
        private func answer(
            _ device: StandardDevice,
            _ server: StandardMailServer,
            _ method: String,
            _ call: String,
            _ error: JSON
        ) {
            device.transport.answer { request in
                let text = String(decoding: request.body ?? [], as: UTF8.self)
                let isOfDraft = text.contains("EmailSubmission/set") || text.contains("Message-ID")
                guard text.contains(method), isOfDraft else { return server.answer(request) }
                let body: JSON = [
                    "methodResponses": [["error", error, .string(call)]], "sessionState": "s1",
                ]
                return TransportResponse(status: 200, body: body.utf8, url: request.url)
            }
        }
    }

    /// Saves a draft on the server, so that a mail of it is searched for before it is sent.
    private func saved(_ device: StandardDevice) async throws -> MailDraft {
        let draft = try await device.mail.save(device.mail.draft("Hi"), waitsForChanges: false)
        try await device.settle()
        return try #require(try await device.draft(draft.id))
    }

    @Test(arguments: Failure.allCases)
    func `a scheduled mail waits after failures and is sent later`(failure: Failure) async throws {
        try await StandardDevice.run { server, device in
            let date = device.clock.now.addingTimeInterval(3 * 86_400)
            let draft = try await device.mail.send(try await saved(device), later: date)
            failure.begin(server, device)
            try await device.settle(3 * 86_400)
            for _ in 0..<10 { try await device.settle(3_700) }
            #expect(try await device.draft(draft.id)?.state.name == "waiting")
            failure.end(server, device)
            try await device.settle(3_700)
            #expect(server.deliveries.map(\.text) == ["Hi"])
        }
    }

    @Test(arguments: Failure.allCases)
    func `two days without a network don't count as failures`(failure: Failure) async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.send(try await saved(device))
            device.transport.fail(with: .unreachable)
            await #expect(throws: MailError.self) { try await device.settle() }
            device.transport.fail(with: nil)
            failure.begin(server, device)
            try await device.settle(2 * 86_400)
            #expect(try await device.draft(draft.id)?.state.name == "waiting")
            // Nor does the time for which the device is off after the first failure.
            try await device.settle(2 * 86_400)
            #expect(try await device.draft(draft.id)?.state.name == "waiting")
            failure.end(server, device)
            try await device.settle(150)
            #expect(server.deliveries.map(\.text) == ["Hi"])
        }
    }

    @Test(arguments: Failure.allCases)
    func `a mail that fails for more than a day is refused, and can be sent again`(failure: Failure) async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.send(try await saved(device))
            failure.begin(server, device)
            try await device.settle()
            for _ in 0..<23 { try await device.settle(3_600) }
            #expect(try await device.draft(draft.id)?.state.name == "waiting")
            for _ in 0..<3 { try await device.settle(3_600) }
            guard case .refused(let refusal) = try await device.draft(draft.id)?.state else {
                Issue.record("\(String(describing: try await device.draft(draft.id)?.state))")
                return
            }
            #expect(!refusal.description.isEmpty)
            let asked = device.creations
            for _ in 0..<3 { try await device.settle(3_600) }
            #expect(device.creations <= asked + 1, "its text alone is saved")
            // The next order has a day of its own.
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            try await device.settle()
            #expect(try await device.draft(draft.id)?.state.name == "waiting")
            failure.end(server, device)
            try await device.settle(150)
            #expect(server.deliveries.map(\.text) == ["Hi"])
        }
    }

    /// Without them, nothing can be sent or saved.
    @Test func `a mail is refused if the server fails to say the mailboxes for a day`() async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        server.behave { $0.mailboxError = "serverUnavailable" }
        let device = try await StandardDevice(server, clock: clock)
        defer { try? FileManager.default.removeItem(at: device.directory) }
        _ = try? await device.mail.sync()
        let draft = try await device.mail.send(device.mail.draft("Hi"))
        func send(times: Int) async {
            for _ in 0..<times {
                clock.advance(by: 3_600)
                // As a device does that is live.
                _ = try? await device.mail.open.outbox.flush()
            }
        }
        await send(times: 23)
        #expect(try await device.draft(draft.id)?.state.name == "waiting")
        await send(times: 3)
        let shown = try #require(try await device.draft(draft.id))
        guard case .refused(let refusal) = shown.state else {
            Issue.record("\(shown.state)")
            return
        }
        #expect(refusal.description.contains("serverUnavailable") && shown.isEditable)
        server.behave { $0.mailboxError = nil }
        for _ in 0..<3 { try await device.settle(600) }
        try await device.mail.send(shown)
        for _ in 0..<2 { try await device.settle() }
        #expect(server.deliveries.map(\.text) == ["Hi"])
        await device.mail.close()
    }

    /// A proxy ends each of these connections. The draft couldn't be changed for as long as it does.
    @Test func `a mail whose requests to send have no answer for a day may have been sent`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.send(try await saved(device))
            device.transport.answer { request in
                if request.isSending { throw TransportError.unreachable("the connection was closed") }
                return server.answer(request)
            }
            _ = try? await device.settle()
            for _ in 0..<23 { _ = try? await device.settle(3_600) }
            #expect(try await device.draft(draft.id)?.state.name == "sending")
            for _ in 0..<3 { _ = try? await device.settle(3_600) }
            let shown = try #require(try await device.draft(draft.id))
            #expect(shown.state.name == "unknown" && shown.isEditable && server.deliveries.isEmpty)
            device.transport.answer { server.answer($0) }
            try await device.mail.send(shown)
            try await device.settle(60)
            #expect(server.deliveries.map(\.text) == ["Hi"])
        }
    }

    @Test func `the first lost answer after a day of other failures is looked up`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.send(try await saved(device))
            Failure.refusedForNow.begin(server, device)
            try await device.settle()
            for _ in 0..<23 { try await device.settle(3_600) }
            Failure.refusedForNow.end(server, device)
            device.loseAnswersToSending(by: server)
            _ = try? await device.settle(3_600)
            #expect(try await device.draft(draft.id)?.state.name == "sending")
            device.transport.answer { server.answer($0) }
            for _ in 0..<2 { try await device.settle(400) }
            let id = try #require(server.mails(in: "sent").first?["id"]?.stringValue)
            #expect(try await device.mail.outcome(ofDraft: draft.id) == .sent(messageID: id))
            #expect(server.deliveries.map(\.text) == ["Hi"])
        }
    }

    /// The server answers the search for an attempt's outcome with errors.
    @Test func `an attempt whose outcome can't be looked up for a day may have been sent`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.send(try await saved(device))
            device.transport.answer { request in
                if String(decoding: request.body ?? [], as: UTF8.self).contains("EmailSubmission/set") {
                    throw TransportError.unreachable("the request was lost")
                }
                return server.answer(request)
            }
            await #expect(throws: MailError.self) { try await device.settle() }
            Failure.searchFails.begin(server, device)
            for _ in 0..<23 { try await device.settle(3_600) }
            #expect(try await device.draft(draft.id)?.state.name == "sending")
            for _ in 0..<3 { try await device.settle(3_600) }
            guard case .unknown(let since, let attempts?) = try await device.draft(draft.id)?.state else {
                Issue.record("\(String(describing: try await device.draft(draft.id)?.state))")
                return
            }
            #expect(attempts.requestCount == 1 && attempts.lastRequestAt == since)
            #expect(attempts.checkCount == 0 && attempts.finding == nil)
            #expect(attempts.failure?.contains("serverUnavailable") ?? false)
            #expect(server.deliveries.isEmpty)
        }
    }
}
