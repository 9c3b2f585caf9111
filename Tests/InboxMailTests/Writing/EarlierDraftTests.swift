import Eventually
import Foundation
import GRDB
import Groundwork
import Replica
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// Drafts as the first version with drafts stored them, with files, orders and attempts under way, are read and go on.
///
/// `Fixtures/eleventh-drafts.json` has their documents, with the members of that version alone: later ones are
/// optional. It never changes. `MAIL id` stands for the server's id of the mail of the draft with that id.
@Suite(.timeLimit(.minutes(5))) struct EarlierDraftTests {
    private struct Stored {
        let id: String
        let due: Int?
        let isUnsent: Bool
        let document: JSON

        init(_ json: JSON) {
            id = json["id"]?.stringValue ?? ""
            (due, isUnsent) = (json["due"]?.intValue, json["isUnsent"]?.boolValue ?? false)
            document = json["document"] ?? .null
        }

        var subject: String { document["text"]?["subject"]?.stringValue ?? "" }

        /// The record, with the server's ids of mails.
        func record(_ mails: [String: String] = [:]) -> DeviceRecord {
            var json = document.description
            for (draft, mail) in mails { json = json.replacing("\"MAIL \(draft)\"", with: "\"\(mail)\"") }
            return DeviceRecord(id: id, json: json, due: due, isUnsent: isUnsent)
        }
    }

    private func fixture() throws -> [Stored] {
        let url = try #require(
            Bundle.module.url(forResource: "eleventh-drafts", withExtension: "json", subdirectory: "Fixtures")
        )
        return (try JSON(parsing: Array(Data(contentsOf: url))).arrayValue ?? []).map(Stored.init)
    }

    /// Whether a value has all that another one has.
    private func contains(_ value: JSON?, _ other: JSON) -> Bool {
        if let members = other.objectValue?.members {
            return members.allSatisfy { contains(value?[$0.name], $0.value) }
        }
        if let elements = other.arrayValue {
            guard let own = value?.arrayValue, own.count == elements.count else { return false }
            return zip(own, elements).allSatisfy { contains($0, $1) }
        }
        return value == other
    }

    @Test func `each document of the first version is read whole, and is due`() throws {
        let stored = try fixture()
        #expect(stored.count == 12)
        for draft in stored {
            let document = try #require(DraftDocument(draft.record()), "\(draft.subject)")
            let written = try document.record(at: ManualClock().now.milliseconds)
            #expect(contains(try JSON(parsing: Array(written.json.utf8)), draft.document), "\(draft.subject)")
            let isDue = draft.due.map { $0 <= ManualClock().now.milliseconds } ?? false
            #expect((written.due ?? .max) <= ManualClock().now.milliseconds || !isDue, "\(draft.subject)")
        }
    }

    /// Rows of drafts have the state as lists show it. They are read as they are until the draft changes.
    @Test func `an unknown outcome of an earlier version is shown without what was tried`() throws {
        let since = Date(timeIntervalSinceReferenceDate: 799_286_200)
        let state = try JSONDecoder().decode(DraftState.self, from: Data(#"{"unknown":{"since":799286200}}"#.utf8))
        #expect(state == .unknown(since: since))
        let draft = try #require(try fixture().first { $0.subject == "Unknown" })
        let document = try #require(DraftDocument(draft.record()))
        #expect(document.state == .unknown(since: Date(milliseconds: 1_777_593_000_000)))
    }

    @Test func `drafts of the first version are saved, sent once, and found again`() async throws {
        let stored = try fixture()
        try await StandardDevice.run { server, device in
            let subjects = Dictionary(uniqueKeysWithValues: stored.map { ($0.subject, $0.id) })
            func id(_ subject: String) throws -> String { try #require(subjects[subject], "\(subject)") }
            // What the server has of them.
            let sentAt = "2026-04-30T23:59:00Z"
            for (subject, mailbox, version) in [
                ("Sent, and not known", "sent", ""), ("Created, and not known to be sent", "drafts", ""),
                ("Saved, and not known", "drafts", ".aaaaaaaa"), ("Sent without a copy", "sent", ""),
                ("Discarded", "drafts", ".aaaaaaaa"), ("Refused", "drafts", ".aaaaaaaa"),
                ("Unknown", "drafts", ".aaaaaaaa"), ("Written in two windows", "drafts", ".aaaaaaaa"),
            ] {
                let keywords: JSON = mailbox == "sent" ? ["$seen": true] : ["$seen": true, "$draft": true]
                server.deliver([
                    "mailboxIds": .object(JSONObject([(mailbox, true)])), "keywords": keywords,
                    "messageId": [.string("\(try id(subject))\(version)@example.com")], "sentAt": .string(sentAt),
                    "subject": .string(subject), "to": [["email": "bob@example.org"]],
                    "bodyStructure": ["partId": "1", "type": "text/plain"],
                    "bodyValues": ["1": ["value": .string("Text \(Int(try id(subject).prefix(2)) ?? 0)")]],
                ])
            }
            var mails: [String: String] = [:]
            for mail in server.mails(in: "drafts") + server.mails(in: "sent") {
                let draft = subjects[mail["subject"]?.stringValue ?? ""] ?? ""
                mails[draft] = mail["id"]?.stringValue
            }
            try await device.mail.sync()
            for draft in stored {
                for file in draft.document["text"]?["files"]?.arrayValue ?? [] {
                    let name = file["id"]?.stringValue ?? ""
                    let written = try device.mail.open.outbox.files.write(Data("file".utf8), as: name, of: draft.id)
                    #expect(written.digest == file["digest"]?.stringValue)
                }
            }
            try await device.mail.store.write { [mails] writer in
                for draft in stored { try writer.put(.draft, draft.record(mails)) }
            }
            let before = try await device.mail.drafts()
            #expect(before.count == stored.count - 2, "one is discarded, and one is among the sent mails")
            for _ in 0..<4 { try await device.settle(130) }

            // Sent are those whose sending was ordered and hadn't happened.
            let sentNow = ["To be sent, with a file", "Asked for, and not there", "Waiting for the next attempt"]
            let messageIDs = try sentNow.map { "\(try id($0))@example.com" }
            #expect(Set(server.deliveries.map(\.messageID)) == Set(messageIDs))
            #expect(server.deliveries.count == 4 && !server.deliveries.contains(where: \.showsBcc))
            let sent = server.mails(in: "sent")
            let sentSubjects = sentNow + ["Sent, and not known", "Sent without a copy"]
            #expect(sent.compactMap { $0["subject"]?.stringValue }.sorted() == sentSubjects.sorted())
            for mail in sent {
                let subject = mail["subject"]?.stringValue ?? ""
                let isHidden = ["To be sent, with a file", "Sent without a copy"].contains(subject)
                #expect((mail["bcc"]?.arrayValue?.count ?? 0) == (isHidden ? 1 : 0), "\(subject)")
                let files = mail["attachments"]?.arrayValue?.compactMap { $0["name"]?.stringValue }
                #expect(files == (subject == "To be sent, with a file" ? ["a.txt"] : []), "\(subject)")
            }
            // The others are drafts, here and on the server.
            let shown = Dictionary(uniqueKeysWithValues: try await device.mail.drafts().map { ($0.subject, $0) })
            let drafts = [
                "With a file", "Created, and not known to be sent", "Saved, and not known", "Refused", "Unknown",
                "Written in two windows",
            ]
            #expect(Set(shown.keys) == Set(drafts))
            #expect(Set(server.mails(in: "drafts").compactMap { $0["subject"]?.stringValue }) == Set(drafts))
            #expect(shown["With a file"]?.attachments.map(\.isUploaded) == [true])
            #expect(shown["Created, and not known to be sent"]?.state.name == "unknown")
            #expect(shown["Unknown"]?.state.name == "unknown" && shown["Refused"]?.state.name == "refused")
            let snippets = shown["Written in two windows"]?.otherVersions.map(\.snippet)
            #expect(snippets == ["Text of the other window"])
            let versions = server.mails(in: "drafts").count { $0["subject"] == "Saved, and not known" }
            #expect(versions == 1)
            #expect(server.mails(in: "trash").map { $0["subject"] } == ["Discarded"])

            // They can be changed and sent.
            for subject in drafts {
                var draft = try #require(shown[subject])
                draft.text = "Changed"
                try await device.mail.send(draft)
            }
            for _ in 0..<3 { try await device.settle(130) }
            #expect(server.deliveries.count { $0.text == "Changed" } == drafts.count)
            // The other window's text is a draft of its own.
            let left = try await device.mail.drafts().map(\.subject)
            #expect(Set(left) == ["Written in two windows"])
        }
    }

    /// The file is that of the first version with drafts, with its tables.
    @Test func `an old store with queued mails, attempts and uploads is upgraded and continues`() async throws {
        let subjects = [
            "With a file", "To be sent, with a file", "Asked for, and not there", "Waiting for the next attempt",
        ]
        let stored = try fixture().filter { subjects.contains($0.subject) }
        #expect(stored.count == subjects.count)
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("old-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let location = StoreLocation(directory: directory, server: StandardMailServer.url, person: "mail\u{0}me")
        let old = try #require(
            Bundle.module.url(forResource: "eleventh-alone", withExtension: "sqlite", subdirectory: "Fixtures")
        )
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: old, to: location.file)
        try await DatabaseQueue(path: location.file.path).write { db in
            for draft in stored {
                try db.execute(
                    sql: "INSERT INTO deviceRecord(kind, id, json, due, isUnsent) VALUES ('draft', ?, ?, ?, ?)",
                    arguments: [draft.id, draft.document.description, draft.due, draft.isUnsent]
                )
            }
        }
        for draft in stored {
            for file in draft.document["text"]?["files"]?.arrayValue ?? [] {
                _ = try DraftFiles(location).write(Data("file".utf8), as: file["id"]?.stringValue ?? "", of: draft.id)
            }
        }

        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        var configuration = MailConfiguration()
        configuration.isLive = false
        configuration.clock = clock
        configuration.transport = ScriptedTransport { request in server.answer(request) }
        let mail = try await Mail.open(
            server: StandardMailServer.url,
            credentials: .basic(user: "me") { "" },
            directory: directory,
            configuration: configuration
        )
        // With the one of the fixture. The mails are counted in the background, and the drafts with them.
        #expect(try await eventually { try await mail.drafts().count == subjects.count + 1 })
        for _ in 0..<4 {
            clock.advance(by: 130)
            try await mail.sync()
        }
        let sent = server.mails(in: "sent")
        #expect(sent.compactMap { $0["subject"]?.stringValue }.sorted() == subjects.dropFirst().sorted())
        for mail in sent where mail["subject"] == "To be sent, with a file" {
            #expect(mail["attachments"]?.arrayValue?.compactMap { $0["name"]?.stringValue } == ["a.txt"])
        }
        #expect(Set(server.deliveries.map(\.messageID)).count == 3)
        #expect(server.mails(in: "drafts").count == 2)
        await mail.close()
    }
}
