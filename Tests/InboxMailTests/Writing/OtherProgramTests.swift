import Foundation
import Groundwork
import InboxMail
import ReplicaTesting
import RunningMailServer
import Testing

/// Another program, over IMAP, changes or removes drafts that this device has: no text is lost.
@Suite(.timeLimit(.minutes(10))) struct OtherProgramTests {
    /// What the other program does with a draft.
    enum Change: String, CaseIterable {
        /// It appends its text under the same `Message-ID`, or another one, and expunges the draft.
        case replaces, replacesUnderNewID
        case movesToTrash, expunges
    }

    /// What this device has of the draft besides what it has saved.
    enum Holding: String, CaseIterable {
        case nothing
        /// A change that isn't saved on the server.
        case change
        /// An order to send it.
        case order
    }

    /// A draft that is on the server, and then changed by the other program.
    private struct Subject {
        let draft: MailDraft
        let change: Change
        let holding: Holding
        var name: String { "\(change.rawValue) \(holding.rawValue)" }

        /// Whether this device sends its text. If the server has no mail of the draft any more, the other program may
        /// have sent it, so that is reported first.
        var isSent: Bool { holding == .order && (change == .replaces || change == .movesToTrash) }
    }

    private func mail(_ subject: String, _ text: String, messageID: String) -> IMAPClient.Mail {
        let lines = [
            "From: Alice <alice@example.com>", "To: bob@example.org", "Subject: \(subject)",
            "Date: Tue, 03 Mar 2026 10:20:30 +0100", "Message-ID: <\(messageID)>", "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8", "", text, "",
        ]
        return IMAPClient.Mail(Array(lines.joined(separator: "\r\n").utf8), flags: ["\\Draft", "\\Seen"])
    }

    private func make(_ change: Change, _ holding: Holding, _ device: TestDevice) async throws -> Subject {
        var draft = device.mail.newDraft()
        draft.to = [EmailAddress(email: "bob@example.org")]
        draft.subject = "\(change.rawValue) \(holding.rawValue)"
        draft.text = "First"
        let saved = try await device.mail.attach(Data("bytes".utf8), named: "a.txt", to: draft)
        return Subject(draft: saved, change: change, holding: holding)
    }

    /// Lets the other program do what it does with a draft.
    private func carryOut(_ subject: Subject, _ server: WritingServer, _ imap: IMAPClient) async throws {
        let version = try #require(
            try await server.mails(in: "drafts").first { $0["subject"]?.stringValue == subject.name }
        )
        let id = version["id"]?.stringValue
        let uid = try #require(try await imap.mails(in: "Drafts").first { $0.emailID == id }).uid
        switch subject.change {
        case .replaces, .replacesUnderNewID:
            let old = version["messageId"]?.arrayValue?.first?.stringValue ?? ""
            let new = subject.change == .replaces ? old : "\(UUID().uuidString)@other.example"
            try await imap.append([mail(subject.name, "Of the other program", messageID: new)], to: "Drafts")
            try await imap.expunge([uid], in: "Drafts")
        case .movesToTrash: try await imap.move([uid], from: "Drafts", to: "Trash")
        case .expunges: try await imap.expunge([uid], in: "Drafts")
        }
    }

    /// The texts of the mails with a subject, by place: on the server, and at the receiver.
    private func texts(_ subject: Subject, _ server: WritingServer, in place: String) async throws -> [String] {
        try await server.texts(in: place).filter { $0.subject == subject.name }.map(\.text)
    }

    @Test func `no text is lost when another program changes or removes drafts`() async throws {
        try await WritingServer.run { server in
            let device = try await server.device()
            try await device.mail.sync()
            let imap = try server.server.imap()
            var subjects: [Subject] = []
            for change in Change.allCases {
                for holding in Holding.allCases { subjects.append(try await make(change, holding, device)) }
            }
            try await server.settle(device)
            try await server.settle(device)
            #expect(try await server.mails(in: "drafts").count == subjects.count)
            for subject in subjects {
                guard subject.holding != .nothing else { continue }
                var draft = try #require(try await device.mail.draft(id: subject.draft.id))
                draft.text = "Of this device"
                if subject.holding == .change {
                    try await device.mail.save(draft)
                } else {
                    try await device.mail.send(draft)
                }
            }
            for subject in subjects { try await carryOut(subject, server, imap) }
            for _ in 0..<4 { try await server.settle(device, seconds: 90) }
            let requests = device.link.log.count
            try await server.settle(device, seconds: 90)
            #expect(device.link.log.count < requests + 10, "everything is done")

            let received = try await server.receiver.mails().compactMap { $0.header("Subject").first }
            #expect(received.sorted() == subjects.filter(\.isSent).map(\.name).sorted())
            let shown = try await device.mail.drafts()
            for subject in subjects {
                let drafts = try await texts(subject, server, in: "drafts")
                let sent = try await texts(subject, server, in: "sent")
                let onDevice = shown.filter { $0.subject == subject.name }.flatMap { draft in
                    ([draft.text] + draft.otherVersions.map(\.snippet)).map {
                        $0.trimmingCharacters(in: .whitespacesAndNewlines)
                    }
                }
                var own: [String] = []
                if subject.holding != .nothing, !subject.isSent { own = ["Of this device"] }
                var others: [String] = []
                switch subject.change {
                case .replaces, .replacesUnderNewID: others = ["Of the other program"]
                // Another text of the draft takes its place, wherever it is.
                case .movesToTrash where subject.holding == .nothing:
                    #expect(try await texts(subject, server, in: "trash") == ["First"])
                case .movesToTrash: break
                case .expunges: if subject.holding == .nothing { others = ["First"] }
                }
                // What the other program's text took the place of under another id is as it was.
                if subject.change == .replacesUnderNewID, subject.holding == .nothing { others.append("First") }
                #expect(drafts.sorted() == (own + others).sorted(), "\(subject.name)")
                #expect(onDevice.sorted() == (own + others).sorted(), "\(subject.name)")
                #expect(sent == (subject.isSent ? ["Of this device"] : []), "\(subject.name)")
                let state = shown.first { $0.id == subject.draft.id }?.state.name
                #expect((state == "refused") == (subject.holding == .order && !subject.isSent), "\(subject.name)")
            }
            // The files are with each text of this device.
            let kept = shown.filter { $0.text.hasPrefix("Of this device") || $0.text.hasPrefix("First") }
            for draft in kept {
                let file = try #require(draft.attachments.first, "\(draft.subject)")
                #expect(try await device.mail.contents(of: file, inDraft: draft.id) == Data("bytes".utf8))
            }
            await device.end()
        }
    }

    /// What the other program leaves can be sent, once.
    @Test func `a draft that another program has changed is sent once`() async throws {
        try await WritingServer.run { server in
            let device = try await server.device()
            try await device.mail.sync()
            let imap = try server.server.imap()
            var subjects: [Subject] = []
            for change in [Change.replaces, .replacesUnderNewID] {
                subjects.append(try await make(change, .nothing, device))
            }
            try await server.settle(device)
            try await server.settle(device)
            for subject in subjects { try await carryOut(subject, server, imap) }
            try await server.settle(device)
            for draft in try await device.mail.drafts() {
                guard let whole = try await device.mail.draft(id: draft.id),
                    whole.text.hasPrefix("Of the other program")
                else { continue }
                try await device.mail.send(whole)
            }
            for _ in 0..<3 { try await server.settle(device, seconds: 90) }
            let received = try await server.receiver.mails()
            #expect(received.compactMap { $0.header("Subject").first }.sorted() == subjects.map(\.name).sorted())
            #expect(received.allSatisfy { $0.text.contains("Of the other program") })
            #expect(try await server.deliveries().values.allSatisfy { $0 == 1 })
            #expect(try await server.mails(in: "sent").count == 2)
            await device.end()
        }
    }
}

extension WritingServer {
    /// The subjects and plain texts of the mails in a mailbox.
    fileprivate func texts(in role: String) async throws -> [(subject: String, text: String)] {
        let mails = try await mails(in: role)
        let answer = try await server.jmap(
            "Email/get",
            [
                "ids": .array(mails.compactMap { $0["id"] }), "properties": ["subject", "textBody", "bodyValues"],
                "fetchTextBodyValues": true,
            ]
        )
        return (answer["list"]?.arrayValue ?? []).map { mail in
            let part = mail["textBody"]?.arrayValue?.first?["partId"]?.stringValue ?? ""
            let text = mail["bodyValues"]?[part]?["value"]?.stringValue ?? ""
            return (mail["subject"]?.stringValue ?? "", text.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }
}
