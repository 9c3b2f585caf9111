extension Schema {
    /// The scopes, expiry, use and revocation of API keys.
    static let keys = """
        ALTER TABLE apiKey ADD COLUMN scopes TEXT;          -- names with spaces between; null: all, also those to come
        ALTER TABLE apiKey ADD COLUMN expiresAt INTEGER;
        ALTER TABLE apiKey ADD COLUMN lastUsedAt INTEGER;   -- at most a minute behind
        ALTER TABLE apiKey ADD COLUMN revokedAt INTEGER;
        """
}

extension Schema {
    /// The revocation of people's tokens before their expiry.
    static let sessions = """
        -- Tokens of a person that were issued before don't work. By the app's id: the person may be unknown.
        CREATE TABLE tokenEnd (
            personName TEXT PRIMARY KEY,
            at INTEGER NOT NULL,
            start INTEGER NOT NULL            -- in seconds: the first iat that works
        ) WITHOUT ROWID;
        -- The same of an erasure; null: the first whole second after it.
        ALTER TABLE erasure ADD COLUMN start INTEGER;

        -- Tokens that were signed out, kept until they would have expired.
        CREATE TABLE endedToken (
            token BLOB PRIMARY KEY,           -- a TokenID
            personName TEXT NOT NULL,
            expiresAt INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX endedToken_person ON endedToken (personName);
        CREATE INDEX endedToken_expiresAt ON endedToken (expiresAt);

        -- The keys with which the server signed people's tokens before the one in `setting`.
        CREATE TABLE formerTokenKey (
            hash BLOB PRIMARY KEY,            -- SHA-256 of the key: it shows later that the key was of this server
            secret BLOB,                      -- null once it has ended
            endsAt INTEGER NOT NULL           -- when the last token that it may have signed has ended
        ) WITHOUT ROWID;
        """
}
