import Eventually
import Foundation
import Groundwork
import HTMLCleaning
import RunningMailServer
import Testing

@testable import InboxMail

/// Bodies, attachments and search with a real server.
@Suite(.timeLimit(.minutes(10))) struct MailBodyTests {
    private func withSamples(
        _ samples: SampleMail...,
        configure: (inout MailConfiguration) -> Void = { _ in },
        _ body: (TestDevice, [SampleMail: MailMessage], MailServer) async throws -> Void
    ) async throws {
        try await MailServer.run { server in
            let imap = try server.imap()
            let uids = try await imap.append(samples.map { IMAPClient.Mail($0.bytes) })
            let device = try await TestDevice(server, configure: configure)
            try await device.mail.sync()
            let ids = Dictionary(uniqueKeysWithValues: try await imap.mails().map { ($0.uid, $0.emailID) })
            var messages: [SampleMail: MailMessage] = [:]
            for (sample, uid) in zip(samples, uids) {
                messages[sample] = try await device.mail.message(id: ids[uid] ?? "")
            }
            try await body(device, messages, server)
            await device.end()
        }
    }

    @Test func `the best body part is selected, and inline pictures are no attachments`() async throws {
        try await withSamples(.plainText, .alternative, .htmlOnly, .inlineImages, .emptyBody) { device, mails, _ in
            func body(_ sample: SampleMail) async throws -> MailBody {
                try await device.mail.body(of: try #require(mails[sample]).id)
            }
            let plain = try await body(.plainText)
            #expect(plain.html == nil && !plain.text.isEmpty && plain.attachments.isEmpty)
            let both = try await body(.alternative)
            #expect(both.html?.contains("<") == true && !both.text.isEmpty && !both.text.contains("<p"))
            let html = try await body(.htmlOnly)
            #expect(html.html != nil && !html.text.isEmpty && !html.text.contains("<"))
            let pictures = try await body(.inlineImages)
            #expect(pictures.inlineFiles.count == 2 && pictures.attachments.map(\.name) == ["guide.pdf"])
            #expect(pictures.inlineFile(for: "cid:logo@example.com")?.name == "logo.png")
            #expect(pictures.inlineFile(for: "CID:nothing@example.com") == nil)
            #expect(pictures.inlineFile(for: "https://example.com/logo@example.com") == nil)
            #expect(try await body(.emptyBody).text.allSatisfy(\.isWhitespace))
        }
    }

    @Test func `a mail's own pictures are downloaded, and missing ones are left out`() async throws {
        try await withSamples(.inlineImages) { device, mails, _ in
            let body = try await device.mail.body(of: try #require(mails[.inlineImages]).id)
            let other = MailBody([
                "htmlBody": [["partId": "1", "type": "text/html"]],
                "bodyValues": ["1": ["value": "<img src=cid:a>"]],
                "attachments": [["blobId": "nothing", "type": "image/png", "size": 9, "cid": "a"]],
            ])
            #expect(other.shownFiles.count == 1)
            #expect(try await device.mail.pictures(of: other).files.isEmpty)
            let pictures = try await device.mail.pictures(of: body, loadsRemote: true)
            #expect(!pictures.files.isEmpty && pictures.loadsRemote)
            #expect(Set(pictures.files.keys).isSubset(of: body.inlineFiles.map(\.blobID)))
            let mail = try #require(body.cleaned(title: "Guide", pictures: pictures))
            #expect(mail.missingPictures.isEmpty && mail.html.markup.contains("src=\"data:image/"))
        }
    }

    @Test func `the footer of a mailing list is below the text, also in an HTML mail`() async throws {
        try await withSamples(.listFooter) { device, mails, _ in
            let body = try await device.mail.body(of: try #require(mails[.listFooter]).id)
            #expect(body.text.hasPrefix("Who brings the cake?\n____"))
            #expect(body.text.contains("\nParty mailing list <party@lists.example>"))
            #expect(body.html?.contains("<b>cake</b>") == true)
            #expect(body.html?.contains("Party mailing list &lt;party@lists.example&gt;") == true)
            #expect(body.attachments.isEmpty && body.inlineFiles.isEmpty)
        }
    }

    @Test func `quotations in HTML mails are recognized`() async throws {
        try await withSamples(.replyGmail, .replyApple, .replyOutlookHTML) { device, mails, _ in
            for (sample, own) in [
                (SampleMail.replyGmail, "Agreed.\n"), (.replyApple, "Agreed.\nSent from my phone\n"),
                (.replyOutlookHTML, "Agreed.\n"),
            ] {
                let parts = try await device.mail.body(of: try #require(mails[sample]).id).parts
                #expect(parts.map(\.kind) == [.own, .quoted], "\(sample)")
                #expect(parts.first?.text == own, "\(sample)")
                #expect(parts.last?.text.hasSuffix("Shall we take the second one?") == true, "\(sample)")
                #expect(parts.last?.text.contains("bob@example.com") == true, "\(sample): with its introduction")
            }
        }
    }

    @Test func `flowed lines of a mail are joined`() async throws {
        try await withSamples(.flowed) { device, mails, _ in
            let body = try await device.mail.body(of: try #require(mails[.flowed]).id)
            #expect(body.text.hasPrefix("This paragraph is longer than a line of a terminal, so the program that sent"))
            #expect(body.text.contains("that it may be put together again.\n"))
            #expect(body.text.contains("> A quoted paragraph is broken in the same way, each line with its mark.\n"))
            #expect(body.text.contains("\n >This line starts with a mark that quotes nothing."))
            #expect(body.parts.map(\.kind) == [.own, .quoted, .own, .signature])
        }
    }

    @Test func `the addresses to which a mail was delivered come with its body`() async throws {
        try await MailServer.run { server in
            let fields =
                "Delivered-To: member@example.com\r\nSender: Robot <robot@example.com>\r\n"
                + "Delivered-To: alias@example.com\r\n"
            let imap = try server.imap()
            try await imap.append([
                IMAPClient.Mail(Array(fields.utf8) + SampleMail.plainText.bytes),
                IMAPClient.Mail(SampleMail.flowed.bytes),
            ])
            let device = try await TestDevice(server)
            try await device.mail.sync()
            var found: [[String]] = []
            for message in try await device.mail.messages() {
                let body = try await device.mail.body(of: message.id)
                found.append((body.deliveredTo + body.sender).map(\.email))
            }
            #expect(Set(found) == [["member@example.com", "alias@example.com", "robot@example.com"], []])
            await device.end()
        }
    }

    @Test func `the newest bodies are fetched ahead within the budget and open offline`() async throws {
        try await MailServer.run { server in
            let imap = try server.imap()
            // Each mail is different, since a server stores equal mails as one.
            let large = (0..<2).map { number in
                SampleMail.plainText.bytes
                    + Array(String(repeating: "More of the same, \(number).\r\n", count: 2_000).utf8)
            }
            let mails = [SampleMail.plainText.bytes, SampleMail.alternative.bytes] + large
            for (day, bytes) in mails.enumerated() {
                try await imap.append([IMAPClient.Mail(bytes, date: 1_700_000_000 - day * 86_400)])
            }
            try await imap.append([IMAPClient.Mail(SampleMail.htmlOnly.bytes, date: 1_700_100_000)], to: "Trash")
            let device = try await TestDevice(server) { configuration in
                configuration.isLive = true
                configuration.pollInterval = 0.05
                configuration.recentBodies = 5
                // Room for the small bodies and one of the large ones, which takes more than half of it.
                configuration.bodyBudget = 70_000
            }
            #expect(try await eventually { try await device.mail.status().bodies > 40_000 })
            func fetches() -> Int { device.link.log.count { $0.contains("fetchTextBodyValues") } }
            #expect(fetches() == 1)
            let rounds = device.link.log.count
            #expect(try await eventually { device.link.log.count > rounds + 5 })
            #expect(fetches() == 1, "bodies without room aren't fetched repeatedly")
            device.link.fail { _, _ in .losesRequest }
            var isStored: [Bool] = []
            for message in try await device.mail.messages() {
                isStored.append(try await device.mail.storedBody(of: message.id) != nil)
            }
            #expect(
                isStored == [false, true, true, true, false],
                "neither mails in the trash nor bodies without room"
            )
            await device.end()
        }
    }

    @Test func `a body stays available offline until the budget evicts it`() async throws {
        try await withSamples(.plainText, .alternative, configure: { $0.bodyBudget = 1 }) { device, mails, _ in
            let (one, two) = (try #require(mails[.plainText]).id, try #require(mails[.alternative]).id)
            _ = try await device.mail.body(of: one)
            device.link.fail { _, _ in .losesRequest }
            #expect(try await device.mail.body(of: one).text.isEmpty == false)
            await #expect(throws: InboxError.self) { try await device.mail.body(of: two) }
            await #expect(throws: InboxError.self) { try await device.mail.body(of: "nothing") }
            device.link.fail(nil)
            _ = try await device.mail.body(of: two)
            #expect(try await device.mail.storedBody(of: one) == nil, "the budget has room for the last one only")
            #expect(try await device.mail.storedBody(of: two) != nil)
        }
    }

    @Test func `a long body is truncated and marked as truncated`() async throws {
        try await withSamples(.longLine, configure: { $0.maxBodySize = 64 }) { device, mails, _ in
            let body = try await device.mail.body(of: try #require(mails[.longLine]).id)
            #expect(body.isTruncated && body.text.utf8.count <= 64)
        }
    }

    @Test func `an attachment downloads with progress, is stored and shared by all callers`() async throws {
        try await withSamples(.largeAttachment) { device, mails, _ in
            let body = try await device.mail.body(of: try #require(mails[.largeAttachment]).id)
            let file = try #require(body.attachments.first)
            #expect(device.mail.storedFile(file) == nil)
            let steps = Locked<[Mail.FileProgress]>([])
            async let first = device.mail.download(file) { progress in steps.withLock { $0.append(progress) } }
            async let second = device.mail.download(file)
            let (place, same) = try await (first, second)
            #expect(place == same && place.lastPathComponent == file.name)
            #expect(try Data(contentsOf: place).count == file.size)
            let received = steps.withLock { $0 }
            #expect(received.last == Mail.FileProgress(received: file.size, total: file.size))
            #expect(received.map(\.received) == received.map(\.received).sorted())
            #expect(device.mail.storedFile(file) == place)
            // Temporary files are removed.
            let parts = place.deletingLastPathComponent().deletingLastPathComponent()
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: parts.path).count == 1,
                "no incomplete file is left"
            )
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: place.deletingLastPathComponent().path) == [
                    place.lastPathComponent
                ]
            )
        }
    }

    @Test func `an interrupted download is completed, also after a cancellation`() async throws {
        try await withSamples(.largeAttachment) { device, mails, server in
            let body = try await device.mail.body(of: try #require(mails[.largeAttachment]).id)
            let file = try #require(body.attachments.first)
            device.link.cutStreams(after: 1_000_000)
            let error = await #expect(throws: InboxError.self) { try await device.mail.download(file) }
            #expect(error?.code == .notConnected && device.mail.storedFile(file) == nil)
            device.link.cutStreams(after: nil)
            let received = Locked(0)
            let cancelled = Task {
                try await device.mail.download(file) { step in received.withLock { $0 = step.received } }
            }
            _ = try await eventually { received.withLock { $0 } > 1_100_000 }
            cancelled.cancel()
            _ = try? await cancelled.value
            let place = try await device.mail.download(file)
            #expect(try Data(contentsOf: place).count == file.size)
            let again = try await TestDevice(server)
            try await again.mail.sync()
            let other = try await again.mail.download(file)
            #expect(try Data(contentsOf: place) == Data(contentsOf: other), "equal to an uninterrupted download")
            await again.end()
        }
    }

    @Test func `files beyond the budget are evicted, the least recently used first`() async throws {
        try await withSamples(.manyAttachments, configure: { $0.fileBudget = 1 }) { device, mails, _ in
            let files = try await device.mail.body(of: try #require(mails[.manyAttachments]).id).attachments
            try #require(files.count > 1)
            _ = try await device.mail.download(files[0])
            _ = try await device.mail.download(files[1])
            #expect(device.mail.storedFile(files[0]) == nil && device.mail.storedFile(files[1]) != nil)
        }
    }

    @Test func `a search matches prefixes without accents, and the server finds more`() async throws {
        try await withSamples(.plainText, .encodedHeaders, .alternative) { device, mails, _ in
            let message = try #require(mails[.encodedHeaders])
            let word = try #require(message.subject.split(whereSeparator: { !$0.isLetter }).first { $0.count > 3 })
            let folded = String(word).folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
            let found = try await device.mail.search(String(folded.prefix(3)))
            let hit = try #require(found.first { $0.id == message.id })
            #expect(hit.subject.text == message.subject)
            #expect(hit.subject.ranges.contains { hit.subject.text[$0].hasPrefix(String(word.prefix(1))) })
            #expect(try await device.mail.search("\" OR * ) NEAR(").count <= 3, "no part of it is an operator")
            #expect(try await device.mail.search("   ").isEmpty)
            #expect(try await device.mail.search("zzzyyx").isEmpty)
            // The text of a body is searchable once it is stored.
            let plain = try #require(mails[.plainText])
            let last = try await device.mail.body(of: plain.id).text.split(whereSeparator: { !$0.isLetter }).last {
                $0.count > 3
            }
            let inBody = try await device.mail.search(String(try #require(last)))
            #expect(inBody.contains { $0.id == plain.id && !$0.snippet.ranges.isEmpty })
            let rare = String(try #require(last))
            let result = try #require(try await device.mail.searchServer(rare).first { $0.id == plain.id })
            #expect(result.snippet.ranges.map { String(result.snippet.text[$0]) }.contains(rare))
            let subject = try await device.mail.searchServer("Thursday").first { $0.id == plain.id }?.subject
            #expect(subject?.ranges.map { String(subject?.text[$0] ?? "") } == ["Thursday"])
            #expect(try await device.mail.searchServer("zzzyyx").isEmpty)
            await #expect(throws: InboxError.self) { try await device.mail.search("x", limit: -1) }
        }
    }
}
