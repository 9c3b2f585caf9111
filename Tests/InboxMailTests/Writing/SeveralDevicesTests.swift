import Foundation
import Groundwork
import InboxMail
import ReplicaTesting
import StandardMailServer
import Testing

/// One draft on several devices, and one device's drafts in several processes.
@Suite(.timeLimit(.minutes(5))) struct SeveralDevicesTests {
    // MARK: - Processes

    @Test func `two processes on one device both send`() async throws {
        try await StandardDevice.run { server, device in
            let other = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            for (index, sender) in [device, other, device].enumerated() {
                try await sender.mail.send(sender.mail.draft("\(index)"))
                try await sender.settle()
                // Not later, by the other one.
                #expect(server.deliveries.map(\.text) == (0...index).map(String.init))
            }
            await other.mail.close()
        }
    }

    @Test func `while one process sends a draft, another one sends nothing`() async throws {
        try await StandardDevice.run { server, device in
            let other = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            try await other.mail.sync()
            try await device.mail.send(device.mail.draft("Hi"))
            device.transport.answer { request in
                if String(decoding: request.body ?? [], as: UTF8.self).contains("EmailSubmission/set") {
                    try await other.mail.sync()
                }
                return server.answer(request)
            }
            try await device.settle()
            #expect(device.creations == 1 && other.creations == 0)
            #expect(server.deliveries.count == 1)
            await other.mail.close()
        }
    }

    // MARK: - Devices

    /// Saves a draft, which another device changes and sends. Then this one, with a text of its own, sends it too.
    ///
    /// - Parameters:
    ///   - wasTried: Whether this device had tried before, and its request was lost.
    ///   - body: Gets the draft as it is after this device's order.
    private func sendTwice(
        wasTried: Bool = false,
        _ body: (StandardMailServer, StandardDevice, MailDraft) async throws -> Void
    ) async throws {
        try await StandardDevice.run { server, device in
            let other = try await StandardDevice(server, clock: device.clock)
            defer { try? FileManager.default.removeItem(at: other.directory) }
            let draft = try await device.mail.save(device.mail.draft("First"))
            try await device.settle()
            try await other.mail.sync()
            var own = try #require(try await device.draft(draft.id))
            own.text = "Of this device"
            own = try await device.mail.send(own)
            if wasTried {
                device.transport.answer { request in
                    if String(decoding: request.body ?? [], as: UTF8.self).contains("EmailSubmission/set") {
                        throw TransportError.unreachable("the request was lost")
                    }
                    return server.answer(request)
                }
                await #expect(throws: MailError.self) { try await device.settle() }
                #expect(try await device.draft(draft.id)?.state == .sending)
                device.transport.answer { request in server.answer(request) }
            }
            var theirs = try #require(try await other.draft(draft.id))
            theirs.text = "Of the other"
            try await other.mail.send(theirs)
            try await other.settle(7)
            #expect(server.deliveries.map(\.text) == ["Of the other"])
            await other.mail.close()
            try await device.settle(7)
            try await device.settle(60)
            try await body(server, device, try #require(try await device.draft(draft.id)))
        }
    }

    private func isSentElsewhere(_ draft: MailDraft) -> Bool {
        guard case .refused(let refusal) = draft.state else { return false }
        return refusal.code == .alreadySent
    }

    @Test(arguments: [false, true])
    func `a draft sent on another device isn't sent here and keeps its text`(wasTried: Bool) async throws {
        try await sendTwice(wasTried: wasTried) { server, device, draft in
            #expect(isSentElsewhere(draft), "\(draft.state)")
            #expect(draft.text == "Of this device" && draft.isEditable)
            #expect(server.deliveries.map(\.text) == ["Of the other"])
        }
    }

    @Test(arguments: [false, true])
    func `a draft that another device has sent is sent again as a new mail`(isChanged: Bool) async throws {
        try await sendTwice { server, device, draft in
            var draft = draft
            if isChanged {
                draft.text = "Changed"
                draft = try await device.mail.save(draft)
                try await device.settle()
                draft = try #require(try await device.draft(draft.id))
            }
            try await device.mail.send(draft)
            try await device.settle()
            try await device.settle()
            #expect(server.deliveries.map(\.text) == ["Of the other", isChanged ? "Changed" : "Of this device"])
            #expect(Set(server.deliveries.map(\.messageID)).count == 2)
            #expect(server.mails(in: "drafts").isEmpty && server.mails(in: "sent").count == 2)
            #expect(try await device.mail.drafts().isEmpty)
        }
    }

    @Test func `a new mail of a draft that was sent elsewhere is one draft until it is sent`() async throws {
        try await sendTwice { server, device, draft in
            server.behave { $0.refusal = { _ in ["type": "overQuota"] } }
            try await device.mail.send(draft)
            try await device.settle()
            try await device.settle(100)
            let drafts = try await device.mail.drafts()
            #expect(drafts.map(\.id) == [draft.id] && drafts.map(\.state.name) == ["refused"])
            #expect(drafts.map(\.otherVersions) == [[]])
            #expect(server.mails(in: "drafts").count == 1)
            // The text is kept although the mailbox was emptied.
            var changed = try #require(drafts.first)
            changed.text = "Changed"
            try await device.mail.save(changed)
            try await device.settle()
            try await device.settle()
            server.empty("drafts")
            try await device.settle()
            try await device.settle(100)
            #expect(try await device.mail.drafts().map(\.text) == ["Changed"])
            #expect(server.mails(in: "drafts").count == 1)
            server.behave { $0.refusal = { _ in nil } }
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            try await device.settle()
            try await device.settle()
            #expect(server.deliveries.map(\.text) == ["Of the other", "Changed"])
            #expect(server.mails(in: "drafts").isEmpty)
            #expect(try await device.mail.drafts().isEmpty)
        }
    }

    /// The server doesn't remove it at first. Meanwhile another device sends the later version, or replaces it.
    @Test(arguments: [true, false])
    func `a version to be removed isn't taken for another device's`(isSent: Bool) async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.save(device.mail.draft("First"))
            for _ in 0..<2 { try await device.settle() }
            var changed = try #require(try await device.draft(draft.id))
            changed.text = "Second"
            try await device.mail.save(changed)
            device.transport.answer { request in
                guard request.has("\"destroy\":[") else { return server.answer(request) }
                return TransportResponse(status: 503, url: request.url)
            }
            _ = try? await device.settle()
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["First", "Second"])
            let other = try await device.anotherDevice(at: server)
            var theirs = try #require(try await other.draft(draft.id))
            #expect(theirs.text == "Second")
            if isSent {
                try await other.mail.send(theirs)
            } else {
                theirs.text = "Third"
                try await other.mail.save(theirs)
            }
            for _ in 0..<2 { try await other.settle() }
            await other.mail.close()
            device.transport.answer { server.answer($0) }
            for _ in 0..<2 { try await device.settle() }
            #expect(server.deliveries.map(\.text) == (isSent ? ["Second"] : []))
            let expected = isSent ? [] : ["Third"]
            #expect(server.mails(in: "drafts").compactMap { $0["preview"]?.stringValue } == expected)
            let drafts = try await device.mail.drafts()
            #expect(drafts.map(\.text) == expected)
            #expect(drafts.allSatisfy { $0.otherVersions.isEmpty })
        }
    }

    // MARK: - Versions that this device doesn't keep

    @Test func `a saved draft stays on a device that doesn't keep its mailbox`() async throws {
        try await StandardDevice.run(scope: .slices) { server, device in
            let draft = try await device.mail.save(device.mail.draft("Kept"))
            try await device.settle()
            #expect(server.mails(in: "drafts").count == 1)
            #expect(try await device.mail.messages().isEmpty, "the mail isn't part of what the device keeps")
            try await device.settle(100)
            try await device.settle(100)
            #expect(try await device.draft(draft.id)?.text == "Kept")
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            try await device.settle()
            #expect(server.deliveries.count == 1 && server.mails(in: "drafts").isEmpty)
        }
    }

    @Test func `a saved draft that neither a sync nor a search finds is saved once`() async throws {
        try await StandardDevice.run(scope: .slices) { server, device in
            let draft = try await device.mail.save(device.mail.draft("Kept"))
            device.transport.answer { request in server.answer(request.hiding(draft)) }
            for _ in 0..<4 { try await device.settle(100) }
            #expect(server.mails(in: "drafts").count == 1)
            #expect(try await device.draft(draft.id)?.text == "Kept")
        }
    }
}
