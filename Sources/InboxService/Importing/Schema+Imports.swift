extension Schema {
    static let imports = """
        -- What was imported from another system, so that a repeat is known. It outlives the message: what is gone doesn't come back.
        CREATE TABLE imported (
            message INTEGER PRIMARY KEY REFERENCES message (id),
            person INTEGER NOT NULL REFERENCES person (id),
            source TEXT NOT NULL,             -- the other system
            externalId TEXT NOT NULL,         -- its id of the message
            UNIQUE (person, source, externalId)
        );
        """
}
