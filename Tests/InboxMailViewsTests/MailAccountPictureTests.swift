import Eventually
import Foundation
import Groundwork
import HTMLViews
import InboxCards
import InboxClient
import InboxMailViews
import InboxTesting
import JMAP
import Screens
import Testing

@testable import InboxMail
@testable import Replica

/// The pictures of an account's mails on screen, with the permissions that the account stores.
@Suite(.timeLimit(.minutes(5))) @MainActor
struct MailAccountPictureTests {
    /// An account without a mail server, with two mails of Ada's, one of two authors, one of Ada's in junk, and a web.
    @MainActor
    private final class Account {
        let mail: Mail
        let clock = ManualClock()
        let transport: ScriptedTransport
        private let directory = FileManager.default.temporaryDirectory.appending(path: "mail-views-\(UUID())")

        init() async throws {
            transport = ScriptedTransport { request in
                guard request.url.host() == "cdn.example.com" else { throw TransportError.unreachable("no server") }
                return TransportResponse(status: 200, body: Array("GIF89a, a picture".utf8), url: request.url)
            }
            var configuration = MailConfiguration()
            configuration.isLive = false
            configuration.transport = transport
            configuration.clock = clock
            mail = try await Mail.open(
                server: URL(string: "https://mail.example")!,
                credentials: .basic(user: "me") { "password" },
                directory: directory,
                configuration: configuration
            )
            let boxes = ["inbox", "junk"].map { ["id": .string($0), "name": .string($0), "role": .string($0)] as JSON }
            let ada: JSON = ["name": "Ada", "email": "ada@example.com"]
            let eve: JSON = ["name": "Eve", "email": "eve@example.com"]
            let mails = [
                email("m1", from: [ada]), email("m2", from: [ada]), email("both", from: [ada, eve]),
                email("junk", from: [ada], in: "junk"),
            ]
            try await mail.store.write { writer in
                _ = try writer.apply(.mailbox, boxes.map { try JSONText(checking: $0.utf8) })
                _ = try writer.apply(.email, mails.map { try JSONText(checking: $0.utf8) })
            }
        }

        deinit { try? FileManager.default.removeItem(at: directory) }

        /// A mail on screen, with two pictures on the web.
        func shown(_ id: String) async throws -> MailBodyModel {
            let message = try #require(try await mail.message(id: id))
            let model = MailBodyModel(message, pictures: MailPictureAccess(mail), texts: CardTexts(.english)) {
                MailScreen.body(
                    html: "<p>Hi</p><img src='https://cdn.example.com/a'><img src='https://cdn.example.com/b'>",
                    text: "",
                    isTruncated: false
                )
            }
            model.show(in: HTMLViewport(width: 400))
            _ = try await eventually { !model.state.parts.isEmpty }
            return model
        }

        /// Stores a mail's body, as after it was fetched.
        func storeBody(of id: String, html: String) async throws {
            let body: JSON = [
                "id": .string(id), "htmlBody": [["partId": "1", "type": "text/html"]],
                "textBody": [["partId": "1", "type": "text/html"]], "attachments": [],
                "bodyValues": ["1": ["value": .string(html)]],
            ]
            try await mail.store.write { writer in
                try writer.store([try JSONText(checking: body.utf8)], for: .reading)
            }
        }

        var requestCount: Int { transport.requests.count { $0.url.host() == "cdn.example.com" } }
    }

    private func hasPictures(_ model: MailBodyModel) -> Bool {
        guard case .html(let page) = model.state.parts.first?.content else { return false }
        return page.document.markup.components(separatedBy: "data:image/gif;base64,").count == 3
    }

    @Test func `pictures that are allowed for a mail are shown in it alone`() async throws {
        let account = try await Account()
        let model = try await account.shown("m1")
        #expect(model.hiddenPictureCount == 2 && model.canShowPictures && model.hasOneSender)
        #expect(account.requestCount == 0)
        await model.showPictures(.mail)
        #expect(hasPictures(model) && model.hiddenPictureCount == 0)
        #expect(account.requestCount == 2)
        #expect(try await account.mail.remotePicturePermissions() == [.mail(id: "m1")])
        let other = try await account.shown("m2")
        #expect(other.hiddenPictureCount == 2)
        // They are there when the mail is opened again.
        let again = try await account.shown("m1")
        #expect(try await eventually { hasPictures(again) })
        #expect(account.requestCount == 2)
        await account.mail.close()
    }

    @Test func `pictures that are allowed for a sender are shown in all of its mails`() async throws {
        let account = try await Account()
        let model = try await account.shown("m1")
        await model.showPictures(.sender)
        #expect(hasPictures(model))
        #expect(try await account.mail.remotePicturePermissions() == [.sender(address: "ada@example.com")])
        let other = try await account.shown("m2")
        #expect(try await eventually { hasPictures(other) })
        // The permission doesn't hold for junk.
        #expect(try await account.shown("junk").hiddenPictureCount == 2)
        await account.mail.close()
    }

    @Test(arguments: ["junk", "both"])
    func `where a sender's permission doesn't hold, the mail gets its own`(_ id: String) async throws {
        let account = try await Account()
        let model = try await account.shown(id)
        #expect(model.hasOneSender == (id == "junk"))
        await model.showPictures(.sender)
        #expect(hasPictures(model))
        #expect(try await account.mail.remotePicturePermissions().contains(.mail(id: id)))
        await account.mail.close()
    }

    /// A mail on screen as an app shows it.
    private func model(_ id: String, of account: Account) async throws -> MailBodyModel {
        let html = "<p>Hi</p><img src='https://cdn.example.com/a'><img src='https://cdn.example.com/b'>"
        try await account.storeBody(of: id, html: html)
        let message = try #require(try await account.mail.message(id: id))
        let model = MailBodyModel(message, in: account.mail, texts: CardTexts(.english))
        model.show(in: HTMLViewport(width: 400))
        #expect(try await eventually { model.hiddenPictureCount == 2 })
        return model
    }

    @Test func `a permission that is given or withdrawn elsewhere applies on screen`() async throws {
        let account = try await Account()
        let model = try await model("m1", of: account)
        try await account.mail.allowRemotePictures(.sender(address: "ada@example.com"))
        #expect(try await eventually { hasPictures(model) && model.hiddenPictureCount == 0 })
        try await account.mail.revokeRemotePictures(.sender(address: "ada@example.com"))
        #expect(try await eventually { model.hiddenPictureCount == 2 && !hasPictures(model) })
        await account.mail.close()
    }

    @Test func `a mail that is deleted elsewhere is no longer shown`() async throws {
        let account = try await Account()
        let model = try await model("m1", of: account)
        let other = try await self.model("m2", of: account)
        try await account.mail.store.write { writer in try writer.remove(.email, ["m1"]) }
        #expect(try await eventually { if case .gone = model.state { true } else { false } })
        #expect(model.attachments.isEmpty && model.hiddenPictureCount == 0)
        model.show(in: HTMLViewport(width: 800))
        model.retry()
        #expect(model.state.parts.isEmpty)
        #expect(other.state.parts.count == 1)
        await account.mail.close()
    }

    /// Lets the store fail until a mail on screen waits for its permissions and for itself.
    private func fail(_ account: Account) async throws {
        let before = account.clock.sleeperCount
        try account.mail.store.setReadable(false)
        #expect(try await eventually { account.clock.sleeperCount == before + 2 })
        try account.mail.store.setReadable(true)
    }

    @Test func `a permission applies also after the store couldn't be read`() async throws {
        let account = try await Account()
        let model = try await model("m1", of: account)
        try await fail(account)
        #expect(model.state.parts.count == 1)
        // Given before the observation begins again, and withdrawn after it.
        try await account.mail.allowRemotePictures(.sender(address: "ada@example.com"))
        account.clock.advance(by: 1)
        #expect(try await eventually { hasPictures(model) && model.hiddenPictureCount == 0 })
        try await account.mail.revokeRemotePictures(.sender(address: "ada@example.com"))
        #expect(try await eventually { model.hiddenPictureCount == 2 && !hasPictures(model) })
        await account.mail.close()
    }

    @Test func `a mail deleted while the store is unreadable is gone`() async throws {
        let account = try await Account()
        let model = try await model("m1", of: account)
        try await fail(account)
        try await account.mail.store.write { writer in try writer.remove(.email, ["m1"]) }
        account.clock.advance(by: 1)
        #expect(try await eventually { if case .gone = model.state { true } else { false } })
        await account.mail.close()
        #expect(try await eventually { account.clock.sleeperCount == 0 })
    }

    @Test func `an account that is closed shows the mail and the failure`() async throws {
        let account = try await Account()
        let model = try await account.shown("m1")
        await account.mail.close()
        await model.showPictures(.mail)
        #expect(model.picturesError is MailError && !model.isLoadingPictures)
        #expect(model.state.parts.count == 1)
    }
}

/// A mail as a server sends it.
private func email(_ id: String, from authors: [JSON], in mailbox: String = "inbox") -> JSON {
    [
        "id": .string(id), "blobId": .string("B" + id), "threadId": .string("T" + id), "size": 100,
        "mailboxIds": .object(JSONObject([(mailbox, .bool(true))])), "keywords": .object(JSONObject([])),
        "receivedAt": "2026-05-01T08:00:00Z", "from": .array(authors), "to": .array([]), "subject": "Hi",
        "preview": "Hi", "hasAttachment": false,
    ]
}
