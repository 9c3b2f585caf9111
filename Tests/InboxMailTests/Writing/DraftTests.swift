import Eventually
import Foundation
import GRDB
import Groundwork
import InboxMail
import ReplicaTesting
import StandardMailServer
import Testing

/// Drafts on the device and on the server: what is saved, when, and what nothing loses.
@Suite(.timeLimit(.minutes(5))) struct DraftTests {
    @Test func `a draft that is typed is saved on the server once, after a pause`() async throws {
        try await StandardDevice.run { server, device in
            var draft = device.mail.draft("")
            for letter in 0..<50 {
                draft.text += "\(letter) "
                draft = try await device.mail.save(draft)
                try await device.settle(1)
            }
            #expect(device.creations == 0)
            try await device.settle(6)
            #expect(device.creations == 1)
            try await device.settle(600)
            #expect(device.creations == 1)
            // The next text takes the place of the first one.
            draft.text = "All of it"
            try await device.mail.save(draft)
            try await device.settle()
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["All of it"])
            #expect(try await device.mail.drafts().map(\.text) == ["All of it"])
        }
    }

    @Test func `a draft is kept through a restart, without a network`() async throws {
        try await StandardDevice.run { server, device in
            device.transport.fail(with: .unreachable)
            var draft = device.mail.draft("Written in a tunnel")
            draft = try await device.mail.attach(Data("file".utf8), named: "a.txt", to: draft)
            await device.mail.close()
            let next = try await StandardDevice(server, clock: device.clock, directory: device.directory)
            let kept = try #require(try await next.draft(draft.id))
            #expect(kept.text == "Written in a tunnel" && kept.attachments.map(\.name) == ["a.txt"])
            try await next.settle()
            #expect(next.uploads == 1)
            let saved = try #require(server.mails(in: "drafts").first)
            #expect(saved["attachments"]?.arrayValue?.first?["name"] == "a.txt")
            await next.mail.close()
        }
    }

    @Test func `a version whose answer was lost is found, and removed by sending`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.save(device.mail.draft("Hello"))
            device.transport.answer { request in
                let answer = server.answer(request)
                guard String(decoding: request.body ?? [], as: UTF8.self).contains("\"create\":{") else {
                    return answer
                }
                throw TransportError.unreachable("the answer is lost")
            }
            await #expect(throws: MailError.self) { try await device.settle() }
            #expect(server.mails(in: "drafts").count == 1)
            device.transport.answer { request in server.answer(request) }
            try await device.settle()
            #expect(device.creations == 1)
            #expect(server.mails(in: "drafts").count == 1)
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            try await device.settle()
            #expect(server.mails(in: "drafts").isEmpty && server.mails(in: "sent").count == 1)
        }
    }

    @Test func `drafts are queried, counted and observed, and are part of their thread`() async throws {
        try await StandardDevice.run { server, device in
            try await device.receive(subject: "Question", from: "carol@example.net", server)
            let question = try #require(try await device.mail.messages().first)
            var reply = try await device.mail.reply(to: question.id)
            #expect(reply.to.map(\.email) == ["carol@example.net"] && reply.subject == "Re: Question")
            #expect(reply.threadID == question.threadID)
            reply.text = "Answer\n" + reply.text
            try await device.mail.save(reply)
            try await device.mail.save(device.mail.draft("Other", subject: "Else"))
            #expect(try await device.mail.draftCount() == 2)
            let found = try await device.mail.drafts(Query(where: #Predicate { $0.subject == "Else" }))
            #expect(found.map(\.text) == ["Other"])
            #expect(try await device.mail.drafts(inThread: question.threadID).map(\.id) == [reply.id])
            #expect(try await device.mail.thread(id: question.threadID)?.hasDrafts == true)
            var snapshots = device.mail.observeDrafts().makeAsyncIterator()
            #expect(try await snapshots.next()?.items.count == 2)
            try await device.mail.discard(reply.id)
            #expect(try await snapshots.next()?.items.map(\.subject) == ["Else"])
            #expect(try await device.mail.thread(id: question.threadID)?.hasDrafts == false)
        }
    }

    @MainActor @Test func `a live draft is one object, changed in place, and gone once it is sent`() async throws {
        try await StandardDevice.run { server, device in
            let id = try await device.mail.save(device.mail.draft("Text", subject: "First")).id
            let live = try #require(try await device.mail.liveDraft(id))
            #expect(try await device.mail.liveDraft(id) === live)
            #expect(live.subject == "First" && !live.isGone)
            var draft = try #require(try await device.draft(id))
            draft.subject = "Second"
            try await device.mail.send(draft)
            #expect(try await eventually { live.subject == "Second" && !live.isEditable })
            for _ in 0..<2 { try await device.settle() }
            #expect(try await eventually { live.isGone })
            #expect(server.deliveries.count == 1)
            #expect(try await device.mail.liveDraft("none") == nil)
        }
    }

    @Test func `a reply that is sent marks the mail as answered and stays in its thread`() async throws {
        try await StandardDevice.run { server, device in
            try await device.receive(subject: "Question", from: "carol@example.net", server)
            let question = try #require(try await device.mail.messages().first)
            let reply = try await device.mail.reply(to: question.id)
            try await device.mail.send(reply)
            try await device.settle()
            try await device.settle()
            let sent = try #require(server.mails(in: "sent").first)
            #expect(sent["inReplyTo"]?.arrayValue == [.string("question@example.net")])
            #expect(sent["threadId"]?.stringValue == question.threadID)
            #expect(server.mails(in: "inbox").first?["keywords"]?["$answered"] == true)
            #expect(try await device.mail.thread(id: question.threadID)?.messageIDs.count == 2)
            #expect(try await device.mail.drafts().isEmpty)
        }
    }

    /// Anyone can answer in a thread, and what the person has removed isn't what they answer.
    @Test func `a thread is answered by its latest mail that isn't in trash or junk`() async throws {
        try await StandardDevice.run { server, device in
            for (mailbox, id) in [("inbox", "question"), ("junk", "offer"), ("trash", "insult"), ("junk", "alone")] {
                let answered: JSON = ["offer", "insult"].contains(id) ? ["question@example.net"] : []
                server.deliver([
                    "mailboxIds": .object(JSONObject([(mailbox, true)])), "keywords": .object(JSONObject()),
                    "subject": "Question", "from": [["email": .string("\(id)@example.net")]],
                    "to": [["email": .string(StandardMailServer.user)]], "messageId": [.string("\(id)@example.net")],
                    "inReplyTo": answered, "bodyStructure": ["partId": "1", "type": "text/plain"],
                    "bodyValues": ["1": ["value": "What is it?"]],
                ])
                device.clock.advance(by: 1)
            }
            try await device.mail.sync()
            let mails = try await device.mail.messages()
            for (id, count) in [("question", 3), ("alone", 1)] {
                let mail = try #require(mails.first { $0.messageIDs == ["\(id)@example.net"] })
                #expect(try await device.mail.messages(inThread: mail.threadID).count == count)
                #expect(try await device.mail.latestMessage(inThread: mail.threadID)?.id == mail.id)
            }
        }
    }

    @Test func `another program's draft is changed and sent, and its version removed`() async throws {
        try await StandardDevice.run { server, device in
            try await device.receive(subject: "Begun elsewhere", from: "alice@example.com", server, isDraft: true)
            var draft = try #require(try await device.mail.drafts().first)
            draft = try #require(try await device.draft(draft.id))
            #expect(draft.subject == "Begun elsewhere")
            draft.text = "Ended here"
            draft.to = [EmailAddress(email: "bob@example.org")]
            try await device.mail.send(draft)
            try await device.settle()
            try await device.settle()
            #expect(server.deliveries.map(\.text) == ["Ended here"])
            #expect(server.mails(in: "drafts").isEmpty)
        }
    }

    @Test func `a lost mailbox gets the drafts back, a discarded draft is in the trash`() async throws {
        try await StandardDevice.run { server, device in
            let (kept, discarded) = (device.mail.draft("Kept"), device.mail.draft("Discarded"))
            try await device.mail.save(kept)
            try await device.mail.save(discarded)
            try await device.settle()
            #expect(server.mails(in: "drafts").count == 2)
            try await device.mail.discard(discarded.id)
            try await device.settle()
            #expect(server.mails(in: "trash").map { $0["preview"] } == ["Discarded"])
            server.empty("drafts")
            server.forgetChanges()
            try await device.settle()
            try await device.settle()
            #expect(try await device.mail.drafts().map(\.text) == ["Kept"])
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Kept"])
        }
    }

    /// There is no network yet, and the person goes on in a screen that stayed open.
    @Test func `the discarded text of a draft that is written again doesn't come back`() async throws {
        try await StandardDevice.run { server, device in
            var draft = try await device.mail.save(device.mail.draft("Discarded"))
            for _ in 0..<2 { try await device.settle() }
            try await device.mail.discard(draft.id)
            draft.text = "Again"
            try await device.mail.save(draft)
            let shown = try #require(try await device.draft(draft.id))
            #expect(shown.text == "Again" && shown.otherVersions.isEmpty)
            for _ in 0..<3 { try await device.settle() }
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Again"])
            #expect(try await device.draft(draft.id)?.otherVersions == [])
        }
    }

    /// The person goes on in a screen that stayed open. The version in the trash is from before that.
    @Test func `a draft written again after it was discarded survives the loss of the drafts`() async throws {
        try await StandardDevice.run { server, device in
            var draft = try await device.mail.save(device.mail.draft("Discarded"))
            for _ in 0..<2 { try await device.settle() }
            try await device.mail.discard(draft.id)
            for _ in 0..<2 { try await device.settle() }
            #expect(server.mails(in: "trash").map { $0["preview"] } == ["Discarded"])
            draft.text = "Again"
            try await device.mail.save(draft)
            for _ in 0..<2 { try await device.settle() }
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Again"])
            server.empty("drafts")
            for _ in 0..<3 { try await device.settle() }
            #expect(try await device.mail.drafts().map(\.text) == ["Again"])
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Again"])
            // Another device discards it.
            server.move("drafts", to: "trash")
            for _ in 0..<3 { try await device.settle() }
            #expect(try await device.mail.drafts().isEmpty)
        }
    }

    @Test func `saving on a full disk throws diskFull and keeps the earlier text`() async throws {
        let isFull = Locked(false)
        try await StandardDevice.run { configuration in
            configuration.writeHook = { moment in
                if moment == .commits, isFull.withLock({ $0 }) { throw DatabaseError(resultCode: .SQLITE_FULL) }
            }
        } _: { _, device in
            var draft = try await device.mail.save(device.mail.draft("First"))
            isFull.withLock { $0 = true }
            draft.text = "Second"
            let changed = draft
            let error = await #expect(throws: MailError.self) { try await device.mail.save(changed) }
            #expect(error?.code == .diskFull)
            #expect(try await device.draft(draft.id)?.text == "First")
            isFull.withLock { $0 = false }
            try await device.mail.save(draft)
            #expect(try await device.draft(draft.id)?.text == "Second")
        }
    }

    @Test func `two windows that change another device's draft keep both texts`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.mail.save(device.mail.draft("First"))
            try await device.settle(60)
            let other = try await device.anotherDevice(at: server)
            var (left, right) = (
                try #require(try await other.draft(draft.id)), try #require(try await other.draft(draft.id))
            )
            left.text = "Left"
            right.text = "Right"
            try await other.mail.save(left)
            try await other.mail.save(right)
            let shown = try #require(try await other.draft(draft.id))
            #expect(shown.text == "Right" && shown.otherVersions.map(\.snippet).contains("Left"))
            // The server has neither.
            let error = await #expect(throws: MailError.self) { try await other.mail.signOut() }
            #expect(error?.code == .unsentDrafts)
            await other.mail.close()
        }
    }

    @Test func `a text of another window stays when another device replaces the draft`() async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.write("Left", then: "Right")
            try await device.settle()
            try await device.settle(60)
            let other = try await device.anotherDevice(at: server)
            var theirs = try #require(try await other.draft(draft.id))
            #expect(theirs.text == "Right")
            theirs.text = "Theirs"
            try await other.mail.save(theirs)
            try await other.settle()
            try await other.settle()
            try await device.settle()
            let shown = try #require(try await device.draft(draft.id))
            #expect(shown.text == "Theirs" && shown.otherVersions.map(\.snippet) == ["Left"])
            let error = await #expect(throws: MailError.self) { try await device.mail.signOut() }
            #expect(error?.code == .unsentDrafts)
            // It is used, and the other device's text stays.
            try await device.mail.useVersion(try #require(shown.otherVersions.first).id, of: draft.id)
            let used = try #require(try await device.draft(draft.id))
            #expect(used.text == "Left" && used.otherVersions.map(\.snippet) == ["Theirs"])
            try await device.settle()
            try await device.settle()
            try await other.settle()
            #expect(try await other.draft(draft.id)?.text == "Left")
            await other.mail.close()
        }
    }

    @Test func `a window that was open when a draft was removed overwrites nothing`() async throws {
        try await StandardDevice.run { server, device in
            let old = try await device.mail.save(device.mail.draft("Old"))
            try await device.mail.discard(old.id)
            try await device.settle()
            try await device.settle(86_500)
            var new = old
            new.text = "New"
            try await device.mail.save(new)
            var stale = old
            stale.text = "Stale"
            try await device.mail.save(stale)
            let shown = try #require(try await device.draft(old.id))
            #expect(shown.text == "Stale" && shown.otherVersions.map(\.snippet) == ["New"])
        }
    }

    @Test func `two windows that change one draft keep both texts`() async throws {
        try await StandardDevice.run { _, device in
            let draft = try await device.write("Left", then: "Right")
            let shown = try #require(try await device.draft(draft.id))
            #expect(shown.text == "Right" && shown.otherVersions.map(\.snippet) == ["Left"])
            let used = try await device.mail.useVersion(try #require(shown.otherVersions.first).id, of: draft.id)
            #expect(used.text == "Left")
            #expect(try await device.draft(draft.id)?.otherVersions.map(\.snippet) == ["Right"])
        }
    }

    @Test func `a text of another window becomes a draft when the draft is sent`() async throws {
        try await StandardDevice.run { server, device in
            let first = try await device.mail.save(device.mail.draft("Written"))
            var (left, right) = (first, first)
            left = try await device.mail.attach(Data("file".utf8), named: "a.txt", to: left)
            left.text = "Left"
            try await device.mail.save(left)
            right.text = "Right"
            right.to = [EmailAddress(email: "bob@example.org")]
            right = try await device.mail.save(right)
            try await device.mail.send(right)
            try await device.settle(120)
            #expect(server.mails(in: "sent").count == 1)
            guard case .sent = try await device.mail.outcome(ofDraft: first.id) else {
                Issue.record("the draft isn't sent")
                return
            }
            let kept = try #require(try await device.mail.drafts().first { $0.state != .sent })
            #expect(kept.id != first.id && kept.text == "Left" && kept.otherVersions.isEmpty)
            let file = try #require(kept.attachments.first)
            #expect(try await device.mail.contents(of: file, inDraft: kept.id) == Data("file".utf8))
            // It is saved and sent as any other draft, also after the files of the first one are gone.
            try await device.settle(90_000)
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Left"])
            var other = try #require(try await device.draft(kept.id))
            other.to = right.to
            try await device.mail.send(other)
            try await device.settle(120)
            #expect(server.mails(in: "sent").count == 2)
            #expect(try await device.mail.drafts().allSatisfy { $0.state == .sent })
        }
    }

    /// The server's file ends with the version that it was read from.
    @Test func `a text of another window keeps a file that only the server has`() async throws {
        try await StandardDevice.run { server, device in
            server.behave { $0.endsPartBlobs = true }
            let draft = try await device.mail.attach(Data("file".utf8), named: "a.txt", to: device.mail.draft("First"))
            for _ in 0..<2 { try await device.settle() }
            server.removeUnusedBlobs()
            let other = try await device.anotherDevice(at: server)
            let shown = try #require(try await other.draft(draft.id))
            var (left, right) = (shown, shown)
            left.text = "Left"
            try await other.mail.save(left)
            right.text = "Right"
            right = try await other.mail.removeAttachment(try #require(shown.attachments.first).id, from: right)
            #expect(right.otherVersions.map(\.snippet) == ["Left"])
            try await other.mail.send(right)
            for _ in 0..<6 {
                try await other.settle(10)
                server.removeUnusedBlobs()
            }
            #expect(server.mails(in: "sent").map { $0["preview"] } == ["Right"])
            #expect(server.mails(in: "drafts").map { $0["preview"] } == ["Left"])
            let kept = try #require(try await other.mail.drafts().first { $0.state != .sent })
            #expect(kept.state == .draft && kept.attachments.map(\.name) == ["a.txt"])
            // It can be sent, with the file.
            try await other.mail.send(kept)
            for _ in 0..<3 { try await other.settle(60) }
            #expect(server.mails(in: "sent").count == 2 && server.mails(in: "drafts").isEmpty)
            #expect(try await other.mail.drafts().allSatisfy { $0.state == .sent })
            await other.mail.close()
        }
    }

    /// Cyrus 3.6 writes the names of SMTP's extensions in small letters.
    @Test(arguments: ["SIZE", "size"])
    func `a sync stores what the server allows, for a device without a network`(name: String) async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        server.behave { $0.submissionExtensions = .object(JSONObject([(name, ["20000"])])) }
        let device = try await StandardDevice(server, clock: clock)
        defer { try? FileManager.default.removeItem(at: device.directory) }
        try await device.mail.sync()
        await device.mail.close()
        let later = try await StandardDevice(server, clock: clock, directory: device.directory)
        later.transport.fail(with: .unreachable)
        var draft = later.mail.draft(String(repeating: "word ", count: 1_000))
        #expect(try await later.mail.problems(of: draft).isEmpty)
        draft.text = String(repeating: "word ", count: 10_000)
        draft.to = [EmailAddress(email: "böb@example.org")]
        let problems = try await later.mail.problems(of: draft)
        #expect(problems.map(\.severity) == [.blocksSending, .question], "\(problems)")
        await later.mail.close()
    }

    /// The domain is in ASCII in any case.
    @Test func `an address that isn't ASCII is used as it is where the server supports it`() async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        server.behave { $0.submissionExtensions = .object(JSONObject([("SMTPUTF8", .array([]))])) }
        let device = try await StandardDevice(server, clock: clock)
        defer { try? FileManager.default.removeItem(at: device.directory) }
        try await device.mail.sync()
        var draft = device.mail.draft("Hello")
        draft.to = [EmailAddress(name: "Jürgen", email: "jürgen@bücher.example")]
        #expect(try await device.mail.problems(of: draft).isEmpty)
        try await device.mail.send(draft)
        try await device.settle()
        let address = "jürgen@xn--bcher-kva.example"
        #expect(server.deliveries.map(\.recipient) == [address])
        let header = server.mails(in: "sent").first?["to"]?.arrayValue?.first
        #expect(header?["name"] == "Jürgen" && header?["email"] == .string(address))
        await device.mail.close()
    }

    @Test func `texts of other windows are kept, and too many are refused`() async throws {
        try await StandardDevice.run { _, device in
            let draft = try await device.mail.save(device.mail.draft("First"))
            var kept: [String] = []
            for number in 1...30 {
                var changed = draft
                changed.text = "\(number) of a window"
                guard (try? await device.mail.save(changed)) != nil else { break }
                kept.append(changed.text)
            }
            #expect(kept.count > 10 && kept.count < 30)
            let shown = try #require(try await device.draft(draft.id))
            #expect(shown.text == kept.last)
            #expect(Set(shown.otherVersions.map(\.snippet)) == Set(kept.dropLast()))
            let late = draft
            let error = await #expect(throws: MailError.self) { try await device.mail.save(late) }
            #expect(error?.code == .invalidArgument)
            // The window that is shown goes on.
            var changed = shown
            changed.text = "On and on"
            try await device.mail.save(changed)
            try await device.mail.discardVersion(try #require(shown.otherVersions.first).id, of: draft.id)
            try await device.mail.save(late)
        }
    }

    /// In a reply, what is typed is above the quotation.
    @Test(arguments: ["", "\n\n> Shall we meet?\n"])
    func `two windows that a person types in alternately keep one text each`(quotation: String) async throws {
        try await StandardDevice.run { _, device in
            var left = device.mail.draft(quotation)
            if !quotation.isEmpty { left.html = "<div><br></div><blockquote>Shall we meet?</blockquote>" }
            left = try await device.mail.save(left)
            var right = left
            var (leftText, rightText) = ("", "")
            for number in 1...30 {
                leftText += "left \(number) "
                left.text = leftText + quotation
                left.html = left.html?.replacing("<br>", with: "\(number)<br>")
                left = try await device.mail.save(left)
                rightText += "right \(number) "
                right.text = rightText + quotation
                if number.isMultiple(of: 10) { right.cc.append(EmailAddress(email: "c\(number)@example.org")) }
                right = try await device.mail.save(right)
            }
            let shown = try #require(try await device.draft(left.id))
            #expect(shown.text == right.text && shown.otherVersions.count <= 3)
            #expect(shown.otherVersions.contains { $0.snippet.hasPrefix("left 1 left 2") })
        }
    }

    @Test(arguments: ["Meet at 11", "Meet at 1 pm\n> When?", "Meet at one\n\n> When?"])
    func `a text of another window that the sent one doesn't have stays`(other: String) async throws {
        try await StandardDevice.run { server, device in
            let draft = try await device.write(other, then: "Meet at 1\n\n> When?")
            try await device.mail.send(try #require(try await device.draft(draft.id)))
            try await device.settle(60)
            #expect(server.deliveries.count == 1)
            #expect(try await device.mail.drafts().filter { $0.state != .sent }.map(\.text) == [other])
        }
    }

    /// The window's text was replaced before the file was uploaded.
    @Test func `a text that the sent one continues isn't a draft, also with an uploaded file`() async throws {
        try await StandardDevice.run { server, device in
            let first = try await device.mail.attach(Data("file".utf8), named: "a.txt", to: device.mail.draft("Hello"))
            var (left, right) = (first, first)
            left.text = "Hello Bob"
            try await device.mail.save(left)
            right.text = "Hello Bob, see below."
            right.subject = "Hello again"
            right.cc = [EmailAddress(email: "carol@example.org")]
            right = try await device.mail.save(right)
            #expect(right.otherVersions.map(\.snippet) == ["Hello Bob"])
            try await device.settle()
            try await device.mail.send(try #require(try await device.draft(first.id)))
            try await device.settle(120)
            #expect(server.deliveries.count == 2 && device.uploads == 1)
            #expect(try await device.mail.drafts().allSatisfy { $0.state == .sent })
        }
    }

    @Test func `problems name the part, and those that block sending are refused`() async throws {
        try await StandardDevice.run { _, device in
            var draft = device.mail.newDraft()
            draft.text = "See the attached file"
            #expect(draft.problems.contains(.noRecipient))
            #expect(draft.problems.contains(.missingAttachment(word: "attached")))
            let empty = draft
            await #expect(throws: MailError.self) { try await device.mail.send(empty) }
            draft.to = [EmailAddress(email: "not an address")]
            let invalid = draft
            let error = await #expect(throws: MailError.self) { try await device.mail.send(invalid) }
            #expect(error?.code == .invalidArgument && error?.description.contains("To 1") == true)
            // What the server says of the files of a mail (`maxSizeAttachmentsPerEmail`) isn't what it takes.
            draft = try await device.mail.attach(Data(count: 2_000), named: "film.mov", to: draft)
            draft.to = [EmailAddress(email: "bob@example.org")]
            #expect(try await device.mail.problems(of: draft) == [.missingSubject])
        }
    }
}

extension StandardDevice {
    /// Receives a mail of another person, or a draft of another program.
    func receive(
        subject: String,
        from: String,
        _ server: StandardMailServer,
        isDraft: Bool = false
    ) async throws {
        server.deliver(
            [
                "mailboxIds": isDraft ? ["drafts": true] : ["inbox": true],
                "keywords": isDraft ? ["$draft": true] : .object(JSONObject()), "subject": .string(subject),
                "from": [["name": .null, "email": .string(from)]],
                "to": [["name": .null, "email": .string(StandardMailServer.user)]],
                "messageId": [.string("\(subject.lowercased().replacing(" ", with: "-"))@example.net")],
                "bodyStructure": ["partId": "1", "type": "text/plain"], "bodyValues": ["1": ["value": "What is it?"]],
            ]
        )
        try await mail.sync()
    }
}
