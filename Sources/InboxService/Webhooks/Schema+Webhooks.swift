extension Schema {
    static let webhooks = """
        -- The addresses at which the app's backend receives events.
        CREATE TABLE webhook (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            url TEXT NOT NULL,
            types TEXT NOT NULL,              -- a JSON array of types and patterns
            isEnabled INTEGER NOT NULL,
            isGone INTEGER NOT NULL,          -- whether it was the receiver who ended it, with 410
            secret BLOB NOT NULL,             -- needed to sign, so it is kept as it is
            earlierSecret BLOB,
            earlierUntil INTEGER,
            pausedUntil INTEGER NOT NULL,     -- the receiver's request
            createdAt INTEGER NOT NULL,
            pending INTEGER NOT NULL,         -- kept by the triggers below
            dead INTEGER NOT NULL
        );

        -- A webhook's pending payloads, and its dead letters.
        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            webhook INTEGER NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
            event TEXT NOT NULL,              -- the id that the receiver knows it by
            person INTEGER NOT NULL REFERENCES person (id),
            type TEXT NOT NULL,
            body TEXT NOT NULL,               -- JSON, sent as it is
            createdAt INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            nextAt INTEGER NOT NULL,
            diedAt INTEGER,                   -- null while it is tried
            reason TEXT,                      -- why the latest attempt failed
            UNIQUE (webhook, event)
        );
        CREATE INDEX outbox_next ON outbox (webhook, nextAt, id) WHERE diedAt IS NULL;
        CREATE INDEX outbox_pending ON outbox (webhook, id) WHERE diedAt IS NULL;
        CREATE INDEX outbox_dead ON outbox (webhook, id) WHERE diedAt IS NOT NULL;
        CREATE INDEX outbox_createdAt ON outbox (createdAt);
        CREATE INDEX outbox_person ON outbox (person);

        CREATE TRIGGER outbox_insert AFTER INSERT ON outbox BEGIN
            UPDATE webhook SET pending = pending + 1 WHERE id = new.webhook;
        END;
        CREATE TRIGGER outbox_delete AFTER DELETE ON outbox BEGIN
            UPDATE webhook SET pending = pending - (old.diedAt IS NULL), dead = dead - (old.diedAt IS NOT NULL)
            WHERE id = old.webhook;
        END;
        CREATE TRIGGER outbox_update AFTER UPDATE OF diedAt ON outbox BEGIN
            UPDATE webhook SET pending = pending - (old.diedAt IS NULL) + (new.diedAt IS NULL),
                dead = dead - (old.diedAt IS NOT NULL) + (new.diedAt IS NOT NULL)
            WHERE id = new.webhook;
        END;
        """
}
