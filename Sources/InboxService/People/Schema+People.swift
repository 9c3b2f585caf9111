extension Schema {
    /// The app's attributes of people, and the receipts of erasures.
    static let people = """
        -- Beside the person's row, which is written with each message.
        CREATE TABLE attributes (
            person INTEGER PRIMARY KEY REFERENCES person (id),
            value TEXT NOT NULL               -- a JSON object
        );

        CREATE TABLE erasure (
            id TEXT PRIMARY KEY,
            personHash BLOB NOT NULL,         -- SHA-256 of the app's id
            at INTEGER NOT NULL,
            removed TEXT NOT NULL             -- a JSON object of counts
        ) WITHOUT ROWID;
        CREATE INDEX erasure_person ON erasure (personHash, at);

        -- The greatest number of a person that was erased: no number is ever given again.
        INSERT INTO counter (name, value) VALUES ('erasedPerson', 0);
        """
}
