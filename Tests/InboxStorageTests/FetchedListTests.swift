import Foundation
import Groundwork
import Postgres
import Testing

@testable import InboxService

/// Lists whose messages are requested next.
@Suite(.timeLimit(.minutes(5))) struct FetchedListTests {
    private static let ann = Person(id: 1, name: "ann", account: "a")
    private static let bob = Person(id: 2, name: "bob", account: "b")

    /// Messages to both people and to everyone, of which each has read, deleted and archived others.
    private static let script = """
        INSERT INTO person (id, name, account, sequence, createdAt) VALUES (1, 'ann', 'a', 1, 1), (2, 'bob', 'b', 1, 1);
        INSERT INTO message (id, content, surface, deliverAt, createdAt, recipients, state)
        SELECT n, '{"title":"' || n || '"}', 'inbox', 1000 + n % 7, n, CASE WHEN n % 3 = 0 THEN NULL ELSE 2 END, 1
        FROM generate_series(1, 60) n;
        INSERT INTO delivery (message, person, created, sequence, deliverAt, state, readAt, deletedAt, archivedAt)
        SELECT m.id, p, m.id, m.id, m.deliverAt, 1, CASE WHEN m.id % 5 = p THEN 2000 + p END,
            CASE WHEN m.id % 7 = p THEN 3000 END, CASE WHEN m.id % 11 = p THEN 4000 + p END
        FROM message m, (VALUES (1), (2)) AS people (p) WHERE m.recipients = 2 OR m.id % 4 = 0;
        """

    private func withDatabase(
        _ sql: String = script,
        _ body: @escaping @Sendable (PostgresConnection) throws -> Void
    ) async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            try connection.executeScript(sql)
            try connection.transaction(.snapshot) { connection in try body(connection) }
        }
    }

    private func newReading(_ connection: PostgresConnection) -> ReadTransaction {
        ReadTransaction(.postgres(PostgresTransaction(connection)), isSnapshot: true)
    }

    private func texts(_ ids: [MessageID?], _ inbox: PersonInbox) throws -> [Int: String] {
        var texts: [Int: String] = [:]
        try inbox.forEachMessage(of: ids) { index, message, content in
            var bytes: [UInt8] = []
            message.write(content, to: &bytes)
            #expect(texts.updateValue(String(decoding: bytes, as: UTF8.self), forKey: index) == nil)
        }
        return texts
    }

    /// Returns the number of deliveries that the open transaction has read.
    private func rowsRead(_ connection: PostgresConnection) throws -> Int {
        try connection.execute(
            """
            SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint
            FROM pg_stat_xact_user_tables WHERE relname ~ '^delivery'
            """
        )[0][0]
    }

    @Test func `a list has the same ids and messages whether it is fetched at once or not`() async throws {
        try await withDatabase { connection in
            let notDeleted: JSON = ["property": "deletedAt", "op": "equal", "value": .null]
            let unread: JSON = ["property": "readAt", "op": "equal", "value": .null]
            let both: JSON = ["operator": "AND", "conditions": [notDeleted, unread]]
            for filter in [nil, notDeleted, both] {
                let filter = try filter.map { try InboxFilter(reading: JSONReader($0)) } ?? InboxFilter()
                for person in [Self.ann, Self.bob] {
                    let parts = [(false, 0, 50), (true, 0, 7), (false, 5, 100), (false, 90, 9)]
                    for (isAscending, offset, limit) in parts {
                        func ids(_ reading: ReadTransaction, isFetched: Bool) throws -> [MessageID] {
                            try reading.inbox(of: person).ids(
                                filter: filter,
                                isAscending: isAscending,
                                offset: offset,
                                limit: limit,
                                isFetched: isFetched
                            )
                        }
                        let (one, other) = (newReading(connection), newReading(connection))
                        let expected = try ids(one, isFetched: false)
                        let fetched = try ids(other, isFetched: true)
                        #expect(fetched == expected)
                        let before = connection.roundTrips
                        let messages = try texts(fetched, other.inbox(of: person))
                        #expect(connection.roundTrips == before)
                        #expect(try messages == texts(expected, one.inbox(of: person)))
                        #expect(messages.count == fetched.count && (offset == 90) == fetched.isEmpty)
                    }
                }
            }
        }
    }

    /// Makes some of the messages expired, recalled or waiting, some of those to everyone newer than a person, and some
    /// of the deliveries edited or without consent.
    private static let stages = """
        UPDATE message SET broadcastCreated = id, broadcastSequence = id + 100 WHERE recipients IS NULL;
        UPDATE message SET lastPerson = 1 WHERE id IN (18, 33, 36);
        UPDATE message SET expiresAt = 5000 WHERE id % 13 = 1;
        UPDATE message SET state = 2, content = '' WHERE id IN (5, 10, 12, 15);
        UPDATE message SET state = 0 WHERE id IN (7, 9);
        UPDATE delivery d SET state = m.state FROM message m WHERE m.id = d.message;
        UPDATE delivery SET created = 1, edited = sequence - 10 WHERE message % 2 = 0;
        UPDATE delivery SET withheld = 3 WHERE message % 4 = 0;
        """

    /// With partitions that are named, and without.
    @Test func `in the role of a person, views show the messages of the tables`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            let role = try PostgresSchema.prepare(connection)
            try connection.executeScript(Self.script + Self.stages)
            func condition(_ property: String, _ value: JSON) throws -> InboxFilter {
                try InboxFilter(reading: JSONReader(["property": .string(property), "op": "equal", "value": value]))
            }
            let filters = [
                InboxFilter(), try condition("deletedAt", .null), try condition("readAt", .null),
                try condition("surface", "inbox"),
            ]
            func found(of person: Person, isPersonal: Bool, namesPartition: Bool) throws -> [String] {
                try connection.transaction(.snapshot) { connection in
                    if isPersonal { connection.enqueue(role.statement(for: person.id)) }
                    let transaction = PostgresTransaction(
                        connection,
                        of: namesPartition ? PersonPartition(of: person.id) : nil,
                        isPersonal: isPersonal
                    )
                    var found: [String] = []
                    for filter in filters {
                        for (isAscending, offset, limit) in [(false, 0, 50), (true, 0, 7), (false, 5, 100)] {
                            for isFetched in [false, true] {
                                let reading = ReadTransaction(.postgres(transaction), isSnapshot: true)
                                let inbox = reading.inbox(of: person)
                                let ids = try inbox.ids(
                                    filter: filter,
                                    isAscending: isAscending,
                                    offset: offset,
                                    limit: limit,
                                    isFetched: isFetched
                                )
                                found += ids.map(\.text)
                                found += try texts(ids, inbox).sorted { $0.key < $1.key }.map(\.value)
                            }
                        }
                    }
                    let reading = ReadTransaction(.postgres(transaction), isSnapshot: true)
                    let (inbox, now) = (reading.inbox(of: person), Date(milliseconds: 10_000))
                    let all = (1...61).map { MessageID(rawValue: $0) }
                    for filter in filters {
                        found += try inbox.places(of: all, filter: filter).map(\.id.text).sorted()
                        let count = try inbox.count(filter: filter)
                        found.append("\(count)")
                    }
                    for id in all {
                        found.append(try inbox.message(id).map { "\($0.deliverAt)" } ?? "-")
                        found.append(try inbox.backendMessage(id).map(\.content) ?? "-")
                    }
                    let tabs = try inbox.tabs(on: "inbox", now: now)
                    found.append("\(tabs)")
                    found += try inbox.counts(at: now).byBucket.map { "\($0)" }.sorted()
                    let page = Page<MessageID>(limit: 20, after: MessageID(rawValue: 30))
                    let listed = try inbox.backendMessages(nil, page: page, now: now)
                    found.append(String(decoding: listed.json.utf8, as: UTF8.self))
                    // The next change after 21 is of a message that was edited before it.
                    for (own, limit) in [(0, 100), (0, 5), (21, 1), (21, 100)] {
                        let start = ChangesPosition(at: PersonState(own: own, broadcast: own))
                        let changes = try inbox.changes(since: start, limit: limit)
                        found += [changes.created, changes.updated, changes.destroyed].map { "\($0.map(\.text))" }
                        found.append("\(changes.isPersonal)")
                    }
                    return found
                }
            }
            for person in [Self.ann, Self.bob] {
                let expected = try found(of: person, isPersonal: false, namesPartition: false)
                #expect(expected.count > 500)
                for namesPartition in [false, true] {
                    #expect(try found(of: person, isPersonal: true, namesPartition: namesPartition) == expected)
                }
            }
        }
    }

    @Test func `fetched messages of one person aren't another's`() async throws {
        try await withDatabase { connection in
            let reading = newReading(connection)
            let (anns, bobs) = (reading.inbox(of: Self.ann), reading.inbox(of: Self.bob))
            let ids = try anns.ids(filter: InboxFilter(), isAscending: false, offset: 0, limit: 60, isFetched: true)
            let (own, others) = (try texts(ids, anns), try texts(ids, bobs))
            #expect(own.count == ids.count && own != others)
            #expect(try others == texts(ids, newReading(connection).inbox(of: Self.bob)))
        }
    }

    @Test func `ids that weren't listed are read with those that were`() async throws {
        try await withDatabase { connection in
            let reading = newReading(connection)
            let inbox = reading.inbox(of: Self.ann)
            var ids: [MessageID?] = try inbox.ids(
                filter: InboxFilter(),
                isAscending: false,
                offset: 0,
                limit: 3,
                isFetched: true
            )
            let listed = try texts(ids, inbox)
            ids.insert(nil, at: 1)
            ids += [MessageID(rawValue: 1), MessageID(rawValue: 999)]
            let all = try texts(ids, inbox)
            #expect(all.keys.sorted() == [0, 2, 3, 4])
            #expect([all[0], all[2], all[3]] == [listed[0], listed[1], listed[2]])
        }
    }

    @Test func `large contents of a list are read in parts`() async throws {
        let script = """
            INSERT INTO person (id, name, account, sequence, createdAt) VALUES (1, 'ann', 'a', 1, 1);
            INSERT INTO message (id, content, surface, deliverAt, createdAt, recipients, state)
            SELECT n, '{"body":"' || repeat('x', 600000) || '"}', 'inbox', n, n, 1, 1 FROM generate_series(1, 24) n;
            INSERT INTO delivery (message, person, created, sequence, deliverAt, state)
            SELECT n, 1, n, n, n, 1 FROM generate_series(1, 24) n
            """
        try await withDatabase(script) { connection in
            let inbox = newReading(connection).inbox(of: Self.ann)
            let ids = try inbox.ids(filter: InboxFilter(), isAscending: false, offset: 0, limit: 50, isFetched: true)
            #expect(ids.map(\.rawValue) == (1...24).reversed())
            let before = connection.roundTrips
            let found = try texts(ids, inbox)
            #expect(found.count == 24 && found.values.allSatisfy { $0.utf8.count > 600_000 })
            #expect(connection.roundTrips > before)
        }
    }

    @Test(arguments: ["deletedAt", "readAt", "category"], [false, true])
    func `a page filtered by null is read without the rest of the inbox`(
        property: String,
        isFetched: Bool
    ) async throws {
        let script = """
            INSERT INTO person (id, name, account, sequence, createdAt) VALUES (1, 'ann', 'a', 1, 1);
            INSERT INTO message (id, content, surface, deliverAt, createdAt, recipients, state)
            SELECT n, '{}', 'inbox', n, n, 1, 1 FROM generate_series(1, 5000) n;
            INSERT INTO delivery (message, person, created, sequence, deliverAt, state)
            SELECT n, 1, n, n, n, 1 FROM generate_series(1, 5000) n;
            ANALYZE
            """
        try await withDatabase(script) { connection in
            let condition: JSON = ["property": .string(property), "op": "equal", "value": .null]
            let filter = try InboxFilter(reading: JSONReader(condition))
            let role = try PersonRole(database: connection.execute("SELECT current_database()::text")[0][0])
            for isPersonal in [false, true] {
                if isPersonal { connection.enqueue(role.statement(for: Self.ann.id)) }
                let transaction = PostgresTransaction(connection, isPersonal: isPersonal)
                // The sixth time, and from then on, PostgreSQL may plan a statement for all arguments.
                for _ in 1...10 {
                    let before = try rowsRead(connection)
                    let ids = try ReadTransaction(.postgres(transaction), isSnapshot: true).inbox(of: Self.ann)
                        .ids(filter: filter, isAscending: false, offset: 0, limit: 50, isFetched: isFetched)
                    #expect(ids.count == 50)
                    // Each listed one, and a few at the end of a page.
                    #expect(try rowsRead(connection) - before <= 150)
                }
            }
        }
    }

    /// Both kinds of plans of a prepared statement.
    @Test(arguments: ["force_custom_plan", "force_generic_plan"])
    func `a message is read by its id without the deliveries to its other recipients`(mode: String) async throws {
        let (partitions, partition) = (PostgresSchema.partitions, PersonPartition(of: Self.ann.id))
        // Each person of the partition has the message 1, and nine that have no other recipient.
        let script = """
            INSERT INTO delivery (message, person, created, sequence, deliverAt, state)
            SELECT CASE WHEN k = 0 THEN 1 ELSE n * 10 + k END, n, 1, k + 1, 1, 1
            FROM generate_series(1, 50000) n, generate_series(0, 9) k
            WHERE satisfies_hash_partition('delivery'::regclass, \(partitions), \(partition.number), n::bigint);
            INSERT INTO message (id, content, surface, deliverAt, createdAt, recipients, state)
            SELECT message, '{"title":"a"}', 'inbox', 1, 1, count(*), 1 FROM delivery GROUP BY message;
            ANALYZE
            """
        try await withDatabase(script) { connection in
            let recipients: Int = try connection.execute("SELECT recipients FROM message WHERE id = 1")[0][0]
            #expect(recipients > 500)
            try connection.pipeline([.setLocal("plan_cache_mode", mode)])
            let role = try PersonRole(database: connection.execute("SELECT current_database()::text")[0][0])
            let id = MessageID(rawValue: 1)
            for isPersonal in [false, true] {
                if isPersonal { connection.enqueue(role.statement(for: Self.ann.id)) }
                for named in [nil, partition] {
                    let transaction = PostgresTransaction(connection, of: named, isPersonal: isPersonal)
                    let inbox = ReadTransaction(.postgres(transaction), isSnapshot: true).inbox(of: Self.ann)
                    let before = try rowsRead(connection)
                    let message = try inbox.message(id)
                    #expect(message != nil)
                    #expect(try texts([id], inbox).count == 1)
                    // The person's own at most.
                    #expect(try rowsRead(connection) - before <= 20)
                }
            }
        }
    }
}
