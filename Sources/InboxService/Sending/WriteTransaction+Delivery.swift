import Foundation
import Groundwork

extension WriteTransaction {
    /// The maximum number of recipients for which deliveries are inserted one by one. For so few, a lookup of unknown
    /// people first doesn't pay off.
    private static let individualInsertLimit = 8

    /// Puts a message into the inboxes of people, and creates those who are unknown.
    func deliver(_ id: MessageID, to people: [String], at deliverAt: Date, stage: MessageStage) throws {
        guard people.count > Self.individualInsertLimit else {
            // One by one, each lookup would be a round trip to PostgreSQL.
            if people.count > 1 { try createAndLock(people: people) }
            for person in inOrder(people) { try deliver(id, to: person, at: deliverAt, stage: stage) }
            return
        }
        #if PostgreSQL
            if case .postgres = db {
                return try deliver(id, toPeople: try numbers(ofPeople: people), at: deliverAt, stage: stage)
            }
        #endif
        // One statement for all of them, so that each person costs only SQLite's own work.
        let unknown: [String] = try db.values(
            """
            SELECT value FROM json_each(?) requested
            WHERE NOT EXISTS (SELECT 1 FROM person WHERE name = requested.value)
            """,
            [people]
        )
        if !unknown.isEmpty { try insertPeople(named: unknown) }
        if stage == .shown { try nextSequences(ofPeople: people) }
        try db.run(
            """
            INSERT INTO delivery (message, person, created, sequence, edited, deliverAt, state)
            SELECT ?1, p.id, iif(?3 = 1, p.sequence, 0), iif(?3 = 1, p.sequence, 0), iif(?3 = 1, p.sequence, 0), ?2, ?3
            FROM json_each(?4) requested CROSS JOIN person p ON p.name = requested.value ORDER BY p.id
            """,
            [id.rawValue, deliverAt.milliseconds, stage.rawValue, people]
        )
    }

    /// Returns people in the order in which servers lock them.
    private func inOrder(_ people: [String]) -> [String] {
        if case .sqlite = db { return people }
        return people.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func deliver(_ id: MessageID, to name: String, at deliverAt: Date, stage: MessageStage) throws {
        let person = try person(named: name, advancing: stage == .shown)
        let sequence = stage == .shown ? person.sequence : 0
        try db.run(
            """
            INSERT INTO delivery (message, person, created, sequence, edited, deliverAt, state)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [id.rawValue, person.id, sequence, sequence, sequence, deliverAt.milliseconds, stage.rawValue]
        )
    }
}

#if PostgreSQL
    extension WriteTransaction {
        /// Returns the numbers of people in the order in which servers lock them. Those who are unknown are created.
        ///
        /// `OFFSET 0` keeps the lookup apart: each name is looked for in its partition. In a join, PostgreSQL may read
        /// all of them.
        func numbers(ofPeople names: [String]) throws -> [Int] {
            let text: SQLText = """
                SELECT n.person, CASE WHEN n.person IS NULL THEN r.name END
                FROM (SELECT name FROM unnest(?) AS r (name) ORDER BY name COLLATE "C") AS r
                LEFT JOIN LATERAL (SELECT n.person FROM personName n WHERE n.name = r.name OFFSET 0) AS n ON true
                """
            var rows = try db.rows(text, [names])
            let unknown = rows.compactMap { $0[1] as String? }
            if !unknown.isEmpty {
                try insertPeople(named: ResolvedPeople.distinct(unknown))
                rows = try db.rows(text, [names])
            }
            return rows.compactMap { $0[0] }
        }

        /// Puts a message into the inboxes of people, as far as they weren't erased meanwhile.
        ///
        /// - Parameter people: Their numbers, in the order in which servers lock them.
        private func deliver(
            _ id: MessageID,
            toPeople people: [Int],
            at deliverAt: Date,
            stage: MessageStage
        ) throws {
            guard stage == .shown else {
                return try db.run(
                    """
                    WITH locked AS (
                        SELECT p.id FROM unnest((SELECT ?1)) AS r (id) CROSS JOIN LATERAL (
                            SELECT p.id FROM person p WHERE p.id = r.id FOR NO KEY UPDATE
                        ) AS p
                    )
                    INSERT INTO delivery (message, person, created, sequence, edited, deliverAt, state)
                    SELECT ?2, id, 0, 0, 0, ?3, ?4 FROM locked
                    """,
                    [people, id.rawValue, deliverAt.milliseconds, stage.rawValue]
                )
            }
            try advanceSequences(
                """
                WITH advanced AS (
                    UPDATE person p SET sequence = p.sequence + 1 FROM unnest((SELECT ?1)) AS r (id) WHERE p.id = r.id
                    RETURNING p.id, p.sequence
                ), inserted AS (
                    INSERT INTO delivery (message, person, created, sequence, edited, deliverAt, state)
                    SELECT ?2, id, sequence, sequence, sequence, ?3, ?4 FROM advanced
                )
                SELECT id, sequence FROM advanced
                """,
                [people, id.rawValue, deliverAt.milliseconds, stage.rawValue]
            )
        }
    }
#endif
