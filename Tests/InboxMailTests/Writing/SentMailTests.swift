import Foundation
import Groundwork
import Replica
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// What becomes of a mail once it was sent: it is known as sent, and names its hidden recipients.
@Suite(.timeLimit(.minutes(5))) struct SentMailTests {
    private static let sending = "EmailSubmission/set"
    /// In the request that creates the copy which names the hidden recipients.
    private static let copying = #""create":{"mail":{"mailboxIds":{"sent""#

    private static func text(_ request: TransportRequest) -> String {
        String(decoding: request.body ?? [], as: UTF8.self)
    }

    private func hiddenDraft(_ device: StandardDevice) -> MailDraft {
        var draft = device.mail.draft("Hi")
        draft.bcc = [EmailAddress(email: "eve@example.org")]
        return draft
    }

    private func hiddenRecipients(_ server: StandardMailServer) -> [Int?] {
        server.mails(in: "sent").map { $0["bcc"]?.arrayValue?.count }
    }

    @Test func `a mail that was received by its sender stays where it is`() async throws {
        try await StandardDevice.run { server, device in
            let delivered = Locked(false)
            device.transport.answer { request in
                let answer = server.answer(request)
                guard Self.text(request).contains(Self.sending), !delivered.withLock({ $0 }) else { return answer }
                delivered.withLock { $0 = true }
                let sent = server.mails(in: "sent")[0]
                server.deliver([
                    "mailboxIds": ["inbox": true], "messageId": sent["messageId"] ?? .null,
                    "sentAt": sent["sentAt"] ?? .null, "from": sent["from"] ?? .null, "to": sent["to"] ?? .null,
                    "bodyStructure": ["partId": "1", "type": "text/plain"], "bodyValues": ["1": ["value": "Hi"]],
                ])
                return answer
            }
            try await device.mail.send(hiddenDraft(device))
            for _ in 0..<3 { try await device.settle(60) }
            #expect(delivered.withLock { $0 })
            #expect(server.mails(in: "inbox").count == 1)
            #expect(hiddenRecipients(server) == [1])
        }
    }

    @Test func `a server that doesn't show hidden recipients gets one copy`() async throws {
        try await StandardDevice.run { server, device in
            device.transport.answer { request in
                var answer = server.answer(request)
                let text = String(decoding: answer.body, as: UTF8.self)
                answer.body = Array(
                    text.replacing(/"bcc":\[[^\]]*\]/, with: #""bcc":null"#).utf8
                )
                return answer
            }
            try await device.mail.send(hiddenDraft(device))
            for _ in 0..<4 { try await device.settle(60) }
            #expect(hiddenRecipients(server) == [1])
            #expect(device.transport.requests.count { Self.text($0).contains(Self.copying) } == 1)
        }
    }

    @Test func `a copy that the server refuses for now is made later`() async throws {
        try await StandardDevice.run { server, device in
            let refusals = Locked(2)
            device.transport.answer { request in
                guard Self.text(request).contains(Self.copying), refusals.withLock({ $0 }) > 0 else {
                    return server.answer(request)
                }
                refusals.withLock { $0 -= 1 }
                let body: JSON = [
                    "methodResponses": [
                        [
                            "Email/set",
                            [
                                "accountId": "a1", "newState": "x",
                                "notCreated": ["mail": ["type": "serverUnavailable"]],
                            ],
                            "create",
                        ]
                    ], "sessionState": "s1",
                ]
                return TransportResponse(status: 200, body: body.utf8, url: request.url)
            }
            try await device.mail.send(hiddenDraft(device))
            try await device.settle()
            #expect(hiddenRecipients(server) == [nil])
            for _ in 0..<4 { try await device.settle(600) }
            #expect(hiddenRecipients(server) == [1])
        }
    }

    @Test func `a copy that the server has no space for is made once it has`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { behaviour in
                behaviour.refusesCreation = { mail in
                    mail["keywords"]?["$draft"] == nil ? ["type": "overQuota"] : nil
                }
            }
            try await device.mail.send(hiddenDraft(device))
            for _ in 0..<4 { try await device.settle(3_600) }
            #expect(hiddenRecipients(server) == [nil])
            server.behave { $0.refusesCreation = { _ in nil } }
            for _ in 0..<2 { try await device.settle(3_600) }
            #expect(hiddenRecipients(server) == [1])
            #expect(server.deliveries.count == 2)
        }
    }

    /// Nothing else has the addresses of those who got it.
    @Test func `a sent copy without its hidden recipients is listed until it is discarded`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { behaviour in
                behaviour.refusesCreation = { mail in
                    mail["keywords"]?["$draft"] == nil ? ["type": "forbidden"] : nil
                }
            }
            let draft = try await device.mail.send(hiddenDraft(device))
            for _ in 0..<30 { try await device.settle(3_600) }
            for day in 0..<3 {
                let shown = try #require(try await device.draft(draft.id), "day \(day)")
                #expect(shown.state == .sent && shown.copyRefusal != nil && !shown.isEditable)
                #expect(shown.bcc.map(\.email) == ["eve@example.org"])
                try await device.settle(86_400)
            }
            #expect(server.deliveries.count == 2 && hiddenRecipients(server) == [nil])
            let requests = device.creations
            let error = await #expect(throws: MailError.self) { try await device.mail.signOut() }
            #expect(error?.code == .unsentDrafts)
            try await device.mail.discard(draft.id)
            for _ in 0..<2 { try await device.settle(86_400) }
            #expect(try await device.mail.drafts().isEmpty && server.mails(in: "sent").count == 1)
            #expect(try await device.mail.outcome(ofDraft: draft.id).map { "\($0)" }?.hasPrefix("sent") ?? false)
            #expect(device.creations == requests)
            try await device.mail.signOut()
        }
    }

    @Test func `signing out asks while a sent mail doesn't name its hidden recipients`() async throws {
        try await StandardDevice.run { server, device in
            device.transport.answer { request in
                if Self.text(request).contains(Self.copying) { throw TransportError.timedOut(after: 30) }
                return server.answer(request)
            }
            try await device.mail.send(hiddenDraft(device))
            _ = try? await device.settle()
            #expect(server.deliveries.count == 2)
            let error = await #expect(throws: MailError.self) { try await device.mail.signOut() }
            #expect(error?.code == .unsentDrafts)
            device.transport.answer { server.answer($0) }
            try await device.settle(600)
            try await device.mail.signOut()
            #expect(hiddenRecipients(server) == [1])
        }
    }

    @Test func `a mail that the server doesn't move from the drafts is moved later`() async throws {
        try await StandardDevice.run { server, device in
            let refusals = Locked(2)
            device.transport.answer { request in
                var answer = server.answer(request)
                let text = Self.text(request)
                if text.contains(Self.sending) {
                    // The implicit move didn't happen.
                    let id = server.mails(in: "sent")[0]["id"]?.stringValue ?? ""
                    _ = server.answer(Self.moving(id, like: request, to: "drafts", isDraft: true))
                    let body = String(decoding: answer.body, as: UTF8.self)
                    answer.body = Array(body.replacing(#""updated":{"\#(id)":null}"#, with: #""updated":null"#).utf8)
                } else if text.contains(#""update":{"#), refusals.withLock({ $0 }) > 0 {
                    refusals.withLock { $0 -= 1 }
                    let id = server.mails(in: "sent")[0]["id"]?.stringValue ?? ""
                    _ = server.answer(Self.moving(id, like: request, to: "drafts", isDraft: true))
                    let body: JSON = [
                        "methodResponses": [
                            [
                                "Email/set",
                                [
                                    "accountId": "a1", "newState": "x",
                                    "notUpdated": .object(JSONObject([(id, ["type": "serverFail"])])),
                                ], "update",
                            ]
                        ], "sessionState": "s1",
                    ]
                    answer.body = body.utf8
                }
                return answer
            }
            try await device.mail.send(device.mail.draft("Hi"))
            try await device.settle()
            #expect(server.mails(in: "drafts").count == 1 && server.mails(in: "sent").isEmpty)
            for _ in 0..<4 { try await device.settle(600) }
            #expect(server.mails(in: "drafts").isEmpty && server.mails(in: "sent").count == 1)
            #expect(server.deliveries.count == 1)
        }
    }

    /// For the other devices it is a draft until then.
    @Test(arguments: [false, true])
    func `a sent mail that the server doesn't move for a day is tried once a day`(
        isRefusedAsAWhole: Bool
    ) async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.ignoresSuccessUpdate = true }
            let refusals = Locked(0)
            device.transport.answer { request in
                guard Self.text(request).contains(#""update":{"#) else { return server.answer(request) }
                refusals.withLock { $0 += 1 }
                let id = server.mails(in: "drafts")[0]["id"]?.stringValue ?? ""
                let failed: JSON = [
                    "accountId": "a1", "newState": "x",
                    "notUpdated": .object(JSONObject([(id, ["type": "forbidden"])])),
                ]
                let answer: JSON =
                    isRefusedAsAWhole
                    ? ["error", ["type": "accountReadOnly"], "update"] : ["Email/set", failed, "update"]
                let body: JSON = ["methodResponses": [answer], "sessionState": "s1"]
                return TransportResponse(status: 200, body: body.utf8, url: request.url)
            }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            for _ in 0..<40 { try await device.settle(3_600) }
            let before = refusals.withLock { $0 }
            #expect(before > 20)
            for _ in 0..<48 { try await device.settle(3_600) }
            #expect((1...3).contains(refusals.withLock { $0 } - before))
            #expect(try await device.draft(draft.id)?.state == .sent)
            let error = await #expect(throws: MailError.self) { try await device.mail.signOut() }
            #expect(error?.code == .unsentDrafts)
            device.transport.answer { server.answer($0) }
            for _ in 0..<2 { try await device.settle(90_000) }
            #expect(server.mails(in: "drafts").isEmpty && server.mails(in: "sent").count == 1)
            #expect(server.deliveries.count == 1)
        }
    }

    /// A server that allows one mailbox for a mail refuses to add that of the sent ones.
    @Test(arguments: [false, true])
    func `a sent mail that another program has moved out of the drafts stays there`(isUnmarked: Bool) async throws {
        try await StandardDevice.run { server, device in
            server.behave { ($0.ignoresSuccessUpdate, $0.maxMailboxes) = (true, 1) }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            device.transport.answer { request in
                let answer = server.answer(request)
                if Self.text(request).contains(Self.sending) {
                    let id = server.mails(in: "drafts")[0]["id"]?.stringValue ?? ""
                    _ = server.answer(Self.moving(id, like: request, to: "archive", isDraft: !isUnmarked))
                }
                return answer
            }
            for _ in 0..<3 { try await device.settle(60) }
            #expect(server.deliveries.count == 1)
            #expect(server.mails(in: "archive").map { $0["keywords"]?["$draft"] } == [nil])
            #expect(server.mails(in: "sent").isEmpty && server.mails(in: "drafts").isEmpty)
            #expect(try await device.draft(draft.id)?.state.name ?? "sent" == "sent")
            // Nothing is left to do.
            let requests = server.requestCount
            try await device.mail.signOut()
            #expect(server.requestCount < requests + 10)
        }
    }

    /// The server creates the mail, and answers nothing any more; later it has sent it.
    @Test func `a mail found later among the sent ones counts as sent`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            device.transport.answer { request in
                if Self.text(request).contains(Self.sending) { server.behave { $0.dies = 1 } }
                return server.answer(request)
            }
            _ = try? await device.settle()
            for _ in 0..<8 { _ = try? await device.settle(60) }
            #expect(try await device.draft(draft.id)?.state.name == "unknown")
            // What may have been sent isn't removed for the sake of the draft's text.
            let created = server.mails(in: "drafts").filter { mail in
                let messageID = mail["messageId"]?.arrayValue?.first?.stringValue ?? ""
                return DraftToken.read(messageID)?.isForSending ?? false
            }
            #expect(created.count == 1 && server.mails(in: "drafts").count == 2)
            let id = try #require(created.first?["id"]?.stringValue)
            let request = try #require(device.transport.requests.last { $0.body != nil })
            device.transport.answer { server.answer($0) }
            _ = server.answer(Self.moving(id, like: request, to: "sent", isDraft: false))
            for _ in 0..<2 { try await device.settle(60) }
            #expect(try await device.draft(draft.id)?.state.name ?? "sent" == "sent")
            #expect(server.mails(in: "drafts").isEmpty && server.mails(in: "sent").count == 1)
        }
    }

    @Test func `another device's attempt moves to the trash when it is overwritten`() async throws {
        try await StandardDevice.run { server, device in
            let token = DraftToken.make(.system)
            server.deliver([
                "mailboxIds": ["drafts": true], "keywords": ["$draft": true],
                "messageId": [.string(DraftToken.messageID(token, domain: "example.com"))],
                "to": [["email": "bob@example.org"]],
                "bodyStructure": ["partId": "1", "type": "text/plain"], "bodyValues": ["1": ["value": "Hi"]],
            ])
            try await device.mail.sync()
            var draft = try #require(try await device.draft(token))
            draft.text = "Changed"
            try await device.mail.save(draft)
            for _ in 0..<3 { try await device.settle(60) }
            #expect(server.mails(in: "trash").count == 1)
            #expect(server.mails(in: "drafts").count == 1)
            let shown = try #require(try await device.draft(token))
            #expect(shown.text == "Changed" && shown.otherVersions.isEmpty)
            // It isn't known here either whether the other device's attempt was carried out.
            try await device.mail.send(shown)
            for _ in 0..<6 { _ = try? await device.settle(60) }
            #expect(server.deliveries.isEmpty)
            #expect(try await device.draft(token)?.state.name == "unknown")
            try await device.mail.send(try #require(try await device.draft(token)))
            for _ in 0..<2 { try await device.settle(60) }
            #expect(server.deliveries.map(\.text) == ["Changed"])
        }
    }

    /// It was created by the other device and is submitted late. This device's text wasn't sent.
    @Test func `another device's attempt that is carried out late isn't this device's text`() async throws {
        try await StandardDevice.run { server, device in
            let token = DraftToken.make(.system)
            server.deliver(Self.attempt(of: token))
            let id = try #require(server.mails(in: "drafts").first?["id"]?.stringValue)
            try await device.mail.sync()
            var draft = try #require(try await device.draft(token))
            draft.text = "Changed"
            try await device.mail.send(draft)
            for _ in 0..<6 { _ = try? await device.settle(60) }
            #expect(try await device.draft(token)?.state.name == "unknown")
            let request = try #require(device.transport.requests.last { $0.body != nil })
            _ = server.answer(Self.moving(id, like: request, to: "sent", isDraft: false))
            for _ in 0..<2 { try await device.settle(60) }
            let shown = try #require(try await device.draft(token))
            guard case .refused(let refusal) = shown.state else {
                Issue.record("\(shown.state)")
                return
            }
            #expect(refusal.code == .alreadySent && shown.text == "Changed" && server.deliveries.isEmpty)
        }
    }

    // MARK: - What may have been sent

    private static func attempt(of token: String) -> JSON {
        [
            "mailboxIds": ["drafts": true], "keywords": ["$draft": true],
            "messageId": [.string(DraftToken.messageID(token, domain: "example.com"))],
            "to": [["email": "bob@example.org"]],
            "bodyStructure": ["partId": "1", "type": "text/plain"], "bodyValues": ["1": ["value": "Hi"]],
        ]
    }

    @Test func `a mail that may have been sent moves to the trash when it is sent again`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            device.transport.answer { request in
                if Self.text(request).contains(Self.sending) { server.behave { $0.dies = 1 } }
                return server.answer(request)
            }
            for _ in 0..<9 { _ = try? await device.settle(60) }
            #expect(try await device.draft(draft.id)?.state.name == "unknown")
            let first = server.mails(in: "drafts").filter { $0["messageId"]?.arrayValue?.first != nil }.map { $0["id"] }
            device.transport.answer { server.answer($0) }
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            for _ in 0..<3 { try await device.settle(60) }
            #expect(server.deliveries.count == 1 && server.mails(in: "drafts").isEmpty)
            let trash = server.mails(in: "trash").map { $0["id"] }
            #expect(trash.count == 1 && first.contains(trash.first ?? nil))
        }
    }

    @Test func `another device's attempt moves to the trash when it is discarded as a version`() async throws {
        try await StandardDevice.run { server, device in
            let token = DraftToken.make(.system)
            server.deliver(Self.attempt(of: token))
            let id = try #require(server.mails(in: "drafts").first?["id"]?.stringValue)
            device.clock.advance(by: 60)
            var later = try #require(Self.attempt(of: token).objectValue)
            later["messageId"] = [.string(DraftToken.versionID(token, domain: "example.com", .system))]
            server.deliver(.object(later))
            try await device.mail.sync()
            #expect(try await device.draft(token)?.otherVersions.map(\.id) == [id])
            try await device.mail.discardVersion(id, of: token)
            for _ in 0..<3 { try await device.settle(60) }
            #expect(server.mails(in: "trash").map { $0["id"] } == [.string(id)])
            #expect(server.mails(in: "drafts").count == 1)
        }
    }

    /// Its text is the one that is shown.
    @Test func `another device's attempt isn't sent once the version before it is discarded`() async throws {
        try await StandardDevice.run { server, device in
            let token = DraftToken.make(.system)
            var earlier = try #require(Self.attempt(of: token).objectValue)
            earlier["messageId"] = [.string(DraftToken.versionID(token, domain: "example.com", .system))]
            server.deliver(.object(earlier))
            let id = try #require(server.mails(in: "drafts").first?["id"]?.stringValue)
            device.clock.advance(by: 60)
            server.deliver(Self.attempt(of: token))
            try await device.mail.sync()
            #expect(try await device.draft(token)?.otherVersions.map(\.id) == [id])
            try await device.mail.discardVersion(id, of: token)
            for _ in 0..<3 { try await device.settle(60) }
            #expect(server.mails(in: "drafts").count == 1 && server.mails(in: "trash").isEmpty)
            try await device.mail.send(try #require(try await device.draft(token)))
            for _ in 0..<6 { _ = try? await device.settle(60) }
            #expect(server.deliveries.isEmpty)
            #expect(try await device.draft(token)?.state.name == "unknown")
            try await device.mail.send(try #require(try await device.draft(token)))
            for _ in 0..<3 { try await device.settle(60) }
            #expect(server.deliveries.count == 1 && server.mails(in: "drafts").isEmpty)
        }
    }

    @Test func `without a trash, what may have been sent stays`() async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        server.behave { $0.roles.removeAll { $0 == "trash" } }
        let device = try await StandardDevice(server, clock: clock)
        defer { try? FileManager.default.removeItem(at: device.directory) }
        let token = DraftToken.make(.system)
        server.deliver(Self.attempt(of: token))
        try await device.mail.sync()
        try await device.mail.discard(token)
        for _ in 0..<3 { try await device.settle(60) }
        #expect(server.mails(in: "drafts").count == 1)
        let state = try await device.draft(token)?.state
        await device.mail.close()
        guard case .refused(let reason) = state else {
            Issue.record("not refused")
            return
        }
        #expect(reason.code == .notDiscarded && reason.description.contains("no trash"))
    }

    // MARK: - The copy that names the hidden recipients

    /// Sends a mail whose copy is refused until something has changed.
    private func copyLater(
        _ change: @Sendable (StandardMailServer) -> Void,
        _ body: (StandardMailServer) throws -> Void
    ) async throws {
        try await StandardDevice.run { server, device in
            server.behave { behaviour in
                behaviour.refusesCreation = { $0["keywords"]?["$draft"] == nil ? ["type": "overQuota"] : nil }
            }
            try await device.mail.send(hiddenDraft(device))
            for _ in 0..<2 { try await device.settle(60) }
            #expect(server.deliveries.count == 2 && hiddenRecipients(server) == [nil])
            server.behave { $0.refusesCreation = { _ in nil } }
            change(server)
            for _ in 0..<4 { try await device.settle(600) }
            #expect(server.deliveries.count == 2)
            #expect(try await device.mail.drafts().isEmpty)
            try body(server)
        }
    }

    @Test func `the copy has the mail's sender, though the identities have changed`() async throws {
        try await copyLater { server in
            server.behave { $0.identities = [["id": "i2", "name": "Sales", "email": "sales@example.net"]] }
        } _: { server in
            #expect(hiddenRecipients(server) == [1])
            let copy = try #require(server.mails(in: "sent").first)
            #expect(copy["from"]?.arrayValue?.first?["email"] == .string(StandardMailServer.user))
            #expect(copy["messageId"]?.arrayValue == server.deliveries.first.map { [.string($0.messageID)] })
        }
    }

    @Test func `the copy is where the person has moved the mail`() async throws {
        try await copyLater {
            $0.move("sent", to: "archive")
        } _: { server in
            #expect(server.mails(in: "sent").isEmpty)
            #expect(server.mails(in: "archive").map { $0["bcc"]?.arrayValue?.count } == [1])
        }
    }

    @Test func `a sent mail that the person has put into the trash gets no copy`() async throws {
        try await copyLater {
            $0.move("sent", to: "trash")
        } _: { server in
            #expect(server.mails(in: "sent").isEmpty)
            #expect(server.mails(in: "trash").map { $0["bcc"]?.arrayValue?.count } == [nil])
        }
    }

    @Test func `a mail that was received into the sent mails stays there`() async throws {
        try await copyLater { server in
            let sent = server.mails(in: "sent")[0]
            server.deliver([
                "mailboxIds": ["sent": true], "messageId": sent["messageId"] ?? .null,
                "sentAt": sent["sentAt"] ?? .null, "from": sent["from"] ?? .null, "to": sent["to"] ?? .null,
                "header:Received:asRaw": " from list.example.org by mail.example.com",
                "bodyStructure": ["partId": "1", "type": "text/plain"], "bodyValues": ["1": ["value": "Hi"]],
            ])
        } _: { server in
            let sent = server.mails(in: "sent")
            #expect(sent.map { $0["header:Received:asRaw"] == nil } == [false, true])
            #expect(hiddenRecipients(server) == [nil, 1])
        }
    }

    /// Such as of an account that has become read-only.
    @Test func `a copy that is refused as a whole is reported after a day`() async throws {
        try await StandardDevice.run { server, device in
            device.transport.answer { request in
                guard Self.text(request).contains(Self.copying) else { return server.answer(request) }
                let body: JSON = [
                    "methodResponses": [["error", ["type": "accountReadOnly"], "create"]], "sessionState": "s1",
                ]
                return TransportResponse(status: 200, body: body.utf8, url: request.url)
            }
            let draft = try await device.mail.send(hiddenDraft(device))
            for _ in 0..<30 { try await device.settle(3_600) }
            #expect(try await device.draft(draft.id)?.copyRefusal != nil)
            let requests = device.creations
            for _ in 0..<5 { try await device.settle(3_600) }
            #expect(device.creations == requests)
        }
    }

    private static func moving(
        _ id: String,
        like request: TransportRequest,
        to mailbox: String,
        isDraft: Bool
    ) -> TransportRequest {
        var request = request
        let patch: JSON = [
            "mailboxIds": .object(JSONObject([(mailbox, true)])), "keywords/$draft": isDraft ? true : .null,
        ]
        let body: JSON = [
            "using": ["urn:ietf:params:jmap:core", "urn:ietf:params:jmap:mail"],
            "methodCalls": [
                ["Email/set", ["accountId": "a1", "update": .object(JSONObject([(id, patch)]))], "0"]
            ],
        ]
        request.body = body.utf8
        return request
    }
}
