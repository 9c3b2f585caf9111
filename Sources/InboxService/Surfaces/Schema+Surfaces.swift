extension Schema {
    /// The settings of surfaces, the same for everyone.
    static let surfaces = """
        CREATE TABLE surface (
            id TEXT PRIMARY KEY,
            settings TEXT NOT NULL,           -- a JSON object
            created INTEGER NOT NULL,         -- the surfaces' sequence at which it was first set
            sequence INTEGER NOT NULL         -- that of its latest change
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX surface_sequence ON surface (sequence);
        INSERT INTO counter (name, value) VALUES ('surface', 0);
        """
}
