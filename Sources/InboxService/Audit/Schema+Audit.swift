extension Schema {
    /// The audit log: who did what with keys, tokens and people.
    static let audit = """
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY,
            uid INTEGER NOT NULL UNIQUE DEFAULT (random()), -- what a restored file knows the entry by
            at INTEGER NOT NULL,              -- of a count, the beginning of its hour
            kind TEXT NOT NULL,
            apiKey INTEGER,                   -- the key that did it; null: the command-line tool, or none
            personName TEXT,                  -- the app's id; null once the person was erased
            erasure TEXT,                     -- the receipt, once the person was erased
            reason TEXT NOT NULL DEFAULT '',  -- of a count
            count INTEGER,                    -- null: the entry is of one event
            detail TEXT NOT NULL DEFAULT '{}' -- a JSON object
        );
        CREATE INDEX audit_at ON audit (at);
        CREATE INDEX audit_person ON audit (personName) WHERE personName IS NOT NULL;
        CREATE UNIQUE INDEX audit_count ON audit (kind, reason, at) WHERE count IS NOT NULL;
        """
}
