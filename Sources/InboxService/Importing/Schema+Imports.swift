import Groundwork

extension Schema {
    static let imports = """
        -- What was imported from another system, so that a repeat is known. It outlives the message: what is gone
        -- doesn't come back.
        CREATE TABLE imported (
            message INTEGER PRIMARY KEY REFERENCES message (id),
            person INTEGER NOT NULL REFERENCES person (id),
            source TEXT NOT NULL,             -- the other system
            externalId TEXT NOT NULL,         -- its id of the message
            UNIQUE (person, source, externalId)
        );
        """
}

extension PersonalTable {
    /// The sources of the person's imported messages.
    static let imports = PersonalTable(
        table: "imported",
        name: "imports",
        keys: "SELECT message FROM imported WHERE person = ?1 ORDER BY message",
        row: "SELECT message, source, externalId FROM imported WHERE person = ?1 AND message = ?2",
        json: { row in
            [
                "message": .string(MessageID(rawValue: row[0]).text), "source": .string(row[1]),
                "externalId": .string(row[2]),
            ]
        },
        erase: "DELETE FROM imported WHERE person = ?1"
    )
}
