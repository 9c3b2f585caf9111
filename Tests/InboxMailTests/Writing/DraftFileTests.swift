import Foundation
import GRDB
import Groundwork
import Replica
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// The files of drafts: on this device, on the server, and from another mail.
@Suite(.timeLimit(.minutes(5))) struct DraftFileTests {
    private static let bytes = Data("the bytes of a file".utf8)

    private func bytes(of blob: String, _ server: StandardMailServer) -> String {
        let url = StandardMailServer.url.appendingPathComponent("download/a1/\(blob)")
        return String(decoding: server.answer(TransportRequest(url: url)).body, as: UTF8.self)
    }

    /// The bytes of the files of the mails in a mailbox, by the files' names.
    private func files(_ server: StandardMailServer, in role: String) -> [[String: String]] {
        server.mails(in: role).map { mail in
            (mail["attachments"]?.arrayValue ?? []).reduce(into: [:]) { files, file in
                files[file["name"]?.stringValue ?? ""] = bytes(of: file["blobId"]?.stringValue ?? "", server)
            }
        }
    }

    /// Receives a mail with files.
    private func receive(_ names: [String], _ server: StandardMailServer, _ device: StandardDevice) async throws
        -> MailMessage
    {
        let blob = server.keep([UInt8](Self.bytes))
        let parts: [JSON] = names.map { name in
            ["blobId": .string(blob), "type": "text/plain", "name": .string(name), "disposition": "attachment"]
        }
        server.deliver([
            "mailboxIds": ["inbox": true], "subject": "Files", "from": [["email": "carol@example.net"]],
            "to": [["email": .string(StandardMailServer.user)]], "messageId": ["files@example.net"],
            "bodyStructure": [
                "type": "multipart/mixed", "subParts": .array([["partId": "1", "type": "text/plain"]] + parts),
            ], "bodyValues": ["1": ["value": "See the files."]],
        ])
        try await device.mail.sync()
        return try #require(try await device.mail.messages().first { $0.subject == "Files" })
    }

    // MARK: - Uploads

    /// The server answers, and has only a part of the bytes.
    @Test func `an upload that is cut off on the way is repeated`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.attach(Self.bytes, named: "a.txt", to: device.mail.draft("Hi"))
            try await device.mail.send(draft)
            let cuts = Locked(2)
            device.transport.answer { request in
                guard request.url.path.hasPrefix("/upload/"), cuts.withLock({ $0 }) > 0 else {
                    return server.answer(request)
                }
                cuts.withLock { $0 -= 1 }
                var cut = request
                cut.body = request.body.map { Array($0.dropLast(5)) }
                return server.answer(cut)
            }
            for _ in 0..<4 { _ = try? await device.settle(60) }
            #expect(cuts.withLock { $0 } == 0 && server.deliveries.count == 1)
            #expect(files(server, in: "sent") == [["a.txt": "the bytes of a file"]])
        }
    }

    /// The original may change or go, and nothing of it changes.
    @Test func `a link is attached as the file that it leads to`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("links-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (original, link) = (folder.appendingPathComponent("file"), folder.appendingPathComponent("a.txt"))
        try Self.bytes.write(to: original)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: original.path)
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "file")
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.attach(link, to: device.mail.draft("Hi"))
            let mode = try FileManager.default.attributesOfItem(atPath: original.path)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o644)
            try Data("changed".utf8).write(to: original)
            try FileManager.default.removeItem(at: link)
            try await device.mail.send(draft)
            for _ in 0..<2 { try await device.settle() }
            #expect(files(server, in: "sent") == [["a.txt": "the bytes of a file"]])
        }
    }

    /// A server's id isn't a path.
    @Test func `removing a file of another mail removes nothing on the device`() async throws {
        try await StandardDevice.run { server, device in
            let other = device.mail.open.outbox.files.folder.appendingPathComponent("kept")
            try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
            var draft = device.mail.draft("Hi")
            draft.files.append(
                DraftText.File(
                    id: "../kept",
                    name: "a.txt",
                    type: "text/plain",
                    size: 1,
                    blobID: "../kept",
                    isOnDevice: false
                )
            )
            draft = try await device.mail.save(draft)
            draft = try await device.mail.removeAttachment("../kept", from: draft)
            #expect(draft.attachments.isEmpty)
            #expect(FileManager.default.fileExists(atPath: other.path))
        }
    }

    @Test func `folders, pipes, devices and missing files can't be attached`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("folder-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipe = folder.appendingPathComponent("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        try await StandardDevice.run { server, device in
            let endless = URL(fileURLWithPath: "/dev/zero")
            for place in [folder, pipe, endless, folder.appendingPathComponent("none")] {
                let draft = device.mail.draft("Hi")
                let error = await #expect(throws: MailError.self) { try await device.mail.attach(place, to: draft) }
                #expect(error?.code == .invalidArgument, "\(place)")
            }
            let drafts = try await device.mail.drafts()
            #expect(drafts.isEmpty)
        }
    }

    @Test func `a file whose draft can't be saved leaves no copy`() async throws {
        let isFull = Locked(false)
        try await StandardDevice.run { configuration in
            configuration.writeHook = { moment in
                if moment == .commits, isFull.withLock({ $0 }) { throw DatabaseError(resultCode: .SQLITE_FULL) }
            }
        } _: { _, device in
            let draft = try await device.mail.attach(Self.bytes, named: "a.txt", to: device.mail.draft("First"))
            let folder = DraftFiles(device.mail.store.location).folder.appendingPathComponent(draft.id)
            let original = FileManager.default.temporaryDirectory.appendingPathComponent("original-\(UUID())")
            try Self.bytes.write(to: original)
            defer { try? FileManager.default.removeItem(at: original) }
            isFull.withLock { $0 = true }
            for _ in 0..<2 {
                let error = await #expect(throws: MailError.self) { try await device.mail.attach(original, to: draft) }
                #expect(error?.code == .diskFull)
            }
            isFull.withLock { $0 = false }
            // Nor does one that is attached while the draft can't be changed.
            let waiting = try await device.mail.send(draft)
            await #expect(throws: MailError.self) {
                try await device.mail.attach(Self.bytes, named: "b.txt", to: waiting)
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left == draft.attachments.map(\.id))
        }
    }

    @Test func `a draft of another window's text has its files where there are no links`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID())", isDirectory: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = DraftFiles(StoreLocation(directory: folder, server: StandardMailServer.url, person: "ann"))
        _ = try files.write(Data("file".utf8), as: "one", of: "sent")
        // A link can't be made: there is a file already, as after a copy that was cut off.
        _ = try files.write(Data("f".utf8), as: "one", of: "new")
        try files.copy(["one", "missing"], of: "sent", to: "new")
        #expect(try Data(contentsOf: files.location("one", of: "new")) == Data("file".utf8))
        #expect(!FileManager.default.fileExists(atPath: files.location("missing", of: "new").path))
    }

    // MARK: - Files on the server

    /// The other device has no copy of the file, and the server's one ends with the version it was read from.
    @Test(arguments: [1, 3], [false, true])
    func `a file survives the edits of a device that hasn't attached it`(edits: Int, isSent: Bool) async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.endsPartBlobs = true }
            let draft = try await device.mail.attach(Self.bytes, named: "a.txt", to: device.mail.draft("First"))
            for _ in 0..<2 { try await device.settle() }
            server.removeUnusedBlobs()
            let other = try await device.anotherDevice(at: server)
            var shown = try #require(try await other.draft(draft.id))
            for edit in 1...edits {
                shown.text = "Edit \(edit)"
                shown = try await other.mail.save(shown)
                try await other.settle()
                server.removeUnusedBlobs()
                #expect(files(server, in: "drafts") == [["a.txt": "the bytes of a file"]])
                let blob = try #require(try await other.draft(draft.id)?.files.first?.blobID)
                #expect(bytes(of: blob, server) == "the bytes of a file")
            }
            if isSent {
                shown.bcc = [EmailAddress(email: "eve@example.org")]
                try await other.mail.send(shown)
                for _ in 0..<3 { try await other.settle(60) }
                #expect(server.deliveries.count == 2)
                #expect(files(server, in: "sent") == [["a.txt": "the bytes of a file"]])
                #expect(server.mails(in: "drafts").isEmpty)
            }
            await other.mail.close()
        }
    }

    @Test func `a file is found although another device has replaced the version meanwhile`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.endsPartBlobs = true }
            let draft = try await device.mail.attach(Self.bytes, named: "a.txt", to: device.mail.draft("First"))
            for _ in 0..<2 { try await device.settle() }
            let other = try await device.anotherDevice(at: server)
            var theirs = try #require(try await other.draft(draft.id))
            var own = try #require(try await device.draft(draft.id))
            own.text = "Second"
            try await device.mail.save(own)
            for _ in 0..<2 { try await device.settle() }
            theirs.text = "Of the other"
            try await other.mail.send(theirs)
            for _ in 0..<4 { try await other.settle(60) }
            #expect(server.deliveries.map(\.text) == ["Of the other"])
            #expect(files(server, in: "sent") == [["a.txt": "the bytes of a file"]])
            await other.mail.close()
        }
    }

    @Test func `a forwarded file stays when the mail it came with is deleted`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.endsPartBlobs = true }
            let mail = try await receive(["b.txt"], server, device)
            var draft = try await device.mail.forward(mail.id)
            draft.to = [EmailAddress(email: "bob@example.org")]
            draft = try await device.mail.save(draft)
            for _ in 0..<2 { try await device.settle() }
            server.empty("inbox")
            server.removeUnusedBlobs()
            try await device.mail.sync()
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            for _ in 0..<4 { try await device.settle(60) }
            #expect(server.deliveries.count == 1)
            #expect(files(server, in: "sent") == [["b.txt": "the bytes of a file"]])
        }
    }

    // MARK: - Windows

    @Test func `a file is uploaded once though a window's value doesn't know of it`() async throws {
        try await StandardDevice.run { server, device in
            var draft = try await device.mail.attach(Self.bytes, named: "a.txt", to: device.mail.draft("First"))
            for number in 1...3 {
                try await device.settle()
                draft.text = "\(number)"
                draft = try await device.mail.save(draft)
            }
            try await device.mail.send(draft)
            try await device.settle()
            #expect(device.uploads == 1)
            #expect(files(server, in: "sent") == [["a.txt": "the bytes of a file"]])
        }
    }

    /// As far as the last known session says; a sparse file has no bytes on the disk.
    @Test func `a file larger than the server takes is neither read nor attached, and named`() async throws {
        try await StandardDevice.run { _, device in
            let draft = device.mail.draft("Look")
            let film = device.directory.appendingPathComponent("film.mov")
            _ = FileManager.default.createFile(atPath: film.path, contents: nil)
            let handle = try FileHandle(forWritingTo: film)
            try handle.truncate(atOffset: 1 << 35)
            try handle.close()
            let link = device.directory.appendingPathComponent("link.mov")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: film)
            for file in [film, link] {
                let error = await #expect(throws: MailError.self) { try await device.mail.attach(file, to: draft) }
                #expect(error?.code == .fileTooLarge)
                let description = try #require(error?.description)
                #expect(description.contains("\(file.lastPathComponent) has 34.4 GB") && description.contains("50 MB"))
            }
            let bytes = Data(count: 50_000_001)
            let error = await #expect(throws: MailError.self) {
                try await device.mail.attach(bytes, named: "a.bin", to: draft)
            }
            #expect(error?.code == .fileTooLarge)
            #expect(try await device.mail.drafts().isEmpty)
            #expect(!FileManager.default.fileExists(atPath: DraftFiles(device.mail.store.location).folder.path))
        }
    }

    /// The person removes it while another one is being uploaded, or while the server says that it has lost it.
    @Test(arguments: [("/upload/", ["a.txt", "b.txt"]), ("Email/set", ["b.txt"])])
    func `a file that is removed meanwhile doesn't keep the draft from the server`(
        request place: String,
        names: [String]
    ) async throws {
        try await StandardDevice.run { server, device in
            var draft = device.mail.draft("Hello")
            for name in names { draft = try await device.mail.attach(Data(name.utf8), named: name, to: draft) }
            let (stored, last) = (draft, try #require(draft.attachments.last))
            let isFirst = Locked(true)
            device.transport.answer { [mail = device.mail] request in
                let isHere =
                    request.url.path.hasPrefix(place)
                    || String(decoding: request.body ?? [], as: UTF8.self).contains("\"\(place)\"")
                guard isHere, isFirst.withLock({ $0 }) else { return server.answer(request) }
                isFirst.withLock { $0 = false }
                _ = try await mail.removeAttachment(last.id, from: stored)
                server.removeBlob(Array("b.txt".utf8))
                return server.answer(request)
            }
            for _ in 0..<3 { try await device.settle() }
            #expect(!isFirst.withLock { $0 })
            let shown = try #require(try await device.draft(stored.id))
            #expect(shown.state == .draft && shown.otherVersions.isEmpty)
            let kept = Array(names.dropLast())
            #expect(shown.attachments.map(\.name) == kept)
            #expect(files(server, in: "drafts").map { $0.keys.sorted() } == [kept])
        }
    }

    @Test func `removing a file leaves one that another window is adding`() async throws {
        try await StandardDevice.run { _, device in
            let draft = try await device.mail.attach(Self.bytes, named: "a.txt", to: device.mail.draft("First"))
            // Copied, and not yet part of a stored draft.
            let files = DraftFiles(device.mail.store.location)
            let copied = try files.write(Self.bytes, as: "other", of: draft.id)
            let kept = DraftText.File(
                id: "other",
                name: "b.txt",
                type: "text/plain",
                size: copied.size,
                isOnDevice: true,
                digest: copied.digest
            )
            _ = try await device.mail.removeAttachment(try #require(draft.attachments.first).id, from: draft)
            #expect(try files.read(kept, of: draft.id) == Self.bytes)
            // The file that was removed is gone.
            let location = files.location(try #require(draft.attachments.first).id, of: draft.id)
            #expect(!FileManager.default.fileExists(atPath: location.path))
        }
    }

    @Test func `removing a file leaves it to another window's text that has it`() async throws {
        try await StandardDevice.run { _, device in
            let draft = try await device.mail.attach(Self.bytes, named: "a.txt", to: device.mail.draft("First"))
            var left = draft
            left.text = "Left"
            try await device.mail.save(left)
            var right = draft
            right.text = "Right"
            right = try await device.mail.save(right)
            let file = try #require(draft.attachments.first)
            _ = try await device.mail.removeAttachment(file.id, from: right)
            let shown = try #require(try await device.draft(draft.id))
            #expect(shown.attachments.isEmpty)
            let version = try #require(shown.otherVersions.first { $0.snippet == "Left" })
            let used = try await device.mail.useVersion(version.id, of: draft.id)
            #expect(used.attachments.map(\.id) == [file.id])
            #expect(try await device.mail.contents(of: file, inDraft: draft.id) == Self.bytes)
        }
    }

    @Test func `the end of a draft leaves a file that a window is adding to it`() async throws {
        try await StandardDevice.run { _, device in
            let draft = try await device.mail.attach(Self.bytes, named: "a.txt", to: device.mail.draft("First"))
            let files = DraftFiles(device.mail.store.location)
            _ = try files.write(Self.bytes, as: "other", of: draft.id)
            try await device.mail.discard(draft.id)
            for _ in 0..<2 { try await device.settle(90_000) }
            let location = files.location("other", of: draft.id)
            #expect(FileManager.default.fileExists(atPath: location.path))
            let own = files.location(try #require(draft.attachments.first).id, of: draft.id)
            #expect(!FileManager.default.fileExists(atPath: own.path))
        }
    }

    @Test func `two files with the same bytes are two`() async throws {
        try await StandardDevice.run { server, device in
            let mail = try await receive(["a.txt", "b.txt"], server, device)
            var draft = try await device.mail.forward(mail.id)
            #expect(draft.attachments.map(\.name) == ["a.txt", "b.txt"])
            #expect(Set(draft.attachments.map(\.id)).count == 2)
            draft.to = [EmailAddress(email: "bob@example.org")]
            draft = try await device.mail.save(draft)
            draft = try await device.mail.removeAttachment(try #require(draft.attachments.first).id, from: draft)
            #expect(draft.attachments.map(\.name) == ["b.txt"])
            for _ in 0..<2 { try await device.settle() }
            #expect(files(server, in: "drafts") == [["b.txt": "the bytes of a file"]])
        }
    }

    @Test func `a file that is too large for the server is uploaded once`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.maxUpload = 5 }
            let draft = try await device.mail.attach(Self.bytes, named: "a.txt", to: device.mail.draft("First"))
            try await device.mail.send(draft)
            for _ in 0..<4 { _ = try? await device.settle(600) }
            #expect(device.uploads == 1)
            guard case .refused(let refusal) = try await device.draft(draft.id)?.state else {
                Issue.record("the draft isn't refused")
                return
            }
            #expect(refusal.code == .tooLarge && refusal.description.contains("a.txt"))
        }
    }

    // MARK: - Of another mail

    @Test func `a file of another mail is attached without its bytes`() async throws {
        try await StandardDevice.run { server, device in
            let mail = try await receive(["b.txt"], server, device)
            let file = try #require(try await device.mail.body(of: mail.id).attachments.first)
            let attachment = MailAttachment(
                id: "\(mail.id)/2",
                messageID: mail.id,
                threadID: mail.threadID,
                receivedAt: mail.receivedAt,
                position: 0,
                file: file
            )
            var draft = device.mail.draft("With a file")
            for _ in 0..<2 { draft = try await device.mail.attach(attachment, to: draft) }
            #expect(Set(draft.attachments.map(\.id)).count == 2)
            draft = try await device.mail.removeAttachment(draft.attachments[0].id, from: draft)
            #expect(draft.attachments.count == 1)
            try await device.mail.send(draft)
            try await device.settle()
            #expect(device.uploads == 0)
            #expect(files(server, in: "sent") == [["b.txt": "the bytes of a file"]])
        }
    }
}
