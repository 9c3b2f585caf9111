import GRDB

/// The tables and their migrations.
///
/// All dates are milliseconds since 1970. A person's rows are keyed by the person. Only broadcasts are shared between
/// people.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (name, sql) in migrations {
            migrator.registerMigration(name) { db in try db.execute(sql: sql) }
        }
        return migrator
    }

    /// Returns the applied migrations that this version doesn't know, which a newer version has run.
    static func unknownMigrations(in db: Database) throws -> [String] {
        try migrator.appliedIdentifiers(db).filter { name in !migrations.contains { $0.0 == name } }.sorted()
    }

    /// The migration that every database has.
    static let first = "messages"

    /// The migrations in the order of execution. A released migration is never changed.
    private static let migrations = [
        (first, messages),
        ("keys", keys),
        ("people", people),
        ("surfaces", surfaces),
        ("blobs", blobs),
        ("events", events),
        ("webhooks", webhooks),
        ("imports", imports),
        ("newPeople", newPeople),
        ("edited", edited),
        ("sent", sent),
        ("destroyedSurfaces", destroyedSurfaces),
        ("consent", consent), ("earlierConsent", earlierConsent),
        ("sessions", sessions),
        ("audit", audit),
        ("setAside", setAside),
    ]

    private static let messages = """
        CREATE TABLE person (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,        -- the app's id
            account TEXT NOT NULL UNIQUE,     -- the JMAP account id
            sequence INTEGER NOT NULL,        -- of the person's latest own change
            createdAt INTEGER NOT NULL
        );

        -- What a sender sent, once, whatever the number of people that it is for.
        CREATE TABLE message (
            id INTEGER PRIMARY KEY,           -- a MessageID
            content TEXT NOT NULL,            -- a JSON object, put through as it is; empty once it was recalled
            surface TEXT NOT NULL,
            category TEXT,
            groupKey TEXT,
            deliverAt INTEGER NOT NULL,
            expiresAt INTEGER,
            createdAt INTEGER NOT NULL,
            recipients INTEGER,               -- null: everyone
            state INTEGER NOT NULL,           -- 0 waits, 1 is shown, 2 is gone
            broadcastCreated INTEGER,         -- the broadcast sequence at which it was first shown
            broadcastSequence INTEGER         -- that of its latest change
        );
        CREATE INDEX message_broadcast ON message (deliverAt, id) WHERE recipients IS NULL AND state = 1;
        CREATE INDEX message_broadcastWaiting ON message (id) WHERE recipients IS NULL AND state = 0;
        CREATE UNIQUE INDEX message_broadcastSequence ON message (broadcastSequence) \
        WHERE broadcastSequence IS NOT NULL;

        -- A message in a person's inbox. For a broadcast there is a row only once the person has acted on it.
        CREATE TABLE delivery (
            message INTEGER NOT NULL REFERENCES message (id),
            person INTEGER NOT NULL REFERENCES person (id),
            created INTEGER NOT NULL,         -- the person's sequence at which the row was first shown
            sequence INTEGER NOT NULL,        -- that of its latest change; 0 while it waits
            deliverAt INTEGER NOT NULL,
            state INTEGER NOT NULL,           -- as the message's
            seenAt INTEGER,
            readAt INTEGER,
            archivedAt INTEGER,
            snoozedUntil INTEGER,
            deletedAt INTEGER,
            PRIMARY KEY (message, person)
        ) WITHOUT ROWID;
        CREATE INDEX delivery_order ON delivery (person, deliverAt, message, deletedAt) WHERE state = 1;
        CREATE INDEX delivery_sequence ON delivery (person, sequence);

        -- What has to be done at a time.
        CREATE TABLE due (
            kind INTEGER NOT NULL,
            message INTEGER NOT NULL REFERENCES message (id),
            person INTEGER NOT NULL,          -- 0 where it concerns no single person
            at INTEGER NOT NULL,
            PRIMARY KEY (kind, message, person)
        ) WITHOUT ROWID;
        CREATE INDEX due_at ON due (at);

        -- The last batch of each writing device, with what was answered.
        CREATE TABLE batch (
            person INTEGER NOT NULL REFERENCES person (id),
            epoch TEXT NOT NULL,
            number INTEGER NOT NULL,
            outcome TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (person, epoch)
        ) WITHOUT ROWID;
        CREATE INDEX batch_at ON batch (at);

        CREATE TABLE apiKey (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            hash BLOB NOT NULL UNIQUE,        -- SHA-256; the key itself is kept nowhere
            createdAt INTEGER NOT NULL
        );

        CREATE TABLE idempotency (
            apiKey INTEGER NOT NULL REFERENCES apiKey (id),
            key TEXT NOT NULL,
            bodyHash BLOB NOT NULL,
            status INTEGER NOT NULL,
            response TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (apiKey, key)
        ) WITHOUT ROWID;
        CREATE INDEX idempotency_at ON idempotency (at);

        CREATE TABLE setting (
            name TEXT PRIMARY KEY,
            value BLOB NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE counter (
            name TEXT PRIMARY KEY,
            value INTEGER NOT NULL
        ) WITHOUT ROWID;
        INSERT INTO counter (name, value) VALUES ('broadcast', 0);
        """
}

/// The stage of a message's life, stored in the `state` columns.
package enum MessageStage: Int, CaseIterable {
    case waiting = 0
    case shown = 1
    case gone = 2
}
