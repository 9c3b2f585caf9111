#if PostgreSQL
    extension PostgresSchema {
        /// The senders' messages, each stored once whatever the number of recipients, and those that are due.
        static let messages = """
            CREATE TABLE message (
                id bigint PRIMARY KEY,                 -- a MessageID
                content text COLLATE "C" NOT NULL,     -- a JSON object, put through as it is; empty once recalled
                surface text COLLATE "C" NOT NULL,
                category text COLLATE "C",
                groupKey text COLLATE "C",
                deliverAt bigint NOT NULL,
                expiresAt bigint,
                createdAt bigint NOT NULL,
                recipients bigint,                     -- null: everyone
                state smallint NOT NULL,               -- 0 waits, 1 is shown, 2 is gone
                broadcastCreated bigint,               -- the broadcast sequence at which it was first shown
                broadcastSequence bigint,              -- that of its latest change
                -- The newest person who sees a message to everyone. Null: also people who come later; 0: none yet,
                -- since it waits for its time.
                lastPerson bigint,
                campaign text COLLATE "C",             -- the content's campaignId
                -- Beside the content, which names them: actions on the message are reported only with consent.
                consentCategory text COLLATE "C",
                grantedConsentCategory text COLLATE "C",
                -- What an edit took away or replaced.
                earlierConsentCategory text COLLATE "C"
            );
            CREATE INDEX message_broadcast ON message (deliverAt, id) WHERE recipients IS NULL AND state = 1;
            CREATE INDEX message_broadcastWaiting ON message (id) WHERE recipients IS NULL AND state = 0;
            CREATE UNIQUE INDEX message_broadcastSequence ON message (broadcastSequence)
                WHERE broadcastSequence IS NOT NULL;
            -- SQLite's indexes end with the id without naming it.
            CREATE INDEX message_sent ON message (state, createdAt, id) WHERE content <> '';
            CREATE INDEX message_campaign ON message (campaign, state, createdAt, id)
                WHERE campaign IS NOT NULL AND content <> '';

            -- What has to be done at a time. Its rows come and go: half of each page is free for new ones, and dead
            -- rows are removed soon, since the earliest time is read past those before it.
            CREATE TABLE due (
                kind smallint NOT NULL,
                message bigint NOT NULL,
                person bigint NOT NULL,                -- 0 where it concerns no single person
                at bigint NOT NULL,
                PRIMARY KEY (kind, message, person)
            ) WITH (
                fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05,
                autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0
            );
            CREATE INDEX due_at ON due (at);

            CREATE TABLE idempotency (
                apiKey bigint NOT NULL,
                key text COLLATE "C" NOT NULL,
                bodyHash bytea NOT NULL,
                status smallint NOT NULL,
                response text COLLATE "C" NOT NULL,
                at bigint NOT NULL,
                PRIMARY KEY (apiKey, key)
            );
            CREATE INDEX idempotency_at ON idempotency (at);

            """

        /// People's inboxes.
        static let deliveries = """
            -- A message in a person's inbox. For a broadcast there is a row only once the person has acted on it.
            CREATE TABLE delivery (
                message bigint NOT NULL,
                person bigint NOT NULL,
                created bigint NOT NULL,               -- the person's sequence at which the row was first shown
                sequence bigint NOT NULL,              -- that of its latest change; 0 while it waits
                deliverAt bigint NOT NULL,
                state smallint NOT NULL,               -- as the message's
                seenAt bigint,
                readAt bigint,
                archivedAt bigint,
                snoozedUntil bigint,
                deletedAt bigint,
                edited bigint,                         -- the sequence at which what the sender wrote was last new
                -- The dates that were set without consent: 1 seenAt, 2 readAt, 4 archivedAt, 8 snoozedUntil,
                -- 16 deletedAt.
                withheld smallint NOT NULL DEFAULT 0,
                PRIMARY KEY (person, message)
            ) PARTITION BY HASH (person);
            -- For what concerns all recipients of a message. It is looked for in each partition.
            CREATE INDEX delivery_message ON delivery (message);
            CREATE INDEX delivery_order ON delivery (person, deliverAt, message, deletedAt) WHERE state = 1;
            CREATE INDEX delivery_sequence ON delivery (person, sequence);
            CREATE INDEX delivery_archived ON delivery (person, deliverAt, message)
                WHERE state = 1 AND deletedAt IS NULL AND archivedAt IS NOT NULL;
            CREATE INDEX delivery_snoozed ON delivery (person, deliverAt, message, snoozedUntil)
                WHERE state = 1 AND deletedAt IS NULL AND archivedAt IS NULL AND snoozedUntil IS NOT NULL;

            -- The last batch of each writing device, with what was answered.
            CREATE TABLE batch (
                person bigint NOT NULL,
                epoch text COLLATE "C" NOT NULL,
                number bigint NOT NULL,
                outcome text COLLATE "C" NOT NULL,
                at bigint NOT NULL,
                PRIMARY KEY (person, epoch)
            ) PARTITION BY HASH (person);
            CREATE INDEX batch_at ON batch (at);

            """

        /// The index of a message's recipients with the person. Where most messages have one recipient, the planner
        /// took that of the message alone also for one delivery, and read all recipients of a message that has many.
        ///
        /// Nothing is sent while it is built: PostgreSQL can't build that of a partitioned table beside writes. It is
        /// built before the other one is dropped, for which reads would wait.
        static let recipientsByPerson = """
            CREATE INDEX delivery_recipient ON delivery (message, person);
            DROP INDEX delivery_message;
            ALTER INDEX delivery_recipient RENAME TO delivery_message;

            """
    }
#endif
