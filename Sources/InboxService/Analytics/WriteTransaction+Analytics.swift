import GRDB

extension WriteTransaction {
    /// Counts a person who has reached this step of a message. Each step is counted once per person.
    func count(_ reach: Reach, of message: MessageID, for person: Int) throws {
        let earlier: Int =
            try db.value("SELECT reach FROM reach WHERE message = ? AND person = ?", [message.rawValue, person]) ?? 0
        guard reach.rawValue > earlier else { return }
        try db.run(
            """
            INSERT INTO reach (message, person, reach) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET reach = excluded.reach
            """,
            [message.rawValue, person, reach.rawValue]
        )
        func step(_ step: Reach) -> Int { earlier < step.rawValue && step <= reach ? 1 : 0 }
        try db.run(
            """
            INSERT INTO figure (message, delivered, seen, read, clicked) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET delivered = delivered + excluded.delivered, seen = seen + excluded.seen,
                read = read + excluded.read, clicked = clicked + excluded.clicked
            """,
            [message.rawValue, step(.delivered), step(.seen), step(.read), step(.clicked)]
        )
    }

    /// Counts a click on an action, if the message has an action with this id. Made-up ids must not fill the table.
    func countClick(on action: String, of message: MessageID) throws {
        try db.run(
            """
            INSERT INTO actionFigure (message, action, clicks)
            SELECT id, ?1, 1 FROM message
            WHERE id = ?2 AND content <> ''
                AND EXISTS (SELECT 1 FROM json_each(content, '$.actions') WHERE value ->> '$.id' = ?1)
            ON CONFLICT DO UPDATE SET clicks = clicks + 1
            """,
            [action, message.rawValue]
        )
    }
}
