import Foundation
import GRDB
import Groundwork
import HTMLCleaning
import InboxClient
import InboxTesting
import JMAP
import Testing

@testable import InboxMail
@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct RemotePictureTests {
    private static let host = "https://cdn.example.com/"
    private static let gif = Array("GIF89a, a picture".utf8)

    /// A person's mail without a mail server, and a web with one picture under every address but `missing`.
    private struct Device {
        let mail: Mail
        let transport: ScriptedTransport
        let clock = ManualClock()
        let directory: URL

        init(directory: URL? = nil, in inbox: Inbox? = nil) async throws {
            self.directory =
                directory ?? FileManager.default.temporaryDirectory.appendingPathComponent("pictures-\(UUID())")
            transport = ScriptedTransport { request in
                guard request.url.host() == "cdn.example.com" else { throw TransportError.unreachable("no server") }
                let isThere = request.url.lastPathComponent != "missing"
                return TransportResponse(
                    status: isThere ? 200 : 404,
                    body: isThere ? RemotePictureTests.gif : [],
                    url: request.url
                )
            }
            var configuration = MailConfiguration()
            configuration.isLive = false
            configuration.transport = transport
            configuration.clock = clock
            let server = try #require(URL(string: "https://mail.example"))
            let credentials = MailCredentials.basic(user: "me") { "password" }
            if let inbox {
                mail = try await Mail.open(
                    server: server,
                    credentials: credentials,
                    in: inbox,
                    configuration: configuration
                )
            } else {
                mail = try await Mail.open(
                    server: server,
                    credentials: credentials,
                    directory: self.directory,
                    configuration: configuration
                )
            }
        }

        /// Applies mails as if the server had sent them.
        func pull(_ mails: JSON...) async throws {
            let boxes: [JSON] = ["inbox", "junk"].map { ["id": .string($0), "name": .string($0), "role": .string($0)] }
            try await mail.store.write { writer in
                _ = try writer.apply(.mailbox, boxes.map { try JSONText(checking: $0.utf8) })
                _ = try writer.apply(.email, mails.map { try JSONText(checking: $0.utf8) })
            }
        }

        func message(_ id: String) async throws -> MailMessage { try #require(try await mail.message(id: id)) }

        /// Those mails, of the ones given, whose pictures on the web are allowed.
        func allowed(_ ids: String...) async throws -> [String] {
            var allowed: [String] = []
            for id in ids where try await mail.allowsRemotePictures(of: message(id)) { allowed.append(id) }
            return allowed
        }

        /// A mail's HTML as it is shown.
        func shown(_ body: MailBody, _ id: String, fetches: Bool = true) async throws -> CleanMail {
            let pictures = try await mail.pictures(of: body, in: message(id), fetchesRemote: fetches)
            return try #require(body.cleaned(title: "", pictures: pictures))
        }

        func end() async {
            await mail.close()
            try? FileManager.default.removeItem(at: directory)
        }

        var requested: [String] {
            transport.requests.filter { $0.url.host() == "cdn.example.com" }.map(\.url.lastPathComponent)
        }
    }

    private func body(_ html: String) -> MailBody {
        MailBody(["htmlBody": [["partId": "1", "type": "text/html"]], "bodyValues": ["1": ["value": .string(html)]]])
    }

    private var newsletter: MailBody {
        body(
            "<img src='\(Self.host)a' alt='A'><img src='\(Self.host)missing' alt='M'>"
                + "<img src='\(Self.host)pixel' width=1 height=1>"
        )
    }

    @Test func `pictures on the web are blocked until the person allows them for the mail`() async throws {
        let device = try await Device()
        try await device.pull(email("m1", "t", at: 1), email("m2", "t", at: 2))
        let blocked = try await device.shown(newsletter, "m1")
        #expect(blocked.html.markup == #"<img alt="A"><img alt="M">"#)
        #expect(blocked.blockedPictureCount == 2 && blocked.missingRemotePictureCount == 0)
        #expect(blocked.html.trackingPixelCount == 1)
        #expect(device.transport.requests.isEmpty)

        try await device.mail.allowRemotePictures(.mail(id: "m1"))
        let shown = try await device.shown(newsletter, "m1")
        #expect(shown.html.markup.hasPrefix(#"<img src="data:image/gif;base64,"#))
        #expect(shown.blockedPictureCount == 0 && shown.missingRemotePictureCount == 1)
        #expect(shown.html.trackingPixelCount == 1)
        #expect(shown.document.contentSecurityPolicy.contains("img-src data:;"))
        #expect(device.requested.sorted() == ["a", "missing"])
        for request in device.transport.requests { #expect(Array(request.headers.keys) == ["Accept"]) }
        // Another mail of the same sender is still blocked.
        #expect(try await device.shown(newsletter, "m2").blockedPictureCount == 2)

        // What is stored is shown without a request.
        #expect(try await device.shown(newsletter, "m1", fetches: false).missingRemotePictureCount == 1)
        #expect(device.requested.count == 2)

        try await device.mail.revokeRemotePictures(.mail(id: "m1"))
        #expect(try await device.shown(newsletter, "m1").blockedPictureCount == 2)
        await device.end()
    }

    @Test func `without fetching, pictures that are allowed are missing and not requested`() async throws {
        let device = try await Device()
        try await device.pull(email("m", "t", at: 1))
        try await device.mail.allowRemotePictures(.mail(id: "m"))
        let shown = try await device.shown(newsletter, "m", fetches: false)
        #expect(shown.missingRemotePictureCount == 2 && shown.blockedPictureCount == 0)
        #expect(device.transport.requests.isEmpty)
        await device.end()
    }

    @Test func `a permission for a sender holds for all mails of the address in any spelling`() async throws {
        let device = try await Device()
        try await device.pull(
            email("m1", "t", at: 1, from: "Shop <News@Shop.example>"),
            email("m2", "t", at: 2, from: "Other name <news@shop.example>"),
            email("m3", "t", at: 3, from: "Shop <news@shop.example.com>"),
            email("m4", "t", at: 4, from: "e\u{301}va@shop.example")
        )
        try await device.mail.allowRemotePictures(.sender(address: " NEWS@shop.example "))
        #expect(try await device.allowed("m1", "m2", "m3", "m4") == ["m1", "m2"])
        try await device.mail.allowRemotePictures(.sender(address: "\u{C9}VA@shop.example"))
        #expect(try await device.allowed("m1", "m2", "m3", "m4") == ["m1", "m2", "m4"])
        #expect(
            try await device.mail.remotePicturePermissions() == [
                .sender(address: "news@shop.example"), .sender(address: "\u{E9}va@shop.example"),
            ]
        )
        try await device.mail.revokeRemotePictures(.sender(address: "news@SHOP.example"))
        #expect(try await device.allowed("m1", "m2", "m3", "m4") == ["m4"])
        await device.end()
    }

    @Test func `a permission for a sender doesn't hold for junk, one for the mail does`() async throws {
        let device = try await Device()
        try await device.pull(
            email("marked", "t1", at: 1, keywords: "$junk"),
            email("filed", "t2", at: 2, in: "junk"),
            email("good", "t3", at: 3)
        )
        try await device.mail.allowRemotePictures(.sender(address: "anna@example.com"))
        #expect(try await device.allowed("good", "marked", "filed") == ["good"])
        try await device.mail.allowRemotePictures(.mail(id: "filed"))
        #expect(try await device.allowed("good", "marked", "filed") == ["good", "filed"])
        await device.end()
    }

    @Test func `a mail of several authors needs a permission of its own`() async throws {
        let device = try await Device()
        let two: JSON = [
            "id": "m", "threadId": "t", "receivedAt": "2026-04-01T08:00:00Z", "mailboxIds": ["inbox": true],
            "from": [["email": "anna@example.com"], ["email": "eve@evil.example"]],
        ]
        try await device.pull(two)
        try await device.mail.allowRemotePictures(.sender(address: "anna@example.com"))
        #expect(try await device.allowed("m") == [])
        await device.end()
    }

    @Test func `a permission without an id or address is refused`() async throws {
        let device = try await Device()
        let long = String(repeating: "a", count: 513)
        for permission: RemotePicturePermission in [.mail(id: ""), .sender(address: " "), .sender(address: long)] {
            await #expect { try await device.mail.allowRemotePictures(permission) } throws: {
                ($0 as? MailError)?.code == .invalidArgument
            }
        }
        #expect(try await device.mail.remotePicturePermissions().isEmpty)
        await device.end()
    }

    @Test func `permissions are observed, and outlive a restart`() async throws {
        let device = try await Device()
        try await device.pull(email("m", "t", at: 1))
        var permissions = device.mail.observeRemotePictures().makeAsyncIterator()
        #expect(try await permissions.next() == [])
        try await device.mail.allowRemotePictures(.mail(id: "m"))
        #expect(try await permissions.next() == [.mail(id: "m")])
        // A change of something else isn't one.
        try await device.mail.markRead(threads: ["t"])
        try await device.mail.allowRemotePictures(.sender(address: "a@b.example"))
        #expect(try await permissions.next() == [.mail(id: "m"), .sender(address: "a@b.example")])
        await device.mail.close()
        #expect(try await permissions.next() == nil)
        let next = try await Device(directory: device.directory)
        #expect(try await next.allowed("m") == ["m"])
        await next.end()
    }

    @Test func `permissions of mails that are gone are dropped with the next one`() async throws {
        let device = try await Device()
        try await device.pull(email("m1", "t", at: 1), email("m2", "t", at: 2))
        try await device.mail.allowRemotePictures(.mail(id: "m1"))
        try await device.mail.store.write { writer in try writer.remove(.email, ["m1"]) }
        try await device.mail.allowRemotePictures(.mail(id: "m2"))
        #expect(try await device.mail.remotePicturePermissions() == [.mail(id: "m2")])
        await device.end()
    }

    @Test func `permissions of ids that differ in Unicode form are listed and dropped`() async throws {
        let device = try await Device()
        let ids = ["m\u{E9}", "me\u{301}"]
        try await device.pull(email(ids[0], "t", at: 1), email(ids[1], "t", at: 2), email("m", "t", at: 3))
        func stored() async throws -> Int {
            try await device.mail.store.read { db in
                try db.number("SELECT count(*) FROM setting WHERE name LIKE 'remote pictures of mail %'")
            }
        }
        for id in ids { try await device.mail.allowRemotePictures(.mail(id: id)) }
        #expect(try await device.mail.remotePicturePermissions() == [.mail(id: ids[0])])
        #expect(try await device.allowed(ids[0], ids[1], "m") == ids)
        #expect(try await stored() == 2)
        try await device.mail.store.write { writer in try writer.remove(.email, ids) }
        try await device.mail.allowRemotePictures(.mail(id: "m"))
        #expect(try await device.mail.remotePicturePermissions() == [.mail(id: "m")])
        #expect(try await stored() == 1)
        await device.end()
    }

    @Test func `pictures are deleted with their mail, and stay when its keywords change`() async throws {
        let device = try await Device()
        try await device.pull(email("m", "t", at: 1))
        try await device.mail.allowRemotePictures(.mail(id: "m"))
        _ = try await device.shown(newsletter, "m")
        try await device.pull(email("m", "t", at: 1, keywords: "$seen"))
        #expect(try await device.mail.store.read { db in try db.number("SELECT count(*) FROM picture") } == 2)
        try await device.mail.store.write { writer in try writer.remove(.email, ["m"]) }
        #expect(try await device.mail.store.read { db in try db.number("SELECT count(*) FROM picture") } == 0)
        await device.end()
    }

    @Test func `signing out deletes permissions and pictures, and leaves those of an inbox`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pictures-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = ScriptedServer(person: "alice")
        server.deliver(
            Message(id: "n", title: "", html: "<img src='\(Self.host)a'>", deliverAt: ManualClock().now)
        )
        var configuration = InboxConfiguration()
        configuration.isLive = false
        configuration.clock = ManualClock()
        configuration.transport = ScriptedTransport { request in
            guard request.url.host() == "cdn.example.com" else { return server.answer(request) }
            return TransportResponse(status: 200, body: Self.gif, url: request.url)
        }
        let inbox = try await Inbox.open(
            server: try #require(URL(string: "https://inbox.example")),
            person: "alice",
            directory: folder,
            configuration: configuration
        ) { "token" }
        try await inbox.sync()
        #expect(try await inbox.html(of: "n")?.shownPictureCount == 1)
        let device = try await Device(directory: folder, in: inbox)
        try await device.pull(email("m", "t", at: 1))
        try await device.mail.allowRemotePictures(.mail(id: "m"))
        try await device.mail.allowRemotePictures(.sender(address: "anna@example.com"))
        _ = try await device.shown(newsletter, "m")
        try await device.mail.signOut()
        let (types, settings) = try await inbox.store.read { db in
            (
                try String.fetchAll(db, sql: "SELECT type FROM picture"),
                try db.settings(beginningWith: RemotePicturePermission.settingPrefix)
            )
        }
        #expect(types == ["InboxMessage"] && settings.isEmpty)
        await inbox.close()
    }

    @Test func `a view that loads pictures itself gets their addresses`() {
        let mail = newsletter.cleaned(title: "", pictures: MailPictures(loadsRemote: true))
        #expect(mail?.html.markup.contains("src=\"\(Self.host)a\"") == true)
        #expect(mail?.blockedPictureCount == 0 && mail?.missingRemotePictureCount == 0)
    }

    @Test func `pictures of the mail itself and of the web have limits of their own`() throws {
        var pictures = MailPictures()
        pictures.remote = [Self.host + "a": Data(Self.gif) + Data(count: 5 << 20)]
        let many = body(String(repeating: "<img src='\(Self.host)a'>", count: 10))
        let shown = try #require(many.cleaned(title: "", pictures: pictures))
        #expect(shown.missingRemotePictureCount == 7)
    }
}
