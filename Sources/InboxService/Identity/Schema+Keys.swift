extension Schema {
    /// What API keys may be used for, and how long.
    static let keys = """
        ALTER TABLE apiKey ADD COLUMN scopes TEXT;          -- names with spaces between; null: all, also those to come
        ALTER TABLE apiKey ADD COLUMN expiresAt INTEGER;
        ALTER TABLE apiKey ADD COLUMN lastUsedAt INTEGER;   -- at most a minute behind
        ALTER TABLE apiKey ADD COLUMN revokedAt INTEGER;
        """
}
