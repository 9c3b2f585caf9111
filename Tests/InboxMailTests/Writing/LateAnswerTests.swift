import Foundation
import Groundwork
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// A request that takes longer than a device waits for its answer: the mail is sent once, and the version is there
/// once.
@Suite(.timeLimit(.minutes(5))) struct LateAnswerTests {
    private func order(_ device: StandardDevice) async throws -> MailDraft {
        var draft = device.mail.draft("Hi")
        draft.bcc = [EmailAddress(email: "eve@example.org")]
        draft = try await device.mail.save(draft)
        try await device.settle()
        return try await device.mail.send(try #require(try await device.draft(draft.id)))
    }

    /// A sync has brought it, or not yet.
    @Test(arguments: [false, true], [false, true])
    func `a version whose answer was lost and that no search knows is found`(
        isSynced: Bool,
        isDiscarded: Bool
    ) async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.save(device.mail.draft("Hello"))
            device.transport.answer { request in
                let answer = server.answer(request.hiding(draft))
                if request.has("\"create\":{") { throw TransportError.unreachable("the answer was lost") }
                return answer
            }
            await #expect(throws: MailError.self) { try await device.settle() }
            if isDiscarded { try await device.mail.discard(draft.id) }
            device.transport.answer { server.answer($0.hiding(draft)) }
            device.clock.advance(by: 6)
            if isSynced { try await device.mail.sync() } else { try await device.mail.open.outbox.flush() }
            device.transport.answer { server.answer($0) }
            for _ in 0..<2 { try await device.settle(60) }
            #expect(device.creations == 1)
            #expect(server.mails(in: "drafts").count == (isDiscarded ? 0 : 1))
            let drafts = try await device.mail.drafts()
            #expect(drafts.count == (isDiscarded ? 0 : 1) && drafts.allSatisfy { $0.otherVersions.isEmpty })
        }
    }

    /// The server sends the mail, and its answer comes after the device has stopped waiting.
    @Test(arguments: [31.0, 121, 3_600, 90_000])
    func `a mail whose answer comes too late was sent`(delay: Double) async throws {
        try await StandardDevice.run { server, device in
            let draft = try await order(device)
            let clock = device.clock
            device.transport.answer { request in
                let answer = server.answer(request)
                guard request.isSending else { return answer }
                // Until the device's deadline cancels this.
                while true {
                    clock.advance(by: delay)
                    try await Task.sleep(for: .milliseconds(2))
                }
            }
            let error = await #expect(throws: MailError.self) { try await device.settle() }
            #expect(error?.code == .timedOut)
            #expect(try await device.draft(draft.id)?.state == .sending)
            device.transport.answer { server.answer($0) }
            for _ in 0..<3 { try await device.settle(10) }
            try await device.expectSentOnce(by: server)
            #expect(try await device.mail.outcome(ofDraft: draft.id).map { "\($0)" }?.hasPrefix("sent") ?? false)
        }
    }

    /// All pairs in a long run. Otherwise each number of requests once, and a reversed order of several.
    private static let late: [(Int, Bool)] =
        ProcessInfo.processInfo.environment["SWIFT_INBOX_LONG_TESTS"] == nil
        ? [(1, false), (2, false), (5, true)]
        : [(1, false), (1, true), (2, false), (2, true), (5, false), (5, true)]

    /// The requests are on the way for longer than the device waits, and are processed all the same.
    ///
    /// - Parameters:
    ///   - attempts: The number of requests that are late.
    ///   - isReversed: Whether the last of them arrives first.
    @Test(arguments: late)
    func `requests to send that arrive late send the mail once`(attempts: Int, isReversed: Bool) async throws {
        for arrivesFirst in [false, true] {
            try await StandardDevice.run { server, device in
                _ = try await order(device)
                let late = Locked<[TransportRequest]>([])
                device.transport.answer { request in
                    guard request.isSending else { return server.answer(request) }
                    late.withLock { $0.append(request) }
                    throw TransportError.timedOut(after: 30)
                }
                for _ in 0..<attempts {
                    await #expect(throws: MailError.self) { try await device.settle(130) }
                }
                let requests = late.withLock { $0 }
                #expect(requests.count == attempts)
                device.transport.answer { server.answer($0) }
                func arrive() {
                    for request in isReversed ? requests.reversed() : requests { _ = server.answer(request) }
                }
                if arrivesFirst { arrive() }
                try await device.settle(130)
                arrive()
                for _ in 0..<3 { try await device.settle(130) }
                try await device.expectSentOnce(by: server)
            }
        }
    }

    /// The first request is on its way, and the second one is certainly not carried out.
    @Test func `a mail whose repetition is refused can't be taken back`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await order(device)
            let late = Locked<[TransportRequest]>([])
            device.transport.answer { request in
                guard request.isSending else { return server.answer(request) }
                let isFirst = late.withLock { late in
                    late.append(request)
                    return late.count == 1
                }
                if isFirst { throw TransportError.timedOut(after: 30) }
                return TransportResponse(status: 429, url: request.url)
            }
            for _ in 0..<2 { _ = try? await device.settle(130) }
            #expect(late.withLock { $0.count } == 2)
            #expect(try await device.mail.undoSend(draft.id) == nil)
            _ = server.answer(late.withLock { $0[0] })
            device.transport.answer { server.answer($0) }
            for _ in 0..<3 { try await device.settle(130) }
            try await device.expectSentOnce(by: server)
        }
    }

    /// The server creates the mail at once, and submits it after a while.
    ///
    /// - Parameter delay: The seconds until it does so. The device waits for 120 of them, and looks every 32.
    @Test(arguments: [30, 110, 200, 600, 90_000])
    func `a mail that the server submits late is sent once and reported as sent`(delay: Int) async throws {
        try await StandardDevice.run { server, device in
            let draft = try await order(device)
            let pending = Locked<TransportRequest?>(nil)
            device.transport.answer { request in
                guard request.isSending else { return server.answer(request) }
                pending.withLock { $0 = request }
                server.behave { $0.dies = 1 }
                return server.answer(request)
            }
            _ = try? await device.settle()
            device.transport.answer { server.answer($0) }
            let step = max(10, delay / 20)
            for _ in 0..<(delay / step) { try await device.settle(Double(step)) }
            #expect(server.deliveries.isEmpty, "the server is still at it")
            let state = try await device.draft(draft.id)?.state.name
            #expect(state == (delay < 120 ? "sending" : "unknown"))
            _ = server.answer(try submission(of: try #require(pending.withLock { $0 }), on: server))
            for _ in 0..<4 { try await device.settle(130) }
            try await device.expectSentOnce(by: server)
        }
    }

    /// Returns the rest of a request to send whose first call the server has carried out.
    private func submission(of request: TransportRequest, on server: StandardMailServer) throws -> TransportRequest {
        let created = try #require(
            server.mails(in: "drafts").first { mail in
                DraftToken.read(mail["messageId"]?.arrayValue?.first?.stringValue ?? "")?.isForSending ?? false
            }
        )
        let json = try JSON(parsing: request.body ?? [])
        let calls = json["methodCalls"]?.arrayValue ?? []
        let id = created["id"]?.stringValue ?? ""
        let text = calls.last?.description.replacing(##""#mail""##, with: "\"\(id)\"") ?? ""
        let body: JSON = ["using": json["using"] ?? [], "methodCalls": [try JSON(parsing: Array(text.utf8))]]
        var rest = request
        rest.body = body.utf8
        return rest
    }
}
