import Eventually
import Foundation
import Groundwork
import InboxMail
import Replica
import ReplicaTesting
import StandardMailServer
import Testing

/// Texts that are longer than a mail's text on a device may be.
@Suite(.timeLimit(.minutes(5))) struct LongDraftTests {
    private static let long = String(repeating: "A line of a long letter.\n", count: 200) + "The end."

    private func limit(_ configuration: inout MailConfiguration) { configuration.maxBodySize = 1_000 }

    /// Saves a long draft on one device, and syncs another one.
    ///
    /// - Parameter maxBodyValue: The largest text that the server shows meanwhile.
    private func write(
        shownUpTo maxBodyValue: Int? = nil,
        _ body: (StandardMailServer, StandardDevice, _ other: StandardDevice, _ id: String) async throws -> Void
    ) async throws {
        try await StandardDevice.run(configure: limit) { server, device in
            let draft = try await device.mail.save(device.mail.draft(Self.long))
            for _ in 0..<2 { try await device.settle() }
            server.behave { $0.maxBodyValue = maxBodyValue }
            let other = try await device.anotherDevice(at: server, configure: limit)
            try await body(server, device, other, draft.id)
            await other.mail.close()
        }
    }

    @Test(arguments: [false, true])
    func `a long draft that another device continues keeps its end`(isSent: Bool) async throws {
        try await write { server, _, other, id in
            var draft = try #require(try await other.draft(id))
            #expect(draft.isComplete && draft.text.hasSuffix("The end."))
            draft.subject = "Changed"
            if isSent { try await other.mail.send(draft) } else { try await other.mail.save(draft) }
            for _ in 0..<2 { try await other.settle(90) }
            if isSent {
                #expect(server.deliveries.map(\.text) == [Self.long])
            } else {
                let texts = server.mails(in: "drafts").map { $0["bodyValues"]?["1"]?["value"]?.stringValue }
                #expect(texts == [Self.long])
            }
        }
    }

    @Test func `a draft whose text the server cuts is neither saved nor sent`() async throws {
        try await write(shownUpTo: 500) { server, _, other, id in
            var draft = try #require(try await other.draft(id))
            #expect(!draft.isComplete)
            draft.subject = "Changed"
            let changed = draft
            for action in [{ _ = try await other.mail.save(changed) }, { _ = try await other.mail.send(changed) }] {
                let error = await #expect(throws: MailError.self) { try await action() }
                #expect(error?.code == .invalidArgument)
            }
            try await other.settle(90)
            #expect(server.mails(in: "drafts").count == 1 && server.deliveries.isEmpty)
            // Once the server shows all of it, it can be changed.
            server.behave { $0.maxBodyValue = nil }
            #expect(try await other.draft(id)?.text == Self.long)
        }
    }

    /// Such as by an earlier version, or while it was a mail like others.
    @Test func `a cut text that is stored is fetched whole after a restart`() async throws {
        try await write(shownUpTo: 1_010) { server, _, other, id in
            #expect(try await other.mail.drafts().map(\.isComplete) == [false])
            server.behave { $0.maxBodyValue = nil }
            await other.mail.close()
            let next = try await StandardDevice(
                server,
                clock: other.clock,
                directory: other.directory,
                configure: limit
            )
            try await next.mail.sync()
            #expect(try await next.mail.drafts().map(\.isComplete) == [true])
            #expect(try await next.draft(id)?.text == Self.long)
            await next.mail.close()
        }
    }

    @Test func `another long version is used whole`() async throws {
        try await write { server, device, other, id in
            var own = try #require(try await other.draft(id))
            own.text = "Short"
            var theirs = try #require(try await device.draft(id))
            theirs.text = "B" + Self.long
            try await device.mail.save(theirs)
            try await other.mail.save(own)
            for _ in 0..<2 { try await device.settle() }
            for _ in 0..<3 { try await other.settle() }
            let shown = try #require(try await other.draft(id))
            let versions = shown.otherVersions.filter { $0.snippet.hasPrefix("BA line") }
            let version = try #require(versions.first)
            let used = try await other.mail.useVersion(version.id, of: id)
            #expect(used.text == theirs.text)
        }
    }

    /// Longer than a screen shows, and with more elements.
    @Test func `a mail of megabytes is forwarded and saved whole`() async throws {
        try await StandardDevice.run { server, device in
            let text = String(repeating: "A line of a long letter.\n", count: 30_000) + "The end."
            let html = String(repeating: "<p>A <b>line</b> of it</p>", count: 45_000) + "<p>The end.</p>"
            server.deliver([
                "mailboxIds": ["inbox": true], "subject": "Letter", "from": [["email": "carol@example.net"]],
                "to": [["email": .string(StandardMailServer.user)]], "messageId": ["letter@example.net"],
                "bodyStructure": [
                    "type": "multipart/alternative",
                    "subParts": [
                        ["partId": "1", "type": "text/plain"], ["partId": "2", "type": "text/html"],
                    ],
                ],
                "bodyValues": ["1": ["value": .string(text)], "2": ["value": .string(html)]],
            ])
            try await device.mail.sync()
            let id = try #require(try await device.mail.messages().first).id
            let draft = try await device.mail.forward(id)
            #expect(draft.text.hasSuffix("The end.") && draft.html?.hasSuffix("<p>The end.</p>") ?? false)
            try await device.mail.save(draft)
            for _ in 0..<2 { try await device.settle() }
            let saved = try #require(server.mails(in: "drafts").first?["bodyValues"])
            #expect(saved["1"]?["value"]?.stringValue?.hasSuffix("The end.") ?? false)
            #expect(saved["2"]?["value"]?.stringValue?.contains("<p>The end.</p>") ?? false)
        }
    }

    @Test func `a forwarded mail is whole, and a reply quotes all of it`() async throws {
        try await StandardDevice.run(configure: limit) { server, device in
            server.deliver([
                "mailboxIds": ["inbox": true], "subject": "Letter", "from": [["email": "carol@example.net"]],
                "to": [["email": .string(StandardMailServer.user)]], "messageId": ["letter@example.net"],
                "bodyStructure": [
                    "type": "multipart/alternative",
                    "subParts": [
                        ["partId": "1", "type": "text/plain"], ["partId": "2", "type": "text/html"],
                    ],
                ],
                "bodyValues": [
                    "1": ["value": .string(Self.long)], "2": ["value": .string("<p>\(Self.long)</p>")],
                ],
            ])
            try await device.mail.sync()
            let id = try #require(try await device.mail.messages().first).id
            // As the app shows it.
            #expect(try await device.mail.body(of: id).isTruncated)
            for draft in [try await device.mail.forward(id), try await device.mail.reply(to: id)] {
                #expect(draft.text.contains("The end."))
                #expect(draft.html?.contains("The end.") ?? false)
            }
            // Cut silently, it would be sent so.
            server.behave { $0.maxBodyValue = 500 }
            let forward = try await device.mail.forward(id)
            #expect(!forward.text.contains("The end.") && forward.text.hasSuffix("[…]"))
            #expect(forward.html?.contains("[…]") ?? false)
            #expect(forward.attachments.map(\.name) == ["Letter.eml"])
            #expect(forward.attachments.map(\.type) == ["message/rfc822"])
            #expect(forward.attachments.first?.isUploaded == true)
            let reply = try await device.mail.reply(to: id)
            #expect(!reply.text.contains("The end.") && reply.text.contains("[…]"))
        }
    }

    /// The snippet would pass for the whole mail.
    @Test func `a reply without the mail's body quotes its beginning, marked as cut`() async throws {
        try await StandardDevice.run(configure: { $0.recentBodies = 0 }) { server, device in
            for (id, text) in [("letter", Self.long), ("empty", "")] {
                server.deliver([
                    "mailboxIds": ["inbox": true], "subject": "Letter", "from": [["email": "carol@example.net"]],
                    "to": [["email": .string(StandardMailServer.user)]], "messageId": [.string("\(id)@example.net")],
                    "bodyStructure": ["partId": "1", "type": "text/plain"],
                    "bodyValues": ["1": ["value": .string(text)]],
                ])
            }
            try await device.mail.sync()
            device.transport.answer { _ in throw TransportError.unreachable("there is no network") }
            for message in try await device.mail.messages() {
                #expect(try await device.mail.storedBody(of: message.id) == nil)
                let reply = try await device.mail.reply(to: message.id)
                guard !message.snippet.isEmpty else {
                    #expect(reply.text == "")
                    continue
                }
                #expect(reply.text.contains("> A line of a long letter.") && !reply.text.contains("The end."))
                #expect(reply.html == nil && reply.text.hasSuffix("\n> […]"), "\(reply.text)")
            }
        }
    }

    /// The server is reached, and doesn't answer.
    @Test func `a reply waits ten seconds for the mail's body, and quotes its beginning then`() async throws {
        try await StandardDevice.run(configure: { $0.recentBodies = 0 }) { server, device in
            server.deliver([
                "mailboxIds": ["inbox": true], "subject": "Letter", "from": [["email": "carol@example.net"]],
                "to": [["email": .string(StandardMailServer.user)]], "messageId": ["letter@example.net"],
                "bodyStructure": ["partId": "1", "type": "text/plain"],
                "bodyValues": ["1": ["value": .string(Self.long)]],
            ])
            try await device.mail.sync()
            let id = try #require(try await device.mail.messages().first?.id)
            let clock = device.clock
            device.transport.answer { _ in
                try await clock.sleep(until: .distantFuture)
                throw TransportError.unreachable("there is no answer")
            }
            let waits = clock.sleeperCount
            async let reply = device.mail.reply(to: id)
            // The reply's wait, the deadline of the request, and the server.
            #expect(try await eventually { clock.sleeperCount >= waits + 3 })
            clock.advance(by: 10)
            let text = try await reply.text
            #expect(text.hasPrefix("\n\n") && text.hasSuffix("\n> […]"), "\(text)")
        }
    }

    /// As a file, the mail itself would name them to the new recipient.
    @Test func `a sent mail that is forwarded as a file doesn't name its blind copies`() async throws {
        try await StandardDevice.run(configure: limit) { server, device in
            server.behave { $0.maxBodyValue = 500 }
            server.deliver([
                "mailboxIds": ["sent": true], "subject": "Letter", "messageId": ["letter@example.net"],
                "from": [["email": .string(StandardMailServer.user)]], "to": [["email": "carol@example.net"]],
                "bcc": [["email": "eve@example.org"]], "bodyStructure": ["partId": "1", "type": "text/plain"],
                "bodyValues": ["1": ["value": .string(Self.long)]],
            ])
            let mail = "Subject: Letter\r\nBcc: Eve\r\n <eve@example.org>\r\nTo: carol@example.net\r\n\r\nThe end."
            device.transport.answerStreams { _ in
                let body = AsyncThrowingStream<[UInt8], any Error> { stream in
                    stream.yield(Array(mail.utf8))
                    stream.finish()
                }
                return TransportStream(status: 200, headers: ["content-length": "\(mail.utf8.count)"], body: body)
            }
            try await device.mail.sync()
            let id = try #require(try await device.mail.messages().first).id
            var draft = try await device.mail.forward(id)
            #expect(draft.attachments.map(\.name) == ["Letter.eml"] && draft.attachments[0].type == "message/rfc822")
            #expect(!draft.text.contains("eve@") && draft.text.hasSuffix("[…]"))
            draft.to = [EmailAddress(email: "bob@example.org")]
            draft = try await device.mail.send(draft)
            let bytes = try await device.mail.contents(of: draft.attachments[0], inDraft: draft.id)
            let kept = "Subject: Letter\r\nTo: carol@example.net\r\n\r\nThe end."
            #expect(String(decoding: bytes, as: UTF8.self) == kept)
            for _ in 0..<2 { try await device.settle() }
            #expect(device.uploads == 1 && server.deliveries.map(\.recipient) == ["bob@example.org"])
        }
    }
}
