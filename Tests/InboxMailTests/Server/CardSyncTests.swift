import Foundation
import Groundwork
import ReplicaTesting
import StandardMailServer
import Testing

@testable import InboxMail

/// Address books of a server with RFC 9610, synced.
@Suite(.timeLimit(.minutes(10))) struct CardSyncTests {
    private static let capability = "urn:ietf:params:jmap:contacts"

    /// Runs a test with a server that has address books, and a device that hasn't synced.
    private func run(
        scope: MailScope = .everything,
        _ body: (StandardMailServer, StandardDevice) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        server.addType("AddressBook", capability: Self.capability)
        server.addType("ContactCard", capability: Self.capability)
        server.put("AddressBook", ["id": "own", "name": "Own", "isSubscribed": true])
        let device = try await StandardDevice(server, clock: clock, scope: scope)
        defer { try? FileManager.default.removeItem(at: device.directory) }
        try await body(server, device)
        await device.mail.close()
    }

    private func names(_ device: StandardDevice) async throws -> [String] {
        try await device.mail.contacts().map(\.displayName).sorted()
    }

    @Test(arguments: [MailScope.everything, .slices])
    func `cards and groups follow the server's, and are merged with mails`(scope: MailScope) async throws {
        try await run(scope: scope) { server, device in
            let mail = device.mail
            server.put(
                "ContactCard",
                card("c1", "Anna Berger", "anna@example.com"),
                card("c2", "Bob", "bob@example.com")
            )
            server.put("ContactCard", group("g1", "Friends", "c1", "c2"))
            _ = try await mail.messages()
            try await mail.sync()
            #expect(try await names(device) == ["Anna Berger", "Bob"])
            #expect(try await mail.completions(matching: "fri").map(\.addresses.count) == [2])
            #expect(try await mail.contactGroups().map(\.name) == ["Friends"])
            let requests = device.transport.requests.map { String(decoding: $0.body ?? [], as: UTF8.self) }
            #expect(!requests.contains { $0.contains("\"media\"") } && requests.contains { $0.contains("\"members\"") })

            server.put("ContactCard", card("c2", "Robert", "bob@example.com"), card("c3", "Carl", "carl@example.com"))
            server.destroy("ContactCard", "c1")
            try await mail.sync()
            #expect(try await names(device) == ["Carl", "Robert"])
            #expect(try await mail.contactGroups().first?.members.map(\.email) == ["bob@example.com"])
            server.put("AddressBook", ["id": "own", "name": "Own", "isSubscribed": false])
            try await mail.sync()
            #expect(try await names(device).isEmpty)
        }
    }

    @Test func `observed groups follow the server's address books`() async throws {
        try await run { server, device in
            var groups = device.mail.observeContactGroups().makeAsyncIterator()
            let first = try await groups.next()
            #expect(first?.items.isEmpty == true)
            server.put("ContactCard", card("c1", "Anna", "anna@example.com"))
            server.put("ContactCard", group("g1", "Friends", "c1"))
            try await device.mail.sync()
            var names: [String] = []
            while names.isEmpty, let snapshot = try await groups.next() { names = snapshot.items.map(\.name) }
            #expect(names == ["Friends"])
        }
    }

    @Test func `while nothing changes, address books cost no request of their own`() async throws {
        try await run { server, device in
            server.put("ContactCard", card("c1", "Anna", "anna@example.com"))
            try await device.mail.sync()
            try await device.mail.sync()
            let before = server.requestCount
            try await device.mail.sync()
            #expect(server.requestCount - before == 1)
            server.put("ContactCard", card("c2", "Bob", "bob@example.com"))
            try await device.mail.sync()
            #expect(try await names(device) == ["Anna", "Bob"])
        }
    }

    @Test func `more cards than fit into an answer come in parts, with all changes`() async throws {
        try await run { server, device in
            server.limit("ContactCard", to: 40)
            for number in 0..<333 {
                server.put("ContactCard", card("c\(number)", "Nr \(number)", "p\(number)@example.com"))
            }
            try await device.mail.sync()
            #expect(try await device.mail.contactCount() == 333)
            for number in 0..<150 {
                server.put("ContactCard", card("c\(number)", "New \(number)", "p\(number)@example.com"))
            }
            for number in 300..<333 { server.destroy("ContactCard", "c\(number)") }
            try await device.mail.sync()
            #expect(try await device.mail.contactCount() == 300)
            #expect(try await names(device).count { $0.hasPrefix("New") } == 150)
        }
    }

    @Test func `without the history of changes, a deleted card is gone too`() async throws {
        try await run { server, device in
            for number in 0..<20 {
                server.put("ContactCard", card("c\(number)", "Nr \(number)", "p\(number)@example.com"))
            }
            try await device.mail.sync()
            server.put("ContactCard", card("c1", "New", "p1@example.com"), card("c20", "Also", "p20@example.com"))
            server.destroy("ContactCard", "c2", "c3")
            server.forgetChanges(of: "ContactCard")
            server.forgetChanges(of: "AddressBook")
            try await device.mail.sync()
            let found = try await names(device)
            #expect(found.count == 19 && found.contains("New") && found.contains("Also") && !found.contains("Nr 2"))
        }
    }

    @Test func `a server without address books has contacts of mails, and later those too`() async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        let device = try await StandardDevice(server, clock: clock)
        defer { try? FileManager.default.removeItem(at: device.directory) }
        server.deliver(received("Anna <anna@example.com>"))
        try await device.mail.sync()
        #expect(try await names(device) == ["Anna"])
        #expect(
            !device.transport.requests.contains {
                String(decoding: $0.body ?? [], as: UTF8.self).contains("ContactCard")
            }
        )
        server.addType("AddressBook", capability: Self.capability)
        server.addType("ContactCard", capability: Self.capability)
        server.put("ContactCard", card("c1", "Anna Berger", "ANNA@example.com"))
        // The first answer says that there is another session.
        try await device.mail.sync()
        try await device.mail.sync()
        #expect(try await names(device) == ["Anna Berger"])
        #expect(try await device.mail.contacts().first?.receivedCount == 1)
        await device.mail.close()
    }

    @Test func `contacts of Cyrus' own kind are removed once the server has those of the RFC`() async throws {
        let clock = ManualClock()
        let server = StandardMailServer(clock: clock)
        let old = "https://cyrusimap.org/ns/jmap/contacts"
        server.addType("Contact", capability: old)
        server.addType("ContactGroup", capability: old)
        server.put(
            "Contact",
            ["id": "c1", "firstName": "Anna", "lastName": "Alt", "emails": [["value": "anna@example.com"]]]
        )
        server.put("ContactGroup", ["id": "g1", "name": "Old", "contactIds": ["c1"]])
        let device = try await StandardDevice(server, clock: clock)
        defer { try? FileManager.default.removeItem(at: device.directory) }
        try await device.mail.sync()
        #expect(try await names(device) == ["Anna Alt"])
        #expect(try await device.mail.contactGroups().map(\.name) == ["Old"])
        server.addType("AddressBook", capability: Self.capability)
        server.addType("ContactCard", capability: Self.capability)
        server.put("ContactCard", card("c9", "Anna Neu", "anna@example.com"), group("g9", "New", "c9"))
        try await device.mail.sync()
        try await device.mail.sync()
        #expect(try await names(device) == ["Anna Neu"])
        #expect(try await device.mail.contactGroups().map(\.name) == ["New"])
        await device.mail.close()
    }

    private func received(_ from: String) -> JSON {
        let parts = from.split(separator: " <")
        return [
            "mailboxIds": ["inbox": true], "keywords": [:], "subject": "Hello", "receivedAt": "2026-01-01T10:00:00Z",
            "from": [["name": .string(String(parts[0])), "email": .string(String(parts[1].dropLast()))]],
            "to": [["email": "alice@example.com"]], "messageId": ["m1@example.com"],
            "bodyStructure": ["type": "text/plain", "partId": "1"], "bodyValues": ["1": ["value": "Hello."]],
        ]
    }
}
