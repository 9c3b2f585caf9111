import Foundation
import Groundwork
import InboxMail
import ReplicaTesting
import StandardMailServer
import Testing

/// The files of mails that the server holds, on a device that has no copy of them. The server's own end with the mail
/// that they are a part of.
@Suite(.timeLimit(.minutes(5))) struct HeldFileTests {
    private static let hour = 3_600.0
    private static let bytes = "the bytes of a file"

    /// The bytes of the files of the mails in a mailbox, by the files' names.
    private func files(_ server: StandardMailServer, in role: String) -> [[String: String]] {
        server.mails(in: role).map { mail in
            (mail["attachments"]?.arrayValue ?? []).reduce(into: [:]) { files, file in
                let blob = file["blobId"]?.stringValue ?? ""
                let url = StandardMailServer.url.appendingPathComponent("download/a1/\(blob)")
                let answer = server.answer(TransportRequest(url: url))
                files[file["name"]?.stringValue ?? ""] = String(decoding: answer.body, as: UTF8.self)
            }
        }
    }

    /// Runs a test with another device than the one that has attached a file to a draft.
    private func run(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (StandardMailServer, StandardDevice, MailDraft) async throws -> Void
    ) async throws {
        try await StandardDevice.runHolding(behave: { $0.endsPartBlobs = true }) { server, device in
            let first = device.mail.draft("First")
            let draft = try await device.mail.attach(Data(Self.bytes.utf8), named: "a.txt", to: first)
            for _ in 0..<2 { try await device.settle() }
            server.removeUnusedBlobs()
            let other = try await device.anotherDevice(at: server)
            #expect(try await other.verify().isVerified)
            try await body(server, other, try #require(try await other.draft(draft.id)))
            await other.mail.close()
        }
    }

    /// Lets a device work, on a server that removes unused blobs after each round.
    private func settle(
        _ device: StandardDevice,
        _ server: StandardMailServer,
        rounds: Int = 3,
        of seconds: Double = 20
    ) async throws {
        for _ in 0..<rounds {
            try await device.settle(seconds)
            server.removeUnusedBlobs()
        }
    }

    /// Has a mail held, and leaves the version that it replaces on the server.
    private func holdBesideVersion(
        _ draft: MailDraft,
        _ server: StandardMailServer,
        _ device: StandardDevice
    ) async throws {
        device.transport.answer { request in
            let text = String(decoding: request.body ?? [], as: UTF8.self)
            if text.contains(#""destroy":["#) { throw TransportError.unreachable("lost") }
            return server.answer(request)
        }
        try await device.mail.send(draft, later: device.clock.now.addingTimeInterval(Self.hour))
        _ = try? await device.settle()
        device.transport.answer { server.answer($0) }
        #expect(server.mails(in: "drafts").count == 1 && server.mails(in: "sent").count == 1)
    }

    /// - Parameter isSaved: Whether the version that the mail replaces is still there when it is taken back.
    @Test(arguments: [false, true], [false, true])
    func `a held mail that is taken back keeps a file that only the server has`(
        isSaved: Bool,
        isChanged: Bool
    ) async throws {
        try await run { server, device, draft in
            if isSaved {
                try await holdBesideVersion(draft, server, device)
            } else {
                _ = try await device.hold(draft)
                #expect(server.mails(in: "drafts").isEmpty)
            }
            var back = try #require(try await device.mail.undoSend(draft.id))
            if isChanged {
                back.text = "Second"
                back = try await device.mail.save(back)
            }
            try await settle(device, server)
            let shown = try #require(try await device.draft(draft.id))
            #expect(shown.state == .draft && shown.attachments.map(\.name) == ["a.txt"])
            #expect(files(server, in: "drafts") == [["a.txt": Self.bytes]])
            try await device.mail.send(shown)
            for _ in 0..<3 { try await device.settle(60) }
            #expect(server.textsToBob == [isChanged ? "Second" : "First"])
            #expect(files(server, in: "sent") == [["a.txt": Self.bytes]] && server.mails(in: "drafts").isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `a held mail that may have been sent leaves the draft a file`(isSaved: Bool) async throws {
        try await run { server, device, draft in
            if isSaved {
                try await holdBesideVersion(draft, server, device)
            } else {
                _ = try await device.hold(draft)
            }
            server.removeHeldSubmissions()
            #expect(try await device.mail.undoSend(draft.id)?.state.name == "unknown")
            try await settle(device, server)
            #expect(try await device.draft(draft.id)?.attachments.map(\.name) == ["a.txt"])
            #expect(files(server, in: "drafts") == [["a.txt": Self.bytes]])
        }
    }

    /// The version that it replaces is still there.
    @Test func `a held mail that another client removes leaves the draft a file`() async throws {
        try await run { server, device, draft in
            try await holdBesideVersion(draft, server, device)
            server.removeHeldSubmissions()
            server.empty("sent")
            #expect(try await device.mail.undoSend(draft.id)?.state.name == "unknown")
            try await settle(device, server)
            #expect(try await device.draft(draft.id)?.attachments.map(\.name) == ["a.txt"])
            #expect(files(server, in: "drafts") == [["a.txt": Self.bytes]])
        }
    }

    /// The server sends nothing of what it holds.
    @Test func `a mail that the device sends instead of the server has its files`() async throws {
        try await run { server, device, draft in
            _ = try await device.hold(draft)
            server.behave { $0.sendsHeld = false }
            try await settle(device, server, rounds: 7, of: Self.hour / 4)
            #expect(server.textsToBob == ["First"])
            #expect(files(server, in: "sent") == [["a.txt": Self.bytes]] && server.mails(in: "drafts").isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `a text of another window keeps its file beside a mail without it`(isHeld: Bool) async throws {
        try await run { server, device, draft in
            var (left, right) = (draft, draft)
            left.text = "Left"
            try await device.mail.save(left)
            right.text = "Right"
            right = try await device.mail.removeAttachment(try #require(draft.attachments.first).id, from: right)
            if isHeld {
                _ = try await device.hold(right)
                server.removeUnusedBlobs()
                #expect(try await device.mail.undoSend(draft.id)?.state == .draft)
            }
            try await settle(device, server)
            let shown = try #require(try await device.draft(draft.id))
            #expect(shown.text == "Right" && shown.attachments.isEmpty)
            let version = try #require(shown.otherVersions.first { $0.snippet == "Left" })
            let used = try await device.mail.useVersion(version.id, of: draft.id)
            #expect(used.attachments.map(\.name) == ["a.txt"])
            for _ in 0..<3 { try await device.settle(20) }
            #expect(try await device.draft(draft.id)?.state == .draft)
            #expect(files(server, in: "drafts") == [["a.txt": Self.bytes]])
        }
    }
}
