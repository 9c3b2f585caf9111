#if PostgreSQL
    extension PostgresSchema {
        /// The first version takes half a second for a content of half a million U+0000.
        static let messageText = """
            CREATE OR REPLACE FUNCTION messageText(content text, VARIADIC path text[]) RETURNS text
            LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
            BEGIN
                IF content = '' THEN RETURN NULL; END IF;
                IF strpos(content, '\\u0000') = 0 THEN RETURN content::json #>> path; END IF;
                -- A run of backslashes begins with one that escapes, so pairs of them from the left are backslashes of
                -- the text. U+0001 stands for a pair: JSON has it as an escape only.
                RETURN replace(replace(replace(
                    content, '\\\\', chr(1)), '\\u0000', chr(65533)), chr(1), '\\\\'
                )::json #>> path;
            END $$;

            """

        static let functions = """
            -- A value in a JSON object as text, or null. PostgreSQL has no texts with U+0000, and reads no JSON that
            -- has one in any of its texts: U+FFFD stands for it.
            CREATE FUNCTION messageText(content text, VARIADIC path text[]) RETURNS text
            LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
            BEGIN
                IF content = '' THEN RETURN NULL; END IF;
                IF strpos(content, '\\u0000') = 0 THEN RETURN content::json #>> path; END IF;
                RETURN regexp_replace(
                    content, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u0000', '\\1' || chr(65533), 'g'
                )::json #>> path;
            END $$;

            -- The slot of totals in which the server counts whose transaction this is.
            CREATE FUNCTION serverSlot() RETURNS smallint LANGUAGE sql STABLE AS $$
                SELECT coalesce(nullif(current_setting('inbox.node', true), ''), '0')::smallint
            $$;

            -- Keep a webhook's counts, by slot of the server: with one row, servers would wait for each other. A slot
            -- may be below 0, as another server may delete what one has inserted. Once for each statement, however many
            -- rows it has. With the rights of the tables' owner, as the role of a person has none on the counts.
            CREATE FUNCTION countOutboxRows() RETURNS trigger
            LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
            DECLARE step bigint := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
            BEGIN
                INSERT INTO webhookCount AS c (webhook, slot, pending, dead)
                SELECT webhook, serverSlot(), step * count(*) FILTER (WHERE diedAt IS NULL),
                    step * count(*) FILTER (WHERE diedAt IS NOT NULL)
                FROM changed GROUP BY 1, 2 ORDER BY 1, 2
                ON CONFLICT (webhook, slot)
                DO UPDATE SET pending = c.pending + excluded.pending, dead = c.dead + excluded.dead;
                RETURN NULL;
            END $$;
            CREATE FUNCTION moveInOutboxCount() RETURNS trigger
            LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
            BEGIN
                INSERT INTO webhookCount AS c (webhook, slot, pending, dead)
                SELECT webhook, serverSlot(), coalesce(sum(step) FILTER (WHERE diedAt IS NULL), 0),
                    coalesce(sum(step) FILTER (WHERE diedAt IS NOT NULL), 0)
                FROM (
                    SELECT webhook, diedAt, 1 AS step FROM added
                    UNION ALL SELECT webhook, diedAt, -1 FROM removed
                ) AS change
                GROUP BY 1, 2 HAVING coalesce(sum(step) FILTER (WHERE diedAt IS NULL), 0) <> 0 ORDER BY 1, 2
                ON CONFLICT (webhook, slot)
                DO UPDATE SET pending = c.pending + excluded.pending, dead = c.dead + excluded.dead;
                RETURN NULL;
            END $$;
            """

        /// The triggers of the outbox, for after it was created.
        static let outboxTriggers = """
            CREATE TRIGGER outbox_inserted AFTER INSERT ON outbox REFERENCING NEW TABLE AS changed
                FOR EACH STATEMENT EXECUTE FUNCTION countOutboxRows();
            CREATE TRIGGER outbox_deleted AFTER DELETE ON outbox REFERENCING OLD TABLE AS changed
                FOR EACH STATEMENT EXECUTE FUNCTION countOutboxRows();
            CREATE TRIGGER outbox_updated AFTER UPDATE ON outbox REFERENCING OLD TABLE AS removed NEW TABLE AS added
                FOR EACH STATEMENT EXECUTE FUNCTION moveInOutboxCount();
            """
    }
#endif
