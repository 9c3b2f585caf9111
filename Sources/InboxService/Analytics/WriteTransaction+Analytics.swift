import Groundwork
import InboxModel

extension WriteTransaction {
    /// Counts a person who has reached this step of a message. Each step is counted once per person.
    func count(_ reach: Reach, of message: MessageID, for person: Int) throws {
        let earlier: Int =
            try db.value("SELECT reach FROM reach WHERE message = ? AND person = ?", [message.rawValue, person]) ?? 0
        guard reach.rawValue > earlier else { return }
        try db.run(
            """
            INSERT INTO reach (message, person, reach) VALUES (?, ?, ?)
            ON CONFLICT (message, person) DO UPDATE SET reach = excluded.reach
            """,
            [message.rawValue, person, reach.rawValue]
        )
        func step(_ step: Reach) -> Int { earlier < step.rawValue && step <= reach ? 1 : 0 }
        try db.run(
            Self.countedFigure,
            [
                message.rawValue, step(.delivered), step(.seen), step(.read), step(.clicked), slot,
            ]
        )
    }

    // The number of the slot is an argument on both, which SQLite doesn't use.
    private static let countedFigure = SQLText(
        sqlite: """
            INSERT INTO figure (message, delivered, seen, read, clicked) SELECT ?1, ?2, ?3, ?4, ?5 WHERE ?6 IS NOT NULL
            ON CONFLICT (message) DO UPDATE SET delivered = figure.delivered + excluded.delivered,
                seen = figure.seen + excluded.seen, read = figure.read + excluded.read,
                clicked = figure.clicked + excluded.clicked
            """,
        postgres: """
            INSERT INTO figure (message, delivered, seen, read, clicked, slot) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (message, slot) DO UPDATE SET delivered = figure.delivered + excluded.delivered,
                seen = figure.seen + excluded.seen, read = figure.read + excluded.read,
                clicked = figure.clicked + excluded.clicked
            """
    )

    /// Counts a click on an action, if the message has an action with this id. Made-up ids must not fill the table.
    func countClick(on action: String, of message: MessageID) throws {
        guard let content = try reading.message(message)?.content,
            try JSON(parsing: Array(content.utf8))[MessageField.actions.rawValue]?.arrayValue?.contains(where: {
                $0["id"]?.stringValue.map { $0.utf8.elementsEqual(action.utf8) } ?? false
            }) ?? false
        else { return }
        try db.run(Self.countedClick, [action, message.rawValue, slot])
    }

    private static let countedClick = SQLText(
        sqlite: """
            INSERT INTO actionFigure (action, message, clicks) SELECT ?1, ?2, 1 WHERE ?3 IS NOT NULL
            ON CONFLICT (message, action) DO UPDATE SET clicks = actionFigure.clicks + 1
            """,
        postgres: """
            INSERT INTO actionFigure (action, message, slot, clicks) VALUES (?, ?, ?, 1)
            ON CONFLICT (message, action, slot) DO UPDATE SET clicks = actionFigure.clicks + 1
            """
    )
}
