extension Schema {
    /// What people's devices upload.
    static let blobs = """
        CREATE TABLE blob (
            person INTEGER NOT NULL REFERENCES person (id) ON DELETE CASCADE,
            hash BLOB NOT NULL,               -- SHA-256 of the content: the blob's id
            size INTEGER NOT NULL,
            at INTEGER NOT NULL,              -- of the latest upload
            content BLOB NOT NULL,
            PRIMARY KEY (person, hash)
        );
        CREATE INDEX blob_at ON blob (at);
        """
}
