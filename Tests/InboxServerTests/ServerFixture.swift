import Eventually
import Foundation
import GRDB
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// A server's database with rows in every table, in the format of a version: created once, by the real server over
/// HTTP, and never changed.
enum ServerFixture {
    /// The versions with a fixture, by the name of their last migration, newest last.
    static let versions = ["audit", "setAside"]

    static func file(_ version: String) throws -> URL {
        try #require(Bundle.module.url(forResource: version, withExtension: "sqlite", subdirectory: "Fixtures"))
    }

    /// Returns all tables except SQLite's and GRDB's own.
    static func tables(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'grdb_migrations'
                ORDER BY name
                """
        )
    }

    static func columns(_ table: String, _ db: Database) throws -> [String] {
        try db.columns(in: table).map(\.name)
    }

    /// Returns the rows of a table in some of its columns, ordered by those columns.
    static func rows(_ table: String, _ columns: [String], _ db: Database) throws -> [[DatabaseValue]] {
        let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        return try Row.fetchAll(db, sql: "SELECT \(list) FROM \"\(table)\" ORDER BY \(list)").map {
            Array($0.databaseValues)
        }
    }

    // MARK: - Creating a fixture

    /// Writes a fixture of the current version.
    static func make(_ target: URL) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            let receiver = try await WebhookReceiver.start()
            let server = try await TestServer.start(file: file, clock: ManualClock())
            do {
                try await fill(server, receiver)
                try await server.stop()
                try await receiver.stop()
            } catch {
                try await server.stop()
                try await receiver.stop()
                throw error
            }
            let queue = try DatabaseQueue(path: file.path)
            try await queue.writeWithoutTransaction { db in
                _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
                try db.execute(sql: "VACUUM")
            }
            try queue.close()
            try FileManager.default.copyItem(at: file, to: target)
        }
    }

    private static func fill(_ server: TestServer, _ receiver: WebhookReceiver) async throws {
        let (ann, bob) = (try await server.device(of: "ann"), try await server.device(of: "bob"))
        _ = try await server.rest("PUT", "/v1/people/ann", ["attributes": ["plan": "gold"]])
        _ = try await server.rest("PUT", "/v1/surfaces/inbox", ["title": "News"])
        _ = try await server.rest("PUT", "/v1/surfaces/offers", ["title": "Offers"])
        _ = try await server.rest("DELETE", "/v1/surfaces/offers")
        // No server listens on this port, so its payloads stay pending.
        let webhook = try await server.addWebhook("http://127.0.0.1:9/").id
        _ = try await server.rest("POST", "/v1/webhooks/\(webhook)/rotate")
        // This receiver answers 410, so its payloads are abandoned.
        receiver.answer { _ in .status(410) }
        _ = try await server.addWebhook(receiver.url, ["message.read"])

        let content: JSON = [
            "title": "Your parcel is on its way", "body": "طلبك في الطريق", "category": "orders", "groupKey": "parcel",
            "expiresAt": "2027-05-01T08:00:00Z", "link": "https://parcels.example/7",
            "actions": [["id": "track", "text": "Track", "link": "https://parcels.example/7"]],
        ]
        let once = ["Idempotency-Key": "parcel-7"]
        let parcel = try await server.rest(
            "POST",
            "/v1/messages",
            ["to": ["person": "ann"], "message": content],
            headers: once
        ).json["id"]?.stringValue
        let message = try #require(parcel)
        let both = try await server.send(to: ["people": ["ann", "bob"]], ["title": "To both"])
        let all = try await server.send(to: ["everyone": true], ["title": "To everyone"])
        for to in [["person": "ann"], ["everyone": true]] as [JSON] {
            try await server.send(to: to, ["title": "Later", "deliverAt": "2027-01-01T00:00:00Z"])
        }
        try await server.send(to: ["everyone": true, "newPeople": false], ["title": "To those who are there"])
        try await server.send(to: ["person": "ann"], ["title": "Of a campaign", "campaignId": "spring"])
        let offer = try await server.send(to: ["person": "ann"], ["title": "Offer", "consentCategory": "offers"])
        let tracked: JSON = ["consent_category_tracking": "news"]
        try await server.send(to: ["person": "ann"], ["title": "Granted", "additionalData": tracked])
        let edited = try await server.send(to: ["person": "ann"], ["title": "Edited", "consentCategory": "offers"])
        _ = try await server.rest("PUT", "/v1/messages/\(edited)", ["message": ["title": "Edited"]])
        try await ann.update(offer, ["readAt": "2026-05-01T08:00:00Z"])
        let recalled = try await server.send(to: ["everyone": true], ["title": "Recalled"])
        _ = try await server.rest("DELETE", "/v1/messages/\(recalled)")
        _ = try await server.rest("PUT", "/v1/messages/\(both)", ["message": ["title": "To both, edited"]])
        _ = try await server.rest("DELETE", "/v1/people/bob/messages/\(both)")

        let read: JSON = ["seenAt": "2026-05-01T08:00:00Z", "readAt": "2026-05-01T08:00:00Z"]
        try await ann.update(message, read, batch: ["epoch": "fixture", "number": 1])
        try await ann.update(both, ["snoozedUntil": "2027-01-01T00:00:00Z"])
        try await ann.update(all, ["deletedAt": "2026-05-01T08:00:00Z"])
        try await bob.update(all, ["archivedAt": "2026-05-01T08:00:00Z"])
        try await ann.track("clicked", message, uid: "u1", action: "track", data: ["from": "fixture"])
        try await ann.upload("a file")
        let zeta: JSON = ["person": "ann", "messages": [["messageId": "z1", "title": "Imported"]]]
        _ = try await server.rest("POST", "/v1/import/zeta", zeta)

        // The end of one token, of all tokens of a person, of a person, of a key and of the signing key.
        let browser = try await Browser.signedIn("ann", on: server)
        _ = try await browser.post("/inbox/sign-out")
        _ = try await server.rest("DELETE", "/v1/people/bob/tokens")
        try await server.send(to: ["person": "carl"])
        _ = try await server.rest("DELETE", "/v1/people/carl")
        let made = try await server.rest("POST", "/v1/keys", ["name": "revoked", "scopes": ["tokens"]])
        _ = try await server.rest("DELETE", "/v1/keys/\(made.json["id"]?.stringValue ?? "")")
        let end: JSON = "2027-05-01T08:00:00Z"
        _ = try await server.rest("POST", "/v1/keys", ["name": "tokens", "scopes": ["tokens"], "expiresAt": end])
        let pool = try await server.storage().pool
        let isGone = try await eventually {
            try await pool.read { db in try db.value("SELECT count(*) FROM outbox WHERE diedAt IS NOT NULL") ?? 0 > 0 }
        }
        #expect(isGone)
        _ = try await server.rest("POST", "/v1/signing-key/rotate")
        _ = try await server.rest("GET", "/v1/keys", headers: ["Authorization": "Bearer a-wrong-key"])
    }
}
