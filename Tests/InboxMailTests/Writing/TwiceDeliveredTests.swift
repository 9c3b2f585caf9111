import Foundation
import Groundwork
import JMAP
import Replica
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// A request to send that the network delivers twice, without a failure: the device gets the answer to the second copy.
/// The mail is sent once, and a conflict with another change isn't taken for such a copy.
@Suite(.timeLimit(.minutes(5))) struct TwiceDeliveredTests {
    /// Answers requests as a server whose search doesn't know a draft's mails, and does something before the answer to
    /// the first request to send.
    private func answer(
        _ device: StandardDevice,
        _ server: StandardMailServer,
        hiding draft: MailDraft,
        before: @escaping @Sendable (TransportRequest) -> TransportResponse?
    ) {
        let count = Locked(0)
        device.transport.answer { request in
            guard request.isSending else { return server.answer(request.hiding(draft)) }
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return (isFirst ? before(request) : nil) ?? server.answer(request)
        }
    }

    /// - Parameter isRemoved: Whether another client removes the mail between the two copies.
    @Test(arguments: [false, true], [false, true])
    func `a mail whose request is delivered twice is sent once`(
        isRemoved: Bool,
        keepsSubmissions: Bool
    ) async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.keepsSubmissions = keepsSubmissions }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            answer(device, server, hiding: draft) { request in
                _ = server.answer(request)
                if isRemoved { server.empty("sent") }
                return nil
            }
            for _ in 0..<8 { try await device.settle(60) }
            #expect(server.deliveries.map(\.text) == ["Hi"])
            let state = try await device.draft(draft.id)?.state
            #expect(state?.name == (isRemoved ? "unknown" : nil))
            guard case .unknown(_, let attempts) = state else { return }
            #expect(attempts?.requestCount == 1 && attempts?.finding == .missing)
            #expect(attempts?.failure?.contains("had changed") ?? false)
        }
    }

    /// The change of another mail doesn't explain the answer alone: a mail that this device doesn't know is gone.
    @Test func `a mail that is removed beside another change isn't sent again`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.keepsSubmissions = false }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            answer(device, server, hiding: draft) { request in
                _ = server.answer(request)
                server.empty("sent")
                server.receive()
                return nil
            }
            for _ in 0..<8 { try await device.settle(60) }
            #expect(server.deliveries.map(\.text) == ["Hi"])
            #expect(try await device.draft(draft.id)?.state.name == "unknown")
        }
    }

    /// The first search for it fails, and a sync brings it to the device. It is removed during the second search.
    @Test func `a mail that was synced and is removed before it is found isn't sent again`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.keepsSubmissions = false }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            let (sendings, searches) = (Locked(0), Locked(0))
            device.transport.answer { request in
                if request.isSending {
                    sendings.withLock { $0 += 1 }
                    // The first copy.
                    if sendings.withLock({ $0 }) == 1 { _ = server.answer(request) }
                    return server.answer(request)
                }
                if request.has("Message-ID"), sendings.withLock({ $0 }) > 0 {
                    searches.withLock { $0 += 1 }
                    if searches.withLock({ $0 }) == 1 { return TransportResponse(status: 503, url: request.url) }
                }
                if request.has("EmailSubmission/changes") {
                    server.empty("sent")
                    server.receive()
                }
                return server.answer(request.hiding(draft))
            }
            _ = try? await device.settle()
            #expect(try await device.mail.messages().count == 1)
            for _ in 0..<8 { _ = try? await device.settle(20) }
            #expect(server.deliveries.map(\.text) == ["Hi"])
            #expect(try await device.draft(draft.id)?.state.name == "unknown")
        }
    }

    /// What another client, or the server, changes between the search and the request.
    enum Conflict: CaseIterable { case received, moved, removed, saved }

    @Test(arguments: Conflict.allCases, [false, true])
    func `a mail whose request meets another change is sent at once`(
        conflict: Conflict,
        keepsSubmissions: Bool
    ) async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.keepsSubmissions = keepsSubmissions }
            server.receive()
            try await device.settle()
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            answer(device, server, hiding: draft) { _ in
                switch conflict {
                case .received: server.receive()
                case .moved: server.move("inbox", to: "archive")
                case .removed: server.empty("inbox")
                // Another device saves a version of the draft.
                case .saved:
                    server.deliver([
                        "mailboxIds": ["drafts": true], "keywords": ["$draft": true],
                        "messageId": [.string(DraftToken.versionID(draft.id, domain: "example.com", .system))],
                        "bodyStructure": ["partId": "1", "type": "text/plain"], "bodyValues": ["1": ["value": "Hi"]],
                    ])
                }
                return nil
            }
            try await device.settle()
            #expect(server.deliveries.map(\.text) == ["Hi"])
            device.transport.answer { server.answer($0) }
            try await device.settle()
            // The version of the other device is a draft.
            if conflict != .saved { #expect(try await device.mail.drafts().isEmpty) }
        }
    }

    /// A mail arrives each time before the last request of the search for a copy.
    @Test func `mails that arrive while a conflict is examined are no further conflicts`() async throws {
        try await StandardDevice.run { server, device in
            try await device.mail.send(device.mail.draft("Hi"))
            let count = Locked(0)
            device.transport.answer { request in
                if request.isSending { count.withLock { $0 += 1 } }
                let isFirst = request.isSending && count.withLock { $0 } == 1
                if isFirst || request.has("EmailSubmission/changes") { server.receive() }
                return server.answer(request)
            }
            try await device.settle()
            #expect(server.deliveries.map(\.text) == ["Hi"])
            #expect(count.withLock { $0 } == 2)
        }
    }

    /// On a server that has no submission from before.
    ///
    /// - Parameter removes: Whether it removes submissions once they are sent, as Cyrus by default.
    @Test(arguments: [false, true])
    func `a mail whose request meets one that another device sends is sent at once`(removes: Bool) async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.removesEndedSubmissions = removes }
            let other = try await device.anotherDevice(at: server)
            try await other.mail.send(other.mail.draft("Of the other"))
            let late = Locked<TransportRequest?>(nil)
            other.transport.answer { request in
                guard request.isSending else { return server.answer(request) }
                late.withLock { $0 = request }
                throw TransportError.unreachable("the request is on its way")
            }
            await #expect(throws: MailError.self) { try await other.settle() }
            await other.mail.close()
            let theirs = try #require(late.withLock { $0 })
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            answer(device, server, hiding: draft) { _ in
                _ = server.answer(theirs)
                return nil
            }
            try await device.settle()
            #expect(server.deliveries.map(\.text) == ["Of the other", "Hi"])
        }
    }

    /// The answer to the second copy.
    enum Answer: CaseIterable { case status, method, refusal }

    @Test(arguments: Answer.allCases)
    func `a mail whose second copy is refused is found before it is sent again`(kind: Answer) async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            answer(device, server, hiding: draft) { request in
                _ = server.answer(request)
                let arguments: JSON
                switch kind {
                case .status: return TransportResponse(status: 429, url: request.url)
                case .method: arguments = ["type": "serverUnavailable"]
                case .refusal: arguments = ["created": .null, "notCreated": ["mail": ["type": "rateLimit"]]]
                }
                let name: JSON = kind == .method ? "error" : "Email/set"
                let body: JSON = [
                    "methodResponses": .array([.array([name, arguments, "create"])]), "sessionState": "s1",
                ]
                return TransportResponse(status: 200, body: body.utf8, url: request.url)
            }
            _ = try? await device.settle()
            #expect(try await device.draft(draft.id)?.state.name == "waiting")
            for _ in 0..<4 { try await device.settle(100) }
            #expect(server.deliveries.map(\.text) == ["Hi"])
            #expect(try await device.mail.drafts().isEmpty)
        }
    }

    /// - Parameters:
    ///   - seconds: The time after the refusal.
    ///   - looks: The number of requests for the changes since then.
    @Test(arguments: [(60.0, 1), (2 * 86_400.0, 0)])
    func `what was created since a refusal is looked through for a day`(seconds: Double, looks: Int) async throws {
        try await StandardDevice.run { server, device in
            server.behave { behaviour in
                behaviour.refusesCreation = { $0[DraftRequests.markField] == nil ? nil : ["type": "forbiddenFrom"] }
            }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            try await device.settle()
            #expect(try await device.draft(draft.id)?.state.name == "refused")
            server.behave { $0.refusesCreation = { _ in nil } }
            device.clock.advance(by: seconds)
            server.receive()
            let count = Locked(0)
            device.transport.answer { request in
                if request.has("Email/changes"), request.has(DraftRequests.markField) { count.withLock { $0 += 1 } }
                return server.answer(request)
            }
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            try await device.settle()
            #expect(server.deliveries.map(\.text) == ["Hi"])
            #expect(count.withLock { $0 } == looks)
        }
    }

    /// A server that always has more changes, and names the same state each time.
    ///
    /// - Parameter type: The type whose changes have no end.
    @Test(arguments: ["Email", "EmailSubmission"])
    func `changes without an end are read once, and decide nothing`(type: String) async throws {
        try await StandardDevice.run { server, device in
            if type == "Email" { server.behave { $0.keepsSubmissions = false } }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            let (sendings, looks) = (Locked(0), Locked(0))
            device.transport.answer { request in
                if request.isSending {
                    sendings.withLock { $0 += 1 }
                    if sendings.withLock({ $0 }) == 1 { server.receive() }
                }
                var answer = server.answer(request)
                guard sendings.withLock({ $0 }) > 0, request.has("\"\(type)/changes\""),
                    type != "Email" || request.has(DraftRequests.markField)
                else { return answer }
                looks.withLock { $0 += 1 }
                let text = String(decoding: answer.body, as: UTF8.self)
                let part = /"oldState":"([^"]*)","newState":"[^"]*","hasMoreChanges":false/
                let endless = text.replacing(part) { match in
                    #""oldState":"\#(match.1)","newState":"\#(match.1)","hasMoreChanges":true"#
                }
                answer.body = Array(endless.utf8)
                return answer
            }
            for _ in 0..<8 { try await device.settle(60) }
            #expect(server.deliveries.isEmpty && sendings.withLock { $0 } == 1)
            #expect(try await device.draft(draft.id)?.state.name == "unknown")
            // One for each look in two minutes.
            #expect((1...20).contains(looks.withLock { $0 }))
        }
    }

    // MARK: - The job

    @Test func `a request that found another state is looked for before the next one`() {
        var job = DraftJob(token: "d1", editedAt: 0)
        job.orderSending(at: 0, now: 0, newToken: "d2")
        job.beginAttempt(at: 1_000, mark: "a", in: DraftJob.AccountStates(mails: "1"))
        job.answered(.stateMismatch, at: 2_000, hasBcc: false, jitter: 0)
        #expect(job.next(at: 2_000, lacksUploads: false) == .send && !job.isRevocable)
        var open = job
        let maySendOpen = open.found([], in: "2", at: 2_000, hasBcc: false, isExcluded: false)
        #expect(!maySendOpen && open.attempt != nil && !open.isRevocable)
        let maySend = job.found([], in: "2", at: 2_000, hasBcc: false, isExcluded: true)
        #expect(maySend && job.attempt == nil && job.isRevocable)
    }

    /// The change beside another state of the submissions.
    enum Change: CaseIterable {
        case none, ownMail, received, draft, sent, updated

        /// The created mail; nil if none was.
        func mail(_ token: String) -> JSON? {
            let own = JSON.string(DraftToken.messageID(token, domain: "example.com"))
            return switch self {
            case .none, .updated: nil
            case .ownMail: ["id": "m1", "messageId": [own]]
            case .received: ["id": "m1", "messageId": ["a@b.example"], "header:Received:asRaw": " from b.example"]
            case .draft: ["id": "m1", "messageId": ["a@b.example"], "keywords": ["$draft": true]]
            case .sent: ["id": "m1", "messageId": ["a@b.example"], "keywords": ["$seen": true]]
            }
        }
    }

    /// The submission that an answer lists.
    enum Listed: CaseIterable { case none, ofOther, ofGoneMail }

    private func response(_ answers: [JSON]) throws -> Response {
        let json: JSON = ["methodResponses": .array(answers), "sessionState": "s1"]
        return try Response(parsing: json.utf8)
    }

    @Test(arguments: Change.allCases, Listed.allCases)
    func `submissions are others' if one may have been sent, and no mail is gone`(
        change: Change,
        listed: Listed
    ) throws {
        let token = DraftToken.make(.system)
        let place = DraftAnswers.Place(token: token, trash: "trash", sent: "sent")
        let created: [JSON] = [change.mail(token)].compactMap { $0 }
        let updated: JSON = change == .updated ? ["m0"] : []
        let mailChanges: JSON = [
            "created": .array(created.compactMap { $0["id"] }), "updated": updated, "destroyed": [],
            "hasMoreChanges": false, "newState": "2",
        ]
        let mails: JSON = ["list": .array(created)]
        let ofMails = try response([["Email/changes", mailChanges, "changes"], ["Email/get", mails, "mails"]])
        let read = try #require(DraftAnswers.changes(ofMails, in: place))
        #expect(read.changes.isComplete)

        let ids: JSON = listed == .none ? [] : ["s1"]
        let list: JSON = listed == .none ? [] : [["id": "s1", "emailId": "m2"]]
        let found: JSON = listed == .ofOther ? [["id": "m2", "messageId": ["c@b.example"]]] : []
        let submissionChanges: JSON = ["created": ids, "hasMoreChanges": false, "newState": "1"]
        let (submissions, submitted): (JSON, JSON) = (["list": list], ["list": found])
        let ofSubmissions = try response([
            ["EmailSubmission/changes", submissionChanges, "changes"],
            ["EmailSubmission/get", submissions, "created"], ["Email/get", submitted, "mails"],
        ])
        func areOthers(since state: String) -> Bool {
            let states = DraftJob.AccountStates(mails: "1", submissions: state)
            return DraftAnswers.areOtherSubmissions(ofSubmissions, since: states, in: place, beside: read.changes)
        }
        let mayBeSent = [.sent, .updated].contains(change)
        #expect(areOthers(since: "0") == (listed == .ofOther || listed == .none && mayBeSent))
        // There was none.
        #expect(areOthers(since: "1"))
    }

    /// As another mail, it would leave the draft's to be sent again.
    @Test func `a found mail whose Message-ID isn't stated may be the draft's`() throws {
        let place = DraftAnswers.Place(token: DraftToken.make(.system), trash: nil, sent: "sent")
        func found(_ mail: JSON) throws -> Response {
            try response([
                ["Email/get", ["state": "1", "list": []], "state"], ["Email/query", ["ids": ["m1"]], "query"],
                ["Email/get", ["list": [mail]], "mails"],
            ])
        }
        let unstated = try found(["id": "m1", "keywords": [:], "mailboxIds": ["sent": true]])
        #expect(throws: SyncError.self) { try DraftAnswers.search(unstated, in: place) }
        let without = try found(["id": "m1", "messageId": .null, "keywords": [:], "mailboxIds": ["sent": true]])
        #expect(try DraftAnswers.search(without, in: place)?.mails == [])
        #expect(throws: SyncError.self) { try DraftAnswers.mail(unstated, "m1", in: place) }
        #expect(try DraftAnswers.mail(without, "m1", in: place) == nil)
    }

    /// Some servers leave out the property of a mail without one, which isn't the draft's.
    @Test func `a mail without a Message-ID doesn't end a scan, unless none is stated`() throws {
        let place = DraftAnswers.Place(token: DraftToken.make(.system), trash: nil, sent: "sent")
        let bare: JSON = ["id": "m1", "keywords": [:], "mailboxIds": ["inbox": true]]
        let own: JSON = [
            "id": "m2", "messageId": [.string(DraftToken.messageID(place.token, domain: "example.com"))],
            "keywords": [:], "mailboxIds": ["sent": true],
        ]
        func found(_ mails: [JSON]) throws -> Response {
            let ids = JSON(mails.compactMap { $0["id"]?.stringValue })
            return try response([
                ["Email/get", ["state": "1", "list": []], "state"], ["Email/query", ["ids": ids], "query"],
                ["Email/get", ["list": .array(mails)], "mails"],
            ])
        }
        let (both, one) = (try found([bare, own]), try found([bare]))
        #expect(try DraftAnswers.search(both, in: place, scanningFrom: 0)?.mails.map(\.id) == ["m2"])
        #expect(throws: SyncError.self) { try DraftAnswers.search(one, in: place, scanningFrom: 0) }
    }

    /// A server without the method has no submissions that could be the mail's.
    @Test(arguments: [("cannotCalculateChanges", false), ("invalidArguments", false), ("unknownMethod", true)])
    func `submissions that a server has forgotten may be the mail's`(type: String, areOthers: Bool) throws {
        let error: JSON = ["type": .string(type)]
        let place = DraftAnswers.Place(token: DraftToken.make(.system), trash: nil, sent: "sent")
        let changes = DraftAnswers.Changes(hasOthers: true, haveOthersSent: true)
        let answer = try response([["error", error, "changes"]])
        let states = DraftJob.AccountStates(mails: "1", submissions: "1")
        #expect(DraftAnswers.areOtherSubmissions(answer, since: states, in: place, beside: changes) == areOthers)
    }
}
