import Eventually
import Foundation
import GRDB
import Groundwork
import InboxClient
import InboxModel
import InboxTesting
import JMAP
import Testing

@testable import InboxMail
@testable import Replica

/// Mail stores of earlier versions, alone or in the file of an inbox, open without losing data.
///
/// A file in `Fixtures` is created once, by its version, and never changed:
/// `SWIFT_INBOX_MAKE_FIXTURE=Tests/InboxMailTests/Fixtures/NAME swift test --filter MailFixtureTests` creates
/// `NAME-alone.sqlite` and `NAME-beside.sqlite`.
@Suite(.timeLimit(.minutes(10))) struct MailFixtureTests {
    enum Place: String, CaseIterable {
        case alone, beside
    }

    /// The versions, newest last.
    private static let versions = [
        "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth",
    ]

    @Test(arguments: versions, Place.allCases)
    func `a mail store of an earlier version opens with all its data`(version: String, place: Place) async throws {
        let device = try Device(with: fixture(version, place))
        defer { device.remove() }
        let (mail, inbox) = try await device.open(place)
        #expect(try await mail.threads().map(\.id) == ["t2", "t1", "t3"])
        let parcel = try #require(try await mail.thread(id: "t1"))
        #expect(parcel.subject == "Your parcel" && parcel.messageIDs == ["m1", "m2"])
        #expect(parcel.isStarred && !parcel.isUnread)
        #expect(try await mail.message(id: "m3")?.subject == "طلبك في الطريق")
        #expect(try await mail.message(id: "m4")?.mailboxIDs == ["archive"])
        #expect(
            try await mail.counts() == counts(total: 3, unread: 1, starred: 1, inInbox: 2, unreadInInbox: 1)
        )
        let status = try await mail.status()
        #expect(status.messages == 4 && status.pendingWrites == 3 && status.unreadableRecords == 1)
        let sealed = try #require(try await mail.store.read { db in try db.sealedWrites(.email) })
        #expect(sealed.key == Self.key)
        #expect(Set(sealed.entries.map(\.id)) == ["m2", "m4"])
        // Versions before the sixth had no lists of attachments. They are requested after the next sync.
        let files = try await mail.attachments()
        #expect(files.map(\.name) == (version == "fifth" ? [] : ["Offer.pdf"]))
        let unlisted = try await mail.store.read { db in try String.fetchAll(db, sql: "SELECT id FROM unlistedFiles") }
        #expect(unlisted == (version == "fifth" ? ["m4"] : []))
        // Versions before the tenth stored no pictures and had no permissions for them.
        let pictures = try await mail.store.read { db in
            try db.storedPictures([Self.picture], of: .email, id: "m1", at: 0).pictures
        }
        let hasPictures = !["fifth", "sixth", "seventh", "eighth", "ninth"].contains(version)
        #expect(pictures == (hasPictures ? [Self.picture: Self.bytes] : [:]))
        #expect(try await mail.remotePicturePermissions() == (hasPictures ? [.mail(id: "m1")] : []))
        // Versions before the eleventh had no drafts.
        let drafts = try await mail.drafts()
        let hasDrafts = ["eleventh", "twelfth", "thirteenth", "fourteenth"].contains(version)
        #expect(drafts.map(\.text) == (hasDrafts ? ["Written without a network"] : []))
        // Versions before the twelfth had no contacts. They are counted in the background.
        #expect(
            try await eventually {
                try await mail.contact(for: EmailAddress(email: "anna@example.com"))?.receivedCount == 4
            }
        )
        // Versions before the thirteenth had no contact cards.
        let hasCards = ["thirteenth", "fourteenth"].contains(version)
        #expect(
            try await mail.contacts().map(\.displayName).sorted() == (hasCards ? ["Anna Berger", "Carl"] : ["Anna"])
        )
        #expect(try await mail.contactGroups().map(\.members.count) == (hasCards ? [2] : []))
        // Cards can be stored in each of them.
        try await mail.store.write { writer in
            let new = card("c9", "Anna Huber", "anna@example.com")
            _ = try writer.apply(.contactCard, [JSONText(checking: new.utf8)])
            try writer.remove(.contactCard, ["c1"])
        }
        #expect(try await mail.contact(for: EmailAddress(email: "anna@example.com"))?.name == "Anna Huber")
        if let inbox { #expect(try await inbox.messages().map(\.id) == ["welcome"]) }
        // The store is writable.
        try await mail.markUnread(threads: ["t1"])
        #expect(try await mail.counts().unread == 2)
        await mail.close()
        await inbox?.close()
    }

    @Test(arguments: Place.allCases)
    func `the current tables have a fixture`(place: Place) async throws {
        let newest = try #require(Self.versions.last)
        let device = try Device(with: fixture(newest, place))
        defer { device.remove() }
        let types = (place == .beside ? RecordType.inbox : []) + RecordType.mail
        try await DatabaseQueue(path: device.file(place).path).read { db in
            let isCurrent = try Schema.isCurrent(db, types)
            #expect(isCurrent, "make a fixture of this version, and add its name above")
            let version = try Int.fetchOne(db, sql: "SELECT version FROM store")
            #expect(version == Schema.version)
        }
    }

    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["SWIFT_INBOX_MAKE_FIXTURE"] != nil),
        arguments: Place.allCases
    )
    func `make a fixture`(place: Place) async throws {
        let target = try #require(ProcessInfo.processInfo.environment["SWIFT_INBOX_MAKE_FIXTURE"])
        let device = try Device()
        defer { device.remove() }
        let (mail, inbox) = try await device.open(place)
        try await inbox?.sync()
        let mailboxes: [JSON] = ["inbox", "archive", "trash"].map {
            ["id": .string($0), "name": .string($0.capitalized), "role": .string($0)]
        }
        let mails: [JSON] = [
            email("m1", "t1", at: 1, subject: "Your parcel", in: "inbox", keywords: "$seen"),
            email("m2", "t1", at: 2, subject: "Re: Your parcel", in: "inbox"),
            email("m3", "t2", at: 3, subject: "طلبك في الطريق", preview: "سيصل غدًا.", in: "inbox"),
            email("m4", "t3", at: 0, subject: "Last week", in: "inbox", keywords: "$seen", hasAttachment: true),
            ["id": "strange", "threadId": 7],
        ]
        try await mail.store.write { writer in
            _ = try writer.apply(.mailbox, mailboxes.map { try JSONText(checking: $0.utf8) })
            _ = try writer.apply(.email, mails.map { try JSONText(checking: $0.utf8) })
            let file: JSON = ["partId": "2", "blobId": "b1", "name": "Offer.pdf", "type": "application/pdf", "size": 9]
            let parts: JSON = ["id": "m4", "attachments": [file]]
            let cards = [
                card("c1", "Anna Berger", "anna@example.com"), card("c2", "Carl", "carl@example.com"),
                group("g1", "Friends", "c1", "c2"),
            ]
            _ = try writer.apply(.contactCard, cards.map { try JSONText(checking: $0.utf8) })
            try writer.listFiles([try JSONText(checking: parts.utf8)])
            let outcome = PictureFetcher.Outcome.picture(.gif, [UInt8](Self.bytes))
            try writer.store([Self.picture: outcome], of: .email, id: "m1")
        }
        try await mail.allowRemotePictures(.mail(id: "m1"))
        var draft = mail.newDraft()
        draft.text = "Written without a network"
        try await mail.save(draft)
        // In flight without an answer.
        try await mail.markRead(threads: ["t1"])
        try await mail.archive(threads: ["t3"])
        try await mail.store.write { writer in _ = try writer.seal(.email, as: Self.key, limit: 50) }
        // Not in flight. One is a write to a mail that has another write in flight.
        try await mail.star(messages: ["m1", "m2"])
        await mail.close()
        await inbox?.close()
        try FileManager.default.copyItem(
            at: device.file(place),
            to: URL(fileURLWithPath: "\(target)-\(place.rawValue).sqlite")
        )
    }

    private static let picture = "https://cdn.example.com/a.gif"
    private static let bytes = Data("GIF89a".utf8)
    private static let key = Batch(epoch: "77777777777777777777", number: 3)

    private func fixture(_ version: String, _ place: Place) throws -> URL {
        let name = "\(version)-\(place.rawValue)"
        return try #require(Bundle.module.url(forResource: name, withExtension: "sqlite", subdirectory: "Fixtures"))
    }

    /// A folder with a store's file, an inbox server, and a mail server that can't be reached.
    private struct Device {
        private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("fixture-\(UUID())")
        private let clock = ManualClock()
        private let server = ScriptedServer(person: "alice")
        private let mailURL = URL(string: "https://mail.example")!
        private let inboxURL = URL(string: "https://inbox.example")!

        /// - Parameter fixture: A file that is copied to the path of each place.
        init(with fixture: URL? = nil) throws {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            server.deliver(Message(id: "welcome", title: "Welcome", deliverAt: clock.now))
            guard let fixture else { return }
            for place in Place.allCases { try FileManager.default.copyItem(at: fixture, to: file(place)) }
        }

        func remove() { try? FileManager.default.removeItem(at: directory) }

        func file(_ place: Place) -> URL {
            let (url, person) = place == .alone ? (mailURL, "mail\u{0}me") : (inboxURL, "alice")
            return StoreLocation(directory: directory, server: url, person: person).file
        }

        /// Opens the mail, and the inbox if the mail is in its file.
        func open(_ place: Place) async throws -> (Mail, Inbox?) {
            var configuration = MailConfiguration()
            configuration.isLive = false
            configuration.clock = clock
            configuration.transport = ScriptedTransport { _ in throw TransportError.unreachable("no network") }
            let credentials = MailCredentials.basic(user: "me") { "" }
            guard place == .beside else {
                let mail = try await Mail.open(
                    server: mailURL,
                    credentials: credentials,
                    directory: directory,
                    configuration: configuration
                )
                return (mail, nil)
            }
            var inboxConfiguration = InboxConfiguration()
            inboxConfiguration.isLive = false
            inboxConfiguration.clock = clock
            inboxConfiguration.transport = server.transport
            let inbox = try await Inbox.open(
                server: inboxURL,
                person: "alice",
                directory: directory,
                configuration: inboxConfiguration
            ) { "token" }
            let mail = try await Mail.open(
                server: mailURL,
                credentials: credentials,
                in: inbox,
                configuration: configuration
            )
            return (mail, inbox)
        }
    }
}
