import Foundation
import Groundwork
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// What could make a mail be sent a second time, or a text be taken for one that was sent: it isn't.
@Suite(.timeLimit(.minutes(5))) struct SecondSendingTests {
    private func isSentElsewhere(_ draft: MailDraft?) -> Bool {
        guard case .refused(let refusal) = draft?.state else { return false }
        return refusal.code == .alreadySent
    }

    // MARK: - Drafts that come back

    /// How a device comes to send a draft of which it knows no version, and another device has sent a mail.
    enum Return: CaseIterable { case laterValue, firstValue, replacedText, discarded }

    /// Another device sends the draft, and this device's document goes with its version.
    private func sendElsewhere(
        _ text: String,
        _ draft: MailDraft,
        _ server: StandardMailServer,
        _ device: StandardDevice
    ) async throws {
        let other = try await device.anotherDevice(at: server)
        var theirs = try #require(try await other.draft(draft.id))
        theirs.text = text
        try await other.mail.send(theirs)
        for _ in 0..<2 { try await other.settle(8) }
        await other.mail.close()
        // The text of a window that takes its place is about to be saved.
        for _ in 0..<3 where try await device.draft(draft.id)?.text != "Of one window" { try await device.settle(90) }
    }

    @Test(arguments: Return.allCases)
    func `a draft that was sent elsewhere and comes back isn't sent without a search`(way: Return) async throws {
        try await StandardDevice.run { server, device in
            let first = device.mail.draft("First")
            var held = try await device.mail.save(first)
            for _ in 0..<2 { try await device.settle() }
            switch way {
            case .laterValue: try await sendElsewhere("Of the other", held, server, device)
            case .firstValue:
                held = first
                try await sendElsewhere("Of the other", held, server, device)
            case .replacedText:
                for text in ["Of one window", "Of the other window"] {
                    var changed = held
                    changed.text = text
                    try await device.mail.save(changed)
                }
                try await device.settle()
                try await sendElsewhere("Of the other", held, server, device)
                held = try #require(try await device.draft(held.id))
            case .discarded:
                // A proxy says that the request was refused, and it wasn't.
                held = try await device.mail.send(held)
                device.transport.answer { request in
                    let answer = server.answer(request)
                    return request.isSending ? TransportResponse(status: 409, url: request.url) : answer
                }
                _ = try? await device.settle()
                device.transport.answer { server.answer($0) }
                try await device.mail.discard(held.id)
                try await device.mail.sync()
                held = first
            }
            let before = server.deliveries.count
            #expect(before == 1)
            held.text = "Of this device"
            device.clock.advance(by: 1)
            // After another mail, the state of the account is known.
            try await device.mail.send(device.mail.draft("Another"))
            device.clock.advance(by: 1)
            try await device.mail.send(held)
            for _ in 0..<3 { _ = try? await device.settle(10) }
            let deliveries = server.deliveries
            #expect(deliveries.dropFirst().map(\.text) == ["Another"])
            #expect(Set(deliveries.map(\.messageID)).count == deliveries.count)
            let shown = try await device.draft(held.id)
            #expect(isSentElsewhere(shown) && shown?.text == "Of this device")
        }
    }

    @Test func `a new draft after another mail is sent without a search`() async throws {
        try await StandardDevice.run { server, device in
            try await device.mail.send(device.mail.draft("One"))
            try await device.mail.send(device.mail.draft("Two"))
            let before = device.transport.requests.count
            try await device.settle()
            let searches = device.transport.requests.dropFirst(before).count { request in
                String(decoding: request.body ?? [], as: UTF8.self).contains("Message-ID")
            }
            #expect(server.deliveries.map(\.text) == ["One", "Two"] && searches == 1)
        }
    }

    /// It was scheduled when the backup was made, and then sent at once. The restored device sends another mail before,
    /// after which it knows the state of the account.
    ///
    /// - Parameter behind: The seconds by which the restored device's clock is behind the time of the backup.
    @Test(arguments: [0, 3_600.0])
    func `a mail that was sent after a backup isn't sent again by the restored device`(behind: Double) async throws {
        try await StandardDevice.run { server, device in
            let later = device.clock.now.addingTimeInterval(3_600)
            let draft = try await device.mail.send(device.mail.draft("Scheduled"), later: later)
            await device.mail.close()
            let backup = FileManager.default.temporaryDirectory.appendingPathComponent("backup-\(UUID())")
            try FileManager.default.copyItem(at: device.directory, to: backup)
            defer { try? FileManager.default.removeItem(at: backup) }
            let original = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            let undone = try #require(try await original.mail.undoSend(draft.id))
            try await original.mail.send(undone)
            try await original.settle()
            await original.mail.close()
            #expect(server.deliveries.map(\.text) == ["Scheduled"])
            let clock = ManualClock(now: device.clock.now.addingTimeInterval(behind > 0 ? -behind : 60))
            let restored = try await StandardDevice(server, clock: clock, directory: backup)
            try await restored.mail.sync()
            try await restored.mail.send(restored.mail.draft("Another"))
            try await restored.settle(10)
            for _ in 0..<3 { try await restored.settle(3_600) }
            #expect(server.deliveries.map(\.text) == ["Scheduled", "Another"])
            await restored.mail.close()
        }
    }

    /// The state after the other mail is one at which nothing of the first would be found.
    @Test func `a new draft whose answer was lost is searched for after another mail`() async throws {
        try await StandardDevice.run { server, device in
            let first = try await device.mail.send(device.mail.draft("First"))
            device.loseAnswersToSending(by: server)
            await #expect(throws: MailError.self) { try await device.settle() }
            #expect(try await device.draft(first.id)?.state == .sending)
            device.transport.answer { server.answer($0) }
            try await device.mail.send(device.mail.draft("Second"))
            for _ in 0..<3 { try await device.settle() }
            #expect(server.deliveries.map(\.text) == ["First", "Second"])
            #expect(server.mails(in: "sent").count == 2 && server.mails(in: "drafts").isEmpty)
            #expect(try await device.mail.drafts().isEmpty)
        }
    }

    /// The server can't search for headers, and more than a page of mails has come since.
    @Test func `a mail that another device sent long ago is found by a scan`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.searchesHeaders = false }
            var held = try await device.mail.save(device.mail.draft("First"))
            for _ in 0..<2 { try await device.settle() }
            try await sendElsewhere("Of the other", held, server, device)
            device.clock.advance(by: 2 * 86_400)
            for number in 0..<250 { server.receive("\(number)") }
            try await device.settle(2 * 86_400)
            held.text = "Of this device"
            try await device.mail.send(held)
            for _ in 0..<2 { try await device.settle() }
            #expect(server.deliveries.map(\.text) == ["Of the other"])
            #expect(isSentElsewhere(try await device.draft(held.id)))
        }
    }

    // MARK: - Answers that aren't whole

    /// What the answer to a search leaves out of the mails that it has found.
    enum Omission: CaseIterable { case mails, keywords, ids }

    private static func leavingOut(_ omission: Omission, _ answer: TransportResponse) throws -> TransportResponse {
        let json = try JSON(parsing: answer.body)
        let calls = (json["methodResponses"]?.arrayValue ?? []).map { call -> JSON in
            guard let parts = call.arrayValue, parts.count == 3, var arguments = parts[1].objectValue else {
                return call
            }
            switch (omission, parts[2].stringValue) {
            case (.mails, "mails"): arguments["list"] = []
            case (.keywords, "mails"):
                let mails = (arguments["list"]?.arrayValue ?? []).map { mail -> JSON in
                    .object(JSONObject((mail.objectValue?.members ?? []).filter { $0.name != "keywords" }))
                }
                arguments["list"] = .array(mails)
            case (.ids, "query"): arguments["ids"] = .null
            default: break
            }
            return .array([parts[0], .object(arguments), parts[2]])
        }
        var changed = answer
        changed.body = (["methodResponses": .array(calls), "sessionState": json["sessionState"] ?? .null] as JSON).utf8
        return changed
    }

    /// - Parameter isSubmitted: Whether the server has sent the mail, or only created it.
    @Test(arguments: Omission.allCases, [true, false])
    func `members missing in an answer don't decide about a mail`(omission: Omission, isSubmitted: Bool) async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            device.transport.answer { request in
                guard request.isSending else { return server.answer(request) }
                if !isSubmitted { server.behave { $0.dies = 1 } }
                _ = server.answer(request)
                throw TransportError.unreachable("the answer was lost")
            }
            await #expect(throws: MailError.self) { try await device.settle() }
            device.transport.answer { request in
                let answer = server.answer(request)
                let isSearch = String(decoding: request.body ?? [], as: UTF8.self).contains(#""Message-ID""#)
                guard isSearch else { return answer }
                return try Self.leavingOut(omission, answer)
            }
            for _ in 0..<3 { _ = try? await device.settle(60) }
            #expect(server.deliveries.count == (isSubmitted ? 1 : 0))
            #expect(try await device.draft(draft.id)?.state == .sending)
            device.transport.answer { server.answer($0) }
            for _ in 0..<4 { try await device.settle(130) }
            #expect(server.deliveries.count == (isSubmitted ? 1 : 0))
            #expect(try await device.draft(draft.id)?.state.name == (isSubmitted ? nil : "unknown"))
        }
    }

    // MARK: - Two devices

    @Test func `texts that two devices send in one second are distinguished`() async throws {
        try await StandardDevice.run { server, device in
            let other = try await StandardDevice(server, clock: device.clock)
            defer { try? FileManager.default.removeItem(at: other.directory) }
            let draft = try await device.mail.save(device.mail.draft("First"))
            try await device.settle()
            try await other.mail.sync()
            for (sender, text) in [(device, "Of this device"), (other, "Of the other")] {
                var changed = try #require(try await sender.draft(draft.id))
                changed.text = text
                try await sender.mail.send(changed)
            }
            device.transport.answer { request in
                if request.isSending { throw TransportError.unreachable("the request was lost") }
                return server.answer(request)
            }
            device.clock.advance(by: 10)
            await #expect(throws: MailError.self) { try await device.mail.sync() }
            try await other.mail.sync()
            #expect(server.deliveries.map(\.text) == ["Of the other"])
            await other.mail.close()
            device.transport.answer { server.answer($0) }
            for _ in 0..<3 { try await device.settle(60) }
            let shown = try await device.draft(draft.id)
            #expect(isSentElsewhere(shown) && shown?.text == "Of this device")
            #expect(server.deliveries.count == 1)
        }
    }

    // MARK: - Failures of a submission

    /// Returns an answer in which a submission failed.
    private static func failed(
        _ type: String,
        _ answer: TransportResponse,
        _ request: TransportRequest
    ) -> TransportResponse {
        let text = String(decoding: answer.body, as: UTF8.self)
        let failed = #""created":null,"notCreated":{"submission":{"type":"\#(type)"}}"#
        let part = /"created":\{"submission":\{[^}]*\}\},"notCreated":null/
        let body = Array(text.replacing(part, with: failed).utf8)
        return TransportResponse(status: 200, body: body, url: request.url)
    }

    /// A server may say that it failed after the next one has taken the mail.
    @Test(arguments: ["serverFail", "serverPartialFail", "smtpProtocolError"], [true, false])
    func `a mail whose submission failed in the server isn't sent again`(
        type: String,
        keepsSubmissions: Bool
    ) async throws {
        try await StandardDevice.run { server, device in
            server.behave { behaviour in
                behaviour.ignoresSuccessUpdate = true
                behaviour.keepsSubmissions = keepsSubmissions
            }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            device.transport.answer { request in
                let answer = server.answer(request)
                return request.isSending ? Self.failed(type, answer, request) : answer
            }
            try await device.settle()
            #expect(try await device.draft(draft.id)?.state == .sending)
            device.transport.answer { server.answer($0) }
            for _ in 0..<8 { try await device.settle(60) }
            #expect(server.deliveries.count == 1)
            let state = try await device.draft(draft.id)?.state.name
            #expect(state == (keepsSubmissions ? nil : "unknown"))
            #expect(server.mails(in: "sent").count == (keepsSubmissions ? 1 : 0))
        }
    }

    /// The next server's own reply says what became of the mail.
    @Test(arguments: [("451 4.3.0 later", "waiting"), ("4.3.0 later", "waiting"), ("554 5.7.1 spam", "refused")])
    func `a serverFail with an SMTP reply is handled by the code of the reply`(reply: String, state: String)
        async throws
    {
        try await StandardDevice.run { server, device in
            server.behave { $0.refusal = { _ in ["type": "serverFail", "description": .string(reply)] } }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            try await device.settle()
            #expect(try await device.draft(draft.id)?.state.name == state)
        }
    }

    // MARK: - Mails that are gone before they are looked for

    /// What becomes of the sent mail.
    enum Fate: CaseIterable { case destroyed, archived, trashed, covered }

    /// The answer is lost, and the mail is removed, moved, or no longer among the newest, before it is looked for.
    @Test(arguments: Fate.allCases, [true, false])
    func `a mail that is gone or moved before it is looked for isn't sent again`(
        fate: Fate,
        searchesHeaders: Bool
    ) async throws {
        try await StandardDevice.run { server, device in
            server.behave { behaviour in
                behaviour.searchesHeaders = searchesHeaders
                behaviour.keepsSubmissions = false
            }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            device.loseAnswersToSending(by: server)
            await #expect(throws: MailError.self) { try await device.settle() }
            #expect(server.deliveries.count == 1)
            device.clock.advance(by: 60)
            switch fate {
            case .destroyed: server.empty("sent")
            case .archived: server.move("sent", to: "archive")
            case .trashed: server.move("sent", to: "trash")
            case .covered:
                for number in 0..<450 { server.receive("\(number)", in: number.isMultiple(of: 2) ? "sent" : "inbox") }
            }
            device.transport.answer { server.answer($0) }
            for _ in 0..<8 { try await device.settle(60) }
            #expect(server.deliveries.count == 1)
            let state = try await device.draft(draft.id)?.state
            #expect(state?.name == (fate == .destroyed ? "unknown" : nil))
            if case .unknown(_, let attempts) = state {
                #expect(attempts?.requestCount == 1 && attempts?.finding == .missing)
                #expect(attempts?.failure?.contains("the answer was lost") ?? false)
            }
        }
    }

    /// The mails that were created since the attempt are looked through too.
    @Test func `a mail that the server's search doesn't know yet isn't sent again`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.keepsSubmissions = false }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            device.transport.answer { request in
                let answer = server.answer(request.hiding(draft))
                if request.isSending { throw TransportError.unreachable("the answer was lost") }
                return answer
            }
            await #expect(throws: MailError.self) { try await device.settle() }
            for _ in 0..<3 { try await device.settle(60) }
            #expect(server.deliveries.count == 1)
            #expect(try await device.mail.drafts().isEmpty)
        }
    }

    /// The first request is carried out just before the second one, which the server therefore refuses.
    @Test func `a late mail isn't sent again after its repetition found another state`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.keepsSubmissions = false }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            let sent = Locked<[TransportRequest]>([])
            device.transport.answer { request in
                guard request.isSending else { return server.answer(request.hiding(draft)) }
                let earlier = sent.withLock { sent in
                    sent.append(request)
                    return Array(sent.dropLast())
                }
                if earlier.isEmpty { throw TransportError.timedOut(after: 30) }
                if earlier.count == 1 { _ = server.answer(earlier[0]) }
                return server.answer(request)
            }
            await #expect(throws: MailError.self) { try await device.settle() }
            for _ in 0..<3 { try await device.settle(60) }
            #expect(server.deliveries.count == 1)
            #expect(sent.withLock { $0.count } == 2)
            #expect(try await device.mail.drafts().isEmpty)
        }
    }

    /// The request's own change isn't one that this device has made besides it.
    @Test func `a mail whose submission failed isn't sent again if the search doesn't know it`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { behaviour in
                behaviour.ignoresSuccessUpdate = true
                behaviour.keepsSubmissions = false
            }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            device.transport.answer { request in
                let answer = server.answer(request.hiding(draft))
                return request.isSending ? Self.failed("serverFail", answer, request) : answer
            }
            for _ in 0..<8 { try await device.settle(60) }
            #expect(server.deliveries.count == 1)
            #expect(try await device.draft(draft.id)?.state.name == "unknown")
        }
    }

    /// The history of changes is forgotten meanwhile, so that only the pages of a scan find it.
    @Test func `a scan covers the time before the attempt`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { behaviour in
                behaviour.searchesHeaders = false
                behaviour.keepsSubmissions = false
            }
            try await device.mail.send(device.mail.draft("Hi"))
            device.loseAnswersToSending(by: server)
            await #expect(throws: MailError.self) { try await device.settle() }
            device.clock.advance(by: 60)
            server.move("sent", to: "archive")
            for number in 0..<450 { server.receive("\(number)") }
            server.forgetChanges()
            device.transport.answer { server.answer($0) }
            for _ in 0..<3 { try await device.settle(60) }
            #expect(server.deliveries.count == 1)
            #expect(try await device.mail.drafts().isEmpty)
        }
    }

    /// What shows that a lost request wasn't carried out, although the account has changed since.
    enum Evidence: CaseIterable { case state, ownChange, submissions, none }

    @Test(arguments: Evidence.allCases)
    func `a request that was certainly lost is repeated, another one isn't`(evidence: Evidence) async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.keepsSubmissions = evidence == .submissions }
            if evidence == .submissions { server.keepEarlierSubmission() }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            device.transport.answer { request in
                if request.isSending { throw TransportError.unreachable("the request was lost") }
                return server.answer(request)
            }
            if evidence == .ownChange { try await device.mail.save(device.mail.draft("Saved")) }
            await #expect(throws: MailError.self) { try await device.settle() }
            if evidence == .ownChange { #expect(server.mails(in: "drafts").count == 1) }
            if [.submissions, .none].contains(evidence) { server.receive("new") }
            device.transport.answer { server.answer($0) }
            for _ in 0..<8 { try await device.settle(60) }
            #expect(server.deliveries.map(\.text) == (evidence == .none ? [] : ["Hi"]))
            let state = try await device.draft(draft.id)?.state.name
            #expect(state == (evidence == .none ? "unknown" : nil))
            guard evidence == .none else { return }
            // The person decides.
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            for _ in 0..<2 { try await device.settle() }
            #expect(server.deliveries.map(\.text) == ["Hi"])
        }
    }

    /// It has removed the only submission, as Cyrus by default, and so has none from before.
    @Test func `a restart knows that the server counts submissions`() async throws {
        try await StandardDevice.run { server, first in
            server.behave { $0.removesEndedSubmissions = true }
            try await first.mail.send(first.mail.draft("First"))
            try await first.settle()
            await first.mail.close()
            let device = try await StandardDevice(server, clock: first.clock, directory: first.directory)
            try await device.mail.send(device.mail.draft("Second"))
            device.transport.answer { request in
                if request.isSending { throw TransportError.unreachable("the request was lost") }
                return server.answer(request)
            }
            await #expect(throws: MailError.self) { try await device.settle() }
            server.receive()
            device.transport.answer { server.answer($0) }
            for _ in 0..<3 { try await device.settle(60) }
            #expect(server.deliveries.map(\.text) == ["First", "Second"])
            await device.mail.close()
        }
    }

    /// A server that counts no more isn't taken for one that does.
    @Test func `a server that stops counting submissions doesn't show that none was made`() async throws {
        try await StandardDevice.run { server, device in
            try await device.mail.send(device.mail.draft("First"))
            try await device.settle()
            server.behave { $0.keepsSubmissions = false }
            try await device.mail.send(device.mail.draft("Second"))
            try await device.settle()
            let draft = try await device.mail.send(device.mail.draft("Third"))
            device.transport.answer { request in
                let answer = server.answer(request)
                if request.isSending { throw TransportError.unreachable("the answer was lost") }
                return answer
            }
            await #expect(throws: MailError.self) { try await device.settle() }
            server.empty("sent")
            device.transport.answer { server.answer($0) }
            for _ in 0..<8 { try await device.settle(60) }
            #expect(server.deliveries.map(\.text) == ["First", "Second", "Third"])
            #expect(try await device.draft(draft.id)?.state.name == "unknown")
        }
    }

    /// Another device's mail was submitted meanwhile.
    @Test func `the submission of another mail isn't the lost one's`() async throws {
        try await StandardDevice.run { server, device in
            server.keepEarlierSubmission()
            let other = try await StandardDevice(server, clock: device.clock)
            defer { try? FileManager.default.removeItem(at: other.directory) }
            try await device.mail.send(device.mail.draft("Hi"))
            device.transport.answer { request in
                if request.isSending { throw TransportError.unreachable("the request was lost") }
                return server.answer(request)
            }
            await #expect(throws: MailError.self) { try await device.settle() }
            try await other.mail.send(other.mail.draft("Of the other"))
            try await other.settle()
            await other.mail.close()
            device.transport.answer { server.answer($0) }
            for _ in 0..<3 { try await device.settle(60) }
            #expect(server.deliveries.map(\.text) == ["Of the other", "Hi"])
        }
    }

    /// The mail was sent and is gone, and so its submission has a mail that can't be looked at.
    @Test func `the submission of a mail that is gone may be the lost one's`() async throws {
        try await StandardDevice.run { server, device in
            server.keepEarlierSubmission()
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            device.loseAnswersToSending(by: server)
            await #expect(throws: MailError.self) { try await device.settle() }
            server.empty("sent")
            device.transport.answer { server.answer($0) }
            for _ in 0..<8 { try await device.settle(60) }
            #expect(server.deliveries.count == 1)
            #expect(try await device.draft(draft.id)?.state.name == "unknown")
        }
    }

    /// Another client has removed both.
    @Test(arguments: [true, false])
    func `a submission that is removed with its mail may be the lost one's`(isReported: Bool) async throws {
        try await StandardDevice.run { server, device in
            server.keepEarlierSubmission()
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            device.loseAnswersToSending(by: server)
            await #expect(throws: MailError.self) { try await device.settle() }
            server.empty("sent")
            server.removeNewestSubmission(isReported: isReported)
            device.transport.answer { server.answer($0) }
            for _ in 0..<8 { try await device.settle(60) }
            #expect(server.deliveries.count == 1)
            #expect(try await device.draft(draft.id)?.state.name == "unknown")
        }
    }
}
