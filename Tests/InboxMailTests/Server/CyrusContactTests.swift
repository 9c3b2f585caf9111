import Foundation
import GRDB
import Groundwork
import RunningMailServer
import Testing

@testable import InboxMail

/// The address book of a real Cyrus, which has contacts of its own kind.
@Suite(.timeLimit(.minutes(10))) struct CyrusContactTests {
    private static let options = ["httpmodules: carddav jmap", "jmap_nonstandard_extensions: yes"]

    private func set(_ type: String, _ arguments: JSON, on server: MailServer) async throws -> JSON {
        try await server.jmap("\(type)/set", arguments, using: ["https://cyrusimap.org/ns/jmap/contacts"])
    }

    @Test func `contacts and groups of Cyrus follow its address book, merged with mails`() async throws {
        try await MailServer.run(options: Self.options) { server in
            try await server.imap().append([
                letter("Jupp <juergen@example.com>"), letter("Bob <bob@example.com>"),
            ])
            let answer = try await set(
                "Contact",
                [
                    "create": [
                        "a": [
                            "firstName": "Jürgen", "lastName": "Groß",
                            "emails": [
                                ["type": "work", "value": "juergen@work.example"],
                                ["type": "personal", "value": "Juergen@example.com", "isDefault": true],
                            ],
                        ],
                        "b": ["company": "ACME", "emails": [["type": "work", "value": "info@acme.example"]]],
                    ]
                ],
                on: server
            )
            let ids = try ["a", "b"].map { try #require(answer["created"]?[$0]?["id"]?.stringValue) }
            _ = try await set(
                "ContactGroup",
                ["create": ["g": ["name": "Friends", "contactIds": JSON(ids)]]],
                on: server
            )
            let device = try await TestDevice(server)
            let mail = device.mail
            try await mail.sync()
            func names() async throws -> [String] {
                try await mail.contacts().map { "\($0.displayName) \($0.id) \($0.receivedCount)" }.sorted()
            }
            #expect(
                try await names() == [
                    "ACME info@acme.example 0", "Bob bob@example.com 1", "Jürgen Groß juergen@example.com 1",
                    "Jürgen Groß juergen@work.example 0",
                ]
            )
            let friends = try #require(try await mail.completions(matching: "fr").first)
            #expect(friends.addresses.map(\.email) == ["info@acme.example", "Juergen@example.com"])

            // Another client changes one, destroys one and makes one.
            let changes: JSON = [
                "update": .object(JSONObject([(ids[0], ["firstName": "Jörg"])])), "destroy": [.string(ids[1])],
                "create": ["c": ["nickname": "Zoë", "emails": [["type": "personal", "value": "zoe@example.com"]]]],
            ]
            _ = try await set("Contact", changes, on: server)
            try await mail.sync()
            #expect(
                try await names() == [
                    "Bob bob@example.com 1", "Jörg Groß juergen@example.com 1", "Jörg Groß juergen@work.example 0",
                    "Zoë zoe@example.com 0",
                ]
            )
            #expect(try await mail.completions(matching: "fr").first?.addresses.map(\.name) == ["Jörg Groß"])
            _ = try await set("Contact", ["destroy": [.string(ids[0])]], on: server)
            try await mail.sync()
            #expect(
                try await names() == ["Bob bob@example.com 1", "Jupp juergen@example.com 1", "Zoë zoe@example.com 0"]
            )
            #expect(try await mail.completions(matching: "fr").isEmpty)

            // Nothing needs the network.
            try await server.kill()
            let again = try await device.reopened(server)
            #expect(again.mail.repair == nil)
            #expect(try await again.mail.contacts(matching: "zo").map(\.name) == ["Zoë"])
            await again.end()
        }
    }

    @Test func `a thousand contacts arrive, and a state that Cyrus doesn't know is overcome`() async throws {
        try await MailServer.run(options: Self.options) { server in
            for page in 0..<4 {
                let people = (0..<250).map { number -> (String, JSON) in
                    let person = page * 250 + number
                    let email: JSON = ["type": "work", "value": .string("p\(person)@example.com")]
                    return ("c\(person)", ["firstName": .string("P\(person)"), "emails": [email]])
                }
                _ = try await set("Contact", ["create": .object(JSONObject(people))], on: server)
            }
            let device = try await TestDevice(server)
            try await device.mail.sync()
            #expect(try await device.mail.contactCount() == 1_000)
            // As after a server was restored.
            try await device.mail.store.write { writer in
                try writer.db.execute(sql: "UPDATE sync SET state = 'bogus' WHERE type IN ('Contact', 'ContactGroup')")
                try writer.db.execute(sql: "DELETE FROM cyrusContact WHERE rowid % 10 = 0")
            }
            #expect(try await device.mail.contactCount() == 900)
            try await device.mail.sync()
            #expect(try await device.mail.contactCount() == 1_000)
            await device.end()
        }
    }

    private func letter(_ from: String) -> IMAPClient.Mail {
        let lines = [
            "From: \(from)", "To: alice@example.com", "Subject: Hello", "Message-ID: <\(UUID())@example.com>", "",
            "Text.", "",
        ]
        return IMAPClient.Mail(Array(lines.joined(separator: "\r\n").utf8), date: 1_760_000_000)
    }
}
