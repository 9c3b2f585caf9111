import Foundation
import Groundwork
import InboxMail
import ReplicaTesting
import RunningMailServer
import Testing

/// Drafts that are saved and sent with a real server.
@Suite(.timeLimit(.minutes(10))) struct SendingTests {
    @Test func `a draft is saved on the server, sent once, and is then among the sent mails`() async throws {
        try await WritingServer.run { server in
            let device = try await server.device()
            try await device.mail.sync()
            var draft = device.mail.newDraft()
            draft.to = [EmailAddress(name: "Bob Ärmel", email: "bob@example.org")]
            draft.cc = [EmailAddress(email: "carol@bücher.example")]
            draft.subject = "Grüße 🎈"
            draft.text = "Hello Bob,\n\nthis is it."
            draft = try await device.mail.save(draft)
            #expect(try await device.mail.drafts().map(\.subject) == ["Grüße 🎈"])
            #expect(try await server.mails(in: "drafts").isEmpty)
            try await server.settle(device)
            let saved = try #require(try await server.mails(in: "drafts").first)
            #expect(saved["subject"]?.stringValue == "Grüße 🎈")
            // One draft, which is that of this device.
            #expect(try await device.mail.drafts().map(\.id) == [draft.id])
            #expect(try await device.mail.draft(id: draft.id)?.otherVersions == [])

            draft = try #require(try await device.mail.draft(id: draft.id))
            draft = try await device.mail.send(draft)
            guard case .waiting = draft.state else {
                Issue.record("\(draft.state)")
                return
            }
            try await device.mail.sync()
            #expect(try await server.receiver.mails().isEmpty)
            try await server.settle(device)
            let received = try await server.receiver.mails()
            #expect(received.count == 1)
            #expect(received.first?.recipients == ["bob@example.org", "carol@xn--bcher-kva.example"])
            #expect(received.first?.sender == "alice@example.com")
            #expect(received.first?.header("Message-ID").first?.hasPrefix("<\(draft.id)@example.com>") == true)
            #expect(try await server.mails(in: "drafts").isEmpty)
            let sent = try await server.mails(in: "sent")
            #expect(sent.map { $0["subject"]?.stringValue } == ["Grüße 🎈"])
            #expect(sent.first?["keywords"]?["$draft"] == nil)
            try await device.mail.sync()
            #expect(try await device.mail.drafts().isEmpty)
            try await device.expectAgreement(with: server.server)
            await device.end()
        }
    }

    @Test func `hidden recipients get the mail, and only the sender's copy names them`() async throws {
        try await WritingServer.run { server in
            let device = try await server.device()
            try await device.mail.sync()
            var draft = device.mail.newDraft()
            draft.to = [EmailAddress(email: "bob@example.org")]
            draft.bcc = [EmailAddress(email: "eve@example.org")]
            draft.text = "Hello"
            try await device.mail.send(draft)
            try await server.settle(device)
            let received = try await server.receiver.mails()
            #expect(received.map(\.recipients) == [["bob@example.org", "eve@example.org"]])
            #expect(!received[0].text.contains("eve"))
            let sent = try await server.mails(in: "sent")
            #expect(sent.count == 1)
            #expect(sent.first?["bcc"]?.arrayValue?.first?["email"]?.stringValue == "eve@example.org")
            await device.end()
        }
    }

    @Test(arguments: [0, 1, 2, 3, 4])
    func `a mail is sent once when any of the answers is lost`(lost: Int) async throws {
        try await WritingServer.run { server in
            let device = try await server.device()
            try await device.mail.sync()
            var draft = device.mail.newDraft()
            draft.to = [EmailAddress(email: "bob@example.org")]
            draft.bcc = [EmailAddress(email: "eve@example.org")]
            draft.text = "Hello"
            try await device.mail.send(draft)
            let count = Locked(0)
            device.link.fail { request, _ in
                guard request.contains("\"Email/") else { return nil }
                return count.withLock { count in
                    count += 1
                    return count == lost + 3 ? .losesAnswer : nil
                }
            }
            _ = try? await server.settle(device)
            for _ in 0..<5 { try await server.settle(device, seconds: 400) }
            #expect(try await server.receiver.mails().count == 1)
            let sent = try await server.mails(in: "sent")
            #expect(sent.map { $0["bcc"]?.arrayValue?.count } == [1])
            #expect(try await server.mails(in: "drafts").isEmpty)
            #expect(try await device.mail.drafts().isEmpty)
            await device.end()
        }
    }

    @Test func `two devices that send one draft send one mail`() async throws {
        try await WritingServer.run { server in
            let (one, other) = (try await server.device(), try await server.device())
            try await one.mail.sync()
            var draft = one.mail.newDraft()
            draft.to = [EmailAddress(email: "bob@example.org")]
            draft.text = "Hello"
            try await one.mail.save(draft)
            try await server.settle(one)
            try await other.mail.sync()
            let copy = try #require(try await other.mail.draft(id: draft.id))
            #expect(copy.text.hasPrefix("Hello") && copy.to.map(\.email) == ["bob@example.org"])
            try await other.mail.send(copy)
            try await one.mail.send(try #require(try await one.mail.draft(id: draft.id)))
            server.clock.advance(by: 6)
            async let first: Void = one.mail.sync()
            async let second: Void = other.mail.sync()
            _ = try await (first, second)
            for _ in 0..<5 {
                try await server.settle(one, seconds: 200)
                try await server.settle(other, seconds: 200)
            }
            // What the other has done last.
            try await one.mail.sync()
            #expect(try await server.receiver.mails().count == 1)
            #expect(try await server.mails(in: "sent").count == 1)
            let states = try await [one, other].asyncMap { try await $0.mail.drafts().map(\.state.name) }
            let drafts = try await server.mails(in: "drafts")
            // The text of the device that came too late is kept: refused there, and a draft on the other one.
            let isKept = states.contains(["refused"]) && Set(states.flatMap { $0 }).isSubset(of: ["refused", "draft"])
            #expect(states == [[], []] || isKept, "\(states) \(drafts)")
            await one.end()
            await other.end()
        }
    }

    @Test(arguments: [[], ["carol@example.org", "dan@example.org"]])
    func `a refused recipient is named as such, and the draft can be fixed and sent`(others: [String]) async throws {
        try await WritingServer.run { server in
            let device = try await server.device()
            try await device.mail.sync()
            try await server.receiver.behave(refused: ["missing@example.org": "550 5.1.1 no such user"])
            var draft = device.mail.newDraft()
            draft.to = (["missing@example.org"] + others).map { EmailAddress(email: $0) }
            draft.text = "Hello"
            try await device.mail.send(draft)
            try await server.settle(device)
            draft = try #require(try await device.mail.draft(id: draft.id))
            guard case .refused(let refusal) = draft.state else {
                Issue.record("\(draft.state)")
                return
            }
            #expect(refusal.code == .recipients)
            #expect(draft.isEditable && draft.text == "Hello")
            draft.to = [EmailAddress(email: "bob@example.org")]
            try await device.mail.send(draft)
            try await server.settle(device)
            #expect(try await server.receiver.mails().map(\.recipients) == [["bob@example.org"]])
            #expect(try await server.mails(in: "drafts").isEmpty)
            #expect(try await server.mails(in: "sent").count == 1)
            await device.end()
        }
    }

    @Test func `a mail that a recipient's server refuses temporarily is sent once later`() async throws {
        try await WritingServer.run { server in
            let device = try await server.device()
            try await device.mail.sync()
            try await server.receiver.behave(refused: ["bob@example.org": "451 4.3.0 try later"])
            var draft = device.mail.newDraft()
            draft.to = [EmailAddress(email: "bob@example.org")]
            draft.text = "Hello"
            try await device.mail.send(draft)
            try await server.settle(device)
            draft = try #require(try await device.mail.draft(id: draft.id))
            #expect(draft.state.name == "waiting", "\(draft.state)")
            try await server.receiver.behave()
            try await server.settle(device, seconds: 120)
            #expect(try await server.receiver.mails().count == 1)
            #expect(try await server.mails(in: "drafts").isEmpty)
            await device.end()
        }
    }

    @Test func `a mail that waits can be taken back until the server is asked`() async throws {
        try await WritingServer.run { server in
            let device = try await server.device()
            try await device.mail.sync()
            var draft = device.mail.newDraft()
            draft.to = [EmailAddress(email: "bob@example.org")]
            draft.text = "Hello"
            try await device.mail.send(draft, later: server.clock.now.addingTimeInterval(3_600))
            try await server.settle(device, seconds: 600)
            #expect(try await server.receiver.mails().isEmpty)
            draft = try #require(try await device.mail.undoSend(draft.id))
            #expect(draft.state == .draft)
            try await server.settle(device, seconds: 7_200)
            #expect(try await server.receiver.mails().isEmpty)
            try await device.mail.send(draft)
            try await server.settle(device)
            #expect(try await server.receiver.mails().count == 1)
            let undone = try await device.mail.undoSend(draft.id)
            #expect(undone == nil)
            await #expect(throws: MailError.self) { try await device.mail.save(draft) }
            await device.end()
        }
    }

    @Test func `two devices that change one draft keep both texts`() async throws {
        try await WritingServer.run { server in
            let (one, other) = (try await server.device(), try await server.device())
            try await one.mail.sync()
            var draft = one.mail.newDraft()
            draft.text = "First"
            draft = try await one.mail.save(draft)
            try await server.settle(one)
            try await other.mail.sync()
            var copy = try #require(try await other.mail.draft(id: draft.id))
            copy.text = "By the other"
            try await other.mail.save(copy)
            draft.text = "By the one"
            try await one.mail.save(draft)
            try await server.settle(one)
            // Cyrus dates mails by seconds.
            try await Task.sleep(for: .seconds(1.1))
            try await server.settle(other)
            try await one.mail.sync()
            try await other.mail.sync()
            for device in [one, other] {
                let shown = try #require(try await device.mail.draft(id: draft.id))
                #expect(shown.text.hasPrefix("By the other"))
                #expect(shown.otherVersions.map(\.snippet) == ["By the one"])
            }
            // The other text can be chosen, and the one that was shown is kept.
            let version = try #require(try await one.mail.draft(id: draft.id)?.otherVersions.first)
            let used = try await one.mail.useVersion(version.id, of: draft.id)
            #expect(used.text.hasPrefix("By the one"))
            await one.end()
            await other.end()
        }
    }

    @Test func `a discarded draft is gone on all devices`() async throws {
        try await WritingServer.run { server in
            let (one, other) = (try await server.device(), try await server.device())
            try await one.mail.sync()
            var draft = one.mail.newDraft()
            draft.text = "First"
            draft = try await one.mail.save(draft)
            try await server.settle(one)
            try await other.mail.sync()
            #expect(try await other.mail.drafts().count == 1)
            try await other.mail.discard(draft.id)
            #expect(try await other.mail.drafts().isEmpty)
            try await other.mail.sync()
            #expect(try await server.mails(in: "drafts").isEmpty)
            try await one.mail.sync()
            #expect(try await one.mail.drafts().isEmpty)
            await one.end()
            await other.end()
        }
    }

    @Test func `attachments arrive as they were attached, also without their originals`() async throws {
        try await WritingServer.run { server in
            let device = try await server.device()
            try await device.mail.sync()
            let file = device.directory.appendingPathComponent("Bericht ü.pdf")
            try Data("%PDF-1.4 not really".utf8).write(to: file)
            var draft = device.mail.newDraft()
            draft.to = [EmailAddress(email: "bob@example.org")]
            draft.text = "Hello"
            draft = try await device.mail.attach(file, to: draft)
            // The original isn't needed any more.
            try FileManager.default.removeItem(at: file)
            draft = try await device.mail.attach(Data([1, 2, 3]), named: "data.bin", to: draft)
            #expect(draft.attachments.map(\.name) == ["Bericht ü.pdf", "data.bin"])
            try await device.mail.send(draft)
            try await server.settle(device)
            let text = try #require(try await server.receiver.mails().first?.text)
            #expect(text.contains(Data("%PDF-1.4 not really".utf8).base64EncodedString()))
            #expect(text.contains("AQID"))
            #expect(text.contains("application/pdf"))
            await device.end()
        }
    }

    @Test func `signing out asks before it loses a draft`() async throws {
        try await WritingServer.run { server in
            let device = try await server.device()
            try await device.mail.sync()
            device.link.fail { _, _ in .losesRequest }
            var draft = device.mail.newDraft()
            draft.text = "Precious"
            try await device.mail.save(draft)
            let error = await #expect(throws: MailError.self) { try await device.mail.signOut() }
            #expect(error?.code == .unsentDrafts)
            #expect(try await device.mail.drafts().map(\.text) == ["Precious"])
            try await device.mail.signOut(discardsDrafts: true)
            await device.end()
        }
    }
}

extension Array {
    fileprivate func asyncMap<T>(_ body: (Element) async throws -> T) async rethrows -> [T] {
        var result: [T] = []
        for element in self { result.append(try await body(element)) }
        return result
    }
}
