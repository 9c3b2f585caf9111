import Foundation
import GRDB
import Groundwork
import Replica
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// Drafts as they are stored: the documents, and the rows that are derived from them.
@Suite(.timeLimit(.minutes(5))) struct StoredDraftTests {
    private func withStore(_ body: (MailStore) async throws -> Void) async throws {
        let mail = try MailStore()
        try await body(mail)
        await mail.close()
    }

    private func shown(_ mail: MailStore) async throws -> [String] {
        try await mail.store.read { db in try StoreQuery(Query<MailDraft>(), .draft).fetch(db) }.map(\.text)
    }

    private func document(_ text: String) -> DraftDocument {
        DraftDocument(id: "d1", text: DraftText(text: text), job: DraftJob(token: "d1", editedAt: 1))
    }

    @Test func `a stored document is read as the value that was stored`() throws {
        for seed in UInt64(0)..<300 {
            var random = RandomDraft(seed: seed)
            let document = random.document()
            let record = try document.record(at: 1_777_593_000_000)
            let read = try #require(DraftDocument(record), "\(seed)")
            #expect(read == document, "\(seed)")
            let again = try read.record(at: 1_777_593_000_000)
            #expect(again == record && again.json.hasSameBytes(as: record.json), "\(seed)")
        }
    }

    /// A later version of the app has stored it, with an order that this one doesn't know.
    @Test func `a draft that can't be read is kept, shown with the reason, and read again later`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.save(device.mail.draft("Precious"))
            let record = try await device.record(draft.id)
            let json = record.json.replacing(#""job":{"#, with: #""job":{"order":{"ofALaterVersion":{}},"#)
            let later = DeviceRecord(id: draft.id, json: json, due: record.due, isUnsent: true)
            #expect(DraftDocument(later) == nil)
            try await device.mail.store.write { writer in try writer.put(.draft, later) }
            let other = try await device.mail.save(device.mail.draft("Other"))
            for _ in 0..<2 { try await device.settle() }
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Other"])
            var shown = try #require(try await device.draft(draft.id))
            #expect(shown.text == "Precious" && shown.to.count == 1 && !shown.isEditable)
            #expect(shown.state == .unsaved(DraftRefusal(.unreadable, DraftDocument.unreadable)))
            shown.text = "Changed"
            let changed = shown
            for action in ["save", "send", "undo"] {
                let error = await #expect(throws: MailError.self, "\(action)") {
                    switch action {
                    case "save": _ = try await device.mail.save(changed)
                    case "send": _ = try await device.mail.send(changed)
                    default: _ = try await device.mail.undoSend(changed.id)
                    }
                }
                #expect(error?.code == .unreadableDraft && error?.description.contains("kept as it is") ?? false)
            }
            let error = await #expect(throws: MailError.self) { try await device.mail.signOut() }
            #expect(error?.code == .unsentDrafts)
            let kept = try await device.record(draft.id)
            #expect(kept.json == json && kept.isUnsent)
            // It isn't looked at all the time.
            #expect(kept.due ?? 0 > device.clock.now.milliseconds)

            try await device.mail.store.write { writer in try writer.put(.draft, record) }
            #expect(try await device.draft(draft.id)?.state == .draft)
            for _ in 0..<2 { try await device.settle() }
            let saved = server.mails(in: "drafts").compactMap { $0["preview"]?.stringValue }
            #expect(saved.sorted() == ["Other", "Precious"])

            // One that can't be read can be discarded all the same, with its version on the server or without one.
            let unsaved = try await device.mail.save(device.mail.draft("Unsaved"))
            for id in [other.id, unsaved.id] {
                let broken = DeviceRecord(id: id, json: "{", isUnsent: true)
                try await device.mail.store.write { writer in try writer.put(.draft, broken) }
                #expect(try await device.mail.drafts().first { $0.id == id }?.isComplete == false)
                try await device.mail.discard(id)
            }
            for _ in 0..<2 { try await device.settle() }
            #expect(try await device.mail.drafts().map(\.text) == ["Precious"])
            #expect(server.mails(in: "trash").map { $0["preview"] } == ["Other"])
        }
    }

    /// - Parameter isHoldReadable: Whether the later version has stored the hold as this one does.
    @Test(arguments: [true, false])
    func `a held mail of a draft that can't be read is taken back, or the draft is kept`(
        isHoldReadable: Bool
    ) async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Held")
            let record = try await device.record(held.id)
            var json = record.json.replacing(#""order":{"send":"#, with: #""order":{"ofALaterVersion":"#)
            if !isHoldReadable { json = json.replacing(#""submissionID":"#, with: #""submissionIDs":"#) }
            let later = DeviceRecord(id: held.id, json: json, due: record.due, isUnsent: record.isUnsent)
            #expect(DraftDocument(later) == nil && !later.isUnsent)
            try await device.mail.store.write { writer in try writer.put(.draft, later) }
            let shown = try #require(try await device.draft(held.id))
            #expect(shown.state == .unsaved(DraftRefusal(.unreadable, DraftDocument.unreadable)))
            #expect(shown.text == "Held")
            if !isHoldReadable {
                let error = await #expect(throws: MailError.self) { try await device.mail.discard(held.id) }
                #expect(error?.code == .unreadableDraft && error?.description.contains("send it later") ?? false)
                #expect(try await device.record(held.id) == later)
                // As after an upgrade.
                try await device.mail.store.write { writer in try writer.put(.draft, record) }
                #expect(try await device.draft(held.id)?.holder == .server)
            }
            try await device.mail.discard(held.id)
            #expect(try await device.mail.drafts().isEmpty)
            for _ in 0..<2 { try await device.settle(3_600) }
            #expect(server.textsToBob.isEmpty && server.mails(in: "sent").isEmpty && server.mails(in: "drafts").isEmpty)
        }
    }

    @Test func `a held mail of a draft that can't be read is discarded too late`() async throws {
        try await StandardDevice.runHolding { server, device in
            let held = try await device.hold("Held")
            let record = try await device.record(held.id)
            let json = record.json.replacing(#""order":{"send":"#, with: #""order":{"ofALaterVersion":"#)
            let later = DeviceRecord(id: held.id, json: json, due: record.due)
            try await device.mail.store.write { writer in try writer.put(.draft, later) }
            for _ in 0..<2 { try await device.settle(3_600) }
            #expect(server.textsToBob == ["Held"])
            let error = await #expect(throws: MailError.self) { try await device.mail.discard(held.id) }
            #expect(error?.description.contains("has sent the mail") ?? false)
            #expect(try await device.draft(held.id)?.state ?? .sent == .sent)
        }
    }

    /// They are drafts of their own if it is too late to take the mail back.
    @Test func `a held mail that is taken back keeps the readable texts of other windows`() throws {
        var held = document("Held")
        held.job.hold = DraftJob.Hold(submissionID: "s1", emailID: "m1", due: 1, isMoved: true)
        held.replacedTexts = ["First", "Second"].map { text in
            DraftDocument.Replaced(id: text, text: DraftText(text: text), editedAt: 1)
        }
        let json = try held.record(at: 1).json.replacing(#""id":"First""#, with: #""id":{}"#)
        let recalling = try #require(DraftDocument(recalling: DeviceRecord(id: held.id, json: json), at: 2))
        #expect(recalling.replacedTexts.map(\.text.text) == ["Second"])
        #expect(recalling.job.hold == held.job.hold && recalling.text == held.text)
    }

    /// As after an upgrade: what is shown, and the time, are what the version before has stored.
    @Test func `a draft that an earlier start couldn't read is shown as it is, with its time`() async throws {
        try await StandardDevice.run { server, device in
            let later = device.clock.now.addingTimeInterval(86_400)
            let id = try await device.mail.send(device.mail.draft("Precious"), later: later).id
            let record = try await device.record(id)
            let broken = DeviceRecord(id: id, json: "{", due: 1, isUnsent: true)
            try await device.mail.store.write { writer in try writer.put(.draft, broken) }
            try await device.settle()
            let postponed = DeviceRecord(
                id: id,
                json: record.json,
                due: try await device.record(id).due,
                isUnsent: true,
                recordedAt: record.recordedAt
            )
            try await device.mail.store.write { writer in
                try writer.put(.draft, postponed)
                // This version doesn't look at it.
                try writer.db.execute(sql: "DELETE FROM changedDraft")
            }
            #expect(try await device.draft(id)?.state.name == "unsaved")
            await device.mail.close()

            let next = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            try await next.mail.sync()
            #expect(try await next.draft(id)?.state == .waiting(until: later))
            #expect(try await next.record(id).due == record.due)
            await next.mail.close()
        }
    }

    @Test(arguments: [#""job":{"#, #""replacedTexts":[{"#])
    func `a draft that can't be read lists the texts of other windows that can be`(part: String) async throws {
        try await StandardDevice.run { _, device in
            let draft = try await device.write("Second", then: "Third")
            let record = try await device.record(draft.id)
            // The first element, or the job, is of a later version. The element's id is no string any more.
            let later = part.contains("job") ? #""order":{"ofALaterVersion":{}},"# : #""id":{}},{"#
            let json = record.json.replacing(part, with: part + later)
            let broken = DeviceRecord(id: draft.id, json: json, due: record.due, isUnsent: true)
            #expect(DraftDocument(broken) == nil)
            try await device.mail.store.write { writer in try writer.put(.draft, broken) }
            let shown = try #require(try await device.draft(draft.id))
            #expect(shown.text == "Third" && shown.state.name == "unsaved")
            #expect(shown.otherVersions.map(\.snippet) == ["Second"])
        }
    }

    @Test func `a draft is derived from the value that its transaction has stored last`() async throws {
        try await withStore { mail in
            let (first, second, third) = (document("First"), document("Second"), document("Third"))
            try await mail.store.write { writer in
                try writer.put(first)
                try writer.put(second)
            }
            #expect(try await shown(mail) == ["Second"])
            try await mail.store.write { writer in
                // The document isn't read: it is none.
                try writer.put(.draft, DeviceRecord(id: "d1", json: "{}"), value: third)
            }
            #expect(try await shown(mail) == ["Third"])
            try await mail.store.write { writer in
                try writer.put(third)
                try writer.put(.draft, first.record(at: writer.now))
            }
            #expect(try await shown(mail) == ["First"])
            try await mail.store.write { writer in
                try writer.put(second)
                try writer.remove(DeviceRecordKind.draft, ["d1"])
            }
            #expect(try await shown(mail).isEmpty)
            try await mail.store.write { writer in
                try writer.put(second)
                try writer.remove(DeviceRecordKind.draft, ["d1"])
                try writer.put(third)
            }
            #expect(try await shown(mail) == ["Third"])
        }
    }

    /// Stores a draft that was sent, and that another device has written since. The text of another window isn't a
    /// draft of its own yet, such as because of a full disk.
    ///
    /// - Returns: The draft as the other device has written it.
    private func putSentAndWrittenAgain(_ mail: MailStore) async throws -> MailDraft {
        let id = DraftToken.ofForeignDraft("M2")
        var sent = DraftDocument(id: id, text: DraftText(text: "Sent"), job: DraftJob(token: id, editedAt: 1))
        sent.job.outcome = .sent(emailID: "M1", at: 1)
        sent.replacedTexts = ["Of another window", "Sent"].map { text in
            DraftDocument.Replaced(id: text, text: DraftText(text: text), editedAt: 1)
        }
        try await mail.pull(email("M2", "T2", at: 1, in: "drafts", keywords: "$draft"))
        try await mail.store.write { [sent] writer in try writer.put(sent) }
        return MailDraft(
            id: id,
            DraftText(text: "Of another device"),
            updatedAt: Date(milliseconds: 2),
            basis: .version(emailID: "M2")
        )
    }

    @Test func `the text of another window stays when a sent draft is written again`() async throws {
        try await withStore { mail in
            let draft = try await putSentAndWrittenAgain(mail)
            let written = try await mail.store.write { writer in try writer.document(for: draft, isNew: false) }
            #expect(written.job.outcome == nil && written.text.text == "Of another device")
            #expect(written.replacedTexts.map(\.text.text) == ["Of another window"])
        }
    }

    @Test func `a text of another window isn't discarded with a sent draft written again`() async throws {
        try await withStore { mail in
            let draft = try await putSentAndWrittenAgain(mail)
            await #expect(throws: MailError.self) {
                try await mail.store.write { writer in try writer.document(forDiscarding: draft.id) }
            }
            let discarded = try await mail.store.write { writer -> DraftDocument? in
                var sent = try #require(try writer.db.draftDocument(draft.id))
                sent.replacedTexts = []
                try writer.put(sent)
                return try writer.document(forDiscarding: draft.id)
            }
            #expect(discarded?.job.toBeDiscarded == ["M2"])
        }
    }

    /// A mail with the `Message-ID` of a draft's mail to send.
    private func sentMail(_ id: String, of token: String, isSeen: Bool = false) throws -> JSON {
        let mail = isSeen ? email(id, "T1", at: 1, in: "sent", keywords: "$seen") : email(id, "T1", at: 1, in: "sent")
        var object = try #require(mail.objectValue)
        object["messageId"] = .array([.string(DraftToken.messageID(token, domain: "example.org"))])
        return .object(object)
    }

    /// The draft may stay for years, and each sync looks for its mail.
    @Test func `after the first look, an unknown outcome is looked for among changed mails`() async throws {
        try await withStore { mail in
            let id = DraftToken.ofForeignDraft("M0")
            var document = DraftDocument(id: id, text: DraftText(text: "Hi"), job: DraftJob(token: id, editedAt: 1))
            document.job.outcome = .unknown(since: minute(0).milliseconds)
            try await mail.pull(sentMail("M1", of: id))
            try await mail.store.write { [document] writer in try writer.put(document) }
            func look(since last: UnknownOutcomes?) async throws -> (look: UnknownOutcomes, mails: [[String]]) {
                let (look, found) = try await mail.store.read { db in try db.mailsOfUnknownOutcomes(since: last) }
                return (look, found.map(\.mails))
            }
            var (last, mails) = try await look(since: nil)
            #expect(mails == [["M1"]] && last.unread == [id])
            last.unread = []
            try await mail.pull(email("M2", "T2", at: 2))
            (last, mails) = try await look(since: last)
            #expect(mails.isEmpty && last.ids == [id])
            try await mail.pull(sentMail("M1", of: id, isSeen: true))
            (last, mails) = try await look(since: last)
            #expect(mails == [["M1"]])
            // The server has failed to say what it has.
            last.unread = [id]
            (last, mails) = try await look(since: last)
            #expect(mails == [["M1"]])
            document.job.outcome = nil
            try await mail.store.write { [document] writer in try writer.put(document) }
            (last, mails) = try await look(since: last)
            #expect(mails.isEmpty && last.ids.isEmpty && last.unread.isEmpty)
        }
    }

    @Test func `hundreds of drafts that one transaction stores have their own texts`() async throws {
        try await withStore { mail in
            let ids = (0..<300).map { "d\($0)" }
            try await mail.store.write { writer in
                for id in ids {
                    let job = DraftJob(token: id, editedAt: 1)
                    try writer.put(DraftDocument(id: id, text: DraftText(text: "Text of \(id)"), job: job))
                }
            }
            let drafts = try await mail.store.read { db in try StoreQuery(Query<MailDraft>(), .draft).fetch(db) }
            #expect(Set(drafts.map(\.id)) == Set(ids))
            #expect(drafts.allSatisfy { $0.text == "Text of \($0.id)" })
        }
    }

    @Test func `a new draft is refused beside ten thousand others, and no earlier`() async throws {
        try await withStore { mail in
            let draft = MailDraft(id: "new", DraftText(text: "New"), updatedAt: Date(milliseconds: 1))
            // The write is rolled back, so that ten thousand drafts aren't derived.
            await #expect(throws: CancellationError.self) {
                try await mail.store.write { writer in
                    for number in 1..<10_000 { try writer.put(.draft, DeviceRecord(id: "d\(number)", json: "{}")) }
                    #expect(try writer.document(for: draft, isNew: true).id == "new")
                    try writer.put(.draft, DeviceRecord(id: "d10000", json: "{}"))
                    let error = #expect(throws: MailError.self) { try writer.document(for: draft, isNew: true) }
                    #expect(error?.code == .invalidArgument)
                    throw CancellationError()
                }
            }
        }
    }

    @Test func `a snippet is one line of at most 256 characters, from the first 1,024 of a text`() {
        #expect(MailDraft.snippet(of: " \n\ta  b\u{B}\u{C}c\r\n\r\nd\re ") == "a b c d e")
        #expect(MailDraft.snippet(of: " \n\t\r\n") == "")
        let full = String(repeating: "a", count: 256)
        #expect(MailDraft.snippet(of: full + "b") == full)
        #expect(MailDraft.snippet(of: full + "\u{301}b") == full + "\u{301}")
        // A space comes with the character after it.
        #expect(MailDraft.snippet(of: "\(full.dropLast()) b") == String(full.dropLast()))
        #expect(MailDraft.snippet(of: "\(full.dropLast(3)) b") == "\(full.dropLast(3)) b")
        #expect(MailDraft.snippet(of: String(repeating: " ", count: 1_023) + "ab") == "a")
    }

    /// It is the person's only copy of the text. `JSONEncoder` is what earlier versions have written it with.
    @Test func `the JSON of a document is what JSONEncoder writes`() throws {
        for seed in UInt64(0)..<400 {
            var random = RandomDraft(seed: seed)
            // It has escapes of its own for some control characters.
            random.hasControls = seed % 2 == 0
            let document = random.document()
            let json = Array(try document.record(at: 1_777_593_000_000).json.utf8)
            let encoded = try JSONEncoder.stored.encode(document)
            #expect(try JSON(parsing: encoded) == JSON(parsing: json), "\(seed)")
            #expect(random.hasControls || Array(encoded) == json, "\(seed)")
        }
    }

    /// A property with a default value that the JSON lacks would be lost without an error.
    @Test func `each property of a draft is in its JSON`() throws {
        var properties: [String: Set<String>] = [:]
        var stored: [String: Set<String>] = [:]
        func add(_ value: Any, _ json: JSON?) {
            let name = "\(type(of: value))"
            properties[name, default: []].formUnion(Mirror(reflecting: value).children.compactMap(\.label))
            stored[name, default: []].formUnion(json?.objectValue?.names ?? [])
        }
        func addEach(_ values: [Any], _ json: JSON?) {
            for (value, part) in zip(values, json?.arrayValue ?? []) { add(value, part) }
        }
        // A property that one draft lacks, others have.
        for seed in UInt64(0)..<100 {
            var random = RandomDraft(seed: seed)
            let (document, row) = (random.document(), random.row())
            let json = try JSON(parsing: document.record(at: 1_777_593_000_000).json.utf8)
            add(document, json)
            add(document.job, json["job"])
            if let saved = document.job.saved { add(saved, json["job"]?["saved"]) }
            addEach(document.replacedTexts, json["replacedTexts"])
            add(document.text, json["text"])
            addEach(document.text.to, json["text"]?["to"])
            addEach(document.text.files, json["text"]?["files"])
            let rowJSON = try row.json
            add(row, rowJSON)
            add(row.draft, rowJSON["draft"])
            addEach(row.draft.versions, rowJSON["draft"]?["versions"])
        }
        #expect(properties.count == 10)
        #expect(properties == stored)
    }

    @Test func `a draft is changed if a property has another value than it was read with`() {
        let read = MailDraft(
            id: "d1",
            DraftText(to: [.init(email: "bob@example.org")], subject: "Subject", text: "Text", html: "<p>Text</p>"),
            updatedAt: Date(milliseconds: 1),
            basis: .document(revision: 1)
        )
        var same = read
        (same.to, same.subject, same.text, same.html) = (read.to, read.subject, read.text, read.html)
        (same.from, same.identityID) = (nil, nil)
        #expect(!read.isChanged && !same.isChanged && same == read)
        let changes: [(inout MailDraft) -> Void] = [
            { $0.text += "!" }, { $0.html? += "!" }, { $0.html = nil }, { $0.subject += "!" }, { $0.to = [] },
        ]
        for change in changes {
            var draft = read
            change(&draft)
            #expect(draft.isChanged && draft != read)
        }
        var new = MailDraft(id: "d2", DraftText(), updatedAt: Date(milliseconds: 1))
        new.text = "New"
        #expect(!new.isChanged)
    }

    /// It may have megabytes.
    @Test func `a key that is typed doesn't copy the text of a draft`() {
        func place(_ text: String) -> UInt? {
            text.utf8.withContiguousStorageIfAvailable { UInt(bitPattern: $0.baseAddress) }
        }
        let long = String(repeating: "Long text. ", count: 10_000)
        var draft = MailDraft(id: "d1", DraftText(text: long), updatedAt: Date(milliseconds: 1))
        // There is room for the next ones.
        draft.text.reserveCapacity(2 * long.utf8.count)
        let before = place(draft.text)
        for _ in 0..<10 { draft.text += "a" }
        #expect(draft.text.utf8.count == long.utf8.count + 10)
        #expect(before != nil && place(draft.text) == before)
    }

    @Test func `each character of a stored draft is read as it was`() throws {
        let all = (UInt32(0)...0x2FFF).compactMap { Unicode.Scalar($0) }.map { String(Character($0)) }
        let quotes = #"Quoted " \ \\ \" \u0000 {"text":""} "#
        let long = String(repeating: "A line with \"quotes\", a \\ and 😀.\r\n", count: 30_000)
        for text in [all.joined(), all.joined(separator: "a"), quotes, long] {
            var draft = document(text)
            (draft.text.html, draft.text.subject) = (text, text)
            draft.replacedTexts = [DraftDocument.Replaced(id: text, text: draft.text, editedAt: 1)]
            let record = try draft.record(at: 2)
            let read = try #require(DraftDocument(record))
            for part in [read.text, read.replacedTexts[0].text] {
                #expect(part.text.hasSameBytes(as: text) && part.subject.hasSameBytes(as: text))
                #expect(part.html?.hasSameBytes(as: text) ?? false)
            }
            #expect(read.replacedTexts[0].id.hasSameBytes(as: text))
        }
    }

    /// `JSONEncoder` is what earlier versions have written rows with.
    @Test func `the JSON of a row is what JSONEncoder writes, and is read as the row`() throws {
        for seed in UInt64(0)..<400 {
            var random = RandomDraft(seed: seed)
            // It has escapes of its own for some control characters.
            random.hasControls = seed % 2 == 0
            let row = random.row()
            let json = try row.json
            let encoded = try JSONEncoder.stored.encode(row)
            #expect(try JSON(parsing: encoded) == json, "\(seed)")
            #expect(random.hasControls || Array(encoded) == json.utf8, "\(seed)")
            #expect(try JSONDecoder().decode(DraftRow.self, from: json.data) == row, "\(seed)")
            #expect(try JSONDecoder().decode(DraftRow.self, from: encoded) == row, "\(seed)")
        }
    }

    @Test func `the columns of a row are those that are read from its JSON`() async throws {
        try await withStore { mail in
            try await mail.store.write { writer in
                let names = ["id", "json", "phase", "due"] + RecordType.draft.columns.map(\.name)
                let select = "SELECT \(names.joined(separator: ", ")) FROM draft"
                for seed in UInt64(0)..<200 {
                    var random = RandomDraft(seed: seed)
                    let json = try random.row().json
                    try writer.apply(.draft, "d1", derived: json)
                    let bound = try #require(try Row.fetchOne(writer.db, sql: select))
                    try writer.remove(RecordType.draft, ["d1"])
                    let errors = try writer.apply(.draft, [JSONText(checking: json.utf8)])
                    let read = try #require(try Row.fetchOne(writer.db, sql: select))
                    #expect(bound == read && errors.isEmpty, "\(seed)")
                    // The same row isn't written again.
                    let revision = try Int.fetchOne(writer.db, sql: "SELECT revision FROM draft")
                    try writer.apply(.draft, "d1", derived: json)
                    #expect(try Int.fetchOne(writer.db, sql: "SELECT revision FROM draft") == revision, "\(seed)")
                    try writer.remove(RecordType.draft, ["d1"])
                }
            }
        }
    }
}

extension StandardDevice {
    /// The stored document of a draft.
    fileprivate func record(_ id: String) async throws -> DeviceRecord {
        let record = try await mail.store.read { db in try db.deviceRecord(.draft, id) }
        return try #require(record)
    }
}
