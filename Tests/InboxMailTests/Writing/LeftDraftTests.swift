import Groundwork
import InboxMail
import StandardMailServer
import Testing

/// Sent mails, and versions of their drafts, that the server leaves among the drafts.
@Suite(.timeLimit(.minutes(5))) struct LeftDraftTests {
    /// Other devices and programs show it as a draft, and might send it again.
    @Test func `a sent mail that can't be moved out of the drafts is reported after a day`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.ignoresSuccessUpdate = true }
            server.behave { $0.refusesChange = { _ in ["type": "forbidden", "description": "no rights"] } }
            let draft = try await device.mail.send(device.mail.draft("Hi"))
            for _ in 0..<3 { try await device.settle(3_600) }
            let early = try #require(try await device.draft(draft.id))
            #expect(early.state == .sent && early.moveRefusal == nil)
            for _ in 0..<27 { try await device.settle(3_600) }
            let shown = try #require(try await device.draft(draft.id))
            #expect(shown.state == .sent && shown.otherVersions.isEmpty)
            #expect(shown.moveRefusal?.description.contains("no rights") ?? false)

            // The person has seen it.
            try await device.mail.discard(draft.id)
            try await device.settle(3_600)
            #expect(try await device.draft(draft.id)?.moveRefusal == nil)
            for _ in 0..<2 { try await device.settle(90_000) }
            #expect(try await device.draft(draft.id)?.moveRefusal != nil)

            server.behave { $0.refusesChange = { _ in nil } }
            for _ in 0..<2 { try await device.settle(90_000) }
            #expect(server.mails(in: "drafts").isEmpty && server.mails(in: "sent").count == 1)
            #expect(try await device.mail.drafts().isEmpty && server.deliveries.count == 1)
        }
    }

    /// The person may write into the mailbox, and remove nothing from it.
    @Test func `a version of a sent draft that the server refuses to remove is reported`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.save(device.mail.draft("Hi"))
            for _ in 0..<2 { try await device.settle() }
            server.behave { $0.refusesRemoval = { _ in ["type": "forbidden", "description": "no rights"] } }
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            for _ in 0..<3 { try await device.settle() }
            #expect(server.deliveries.count == 1 && server.mails(in: "drafts").count == 1)
            for day in 0..<3 {
                let shown = try #require(try await device.draft(draft.id), "day \(day)")
                #expect(shown.state == .sent && shown.moveRefusal?.description.contains("no rights") ?? false)
                try await device.settle(86_400)
            }
            // The person has seen it.
            try await device.mail.discard(draft.id)
            let left = try #require(try await device.draft(draft.id))
            #expect(left.state == .draft && left.moveRefusal == nil && left.text.hasPrefix("Hi"))
            #expect(server.deliveries.count == 1)
        }
    }

    /// Such as while it is busy.
    @Test func `a version of a sent draft that can't be removed for now is removed later`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.save(device.mail.draft("Hi"))
            for _ in 0..<2 { try await device.settle() }
            server.behave { $0.refusesRemoval = { _ in ["type": "serverUnavailable"] } }
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            for _ in 0..<2 { try await device.settle() }
            #expect(server.deliveries.count == 1 && server.mails(in: "drafts").count == 1)
            #expect(try await device.draft(draft.id)?.state.name ?? "sent" == "sent")
            server.behave { $0.refusesRemoval = { _ in nil } }
            for _ in 0..<2 { try await device.settle(120) }
            #expect(server.mails(in: "drafts").isEmpty)
            #expect(try await device.mail.drafts().isEmpty)
        }
    }
}
