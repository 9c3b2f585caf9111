import Foundation
import Groundwork

extension WriteTransaction {
    /// Puts a message into the inboxes of people, and creates those who are unknown.
    func deliver(_ id: MessageID, to people: [String], at deliverAt: Date, stage: MessageStage) throws {
        guard people.count > OutgoingMessage.individualLimit else {
            for person in inOrder(people) { try deliver(id, to: person, at: deliverAt, stage: stage) }
            return
        }
        #if PostgreSQL
            if case .postgres(let transaction) = db {
                let delivery = ManyDeliveries(message: id, at: deliverAt, stage: stage)
                // Of several messages, all people are locked before the first one.
                if people.allSatisfy({ known.numbers[Array($0.utf8)] != nil }) {
                    return try deliver(delivery, toLocked: people)
                }
                let found = known.found.flatMap { $0.haveNames(people) ? $0 : nil }
                return try deliver(delivery, to: found ?? FoundPeople(people, in: transaction), in: transaction)
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
    /// One message for many people.
    private struct ManyDeliveries {
        let message: MessageID
        let at: Date
        let stage: MessageStage

        /// Returns the statement that locks people and puts the message into their inboxes. If it shows the message, it
        /// returns the people and their new sequences.
        ///
        /// - Parameters:
        ///   - people: The expression of an array of their numbers, in the order in which servers lock them. It has the
        ///     argument `?1`.
        ///   - argument: That argument.
        func statement(of people: SQLText, _ argument: any SQLValue) -> PostgresTransaction.Statement {
            let sql: SQLText =
                if stage == .shown {
                    """
                    WITH advanced AS (
                        UPDATE person p SET sequence = p.sequence + 1
                        FROM unnest((SELECT \(people))) AS r (id) WHERE p.id = r.id
                        RETURNING p.id, p.sequence
                    ), inserted AS (
                        INSERT INTO delivery (message, person, created, sequence, edited, deliverAt, state)
                        SELECT ?2, id, sequence, sequence, sequence, ?3, ?4 FROM advanced
                    )
                    SELECT id, sequence FROM advanced
                    """
                } else {
                    """
                    WITH locked AS (
                        SELECT p.id FROM unnest((SELECT \(people))) AS r (id) CROSS JOIN LATERAL (
                            SELECT p.id FROM person p WHERE p.id = r.id FOR NO KEY UPDATE
                        ) AS p
                    )
                    INSERT INTO delivery (message, person, created, sequence, edited, deliverAt, state)
                    SELECT ?2, id, 0, 0, 0, ?3, ?4 FROM locked
                    """
                }
            return .init(sql, [argument, message.rawValue, at.milliseconds, stage.rawValue])
        }

        static let byNumber: SQLText = "?1"
        static let byName: SQLText = """
            ARRAY(
                SELECT n.person FROM (SELECT name FROM unnest(?1) AS r (name) ORDER BY name COLLATE "C") AS r
                CROSS JOIN LATERAL (SELECT n.person FROM personName n WHERE n.name = r.name OFFSET 0) AS n
            )
            """
    }

    extension WriteTransaction {
        /// Puts a message into the inboxes of people whose sequences this transaction knows.
        private func deliver(_ delivery: ManyDeliveries, toLocked people: [String]) throws {
            let isShown = delivery.stage == .shown
            let people = try inOrder(people).map { try person(named: $0, advancing: isShown) }
            try db.run(
                """
                INSERT INTO delivery (message, person, created, sequence, edited, deliverAt, state)
                SELECT ?1, r.id, r.sequence, r.sequence, r.sequence, ?2, ?3 FROM unnest(?4, ?5) AS r (id, sequence)
                """,
                [
                    delivery.message.rawValue, delivery.at.milliseconds, delivery.stage.rawValue, people.map { $0.id },
                    people.map { isShown ? $0.sequence : 0 },
                ]
            )
        }

        /// Puts a message into the inboxes of people, as far as they weren't erased meanwhile. First those who were
        /// found, then the others, who are created unless another server has done so: all in one round trip.
        private func deliver(
            _ delivery: ManyDeliveries,
            to people: FoundPeople,
            in transaction: PostgresTransaction
        ) throws {
            var statements: [PostgresTransaction.Statement] = []
            if !people.numbers.isEmpty {
                statements.append(delivery.statement(of: ManyDeliveries.byNumber, people.numbers))
            }
            if !people.unknown.isEmpty {
                statements.append(insertion(ofPeople: people.unknown))
                statements.append(delivery.statement(of: ManyDeliveries.byName, people.unknown))
            }
            if delivery.stage == .shown {
                try advanceSequences(by: statements, in: transaction)
            } else {
                for statement in statements { transaction.enqueue(statement) }
            }
        }
    }
#endif
