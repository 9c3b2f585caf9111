import Foundation
import GRDB
import Groundwork
import Testing

@testable import InboxMail
@testable import Replica

/// Attachments as records on the device, without a server.
@Suite(.timeLimit(.minutes(10))) struct AttachmentStoreTests {
    private func withStore(_ body: (MailStore) async throws -> Void) async throws {
        let mail = try MailStore()
        try await mail.pull(
            email("m1", "t1", at: 1, hasAttachment: true),
            email("m2", "t1", at: 2, hasAttachment: true),
            email("m3", "t3", at: 3),
            email("m4", "t4", at: 3, hasAttachment: true)
        )
        try await mail.list(
            parts(
                "m1",
                file("2", "b1", "Offer.pdf", "application/pdf", 4_000),
                file("3", "b2", "Cafe\u{301}.PNG", "image/png", 70)
            ),
            parts("m2", file("2", "b1", "Offer.pdf", "application/pdf", 4_000)),
            // The attachments aren't requested, since the mail has none according to its headers.
            parts("m3", file("2", "b9", "hidden.txt", "text/plain", 1)),
            parts(
                "m4",
                file("1.2", "b3", nil, "image/gif", 9, isInline: true),
                file(nil, "b4", "no part.txt", "Text/Plain", 5)
            )
        )
        try await body(mail)
        await mail.close()
    }

    private func ids(_ mail: MailStore, _ query: Query<MailAttachment>) async throws -> [String] {
        let query = try StoreQuery(query, .attachment)
        let (found, count, all) = try await mail.store.read { db in
            (try query.fetch(db), try query.count(db), try StoreQuery(Query(), .attachment).fetch(db))
        }
        let matching = all.filter { query.condition.matches($0) }
        #expect(Set(found) == Set(matching) && count == matching.count)
        return found.map(\.id)
    }

    @Test func `files are listed with the newest mail first, once per mail`() async throws {
        try await withStore { mail in
            #expect(try await ids(mail, Query()) == ["m4/1.2", "m4/#1", "m2/2", "m1/2", "m1/3"])
            let all = try await mail.attachments()
            #expect(all[2].blobID == all[3].blobID && all[2] != all[3])
            #expect(all[4].messageID == "m1" && all[4].threadID == "t1" && all[4].receivedAt == minute(1))
            #expect(all[4].name == "Café.PNG" && all[4].type == "image/png" && all[4].size == 70)
            #expect(all[0].isInline && all[0].name == nil && all[1].type == "text/plain" && all[1].position == 1)
        }
    }

    @Test func `every property of an attachment matches in the store as in memory`() async throws {
        try await withStore { mail in
            let (pdf, date) = (["application/pdf"], minute(2))
            let predicates: [(Predicate<MailAttachment>, [String])] = [
                (#Predicate { $0.id == "m1/3" }, ["m1/3"]), (#Predicate { $0.messageID == "m1" }, ["m1/2", "m1/3"]),
                (#Predicate { $0.threadID == "t1" }, ["m2/2", "m1/2", "m1/3"]),
                (#Predicate { $0.receivedAt >= date && !$0.isInline }, ["m4/#1", "m2/2"]),
                (#Predicate { $0.position > 0 }, ["m4/#1", "m1/3"]), (#Predicate { $0.name == nil }, ["m4/1.2"]),
                (#Predicate { $0.name?.localizedStandardContains("cafe") ?? false }, ["m1/3"]),
                (#Predicate { $0.name == "Offer.pdf" && $0.threadID == "t1" }, ["m2/2", "m1/2"]),
                (#Predicate { pdf.contains($0.type) }, ["m2/2", "m1/2"]),
                (#Predicate { $0.type.starts(with: "image/") }, ["m4/1.2", "m1/3"]),
                (#Predicate { $0.size < 10 || $0.size > 1_000 }, ["m4/1.2", "m4/#1", "m2/2", "m1/2"]),
                (#Predicate { $0.isInline }, ["m4/1.2"]), (#Predicate { $0.blobID == "b1" }, ["m2/2", "m1/2"]),
            ]
            for (predicate, expected) in predicates {
                let found = try await ids(mail, Query(where: predicate))
                #expect(found == expected, "\(predicate)")
            }
            let largest = Query<MailAttachment>(sort: [SortDescriptor(\.size, order: .reverse)], limit: 2, offset: 1)
            let query = try StoreQuery(largest, .attachment)
            #expect(try await mail.store.read { db in try query.fetch(db).map(\.id) } == ["m1/2", "m1/3"])
        }
    }

    @Test func `a removed mail removes its files, and a mail that returns is listed again`() async throws {
        try await withStore { mail in
            let left = try await mail.store.write { writer in
                try writer.remove(.email, ["m1", "m3"])
                return try StoreQuery(Query(), .attachment).fetch(writer.db).map(\.messageID)
            }
            #expect(left == ["m4", "m4", "m2"])
            #expect(try await mail.unlisted() == [])
            try await mail.pull(email("m1", "t1", at: 1, hasAttachment: true))
            #expect(try await mail.unlisted() == ["m1"])
            try await mail.remove("m1")
            #expect(try await mail.unlisted() == [])
        }
    }

    @Test func `evicted or removed mail leaves no files behind`() async throws {
        let mail = try MailStore(scope: .slices)
        try await mail.pull(
            email("m1", "t1", at: 1, hasAttachment: true),
            email("m2", "t2", at: 2, hasAttachment: true),
            email("m3", "t3", at: 3, hasAttachment: true)
        )
        try await mail.list(
            parts("m1", file("2", "b1", "a", "a/b", 1)),
            parts("m2", file("2", "b1", "a", "a/b", 1))
        )
        // One thread was opened. The others are in no slice.
        let type = try #require(RecordType.mail(.slices).first { $0.name == RecordType.email.name })
        try await mail.store.write { writer in
            try writer.open(["t1"], of: type)
            try writer.evictUnrequested(type, .threads)
        }
        #expect(try await mail.attachments().map(\.messageID) == ["m1"])
        #expect(try await mail.unlisted() == [])
        // Another user's mail replaces it.
        try await mail.pull(email("m4", "t1", at: 4, hasAttachment: true))
        try await mail.store.write { writer in try writer.removeAllMail() }
        #expect(try await mail.attachments() == [])
        #expect(try await mail.unlisted() == [])
        await mail.close()
    }

    @Test func `repeated or late file lists change nothing`() async throws {
        try await withStore { mail in
            let before = try await mail.attachments()
            let revision = try await mail.store.read { db in try db.revision() }
            try await mail.list(
                parts("m1", file("2", "other", "Other.pdf", "application/pdf", 1)),
                parts("gone", file("2", "b", "x", "a/b", 1))
            )
            #expect(try await mail.attachments() == before)
            #expect(try await mail.store.read { db in try db.revision() } == revision)
            // A mail that is marked, moved or otherwise changed keeps its attachments.
            try await mail.pull(email("m1", "t1", at: 1, in: "work", keywords: "$seen", hasAttachment: true))
            #expect(try await mail.attachments() == before)
            #expect(try await mail.unlisted() == [])
        }
    }

    @Test func `a mail that has files later is listed then`() async throws {
        try await withStore { mail in
            try await mail.pull(email("m3", "t3", at: 3, hasAttachment: true))
            #expect(try await mail.unlisted() == ["m3"])
            try await mail.list(parts("m3", file("2", "b9", "shown.txt", "text/plain", 1)))
            #expect(try await ids(mail, Query(where: #Predicate { $0.messageID == "m3" })) == ["m3/2"])
        }
    }
}

private func file(
    _ part: String?,
    _ blob: String,
    _ name: String?,
    _ type: String,
    _ size: Int,
    isInline: Bool = false
) -> JSON {
    [
        "partId": part.map(JSON.string) ?? .null, "blobId": .string(blob), "name": name.map(JSON.string) ?? .null,
        "type": .string(type), "size": JSON(size), "disposition": isInline ? "inline" : "attachment",
        "cid": isInline ? "c@x" : .null,
    ]
}

private func parts(_ mail: String, _ files: JSON...) -> JSON {
    [
        "id": .string(mail), "attachments": .array(files),
        "textBody": [["partId": "1", "blobId": "t", "type": "text/plain"]],
    ]
}

extension MailStore {
    /// Applies the parts of mails as if a server had sent them.
    func list(_ parts: JSON...) async throws {
        try await store.write { writer in try writer.listFiles(parts.map { try JSONText(checking: $0.utf8) }) }
    }

    func attachments() async throws -> [MailAttachment] {
        try await store.read { db in try StoreQuery(Query(), .attachment).fetch(db) }
    }

    func unlisted() async throws -> [String] {
        try await store.read { db in try String.fetchAll(db, sql: "SELECT id FROM unlistedFiles ORDER BY id") }
    }
}
