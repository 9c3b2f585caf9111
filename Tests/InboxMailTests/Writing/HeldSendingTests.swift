import Foundation
import Groundwork
import InboxMail
import ReplicaTesting
import StandardMailServer
import Testing

/// Mails for later that the server holds, once it was verified that it sends them.
@Suite(.timeLimit(.minutes(5))) struct HeldSendingTests {
    private static let hour = 3_600.0
    private static let day = 86_400.0

    private static func isRequest(_ request: TransportRequest, with text: String) -> Bool {
        String(decoding: request.body ?? [], as: UTF8.self).contains(text)
    }

    // MARK: - Which of the two

    @Test func `a server that is verified sends a mail for later while the device is off`() async throws {
        try await StandardDevice.runHolding { server, device in
            let draft = try await device.hold("Held")
            // Other devices see it among the sent mails.
            #expect(server.mails(in: "sent").count == 1 && server.mails(in: "drafts").isEmpty)
            #expect(server.textsToBob.isEmpty)
            await device.mail.close()
            device.clock.advance(by: Self.hour + 1)
            let other = try await StandardDevice(server, clock: device.clock)
            try await other.mail.sync()
            #expect(server.textsToBob == ["Held"])
            await other.mail.close()
            try? FileManager.default.removeItem(at: other.directory)

            let next = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            #expect(try await next.draft(draft.id)?.holder == .server)
            for _ in 0..<3 { try await next.settle(60) }
            guard case .sent = try await next.mail.outcome(ofDraft: draft.id) else {
                Issue.record("not sent")
                return
            }
            #expect(server.textsToBob == ["Held"] && server.mails(in: "sent").count == 1)
            #expect(try await next.mail.drafts().isEmpty)
            await next.mail.close()
        }
    }

    @Test func `without a verification, a mail for later waits on the device`() async throws {
        try await StandardDevice.runHolding(verifies: false) { server, device in
            #expect(try await device.mail.heldSendingCheck() == nil)
            let time = device.clock.now.addingTimeInterval(Self.hour)
            let draft = try await device.mail.send(device.mail.draft("Later"), later: time)
            try await device.settle()
            #expect(try await device.draft(draft.id)?.holder == .device)
            #expect(server.mails(in: "sent").isEmpty)
            try await device.settle(Self.hour)
            #expect(server.textsToBob == ["Later"])
        }
    }

    /// What a server does wrong.
    enum Fault: String, CaseIterable { case sendsNothing, sendsAtOnce, cantCancel, holdsNothing }

    @Test(arguments: Fault.allCases) func `a server isn't verified that deviates, and says why`(fault: Fault)
        async throws
    {
        try await StandardDevice.runHolding(
            verifies: false,
            behave: { behaviour in
                switch fault {
                case .sendsNothing: behaviour.sendsHeld = false
                case .sendsAtOnce: behaviour.ignoresHold = true
                case .cantCancel: behaviour.refusesCancelling = { ["type": "cannotUnsend"] }
                case .holdsNothing: behaviour.maxDelayedSend = 0
                }
            }
        ) { server, device in
            let check = try await device.verify()
            #expect(!check.isVerified)
            let words =
                switch fault {
                case .sendsNothing: "didn't send it"
                case .sendsAtOnce: "at once"
                case .cantCancel: "can't be taken back"
                case .holdsNothing: "maxDelayedSend"
                }
            #expect(check.reason?.contains(words) ?? false, "\(check.reason ?? "")")
            #expect(try await device.mail.heldSendingCheck() == check)
            // Nothing of the check is left.
            #expect(server.mails(in: "sent").isEmpty && server.mails(in: "drafts").isEmpty)
            let time = device.clock.now.addingTimeInterval(Self.hour)
            let draft = try await device.mail.send(device.mail.draft("Later"), later: time)
            try await device.settle()
            #expect(try await device.draft(draft.id)?.holder == .device)
        }
    }

    @Test func `a mail further away than the server allows waits on the device until it isn't`() async throws {
        try await StandardDevice.runHolding { server, device in
            let time = device.clock.now.addingTimeInterval(2 * Self.day)
            let draft = try await device.mail.send(device.mail.draft("Far"), later: time)
            try await device.settle()
            #expect(try await device.draft(draft.id)?.holder == .device)
            try await device.settle(Self.day)
            #expect(try await device.draft(draft.id)?.holder == .server)
            #expect(server.textsToBob.isEmpty)
            for _ in 0..<2 { try await device.settle(Self.day + 60) }
            #expect(server.textsToBob == ["Far"])
        }
    }

    @Test func `a mail with recipients of blind copies waits on the device`() async throws {
        try await StandardDevice.runHolding { server, device in
            var draft = device.mail.draft("Hidden")
            draft.bcc = [EmailAddress(email: "eve@example.org")]
            draft = try await device.mail.send(draft, later: device.clock.now.addingTimeInterval(Self.hour))
            try await device.settle()
            #expect(try await device.draft(draft.id)?.holder == .device)
            #expect(server.mails(in: "sent").isEmpty)
            for _ in 0..<3 { try await device.settle(Self.hour) }
            #expect(server.textsToBob == ["Hidden"])
            #expect(server.mails(in: "sent").map { $0["bcc"]?.arrayValue?.count } == [1])
        }
    }

    @Test func `a mail that the server refuses to hold waits on the device`() async throws {
        try await StandardDevice.runHolding { server, device in
            server.behave { $0.maxDelayedSend = 60 }
            let time = device.clock.now.addingTimeInterval(Self.hour)
            let draft = try await device.mail.send(device.mail.draft("Refused"), later: time)
            try await device.settle()
            #expect(try await device.draft(draft.id)?.holder == .device)
            #expect(try await device.draft(draft.id)?.state == .waiting(until: time))
            #expect(server.mails(in: "sent").isEmpty && server.textsToBob.isEmpty)
            for _ in 0..<2 { try await device.settle(Self.hour) }
            #expect(server.textsToBob == ["Refused"])
        }
    }

    // MARK: - Cancelling

    @Test(arguments: [true, false])
    func `a held mail that is taken back isn't sent, and can be changed and sent`(removes: Bool) async throws {
        try await StandardDevice.runHolding { server, device in
            server.behave { $0.removesEndedSubmissions = removes }
            let held = try await device.hold("First")
            var draft = try #require(try await device.mail.undoSend(held.id))
            #expect(draft.isEditable && draft.state == .draft && draft.holder == nil)
            try await device.settle()
            #expect(server.mails(in: "sent").isEmpty)
            #expect(server.mails(in: "drafts").compactMap { $0["preview"] } == ["First"])
            try await device.settle(2 * Self.hour)
            #expect(server.textsToBob.isEmpty)
            draft.text = "Second"
            try await device.mail.send(draft)
            for _ in 0..<2 { try await device.settle() }
            #expect(server.textsToBob == ["Second"])
            #expect(server.mails(in: "sent").count == 1 && server.mails(in: "drafts").isEmpty)
        }
    }

    @Test func `a held mail that was sent meanwhile can't be taken back, and counts as sent`() async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Gone")
            device.clock.advance(by: Self.hour + 1)
            #expect(try await device.mail.undoSend(held.id) == nil)
            guard case .sent = try await device.mail.outcome(ofDraft: held.id) else {
                Issue.record("not sent")
                return
            }
            let second = try await device.hold("Gone too")
            device.clock.advance(by: Self.hour + 1)
            await #expect(throws: MailError.self) { try await device.mail.discard(second.id) }
            #expect(server.textsToBob == ["Gone", "Gone too"] && server.mails(in: "sent").count == 2)
        }
    }

    @Test(arguments: [false, true])
    func `a mail that is taken back without a network is taken back later, or sent`(isLate: Bool) async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Offline")
            device.transport.fail(with: .unreachable)
            await #expect(throws: MailError.self) { try await device.mail.undoSend(held.id) }
            let waiting = try #require(try await device.draft(held.id))
            #expect(waiting.isBeingTakenBack && waiting.holder == .server && !waiting.isEditable)
            if isLate { device.clock.advance(by: Self.hour + 1) }
            device.transport.fail(with: nil)
            for _ in 0..<2 { try await device.settle(300) }
            let state = try await device.draft(held.id)?.state
            #expect(isLate ? state == nil : state == .draft)
            for _ in 0..<2 { try await device.settle(Self.hour) }
            #expect(server.textsToBob == (isLate ? ["Offline"] : []))
            #expect(server.mails(in: "sent").count == (isLate ? 1 : 0))
        }
    }

    @Test(arguments: [true, false])
    func `a held mail is discarded once it is taken back, also after a failure`(
        isOffline: Bool
    ) async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Discarded")
            if isOffline {
                device.transport.fail(with: .unreachable)
                await #expect(throws: MailError.self) { try await device.mail.discard(held.id) }
                #expect(try await device.draft(held.id)?.isBeingTakenBack ?? false)
                device.transport.fail(with: nil)
                for _ in 0..<2 { try await device.settle(300) }
            } else {
                try await device.mail.discard(held.id)
            }
            #expect(try await device.mail.drafts().isEmpty)
            for _ in 0..<2 { try await device.settle(Self.hour) }
            #expect(server.textsToBob.isEmpty && server.mails(in: "sent").isEmpty && server.mails(in: "drafts").isEmpty)
        }
    }

    /// The draft has a text of another window, and a version of another program. Both are discarded with it, or kept.
    @Test(arguments: [false, true], [false, true])
    func `a discard that comes too late leaves the draft's other texts`(
        isLate: Bool,
        isOffline: Bool
    ) async throws {
        try await StandardDevice.runHolding { server, device in
            let draft = try await device.write("Of one window", then: "Of the other window")
            for _ in 0..<2 { try await device.settle() }
            let version = try #require(server.mails(in: "drafts").first)
            let messageID = version["messageId"]?.arrayValue?.first?.stringValue ?? ""
            let token = String(messageID.prefix { $0 != "." && $0 != "@" })
            let held = try await device.hold(try #require(try await device.draft(draft.id)))
            server.deliver([
                "mailboxIds": ["drafts": true], "keywords": ["$draft": true, "$seen": true],
                "messageId": [.string("\(token).abcdefgh@example.com")], "to": [["email": "bob@example.org"]],
                "bodyStructure": ["partId": "1", "type": "text/plain"],
                "bodyValues": ["1": ["value": "Of another device"]],
            ])
            try await device.mail.sync()
            if isOffline {
                device.transport.fail(with: .unreachable)
                await #expect(throws: MailError.self) { try await device.mail.discard(held.id) }
                device.transport.fail(with: nil)
            }
            if isLate { device.clock.advance(by: Self.hour + 1) }
            if isOffline {
                for _ in 0..<2 { try await device.settle(300) }
            } else if isLate {
                await #expect(throws: MailError.self) { try await device.mail.discard(held.id) }
            } else {
                try await device.mail.discard(held.id)
            }
            for _ in 0..<3 { try await device.settle(Self.hour) }
            #expect(server.textsToBob == (isLate ? ["Of the other window"] : []))
            let kept = server.mails(in: "drafts").compactMap { $0["preview"]?.stringValue }.sorted()
            #expect(kept == (isLate ? ["Of another device", "Of one window"] : []))
            let shown = try await device.mail.drafts().filter { $0.state != .sent }.map(\.snippet).sorted()
            #expect(shown == kept)
        }
    }

    @Test func `signing out asks while the server is still to be asked not to send a mail`() async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Cancelled")
            device.transport.fail(with: .unreachable)
            await #expect(throws: MailError.self) { try await device.mail.discard(held.id) }
            let error = await #expect(throws: MailError.self) { try await device.mail.signOut() }
            #expect(error?.code == .unsentDrafts)
            device.transport.fail(with: nil)
            for _ in 0..<2 { try await device.settle(300) }
            #expect(try await device.mail.drafts().isEmpty)
            try await device.settle(2 * Self.hour)
            #expect(server.textsToBob.isEmpty)
        }
    }

    /// Such as by `inbox mail cancel`, with both.
    @Test(arguments: [true, false])
    func `when a held mail is taken back, no other one that is due is sent`(discards: Bool) async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Held")
            let due = try await device.mail.send(device.mail.draft("Due"))
            device.clock.advance(by: 60)
            if discards {
                try await device.mail.discard(held.id)
            } else {
                #expect(try await device.mail.cancel(held.id))
            }
            #expect(try await device.mail.cancel(due.id))
            try await device.settle(2 * Self.hour)
            #expect(server.textsToBob.isEmpty)
        }
    }

    // MARK: - Lost answers and other clients

    @Test(arguments: [true, false])
    func `a held mail is sent once after lost answers to holding and cancelling`(removes: Bool) async throws {
        try await StandardDevice.runHolding { server, device in
            server.behave { $0.removesEndedSubmissions = removes }
            // The request to hold it is carried out, and its answer is lost. So is that of the first search.
            let time = device.clock.now.addingTimeInterval(Self.hour)
            let sent = try await device.mail.send(device.mail.draft("Sent"), later: time)
            let back = try await device.mail.send(device.mail.draft("Back"), later: time)
            device.transport.answer { request in
                let answer = server.answer(request)
                if Self.isRequest(request, with: "EmailSubmission/set") { throw TransportError.unreachable("lost") }
                return answer
            }
            _ = try? await device.settle()
            _ = try? await device.settle(60)
            // It was asked, so it can be taken back only by asking again.
            await #expect(throws: MailError.self) { try await device.mail.undoSend(back.id) }
            await device.mail.close()
            let next = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            for _ in 0..<3 { try await next.settle(120) }
            #expect(try await next.draft(sent.id)?.holder == .server)
            #expect(try await next.draft(back.id)?.state == .draft)
            #expect(server.mails(in: "sent").count == 1)
            for _ in 0..<4 { try await next.settle(Self.hour) }
            #expect(server.textsToBob == ["Sent"])
            #expect(try await next.mail.drafts().map(\.id) == [back.id])
            await next.mail.close()
        }
    }

    /// Some servers refuse to cancel what is cancelled already.
    @Test(arguments: [true, false])
    func `a mail that was cancelled before and can't be cancelled again isn't sent`(isOwn: Bool) async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Cancelled twice")
            if isOwn {
                device.transport.answer { request in
                    let answer = server.answer(request)
                    if Self.isRequest(request, with: "canceled") { throw TransportError.unreachable("lost") }
                    return answer
                }
                await #expect(throws: MailError.self) { try await device.mail.undoSend(held.id) }
                device.transport.answer { server.answer($0) }
            } else {
                server.cancelHeld()
            }
            server.behave { $0.refusesCancelling = { ["type": "cannotUnsend"] } }
            if isOwn {
                for _ in 0..<2 { try await device.settle(300) }
            } else {
                #expect(try await device.mail.undoSend(held.id)?.state == .draft)
            }
            #expect(try await device.draft(held.id)?.state == .draft)
            try await device.settle(2 * Self.hour)
            #expect(server.textsToBob.isEmpty && server.mails(in: "sent").isEmpty)
        }
    }

    @Test func `a held mail whose request was lost is held by the next one`() async throws {
        try await StandardDevice.runHolding { server, device in
            let time = device.clock.now.addingTimeInterval(Self.hour)
            let draft = try await device.mail.send(device.mail.draft("Lost"), later: time)
            device.transport.answer { request in
                if Self.isRequest(request, with: "HOLDFOR") { throw TransportError.unreachable("lost") }
                return server.answer(request)
            }
            _ = try? await device.settle()
            device.transport.answer { server.answer($0) }
            for _ in 0..<2 { try await device.settle(60) }
            #expect(try await device.draft(draft.id)?.holder == .server)
            #expect(server.mails(in: "sent").count == 1)
            for _ in 0..<2 { try await device.settle(Self.hour) }
            #expect(server.textsToBob == ["Lost"])
        }
    }

    @Test func `a held mail that another client cancels is a draft again`() async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Cancelled elsewhere")
            server.cancelHeld()
            for _ in 0..<2 { try await device.settle(Self.hour) }
            #expect(try await device.draft(held.id)?.state == .draft)
            #expect(server.textsToBob.isEmpty && server.mails(in: "sent").isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `a held mail that another client postpones is sent then, or taken back`(
        isTakenBack: Bool
    ) async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Postponed")
            server.postponeHeld(by: 2 * Self.hour)
            try await device.settle(Self.hour + 60)
            #expect(try await device.draft(held.id)?.holder == .server)
            #expect(server.textsToBob.isEmpty)
            if isTakenBack { #expect(try await device.mail.cancel(held.id)) }
            for _ in 0..<3 { try await device.settle(Self.hour) }
            #expect(server.textsToBob == (isTakenBack ? [] : ["Postponed"]))
            let state = try await device.draft(held.id)?.state
            #expect(isTakenBack ? state == .draft : state == nil)
        }
    }

    @Test func `a held mail whose submission is gone before its time may have been sent`() async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Vanished")
            server.removeHeldSubmissions()
            let draft = try #require(try await device.mail.undoSend(held.id))
            #expect(draft.state.name == "unknown" && draft.isEditable)
            if case .unknown(_, let attempts) = draft.state {
                #expect(attempts?.finding == .submissionGone && attempts?.requestCount == 1)
            }
            for _ in 0..<2 { try await device.settle(Self.hour) }
            // Only the person's order sends it again.
            #expect(server.textsToBob == ["Vanished"])
            #expect(try await device.draft(held.id)?.state.name == "unknown")
        }
    }

    @Test(arguments: [true, false])
    func `neither cancelled nor discarded is what may have been sent`(discards: Bool) async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Vanished")
            server.removeHeldSubmissions()
            if discards {
                let error = await #expect(throws: MailError.self) { try await device.mail.discard(held.id) }
                #expect(error?.description.contains("may have sent") ?? false)
                #expect(try await device.draft(held.id)?.state.name == "unknown")
                try await device.mail.discard(held.id)
                #expect(try await device.mail.drafts().isEmpty)
            } else {
                #expect(try await !device.mail.cancel(held.id))
                #expect(try await device.draft(held.id)?.state.name == "unknown")
            }
        }
    }

    /// Another program may have cancelled it, and removed the mail or made it a draft.
    @Test(arguments: [true, false])
    func `a held mail may have been sent if it and its submission are gone in the end`(isDraft: Bool) async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Vanished")
            server.behave { $0.sendsHeld = false }
            server.removeHeldSubmissions()
            if isDraft { server.makeDrafts(of: "sent") } else { server.empty("sent") }
            for _ in 0..<2 { try await device.settle(Self.hour) }
            #expect(try await device.draft(held.id)?.state.name == "unknown")
            #expect(server.textsToBob.isEmpty)
        }
    }

    @Test func `a mail that the server doesn't send is taken back and sent by the device`() async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Overdue")
            server.behave { $0.sendsHeld = false }
            try await device.settle(Self.hour + 60)
            #expect(try await device.draft(held.id)?.holder == .server)
            for _ in 0..<5 { try await device.settle(600) }
            #expect(server.textsToBob == ["Overdue"] && server.mails(in: "sent").count == 1)
            #expect(try await device.draft(held.id) == nil)
            // No other mail is given to that server.
            #expect(try await device.mail.heldSendingCheck()?.isVerified == false)
            server.behave { $0.sendsHeld = true }
            for _ in 0..<2 { try await device.settle(600) }
            #expect(server.textsToBob == ["Overdue"])
        }
    }

    @Test func `a refusal to cancel a held mail isn't reported as a missing answer`() async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Held")
            server.behave { $0.refusesCancelling = { ["type": "forbidden"] } }
            let error = await #expect(throws: MailError.self) { try await device.mail.undoSend(held.id) }
            #expect(error?.description.contains("hasn't confirmed that it won't send it") ?? false)
            #expect(try await device.draft(held.id)?.isBeingTakenBack ?? false)
        }
    }

    /// Otherwise it could never be changed or sent.
    @Test(arguments: [true, false])
    func `a mail that the server neither sends nor makes a draft again is refused`(isTakenBack: Bool) async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Kept")
            server.behave { behaviour in
                behaviour.sendsHeld = false
                behaviour.refusesChange = { _ in ["type": "forbidden"] }
            }
            if isTakenBack { _ = try? await device.mail.undoSend(held.id) }
            for _ in 0..<30 { _ = try? await device.settle(Self.hour) }
            let shown = try #require(try await device.draft(held.id))
            guard case .refused(let refusal) = shown.state else {
                Issue.record("\(shown.state)")
                return
            }
            #expect(refusal.description.contains("among the sent mails all the same") && shown.isEditable)
            #expect(server.textsToBob.isEmpty)
            server.behave { $0.refusesChange = { _ in nil } }
            try await device.mail.send(shown)
            for _ in 0..<2 { try await device.settle(60) }
            #expect(server.textsToBob == ["Kept"])
        }
    }

    /// Its submission is gone before its time. It is among the sent mails, where it was put when the server held it.
    @Test func `a mail that may be sent and isn't made a draft again may have been sent`() async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Vanished")
            server.behave { behaviour in
                behaviour.sendsHeld = false
                behaviour.refusesChange = { _ in ["type": "forbidden"] }
            }
            server.removeHeldSubmissions()
            _ = try? await device.mail.undoSend(held.id)
            #expect(try await device.draft(held.id)?.state.name == "sending")
            for _ in 0..<30 { _ = try? await device.settle(Self.hour) }
            let shown = try #require(try await device.draft(held.id))
            #expect(shown.state.name == "unknown" && shown.isEditable)
            #expect(server.mails(in: "sent").contains { $0["preview"] == "Vanished" })
            server.behave { $0.refusesChange = { _ in nil } }
            try await device.mail.send(shown)
            for _ in 0..<2 { try await device.settle(60) }
            #expect(server.textsToBob == ["Vanished"])
        }
    }

    /// The server keeps what it hasn't delivered to all recipients in a queue.
    @Test(arguments: [true, false])
    func `a mail whose delivery has begun is left to the server`(isTakenBack: Bool) async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Begun")
            server.behave { behaviour in
                behaviour.sendsHeld = false
                behaviour.deliveryStatus = ["bob@example.org": ["delivered": "yes", "smtpReply": "250 OK"]]
            }
            if isTakenBack {
                device.clock.advance(by: Self.hour + 1)
                #expect(try await device.mail.undoSend(held.id) == nil)
            } else {
                for _ in 0..<5 { try await device.settle(Self.hour) }
            }
            #expect(server.textsToBob.isEmpty)
            #expect(try await device.draft(held.id) == nil)
            #expect(try await device.mail.heldSendingCheck()?.isVerified ?? false)
            server.behave { $0.sendsHeld = true }
            try await device.settle()
            #expect(server.textsToBob == ["Begun"] && server.mails(in: "sent").count == 1)
        }
    }

    /// The server's own reply, when it took the mail into its queue, is none of a recipient's.
    @Test func `a mail that waits in the queue after its time can be taken back`() async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Queued")
            server.behave { behaviour in
                behaviour.sendsHeld = false
                behaviour.deliveryStatus = ["bob@example.org": ["delivered": "queued", "smtpReply": "250 Queued"]]
            }
            device.clock.advance(by: Self.hour + 1)
            #expect(try await device.mail.undoSend(held.id)?.state == .draft)
            server.behave { $0.sendsHeld = true }
            try await device.settle(Self.hour)
            #expect(server.textsToBob.isEmpty)
        }
    }
}
