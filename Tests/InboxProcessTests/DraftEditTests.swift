import Foundation
import Groundwork
import InboxMail
import Testing

@testable import inbox

/// What a change of a draft, by options or in an editor, does to its parts.
@Suite(.timeLimit(.minutes(5))) struct DraftEditTests {
    private struct NoNetwork: Transport {
        func send(_ request: TransportRequest, maxBytes: Int) async throws -> TransportResponse {
            throw TransportError.unreachable("no network")
        }

        func stream(_ request: TransportRequest) async throws -> TransportStream {
            throw TransportError.unreachable("no network")
        }
    }

    /// Runs a test with a draft that has recipients of each kind, HTML with a picture, and two files.
    private func withDraft(_ body: (Mail, MailDraft, _ folder: URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("edit-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = MailConfiguration()
        configuration.isLive = false
        configuration.transport = NoNetwork()
        let mail = try await Mail.open(
            server: try #require(URL(string: "https://mail.example")),
            credentials: .basic(user: "alice") { "" },
            directory: folder,
            configuration: configuration
        )
        var draft = mail.newDraft()
        (draft.to, draft.cc) = ([EmailAddress(email: "bob@example.org")], [EmailAddress(email: "carol@example.org")])
        (draft.bcc, draft.replyTo) = ([EmailAddress(email: "eve@example.org")], [EmailAddress(email: "r@example.org")])
        (draft.subject, draft.text, draft.html) = ("Plans", "Hello", "<p>Hello <img src=\"cid:p@example.org\"></p>")
        draft = try await mail.attach(Data("a".utf8), named: "a.txt", to: draft)
        draft = try await mail.attach(Data("p".utf8), named: "p.png", to: draft, contentID: "p@example.org")
        draft = try await mail.attach(Data("b".utf8), named: "b.txt", to: draft)
        try await body(mail, draft, folder)
        await mail.close()
    }

    /// Returns the draft after its page was edited.
    private func edited(
        _ draft: MailDraft,
        in mail: Mail,
        _ change: (String) -> String
    ) async throws -> MailDraft {
        let page = try DraftPage(reading: change(DraftPage.text(of: draft)))
        var edit = try DraftEdit(page, of: draft, folder: FileManager.default.temporaryDirectory)
        var changed = draft
        edit.apply(to: &changed, above: nil)
        return try await edit.save(changed, over: draft, in: mail)
    }

    @Test func `a page that isn't changed changes nothing`() async throws {
        try await withDraft { mail, draft, _ in
            let same = try await edited(draft, in: mail) { $0 }
            #expect(same.to == draft.to && same.cc == draft.cc && same.bcc == draft.bcc)
            #expect(same.replyTo == draft.replyTo && same.subject == draft.subject && same.text == draft.text)
            #expect(same.html == draft.html && same.attachments == draft.attachments)
            #expect(try await mail.draft(id: draft.id)?.attachments == draft.attachments)
        }
    }

    @Test(arguments: ["To", "Cc", "Bcc", "Reply-To", "Subject"])
    func `a header that is removed from the page is empty, and the others stay`(name: String) async throws {
        try await withDraft { mail, draft, _ in
            let changed = try await edited(draft, in: mail) { page in
                page.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("\(name):") }
                    .joined(separator: "\n")
            }
            #expect(changed.to == (name == "To" ? [] : draft.to))
            #expect(changed.cc == (name == "Cc" ? [] : draft.cc))
            #expect(changed.bcc == (name == "Bcc" ? [] : draft.bcc))
            #expect(changed.replyTo == (name == "Reply-To" ? [] : draft.replyTo))
            #expect(changed.subject == (name == "Subject" ? "" : draft.subject))
        }
    }

    @Test func `for a text of options, headers that it doesn't have stay as they are`() async throws {
        try await withDraft { mail, draft, folder in
            let page = try DraftPage(reading: "Bcc: dave@example.org\n\nNew text\n")
            var edit = try DraftEdit(page, of: draft, folder: folder)
            edit.keepWhatIsMissing(in: page)
            var changed = draft
            edit.apply(to: &changed, above: nil)
            changed = try await edit.save(changed, over: draft, in: mail)
            #expect(changed.to == draft.to && changed.cc == draft.cc && changed.replyTo == draft.replyTo)
            #expect(changed.bcc.map(\.email) == ["dave@example.org"] && changed.subject == draft.subject)
            #expect(changed.text == "New text" && changed.attachments.map(\.name) == ["a.txt", "b.txt"])
        }
    }

    @Test(arguments: [
        ("Subject: A\nTo: bob@example.org\nSubject: B\n\nHi\n", "Subject: has to be given once."),
        ("From: a@example.org\nFrom: b@example.org\n\nHi\n", "From: has to be one address."),
    ])
    func `a header with one value can't be given twice`(page: String, problem: String) async throws {
        try await withDraft { _, draft, folder in
            let read = try DraftPage(reading: page)
            let error = #expect(throws: DraftPage.Problem.self) { try DraftEdit(read, of: draft, folder: folder) }
            #expect(error?.description.hasPrefix(problem) == true, "\(error as Any)")
            // A subject on two lines is one.
            let folded = try DraftEdit(DraftPage(reading: "Subject: A\n B\n\nHi\n"), of: draft, folder: folder)
            #expect(folded.subject == "A B")
        }
    }

    @Test(arguments: ["Cc:\nBcc:\n\n", "Reply-To:\nSubject:\n\n", "To:\n\nHi\n", "File:\n\n"])
    func `for a text of options, an empty header clears its part`(text: String) async throws {
        try await withDraft { mail, draft, folder in
            let page = try DraftPage(reading: text)
            var edit = try DraftEdit(page, of: draft, folder: folder)
            edit.keepWhatIsMissing(in: page)
            #expect(edit != DraftEdit())
            var changed = draft
            edit.apply(to: &changed, above: nil)
            changed = try await edit.save(changed, over: draft, in: mail)
            #expect(changed.to == (text.hasPrefix("To:") ? [] : draft.to))
            #expect(changed.cc == (text.hasPrefix("Cc:") ? [] : draft.cc))
            #expect(changed.bcc == (text.hasPrefix("Cc:") ? [] : draft.bcc))
            #expect(changed.replyTo == (text.hasPrefix("Reply-To:") ? [] : draft.replyTo))
            #expect(changed.subject == (text.hasPrefix("Reply-To:") ? "" : draft.subject))
            #expect(changed.attachments.contains { $0.name == "a.txt" } != text.hasPrefix("File:"))
            #expect(changed.text == (text.hasSuffix("Hi\n") ? "Hi" : draft.text))
        }
    }

    @Test(arguments: ["Subject: A\n\nHi\n", "From:\nSubject: A\n\nHi\n"], [false, true])
    func `a sender that is removed is the account's, and one that isn't named stays`(
        text: String,
        isOfOptions: Bool
    ) async throws {
        try await withDraft { mail, draft, folder in
            var changed = draft
            changed.from = EmailAddress(email: "work@example.org")
            let page = try DraftPage(reading: text)
            var edit = try DraftEdit(page, of: changed, folder: folder)
            if isOfOptions { edit.keepWhatIsMissing(in: page) }
            edit.apply(to: &changed, above: nil)
            let isKept = isOfOptions && !text.hasPrefix("From")
            #expect(changed.from?.email == (isKept ? "work@example.org" : nil))
        }
    }

    @Test func `the files of a page stay, and one whose line is removed goes`() async throws {
        try await withDraft { mail, draft, _ in
            #expect(DraftPage.text(of: draft).contains("File: 1 a.txt (1 B)\nFile: 3 b.txt (1 B)\n"))
            let changed = try await edited(draft, in: mail) { page in
                page.replacing("File: 1 a.txt (1 B)\n", with: "").replacing("Subject: Plans", with: "Subject: New")
            }
            #expect(changed.subject == "New" && changed.attachments.map(\.name) == ["p.png", "b.txt"])
            #expect(try await mail.draft(id: draft.id)?.attachments.map(\.name) == ["p.png", "b.txt"])
            let kept = try #require(changed.attachments.last)
            #expect(try await mail.contents(of: kept, inDraft: draft.id) == Data("b".utf8))
        }
    }

    /// Otherwise readers of text would get the text from before.
    @Test(arguments: [nil, "In words."])
    func `HTML of options has its own text, unless there is one too`(text: String?) async throws {
        try await withDraft { _, draft, _ in
            var edit = DraftEdit()
            edit.html = "<p>New <b>text</b></p><blockquote>before</blockquote>"
            edit.ownText = text
            var changed = draft
            edit.apply(to: &changed, above: nil)
            #expect(changed.html == edit.html && changed.text == text ?? "New text\n> before")
        }
    }

    @Test(arguments: [true, false])
    func `pictures go with the HTML that showed them`(byPage: Bool) async throws {
        try await withDraft { mail, draft, _ in
            var changed = draft
            if byPage {
                changed = try await edited(draft, in: mail) { $0 + "More\n" }
            } else {
                var edit = DraftEdit()
                edit.ownText = "Other"
                edit.apply(to: &changed, above: nil)
                changed = try await edit.save(changed, over: draft, in: mail)
            }
            #expect(changed.html == nil && changed.attachments.map(\.name) == ["a.txt", "b.txt"])
            #expect(try await mail.draft(id: draft.id)?.attachments.map(\.name) == ["a.txt", "b.txt"])
        }
    }

    @Test func `pictures that no HTML shows are files, and stay`() async throws {
        try await withDraft { mail, draft, _ in
            var plain = draft
            plain.html = nil
            plain = try await mail.save(plain)
            #expect(DraftPage.text(of: plain).contains("File: 2 p.png (1 B)\n"))
            let names = ["a.txt", "p.png", "b.txt"]
            let other = try await edited(plain, in: mail) { $0.replacing("Hello", with: "Other") }
            #expect(other.text == "Other" && other.attachments.map(\.name) == names)
            #expect(other.json["attachments"]?.arrayValue?.map { $0["name"]?.stringValue ?? "" } == names)
        }
    }

    /// A pipe can't be attached: it is seen when it is copied.
    private func failingEdit(in folder: URL) throws -> DraftEdit {
        let (good, pipe) = (folder.appendingPathComponent("good.txt"), folder.appendingPathComponent("pipe"))
        try Data("good".utf8).write(to: good)
        #expect(mkfifo(pipe.path, 0o600) == 0)
        var edit = DraftEdit()
        (edit.subject, edit.ownText, edit.attachments) = ("Changed", "Changed", [good, pipe])
        return edit
    }

    @Test func `a draft stays as it was if one of the files can't be attached`() async throws {
        try await withDraft { mail, draft, folder in
            var edit = try failingEdit(in: folder)
            edit.removedFiles = [draft.attachments[0].id]
            var changed = draft
            edit.apply(to: &changed, above: nil)
            let saved = try? await edit.save(changed, over: draft, in: mail)
            #expect(saved == nil)
            let kept = try #require(try await mail.draft(id: draft.id))
            #expect(kept.subject == draft.subject && kept.text == draft.text && kept.html == draft.html)
            #expect(kept.attachments == draft.attachments && kept.otherVersions.isEmpty)
            for (file, text) in zip(kept.attachments, ["a", "p", "b"]) {
                #expect(try await mail.contents(of: file, inDraft: draft.id) == Data(text.utf8))
            }
        }
    }

    @Test func `nothing is left of a new draft if one of its files can't be attached`() async throws {
        try await withDraft { mail, draft, folder in
            var edit = try failingEdit(in: folder)
            var changed = mail.newDraft()
            edit.apply(to: &changed, above: nil)
            let saved = try? await edit.save(changed, over: nil, in: mail)
            #expect(saved == nil)
            #expect(try await mail.drafts().map(\.id) == [draft.id])
        }
    }

    @Test func `a file that is attached again replaces one whose bytes are lost`() async throws {
        try await withDraft { mail, draft, folder in
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            let copy = try #require(paths.first { $0.hasSuffix("/\(draft.attachments[0].id)") })
            try FileManager.default.removeItem(at: folder.appendingPathComponent(copy))
            var edit = DraftEdit()
            for name in ["a.txt", "b.txt"] {
                let file = folder.appendingPathComponent(name)
                try Data("again".utf8).write(to: file)
                edit.attachments.append(file)
            }
            let saved = try await edit.save(draft, over: draft, in: mail)
            // The other one isn't lost, so that the draft has both.
            #expect(saved.attachments.map(\.name) == ["p.png", "b.txt", "a.txt", "b.txt"])
            #expect(try await mail.contents(of: saved.attachments[2], inDraft: draft.id) == Data("again".utf8))
        }
    }
}
