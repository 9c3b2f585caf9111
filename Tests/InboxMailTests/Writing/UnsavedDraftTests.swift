import Foundation
import Groundwork
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// Drafts that the server refuses to save or to remove: they have the reason, and are saved once they can be.
@Suite(.timeLimit(.minutes(5))) struct UnsavedDraftTests {
    private func reason(_ device: StandardDevice, _ id: String) async throws -> DraftRefusal? {
        if case .unsaved(let reason) = try await device.draft(id)?.state { reason } else { nil }
    }

    @Test(arguments: [("overQuota", "overQuota"), ("forbidden", "other"), ("tooLarge", "tooLarge")])
    func `a refused draft reports the reason and is saved when the server accepts it`(type: String, code: String)
        async throws
    {
        try await StandardDevice.run { server, device in
            server.behave { $0.refusesCreation = { _ in ["type": .string(type)] } }
            var draft = try await device.mail.save(device.mail.draft("Hello"))
            for _ in 0..<2 { try await device.settle() }
            #expect(try await reason(device, draft.id)?.code.description == code)
            #expect(try await device.mail.drafts(Query(where: #Predicate { $0.state.name == "unsaved" })).count == 1)
            #expect(try #require(try await device.draft(draft.id)).isEditable)
            let creations = device.creations
            try await device.settle(60)
            #expect(device.creations == creations, "not again at once")
            // Signing out would lose it.
            let error = await #expect(throws: MailError.self) { try await device.mail.signOut() }
            #expect(error?.code == .unsentDrafts)

            server.behave { $0.refusesCreation = { _ in nil } }
            if type == "tooLarge" {
                draft.text = "Shorter"
                draft = try await device.mail.save(draft)
            }
            for _ in 0..<2 { try await device.settle(3_700) }
            #expect(server.mails(in: "drafts").count == 1)
            #expect(try await device.draft(draft.id)?.state == .draft)
        }
    }

    @Test func `a draft in a read-only account is reported as forbidden`() async throws {
        try await StandardDevice.run { server, device in
            device.transport.answer { request in
                let text = String(decoding: request.body ?? [], as: UTF8.self)
                guard text.contains("\"create\":{") else { return server.answer(request) }
                let body: JSON = [
                    "methodResponses": [["error", ["type": "accountReadOnly"], "create"]], "sessionState": "s1",
                ]
                return TransportResponse(status: 200, body: body.utf8, url: request.url)
            }
            let draft = try await device.mail.save(device.mail.draft("Hello"))
            for _ in 0..<2 { try await device.settle() }
            #expect(try await reason(device, draft.id)?.code == .forbidden)
            device.transport.answer { server.answer($0) }
            for _ in 0..<2 { try await device.settle(3_700) }
            #expect(server.mails(in: "drafts").count == 1)
        }
    }

    @Test(arguments: ["answered", "failing"])
    func `a draft that can't be saved for a day is reported and saved later`(
        server kind: String
    ) async throws {
        try await StandardDevice.run { server, device in
            if kind == "answered" {
                server.behave { $0.refusesCreation = { _ in ["type": "serverUnavailable"] } }
            } else {
                device.transport.answer { request in
                    let text = String(decoding: request.body ?? [], as: UTF8.self)
                    guard text.contains("\"create\":{") else { return server.answer(request) }
                    return TransportResponse(status: 502, url: request.url)
                }
            }
            let draft = try await device.mail.save(device.mail.draft("Hello"))
            for _ in 0..<3 { _ = try? await device.settle(3_700) }
            #expect(try await device.draft(draft.id)?.state == .draft)
            for _ in 0..<26 { _ = try? await device.settle(3_700) }
            #expect(try await reason(device, draft.id)?.code == .other)
            #expect(device.creations < 100)
            server.behave { $0.refusesCreation = { _ in nil } }
            device.transport.answer { server.answer($0) }
            for _ in 0..<3 { try await device.settle(3_700) }
            #expect(server.mails(in: "drafts").count == 1)
            #expect(try await device.draft(draft.id)?.state == .draft)
        }
    }

    @Test func `a draft that can't be saved can be sent`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.refusesCreation = { _ in ["type": "overQuota"] } }
            let draft = try await device.mail.save(device.mail.draft("Hello"))
            for _ in 0..<2 { try await device.settle() }
            server.behave { $0.refusesCreation = { _ in nil } }
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            try await device.settle()
            #expect(server.deliveries.map(\.text) == ["Hello"])
        }
    }

    // MARK: - Files

    private func attached(_ device: StandardDevice) async throws -> (MailDraft, URL) {
        let draft = try await device.mail.attach(Data("bytes".utf8), named: "a.txt", to: device.mail.draft("Hello"))
        let files = DraftFiles(device.mail.store.location)
        return (draft, files.location(try #require(draft.attachments.first).id, of: draft.id))
    }

    @Test func `a file that the server has no space for is named, and uploaded once it has`() async throws {
        try await StandardDevice.run { server, device in
            device.transport.answer { request in
                guard request.url.path.hasPrefix("/upload/") else { return server.answer(request) }
                return TransportResponse(status: 507, url: request.url)
            }
            let (draft, _) = try await attached(device)
            for _ in 0..<2 { try await device.settle(20) }
            let reason = try #require(try await reason(device, draft.id))
            #expect(reason.code == .overQuota && reason.description.contains("a.txt"))
            device.transport.answer { server.answer($0) }
            for _ in 0..<2 { try await device.settle(3_700) }
            #expect(server.mails(in: "drafts").count == 1)
        }
    }

    /// The server has lowered its limit since it was attached.
    @Test(arguments: [false, true])
    func `a file that is larger than the server takes isn't uploaded`(isSent: Bool) async throws {
        try await StandardDevice.run { server, device in
            let (draft, _) = try await attached(device)
            if isSent { try await device.mail.send(draft) }
            await device.mail.close()
            server.behave { $0.maxSizeUpload = 4 }
            let next = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            for _ in 0..<2 { try await next.settle(20) }
            let reason: DraftRefusal
            switch try await next.draft(draft.id)?.state {
            case .unsaved(let found) where !isSent: reason = found
            case .refused(let found) where isSent: reason = found
            case let state:
                Issue.record("\(String(describing: state))")
                return
            }
            #expect(reason.code == .tooLarge)
            #expect(reason.description.contains("a.txt has 5 bytes") && reason.description.contains("allows 4 bytes"))
            #expect(next.uploads == 0)
            await next.mail.close()
        }
    }

    enum Loss: CaseIterable { case vanishes, changes }

    @Test(arguments: Loss.allCases, [false, true])
    func `a file that is lost across a restart is named`(loss: Loss, isSent: Bool) async throws {
        try await StandardDevice.run { server, device in
            var (draft, file) = try await attached(device)
            if isSent { draft = try await device.mail.send(draft) }
            await device.mail.close()
            switch loss {
            case .vanishes: try FileManager.default.removeItem(at: file)
            case .changes: try Data("other".utf8).write(to: file)
            }
            let next = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            for _ in 0..<2 { try await next.settle(20) }
            let state = try #require(try await next.draft(draft.id)).state
            let reason: DraftRefusal
            switch state {
            case .unsaved(let found) where !isSent: reason = found
            case .refused(let found) where isSent: reason = found
            default:
                Issue.record("\(state)")
                return
            }
            #expect(reason.code == .attachment && reason.description.contains("a.txt"))
            #expect(server.deliveries.isEmpty && server.mails(in: "drafts").isEmpty)
            // Without it, the draft goes on.
            let shown = try #require(try await next.draft(draft.id))
            let id = try #require(shown.attachments.first).id
            var changed = try await next.mail.removeAttachment(id, from: shown)
            if isSent { changed = try await next.mail.send(changed) }
            for _ in 0..<2 { try await next.settle(20) }
            #expect(server.mails(in: isSent ? "sent" : "drafts").count == 1)
            await next.mail.close()
        }
    }

    /// A folder in its place can't be read, as a file on a locked phone can't.
    @Test(arguments: [false, true])
    func `a temporarily unreadable file is uploaded once it can be read`(isSent: Bool) async throws {
        try await StandardDevice.run { server, device in
            var (draft, file) = try await attached(device)
            if isSent { draft = try await device.mail.send(draft) }
            let away = file.appendingPathExtension("away")
            try FileManager.default.moveItem(at: file, to: away)
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            for _ in 0..<3 { try await device.settle(20) }
            #expect(device.uploads == 0)
            let state = try #require(try await device.draft(draft.id)).state.name
            #expect(isSent ? ["uploading", "waiting"].contains(state) : state == "draft")
            try FileManager.default.removeItem(at: file)
            try FileManager.default.moveItem(at: away, to: file)
            for _ in 0..<2 { try await device.settle(600) }
            #expect(server.mails(in: isSent ? "sent" : "drafts").count == 1)
            #expect(device.uploads == 1)
        }
    }

    @Test func `a file that can't be read for a day is named`() async throws {
        try await StandardDevice.run { _, device in
            var (draft, file) = try await attached(device)
            draft = try await device.mail.send(draft)
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            for _ in 0..<30 { try await device.settle(3_700) }
            guard case .refused(let refusal) = try await device.draft(draft.id)?.state else {
                Issue.record("the draft isn't refused")
                return
            }
            #expect(refusal.code == .attachment && refusal.description.contains("a.txt"))
        }
    }

    // MARK: - Removal

    private func refusal(_ draft: MailDraft?) -> DraftRefusal? {
        if case .refused(let refusal) = draft?.state { refusal } else { nil }
    }

    /// Saves a draft, and lets the server refuse to remove it.
    private func unremovable(
        _ server: StandardMailServer,
        _ device: StandardDevice,
        for type: String = "forbidden"
    ) async throws -> MailDraft {
        let draft = try await device.mail.save(device.mail.draft("First"))
        for _ in 0..<2 { try await device.settle() }
        let error: JSON = ["type": .string(type), "description": "mayRemoveItems is false"]
        server.behave { $0.refusesChange = { _ in error } }
        server.behave { $0.refusesRemoval = { _ in error } }
        return try #require(try await device.draft(draft.id))
    }

    private func removeAll(_ server: StandardMailServer) {
        server.behave { $0.refusesChange = { _ in nil } }
        server.behave { $0.refusesRemoval = { _ in nil } }
    }

    @Test func `a discarded draft that the server refuses to remove comes back with the reason`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await unremovable(server, device)
            try await device.mail.discard(draft.id)
            #expect(try await device.draft(draft.id) == nil)
            for _ in 0..<2 { try await device.settle() }
            let kept = try #require(try await device.draft(draft.id))
            #expect(kept.text.hasPrefix("First") && kept.isEditable && kept.otherVersions.isEmpty)
            let reason = try #require(refusal(kept))
            #expect(reason.code == .notDiscarded && reason.description.contains("mayRemoveItems is false"))
            #expect(try await device.mail.outcome(ofDraft: draft.id) == .pending(kept.state))
            let requests = device.transport.requests.count { $0.has("Email/set") }
            for _ in 0..<3 { try await device.settle(86_400) }
            #expect(device.transport.requests.count { $0.has("Email/set") } == requests, "not again by itself")
            #expect(refusal(try await device.draft(draft.id)) == reason)

            removeAll(server)
            try await device.mail.discard(draft.id)
            for _ in 0..<2 { try await device.settle() }
            #expect(try await device.mail.drafts().isEmpty)
            #expect(server.mails(in: "trash").count == 1)
        }
    }

    @Test func `a discarded draft of a read-only account comes back with the reason`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await unremovable(server, device)
            device.transport.answer { request in
                guard request.has(#""update":{"#) else { return server.answer(request) }
                let body: JSON = [
                    "methodResponses": [["error", ["type": "accountReadOnly"], "update"]], "sessionState": "s1",
                ]
                return TransportResponse(status: 200, body: body.utf8, url: request.url)
            }
            try await device.mail.discard(draft.id)
            for _ in 0..<2 { try await device.settle() }
            #expect(refusal(try await device.draft(draft.id))?.description.contains("accountReadOnly") ?? false)
        }
    }

    @Test func `a draft that can't be removed is written on`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await unremovable(server, device)
            try await device.mail.discard(draft.id)
            for _ in 0..<2 { try await device.settle() }
            var kept = try #require(try await device.draft(draft.id))
            kept.text = "Second"
            try await device.mail.save(kept)
            for _ in 0..<3 { try await device.settle() }
            let shown = try #require(try await device.draft(draft.id))
            #expect(shown.text == "Second" && shown.state == .draft)
            #expect(shown.otherVersions.map(\.snippet) == ["First"])
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["First", "Second"])
        }
    }

    @Test func `another version that the server refuses to remove is marked`() async throws {
        try await StandardDevice.run { server, device in
            var draft = try await unremovable(server, device)
            draft.text = "Second"
            try await device.mail.save(draft)
            for _ in 0..<3 { try await device.settle() }
            for _ in 0..<2 {
                let shown = try #require(try await device.draft(draft.id))
                #expect(shown.text == "Second" && shown.otherVersions.map(\.isUnremovable) == [true])
                let version = try #require(shown.otherVersions.first)
                try await device.mail.discardVersion(version.id, of: draft.id)
                #expect(try await device.draft(draft.id)?.otherVersions == [])
                for _ in 0..<2 { try await device.settle() }
            }
            let version = try #require(try await device.draft(draft.id)?.otherVersions.first)
            removeAll(server)
            try await device.mail.discardVersion(version.id, of: draft.id)
            for _ in 0..<2 { try await device.settle() }
            #expect(try await device.draft(draft.id)?.otherVersions == [])
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Second"])
        }
    }

    /// The person discards it before the server has the last text.
    @Test func `a discarded draft comes back with the text that the server lacks`() async throws {
        try await StandardDevice.run { server, device in
            var draft = try await unremovable(server, device)
            draft.text = "Second"
            try await device.mail.save(draft)
            try await device.mail.discard(draft.id)
            for _ in 0..<2 { try await device.settle() }
            let kept = try #require(try await device.draft(draft.id))
            #expect(refusal(kept)?.code == .notDiscarded && kept.text == "Second")
            #expect(kept.otherVersions.map(\.snippet) == ["First"])
            // Signing out would lose it.
            let error = await #expect(throws: MailError.self) { try await device.mail.signOut() }
            #expect(error?.code == .unsentDrafts)
        }
    }

    @Test(arguments: ["serverUnavailable", "rateLimit"])
    func `a temporary refusal to remove a draft is tried again, and reported after a day`(type: String) async throws {
        try await StandardDevice.run { server, device in
            let draft = try await unremovable(server, device, for: type)
            try await device.mail.discard(draft.id)
            for _ in 0..<3 { try await device.settle(3_700) }
            #expect(try await device.mail.drafts().isEmpty)
            #expect(server.mails(in: "drafts").count == 1)
            for _ in 0..<27 { try await device.settle(3_700) }
            #expect(refusal(try await device.draft(draft.id))?.code == .notDiscarded)

            try await device.mail.discard(draft.id)
            try await device.settle(3_700)
            removeAll(server)
            for _ in 0..<2 { try await device.settle(3_700) }
            #expect(try await device.mail.drafts().isEmpty)
            #expect(server.mails(in: "trash").count == 1)
        }
    }

    /// This device hasn't written it.
    @Test func `a refusal to remove another device's draft ends when that device removes it`() async throws {
        try await StandardDevice.run { server, device in
            let other = try await device.anotherDevice(at: server)
            let draft = try await unremovable(server, other)
            await other.mail.close()
            try await device.settle()
            #expect(try await device.draft(draft.id)?.state == .draft)
            try await device.mail.discard(draft.id)
            for _ in 0..<2 { try await device.settle() }
            let kept = try #require(try await device.draft(draft.id))
            #expect(refusal(kept)?.code == .notDiscarded && kept.text.hasPrefix("First"))
            server.move("drafts", to: "trash")
            for _ in 0..<2 { try await device.settle() }
            #expect(try await device.mail.drafts().isEmpty)
        }
    }
}
