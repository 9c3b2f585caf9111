import Foundation
import Groundwork
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// Drafts that a window of this device holds while another program changes or removes them on the server.
@Suite(.timeLimit(.minutes(5))) struct HeldDraftTests {
    enum Change: CaseIterable { case replaces, replacesUnderNewID, movesToTrash, removes }

    /// Carries out what another program does with the only draft.
    private func carryOut(_ change: Change, on server: StandardMailServer) throws {
        let version = try #require(server.mails(in: "drafts").first)
        let id = version["id"]?.stringValue ?? ""
        switch change {
        case .replaces, .replacesUnderNewID:
            server.deliver([
                "mailboxIds": ["drafts": true], "keywords": ["$draft": true, "$seen": true],
                "messageId": change == .replaces ? version["messageId"] ?? .null : ["other@other.example"],
                "to": [["email": "bob@example.org"]], "subject": "Hello",
                "bodyStructure": ["partId": "1", "type": "text/plain"],
                "bodyValues": ["1": ["value": "Of the other program"]],
            ])
            set("destroy", [.string(id)], server)
        case .movesToTrash:
            set("update", .object(JSONObject([(id, ["mailboxIds": ["trash": true]])])), server)
        case .removes: set("destroy", [.string(id)], server)
        }
    }

    private func set(_ argument: String, _ value: JSON, _ server: StandardMailServer) {
        let arguments = JSON.object(JSONObject([("accountId", "a1"), (argument, value)]))
        let body: JSON = [
            "using": ["urn:ietf:params:jmap:core", "urn:ietf:params:jmap:mail"],
            "methodCalls": [["Email/set", arguments, "0"]],
        ]
        let url = StandardMailServer.url.appendingPathComponent("api")
        _ = server.answer(TransportRequest(method: "POST", url: url, body: body.utf8))
    }

    /// All texts that the device shows.
    private func texts(_ device: StandardDevice) async throws -> [String] {
        try await device.mail.drafts().flatMap { draft in
            [draft.text.trimmingCharacters(in: .newlines)] + draft.otherVersions.map(\.snippet)
        }.sorted()
    }

    @Test(arguments: Change.allCases, [false, true])
    func `a window's text is kept beside another program's change`(
        change: Change,
        isSent: Bool
    ) async throws {
        try await StandardDevice.run { server, device in
            let saved = try await device.mail.save(device.mail.draft("First"))
            for _ in 0..<2 { try await device.settle() }
            var held = try #require(try await device.draft(saved.id))
            try carryOut(change, on: server)
            for _ in 0..<2 { try await device.settle(90) }
            held.text = "Of this window"
            if isSent { try await device.mail.send(held) } else { try await device.mail.save(held) }
            for _ in 0..<4 { try await device.settle(90) }
            var expected = isSent ? [] : ["Of this window"]
            if change == .replaces || change == .replacesUnderNewID { expected.append("Of the other program") }
            #expect(try await texts(device) == expected.sorted())
            #expect(server.mails(in: "drafts").compactMap { $0["preview"]?.stringValue }.sorted() == expected.sorted())
            #expect(server.deliveries.map(\.text) == (isSent ? ["Of this window"] : []))
            #expect(server.mails(in: "trash").map { $0["preview"] } == (change == .movesToTrash ? ["First"] : []))
        }
    }

    @Test(arguments: [false, true])
    func `a version that another program puts into the trash stays there`(isSent: Bool) async throws {
        try await StandardDevice.run { server, device in
            let saved = try await device.mail.save(device.mail.draft("First"))
            for _ in 0..<2 { try await device.settle() }
            var changed = try #require(try await device.draft(saved.id))
            changed.text = "Later"
            changed = try await device.mail.save(changed)
            try carryOut(.movesToTrash, on: server)
            try await device.mail.sync()
            if isSent { try await device.mail.send(changed) }
            for _ in 0..<4 { try await device.settle(90) }
            #expect(server.mails(in: "trash").map { $0["preview"] } == ["First"])
            #expect(server.mails(in: "drafts").map { $0["preview"] } == (isSent ? [] : ["Later"]))
            #expect(server.deliveries.map(\.text) == (isSent ? ["Later"] : []))
        }
    }

    /// As webmail does: it submits the version itself, and moves it. This device learns of it while it removes it.
    @Test(arguments: [false, true], [false, true])
    func `a version that another program has sent stays among the sent mails`(
        isDiscarded: Bool,
        isKnown: Bool
    ) async throws {
        try await StandardDevice.run { server, device in
            let saved = try await device.mail.save(device.mail.draft("First"))
            for _ in 0..<2 { try await device.settle() }
            var changed = try #require(try await device.draft(saved.id))
            let id = try #require(server.mails(in: "drafts").first?["id"]?.stringValue)
            let patch: JSON = ["mailboxIds": ["sent": true], "keywords/$draft": .null]
            let sending = JSON.object(JSONObject([(id, patch)]))
            if isKnown {
                set("update", sending, server)
            } else {
                // Between the request that asks where it is, and the one that removes it.
                let isOver = Locked(false)
                device.transport.answer { request in
                    let text = String(decoding: request.body ?? [], as: UTF8.self)
                    let removes = text.contains(#""destroy":["#) || text.contains(#""mailboxIds":{"trash""#)
                    if removes, !isOver.withLock({ $0 }) {
                        isOver.withLock { $0 = true }
                        set("update", sending, server)
                    }
                    return server.answer(request)
                }
            }
            if isDiscarded {
                try await device.mail.discard(saved.id)
            } else {
                changed.text = "Later"
                changed = try await device.mail.save(changed)
            }
            for _ in 0..<5 { try await device.settle(90) }
            #expect(server.mails(in: "sent").map { $0["preview"] } == ["First"])
            #expect(server.mails(in: "trash").isEmpty)
            #expect(server.mails(in: "drafts").map { $0["preview"] } == (isDiscarded ? [] : ["Later"]))
            #expect(try await device.mail.drafts().map(\.text) == (isDiscarded ? [] : ["Later"]))
            guard !isDiscarded else { return }
            // Another mail is sent only after it was reported that one was.
            try await device.mail.send(try #require(try await device.draft(saved.id)))
            for _ in 0..<2 { try await device.settle() }
            guard case .refused(let refusal) = try await device.draft(saved.id)?.state else {
                Issue.record("it isn't refused")
                return
            }
            #expect(refusal.code == .alreadySent && server.deliveries.isEmpty)
        }
    }

    /// It may have been sent from there, so the person is asked. Then it is sent, once.
    @Test(arguments: [false, true])
    func `a draft that another program has moved out of the drafts can be sent`(isInTrash: Bool) async throws {
        try await StandardDevice.run { server, device in
            var draft = try await device.mail.save(device.mail.draft("First"))
            for _ in 0..<2 { try await device.settle() }
            draft = try #require(try await device.draft(draft.id))
            let id = try #require(server.mails(in: "drafts").first?["id"]?.stringValue)
            let place = isInTrash ? "trash" : "archive"
            let patch: JSON = ["mailboxIds": .object(JSONObject([(place, true)])), "keywords/$draft": .null]
            set("update", .object(JSONObject([(id, patch)])), server)
            draft.text = "Second"
            try await device.mail.send(draft)
            try await device.settle()
            let shown = try #require(try await device.draft(draft.id))
            guard case .refused(let refusal) = shown.state else {
                Issue.record("\(shown.state)")
                return
            }
            #expect(refusal.code == .alreadySent && refusal.description.contains("out of the drafts") != isInTrash)
            #expect(shown.isEditable && server.deliveries.isEmpty)
            try await device.mail.send(shown)
            for _ in 0..<3 { try await device.settle(90) }
            #expect(server.deliveries.map(\.text) == ["Second"])
            // The other program's copy isn't this device's to remove.
            #expect(server.mails(in: place).map { $0["preview"] } == ["First"])
            #expect(try await device.mail.drafts().allSatisfy { $0.state == .sent })
            #expect(server.mails(in: "drafts").isEmpty && server.mails(in: "sent").count == 1)
        }
    }

    /// The text of the other window is on this device alone.
    @Test(arguments: Change.allCases)
    func `the text of another window is kept when another program changes the draft`(change: Change) async throws {
        try await StandardDevice.run { server, device in
            _ = try await device.write("Of one window", then: "Of the other window")
            for _ in 0..<2 { try await device.settle() }
            #expect(try await texts(device) == ["Of one window", "Of the other window"])
            try carryOut(change, on: server)
            for _ in 0..<4 { try await device.settle(90) }
            #expect(try await texts(device).contains("Of one window"))
        }
    }

    // MARK: - A version that arrives late

    /// Saves a text by a request that has no answer, and then a second one. No search has found the first one.
    ///
    /// - Returns: The draft, and the request, which may arrive late.
    private func saveAfterLostRequest(
        _ server: StandardMailServer,
        _ device: StandardDevice
    ) async throws -> (draft: MailDraft, late: TransportRequest) {
        let late = Locked<TransportRequest?>(nil)
        device.transport.answer { request in
            guard request.has(#""create":{"#), late.withLock({ $0 == nil }) else { return server.answer(request) }
            late.withLock { $0 = request }
            throw TransportError.unreachable("the request is late")
        }
        var draft = try await device.mail.save(device.mail.draft("First"))
        await #expect(throws: MailError.self) { try await device.settle() }
        draft.text = "Second"
        draft = try await device.mail.save(draft)
        for _ in 0..<2 { try await device.settle(60) }
        #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Second"])
        return (draft, try #require(late.withLock { $0 }))
    }

    @Test(arguments: [false, true])
    func `a request to save that arrives late doesn't bring back the earlier text`(isSent: Bool) async throws {
        try await StandardDevice.run { server, device in
            let (draft, late) = try await saveAfterLostRequest(server, device)
            if isSent {
                try await device.mail.send(draft)
                for _ in 0..<2 { try await device.settle(60) }
            }
            device.clock.advance(by: 60)
            _ = server.answer(late)
            for _ in 0..<3 { try await device.settle(60) }
            #expect(server.mails(in: "drafts").map { $0["preview"] } == (isSent ? [] : ["Second"]))
            #expect(try await texts(device) == (isSent ? [] : ["Second"]))
            #expect(server.deliveries.map(\.text) == (isSent ? ["Second"] : []))
        }
    }

    /// The program has opened it before this device knew of it, and stores its text under the same `Message-ID`.
    @Test func `a text that another program writes over a late version stays`() async throws {
        try await StandardDevice.run { server, device in
            let (_, late) = try await saveAfterLostRequest(server, device)
            device.clock.advance(by: 60)
            _ = server.answer(late)
            let version = try #require(server.mails(in: "drafts").last)
            #expect(version["preview"] == "First")
            device.clock.advance(by: 60)
            server.removeNewest(in: "drafts")
            server.deliver([
                "mailboxIds": ["drafts": true], "keywords": ["$draft": true, "$seen": true],
                "messageId": version["messageId"] ?? .null, "subject": "Hello",
                "sentAt": .string(RFC3339.string(from: device.clock.now)), "to": [["email": "bob@example.org"]],
                "bodyStructure": ["partId": "1", "type": "text/plain"],
                "bodyValues": ["1": ["value": "Of the other program"]],
            ])
            for _ in 0..<3 { try await device.settle(60) }
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Second", "Of the other program"])
            #expect(try await texts(device) == ["Of the other program", "Second"])
        }
    }

    // MARK: - A version that the server doesn't remove

    /// Saves a second text over the first one, which the server refuses to remove.
    private func saveBesideUnremovable(
        _ server: StandardMailServer,
        _ device: StandardDevice
    ) async throws -> MailDraft {
        let saved = try await device.mail.save(device.mail.draft("First"))
        for _ in 0..<2 { try await device.settle() }
        server.behave { $0.refusesRemoval = { _ in ["type": "forbidden"] } }
        var changed = try #require(try await device.draft(saved.id))
        changed.text = "Second"
        changed = try await device.mail.save(changed)
        for _ in 0..<3 { try await device.settle() }
        #expect(server.mails(in: "drafts").map { $0["preview"] } == ["First", "Second"])
        return changed
    }

    /// The first version isn't another device's text that has taken the second one's place.
    @Test func `a text is saved again if the server loses it and keeps an earlier version`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await saveBesideUnremovable(server, device)
            server.removeNewest(in: "drafts")
            for _ in 0..<3 { try await device.settle() }
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["First", "Second"])
            let shown = try #require(try await device.draft(draft.id))
            #expect(shown.text == "Second" && shown.otherVersions.map(\.snippet) == ["First"])
        }
    }

    /// Between the sync that learns of the loss and the search for the text.
    @Test func `a lost text is shown, and kept beside the earlier version that is chosen`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await saveBesideUnremovable(server, device)
            server.removeNewest(in: "drafts")
            device.transport.answer { request in
                request.has("Message-ID") ? TransportResponse(status: 503, url: request.url) : server.answer(request)
            }
            _ = try? await device.settle()
            let shown = try #require(try await device.draft(draft.id))
            #expect(shown.text == "Second")
            let earlier = try #require(shown.otherVersions.first)
            let chosen = try await device.mail.useVersion(earlier.id, of: draft.id)
            #expect(chosen.text.hasPrefix("First") && chosen.otherVersions.map(\.snippet) == ["Second"])
        }
    }

    /// It may have been sent elsewhere, and the sent mail be gone.
    @Test func `a removed draft isn't sent because an earlier version is left`() async throws {
        try await StandardDevice.run { server, device in
            var draft = try await saveBesideUnremovable(server, device)
            draft = try #require(try await device.draft(draft.id))
            server.removeNewest(in: "drafts")
            draft.text = "Third"
            try await device.mail.send(draft)
            for _ in 0..<2 { try await device.settle() }
            guard case .refused(let refusal) = try await device.draft(draft.id)?.state else {
                Issue.record("it isn't refused")
                return
            }
            #expect(refusal.code == .alreadySent && server.deliveries.isEmpty)
        }
    }

    // MARK: - The same Message-ID

    /// Puts another mail with the `Message-ID` of the only draft beside it, as a program does that appends its text and
    /// expunges the other one later.
    private func append(
        _ text: String,
        _ server: StandardMailServer,
        like change: (inout JSONObject) -> Void = { _ in }
    )
        throws
    {
        let version = try #require(server.mails(in: "drafts").first?.objectValue)
        var mail = JSONObject([
            ("mailboxIds", ["drafts": true]), ("keywords", ["$draft": true, "$seen": true]),
            ("bodyStructure", ["partId": "1", "type": "text/plain"]), ("bodyValues", ["1": ["value": .string(text)]]),
        ])
        for name in ["messageId", "from", "to", "subject", "sentAt"] { mail[name] = version[name] ?? .null }
        change(&mail)
        server.deliver(.object(mail))
    }

    /// "Other" is as long as "First", so the mails have one size.
    @Test(arguments: ["Other", "Of the other program", "First"])
    func `a text under the same id, synced before the first one is gone, is kept`(text: String) async throws {
        try await StandardDevice.run { server, device in
            let saved = try await device.mail.save(device.mail.draft("First"))
            for _ in 0..<2 { try await device.settle() }
            let old = try #require(server.mails(in: "drafts").first?["id"]?.stringValue)
            device.clock.advance(by: 1)
            try append(text, server) { if text == "First" { $0["subject"] = "Another subject" } }
            for _ in 0..<3 {
                try await device.settle(90)
                _ = try await device.draft(saved.id)
            }
            #expect(server.mails(in: "drafts").count == 2)
            let shown = try #require(try await device.draft(saved.id))
            #expect(shown.text == text && shown.otherVersions.map(\.snippet) == ["First"])
            set("destroy", [.string(old)], server)
            for _ in 0..<3 { try await device.settle(90) }
            #expect(server.mails(in: "drafts").map { $0["preview"] } == [.string(text)])
            let left = try #require(try await device.draft(saved.id))
            #expect(left.text == text && left.otherVersions.isEmpty)
        }
    }

    @Test func `a request to save that the network repeats leaves one version`() async throws {
        try await StandardDevice.run { server, device in
            let saved = try await device.mail.save(device.mail.draft("First"))
            for _ in 0..<2 { try await device.settle() }
            try append("First", server)
            #expect(server.mails(in: "drafts").count == 2)
            for _ in 0..<3 {
                try await device.settle(90)
                _ = try await device.draft(saved.id)
            }
            #expect(server.mails(in: "drafts").count == 1)
            #expect(try await device.draft(saved.id)?.otherVersions == [])
        }
    }

    @Test func `a repeated version that the server doesn't remove is left alone`() async throws {
        try await StandardDevice.run { server, device in
            let saved = try await device.mail.save(device.mail.draft("First"))
            for _ in 0..<2 { try await device.settle() }
            try append("First", server)
            let refusals = Locked(0)
            device.transport.answer { request in
                let text = String(decoding: request.body ?? [], as: UTF8.self)
                guard let id = text.firstMatch(of: /"destroy":\["([^"]+)"/)?.1 else { return server.answer(request) }
                refusals.withLock { $0 += 1 }
                let failed = JSON.object(JSONObject([(String(id), ["type": "forbidden"])]))
                let body: JSON = [
                    "methodResponses": [
                        ["Email/set", ["accountId": "a1", "newState": "x", "notDestroyed": failed], "destroy"]
                    ], "sessionState": "s1",
                ]
                return TransportResponse(status: 200, body: body.utf8, url: request.url)
            }
            for _ in 0..<3 {
                try await device.settle(90)
                _ = try await device.draft(saved.id)
            }
            #expect(refusals.withLock { $0 } == 1)
            #expect(try await device.draft(saved.id)?.otherVersions.map(\.snippet) == ["First"])
        }
    }
}
