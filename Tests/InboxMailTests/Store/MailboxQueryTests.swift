import Foundation
import Groundwork
import Testing

@testable import InboxMail
@testable import Replica

/// Queries of mailboxes match in the store as in memory.
@Suite(.timeLimit(.minutes(10))) struct MailboxQueryTests {
    private func withMailboxes(_ body: (MailStore) async throws -> Void) async throws {
        let mail = try MailStore()
        try await mail.pullMailboxes(
            box("inbox", "Inbox", role: "inbox", order: 1, total: 12, unread: 3),
            box("work", "Work", order: 10, total: 7),
            box("cafe", "Cafe\u{301}", in: "work", order: 10, total: 2, unread: 2),
            box("trash", "Trash", role: "trash", order: 3, isSubscribed: false),
            box("odd", "Later", role: "x-later", order: 2)
        )
        try await body(mail)
        await mail.close()
    }

    private func box(
        _ id: String,
        _ name: String,
        role: String? = nil,
        in parent: String? = nil,
        order: Int,
        total: Int = 0,
        unread: Int = 0,
        isSubscribed: Bool = true
    ) -> JSON {
        [
            "id": .string(id), "name": .string(name), "role": role.map(JSON.string) ?? .null,
            "parentId": parent.map(JSON.string) ?? .null, "sortOrder": JSON(order), "totalEmails": JSON(total),
            "unreadEmails": JSON(unread), "totalThreads": JSON(total / 2), "unreadThreads": JSON(unread / 2),
            "isSubscribed": .bool(isSubscribed),
        ]
    }

    private func ids(_ mail: MailStore, _ query: Query<Mailbox>) async throws -> [String] {
        let query = try StoreQuery(query, .mailbox)
        let (found, count, all) = try await mail.store.read { db in
            (try query.fetch(db), try query.count(db), try StoreQuery(Query(), .mailbox).fetch(db))
        }
        let matching = all.filter { query.condition.matches($0) }
        #expect(Set(found) == Set(matching) && count == matching.count)
        return found.map(\.id)
    }

    @Test func `every property of a mailbox matches in the store as in memory`() async throws {
        try await withMailboxes { mail in
            let (inbox, later) = (Mailbox.Role.inbox, Mailbox.Role.other("x-later"))
            let roles: [Mailbox.Role?] = [.trash, .inbox]
            let predicates: [(Predicate<Mailbox>, [String])] = [
                (#Predicate { $0.id == "work" }, ["work"]), (#Predicate { $0.name == "Café" }, ["cafe"]),
                (#Predicate { $0.name.localizedStandardContains("cafe") }, ["cafe"]),
                (#Predicate { $0.name.starts(with: "W") }, ["work"]), (#Predicate { $0.parentID == "work" }, ["cafe"]),
                (#Predicate { $0.parentID != nil }, ["cafe"]), (#Predicate { $0.role == inbox }, ["inbox"]),
                (#Predicate { $0.role == nil }, ["cafe", "work"]), (#Predicate { $0.role == later }, ["odd"]),
                (#Predicate { roles.contains($0.role) }, ["inbox", "trash"]),
                (#Predicate { $0.role?.name == "trash" }, ["trash"]),
                (#Predicate { $0.sortOrder > 2 }, ["trash", "cafe", "work"]),
                (#Predicate { $0.totalEmails >= 7 }, ["inbox", "work"]),
                (#Predicate { $0.unreadEmails > 0 }, ["inbox", "cafe"]),
                (#Predicate { $0.totalThreads == 1 }, ["cafe"]),
                (#Predicate { $0.unreadThreads == 1 }, ["inbox", "cafe"]),
                (#Predicate { !$0.isSubscribed }, ["trash"]),
                (#Predicate { $0.isSubscribed && $0.unreadEmails == 0 }, ["odd", "work"]),
            ]
            for (predicate, expected) in predicates {
                let found = try await ids(mail, Query(where: predicate))
                #expect(found == expected, "\(predicate)")
            }
        }
    }

    @Test func `mailboxes are in sibling order unless sorted, with limit and offset`() async throws {
        try await withMailboxes { mail in
            #expect(try await ids(mail, Query()) == ["inbox", "odd", "trash", "cafe", "work"])
            let byName = Query<Mailbox>(sort: [SortDescriptor(\.name, comparator: .lexical, order: .reverse)])
            #expect(try await ids(mail, byName) == ["work", "trash", "odd", "inbox", "cafe"])
            let most = try StoreQuery(
                Query<Mailbox>(sort: [SortDescriptor(\.totalEmails, order: .reverse)], limit: 2, offset: 1),
                .mailbox
            )
            #expect(try await mail.store.read { db in try most.fetch(db).map(\.id) } == ["work", "cafe"])
        }
    }
}
