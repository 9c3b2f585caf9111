#if PostgreSQL
    extension PostgresSchema {
        /// The servers that share the database.
        static let nodes = """
            CREATE TABLE node (
                id smallint PRIMARY KEY,               -- 0 to 255: a part of the ids of the messages that it sends
                session bigint,                        -- a random number of the server that has it; null: none
                seenAt bigint NOT NULL,                -- of the server, by the database's clock
                groups bigint NOT NULL,                -- the number of its latest group of commits with changes
                message bigint NOT NULL                -- the greatest id of its messages
            ) WITH (fillfactor = 10);

            -- The last statement of each group of commits. It fails if the server was silent for so long that another
            -- one has got its number.
            CREATE FUNCTION noteGroup(aNode smallint, aSession bigint, aGroup bigint, aMessage bigint) RETURNS void
            LANGUAGE plpgsql AS $$
            BEGIN
                UPDATE node SET groups = aGroup, message = aMessage WHERE id = aNode AND session = aSession;
                IF NOT FOUND THEN
                    RAISE EXCEPTION 'another server has the number of this one' USING ERRCODE = '\(lostNumber)';
                END IF;
            END $$;

            """

        /// A group whose connection was lost may be committed late. It fails if the same server has committed a later
        /// one.
        static let groupsInOrder = """
            CREATE OR REPLACE FUNCTION noteGroup(aNode smallint, aSession bigint, aGroup bigint, aMessage bigint)
            RETURNS void LANGUAGE plpgsql AS $$
            BEGIN
                UPDATE node SET groups = aGroup, message = aMessage
                WHERE id = aNode AND session = aSession AND groups < aGroup;
                IF NOT FOUND THEN
                    RAISE EXCEPTION 'another server has the number of this one' USING ERRCODE = '\(lostNumber)';
                END IF;
            END $$;

            """

        /// The payloads of webhooks that a server is posting: for each its person, its number and the end of the claim
        /// (``WebhookDelivery/nextAt``).
        static let nodeClaims = "ALTER TABLE node ADD COLUMN claims bigint[];"
        /// A group fails if the row is behind one that was confirmed to the server: PostgreSQL has lost that. Servers
        /// of the version before use the function without the last argument.
        static let confirmedGroups = """
            -- The latest session that has lost the number, and its latest group.
            ALTER TABLE node ADD COLUMN endedSession bigint, ADD COLUMN endedGroup bigint;
            CREATE FUNCTION noteGroup(
                aNode smallint, aSession bigint, aGroup bigint, aMessage bigint, aConfirmed bigint
            ) RETURNS void LANGUAGE plpgsql AS $$
            BEGIN
                UPDATE node SET groups = aGroup, message = aMessage
                WHERE id = aNode AND session = aSession AND groups < aGroup AND groups >= aConfirmed;
                IF FOUND THEN RETURN; END IF;
                IF EXISTS (SELECT FROM node WHERE id = aNode AND session = aSession AND groups < aConfirmed) THEN
                    RAISE EXCEPTION 'the database has lost confirmed commits' USING ERRCODE = '\(lostCommits)';
                END IF;
                RAISE EXCEPTION 'another server has the number of this one' USING ERRCODE = '\(lostNumber)';
            END $$;

            """

        /// A random number of the latest move or restore of the database, or of the first row. A server that has lost
        /// its number acquires another one only where its row has the number still that it had before. A restore of a
        /// backup from before this migration adds the column itself.
        static let nodeFence = "ALTER TABLE node ADD COLUMN IF NOT EXISTS fence bigint;"

        /// A group fails on a connection on which triggers don't run, since they count the payloads of webhooks. The
        /// user's or the database's `session_replication_role` may have changed after the server's start.
        static let groupsWithTriggers = """
            CREATE OR REPLACE FUNCTION noteGroup(
                aNode smallint, aSession bigint, aGroup bigint, aMessage bigint, aConfirmed bigint
            ) RETURNS void LANGUAGE plpgsql AS $$
            BEGIN
                IF current_setting('session_replication_role') = 'replica' THEN
                    RAISE EXCEPTION 'session_replication_role is replica' USING ERRCODE = '\(skippedTriggers)';
                END IF;
                UPDATE node SET groups = aGroup, message = aMessage
                WHERE id = aNode AND session = aSession AND groups < aGroup AND groups >= aConfirmed;
                IF FOUND THEN RETURN; END IF;
                IF EXISTS (SELECT FROM node WHERE id = aNode AND session = aSession AND groups < aConfirmed) THEN
                    RAISE EXCEPTION 'the database has lost confirmed commits' USING ERRCODE = '\(lostCommits)';
                END IF;
                RAISE EXCEPTION 'another server has the number of this one' USING ERRCODE = '\(lostNumber)';
            END $$;

            """

        /// The SQLSTATE of `noteGroup` where the server has lost its number. PostgreSQL leaves classes from I to Z, and
        /// from 5 to 9, to applications.
        static let lostNumber = "IN001"
        /// The SQLSTATE of `noteGroup` where the row is behind a group that was confirmed to the server.
        static let lostCommits = "IN002"
        /// The SQLSTATE of `noteGroup` where triggers don't run.
        static let skippedTriggers = "IN003"
    }
#endif
