import Foundation
import Groundwork
import InboxMail
import ReplicaTesting
import StandardMailServer
import Testing

/// Requests to hold a mail that arrive late or twice.
@Suite(.timeLimit(.minutes(5))) struct LateHoldTests {
    private static let hour = 3_600.0

    /// Saves a draft, and orders it for an hour from now. The request to hold it is on its way for longer than the
    /// device waits.
    ///
    /// - Returns: The draft, and that request.
    private func order(
        _ server: StandardMailServer,
        _ device: StandardDevice
    ) async throws -> (draft: MailDraft, late: TransportRequest) {
        let saved = try await device.mail.save(device.mail.draft("Late"))
        for _ in 0..<2 { try await device.settle() }
        let draft = try #require(try await device.draft(saved.id))
        let late = Locked<TransportRequest?>(nil)
        device.transport.answer { request in
            guard request.has("HOLDFOR") else { return server.answer(request) }
            late.withLock { $0 = request }
            throw TransportError.timedOut(after: 30)
        }
        try await device.mail.send(draft, later: device.clock.now.addingTimeInterval(Self.hour))
        _ = try? await device.settle()
        device.transport.answer { server.answer($0) }
        return (draft, try #require(late.withLock { $0 }))
    }

    /// - Parameter isEarlier: Whether it arrives after the search that finds none, and not after all.
    @Test(arguments: [false, true], [false, true])
    func `a request to hold a mail that arrives after it was taken back sends nothing`(
        isEarlier: Bool,
        discards: Bool
    ) async throws {
        try await StandardDevice.runHolding { server, device in
            let (draft, late) = try await order(server, device)
            if isEarlier {
                device.transport.answer { request in
                    if request.has("Taken back") { _ = server.answer(late) }
                    return server.answer(request)
                }
            }
            if discards {
                try await device.mail.discard(draft.id)
            } else {
                #expect(try await device.mail.undoSend(draft.id)?.state == .draft)
            }
            _ = server.answer(late)
            for _ in 0..<3 { try await device.settle(Self.hour) }
            #expect(server.textsToBob.isEmpty && server.mails(in: "sent").isEmpty)
            #expect(try await device.mail.drafts().map(\.state.name) == (discards ? [] : ["draft"]))
            #expect(server.mails(in: "drafts").map { $0["preview"] } == (discards ? [] : ["Late"]))
            #expect(!server.mails(in: "trash").contains { $0["subject"] == "Taken back" })
        }
    }

    /// The repetition certainly wasn't carried out. The first request may still be.
    @Test func `a request to hold a mail that arrives after a refused repetition sends nothing`() async throws {
        try await StandardDevice.runHolding { server, device in
            let (draft, late) = try await order(server, device)
            device.transport.answer { request in
                guard request.has("HOLDFOR") else { return server.answer(request) }
                return TransportResponse(status: 429, url: request.url)
            }
            _ = try? await device.settle(60)
            #expect(try await device.draft(draft.id)?.holder == .device)
            device.transport.answer { server.answer($0) }
            #expect(try await device.mail.undoSend(draft.id)?.state == .draft)
            _ = server.answer(late)
            for _ in 0..<3 { try await device.settle(Self.hour) }
            #expect(server.textsToBob.isEmpty && server.mails(in: "sent").isEmpty)
        }
    }

    /// The second one finds the mails in another state, after which the mail is found among the sent ones.
    ///
    /// - Parameter isOwn: Whether the device repeats it, and not the network.
    @Test(arguments: [false, true], [false, true])
    func `a mail whose request to hold arrives twice is held, and not sent yet`(
        isOwn: Bool,
        isTakenBack: Bool
    ) async throws {
        try await StandardDevice.runHolding { server, device in
            let id: String
            if isOwn {
                let (draft, late) = try await order(server, device)
                device.transport.answer { request in
                    if request.has("HOLDFOR") { _ = server.answer(late) }
                    return server.answer(request)
                }
                try await device.settle(60)
                id = draft.id
            } else {
                device.transport.answer { request in
                    if request.has("HOLDFOR") { _ = server.answer(request) }
                    return server.answer(request)
                }
                id = try await device.hold("Late").id
            }
            #expect(try await device.draft(id)?.holder == .server)
            #expect(try await device.draft(id)?.state.name == "waiting")
            device.transport.answer { server.answer($0) }
            if isTakenBack { #expect(try await device.mail.undoSend(id)?.state == .draft) }
            for _ in 0..<3 { try await device.settle(Self.hour) }
            #expect(server.textsToBob == (isTakenBack ? [] : ["Late"]))
            #expect(server.mails(in: "sent").count == (isTakenBack ? 0 : 1))
        }
    }

    /// What comes between the request that keeps a late one from being carried out and its answer.
    enum Between: CaseIterable {
        /// The answer is lost.
        case lostAnswer
        /// Another mail arrives, and the server refuses to create one, whatever the state of the mails is.
        case refusal
        /// The server finds another state than the one that it has stated.
        case otherState
    }

    /// A mail was sent a year before, which shows that the server keeps submissions.
    @Test(arguments: Between.allCases)
    func `a mail whose request to hold is lost can be taken back in the end`(between: Between) async throws {
        try await StandardDevice.runHolding { server, device in
            server.keepEarlierSubmission()
            let (draft, late) = try await order(server, device)
            let count = Locked(0)
            device.transport.answer { request in
                guard request.has("Taken back") else { return server.answer(request) }
                count.withLock { $0 += 1 }
                func error(_ type: String) -> TransportResponse {
                    let body: JSON = [
                        "methodResponses": [["error", ["type": .string(type)], "create"]], "sessionState": "s1",
                    ]
                    return TransportResponse(status: 200, body: body.utf8, url: request.url)
                }
                switch between {
                case .lostAnswer where count.withLock({ $0 }) == 1:
                    _ = server.answer(request)
                    throw TransportError.timedOut(after: 30)
                case .lostAnswer: return server.answer(request)
                case .refusal: return error("accountReadOnly")
                case .otherState: return error("stateMismatch")
                }
            }
            if between == .otherState {
                #expect(try await device.mail.undoSend(draft.id)?.state == .draft)
            } else {
                await #expect(throws: MailError.self) { try await device.mail.undoSend(draft.id) }
                if between == .refusal {
                    server.receive()
                }
                for _ in 0..<2 { try await device.settle(300) }
            }
            #expect(try await device.draft(draft.id)?.state == .draft)
            #expect(count.withLock { $0 } < 10)
            if between != .otherState { _ = server.answer(late) }
            for _ in 0..<3 { try await device.settle(Self.hour) }
            #expect(server.textsToBob.isEmpty && server.mails(in: "sent").isEmpty)
            #expect(!server.mails(in: "trash").contains { $0["subject"] == "Taken back" })
        }
    }

    /// Otherwise it could never be changed again.
    ///
    /// - Parameter isRefused: Whether the server refuses to create the mail that excludes it, and doesn't fail.
    @Test(arguments: [false, true])
    func `a mail may have been sent if its late request can't be excluded for a day`(isRefused: Bool) async throws {
        try await StandardDevice.runHolding { server, device in
            let (draft, _) = try await order(server, device)
            device.transport.answer { request in
                guard request.has("Taken back") else { return server.answer(request) }
                guard isRefused else { return TransportResponse(status: 500, url: request.url) }
                let body: JSON = [
                    "methodResponses": [["error", ["type": "accountReadOnly"], "create"]], "sessionState": "s1",
                ]
                return TransportResponse(status: 200, body: body.utf8, url: request.url)
            }
            await #expect(throws: MailError.self) { try await device.mail.undoSend(draft.id) }
            for _ in 0..<3 { _ = try? await device.settle(Self.hour) }
            #expect(try await device.draft(draft.id)?.isBeingTakenBack ?? false)
            for _ in 0..<24 { _ = try? await device.settle(Self.hour) }
            let shown = try #require(try await device.draft(draft.id))
            #expect(shown.state.name == "unknown" && shown.isEditable)
        }
    }

    @Test func `without a trash, nothing is left of what excludes a late request`() async throws {
        try await StandardDevice.runHolding(behave: { $0.roles.removeAll { $0 == "trash" } }) { server, device in
            let (draft, late) = try await order(server, device)
            let isLost = Locked(false)
            device.transport.answer { request in
                if request.has(#""destroy":["#), !isLost.withLock({ $0 }) {
                    isLost.withLock { $0 = true }
                    throw TransportError.unreachable("lost")
                }
                return server.answer(request)
            }
            #expect(try await device.mail.undoSend(draft.id)?.state == .draft)
            _ = server.answer(late)
            for _ in 0..<3 { try await device.settle(Self.hour) }
            #expect(isLost.withLock { $0 } && server.textsToBob.isEmpty)
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Late"])
        }
    }

    /// The device doesn't give it to the server to be held any more, but to be sent.
    @Test(arguments: [false, true])
    func `a mail whose request to hold arrives at its time isn't sent yet`(isTakenBack: Bool) async throws {
        try await StandardDevice.runHolding { server, device in
            let (draft, late) = try await order(server, device)
            device.transport.answer { request in
                if request.has("HOLDFOR") { throw TransportError.unreachable("lost") }
                if request.has(##""emailId":"#mail""##) { _ = server.answer(late) }
                return server.answer(request)
            }
            try await device.settle(Self.hour)
            #expect(server.textsToBob.isEmpty && server.mails(in: "sent").count == 1)
            #expect(try await device.draft(draft.id)?.holder == .server)
            if isTakenBack { #expect(try await device.mail.undoSend(draft.id)?.state == .draft) }
            for _ in 0..<3 { try await device.settle(Self.hour) }
            #expect(server.textsToBob == (isTakenBack ? [] : ["Late"]))
            #expect(server.mails(in: "sent").count == (isTakenBack ? 0 : 1))
            #expect(try await device.draft(draft.id)?.state == (isTakenBack ? .draft : nil))
        }
    }

    /// Another client removes the mail, which the server sends all the same, before the device looks for it.
    @Test func `a held mail that is removed after its request arrived twice isn't sent again`() async throws {
        try await StandardDevice.runHolding { server, device in
            let (draft, late) = try await order(server, device)
            let hasArrived = Locked(false)
            device.transport.answer { request in
                guard !hasArrived.withLock({ $0 }) else { throw TransportError.unreachable("after that") }
                guard request.has("HOLDFOR") else { return server.answer(request) }
                hasArrived.withLock { $0 = true }
                _ = server.answer(late)
                return server.answer(request)
            }
            _ = try? await device.settle(60)
            #expect(hasArrived.withLock { $0 } && server.mails(in: "sent").count == 1)
            server.empty("sent")
            device.transport.answer { server.answer($0) }
            for _ in 0..<3 { try await device.settle(Self.hour) }
            #expect(server.textsToBob == ["Late"])
            #expect(try await device.draft(draft.id)?.state.name == "unknown")
        }
    }
}
