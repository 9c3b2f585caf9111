#if PostgreSQL
    extension PostgresSchema {
        /// People, and the data of a person other than the inbox.
        static let people = """
            -- A person's number is never given again: a sequence doesn't go back. Not an identity column, which the
            -- partitions of a table don't have before PostgreSQL 17.
            CREATE SEQUENCE personNumber;
            CREATE TABLE person (
                id bigint PRIMARY KEY DEFAULT nextval('personNumber'),
                name text COLLATE "C" NOT NULL,        -- the app's id; unique by personName
                account text COLLATE "C" NOT NULL,     -- the JMAP account id; unique by personAccount
                sequence bigint NOT NULL,              -- of the person's latest own change
                createdAt bigint NOT NULL
            ) PARTITION BY HASH (id);
            ALTER SEQUENCE personNumber OWNED BY person.id;

            -- Written with the person's row, and the only way from a name to a person.
            CREATE TABLE personName (
                name text COLLATE "C" PRIMARY KEY,
                person bigint NOT NULL
            ) PARTITION BY HASH (name);
            CREATE TABLE personAccount (
                account text COLLATE "C" PRIMARY KEY,
                person bigint NOT NULL
            ) PARTITION BY HASH (account);

            """

        static let personDetails = """
            CREATE TABLE attributes (
                person bigint PRIMARY KEY,
                value text COLLATE "C" NOT NULL        -- a JSON object
            ) PARTITION BY HASH (person);

            -- The uploads of people's devices.
            CREATE SEQUENCE blobNumber;
            CREATE TABLE blob (
                person bigint NOT NULL,
                hash bytea NOT NULL,                   -- SHA-256 of the content: the blob's id
                size bigint NOT NULL,
                at bigint NOT NULL,                    -- of the latest upload
                content bytea NOT NULL,
                number bigint NOT NULL DEFAULT nextval('blobNumber'), -- the order of the uploads
                PRIMARY KEY (person, hash)
            ) PARTITION BY HASH (person);
            CREATE INDEX blob_at ON blob (at);

            -- What was imported from another system, so that a repeat is known. It outlives the message.
            CREATE TABLE imported (
                message bigint NOT NULL,
                person bigint NOT NULL,
                source text COLLATE "C" NOT NULL,      -- the other system
                externalId text COLLATE "C" NOT NULL,  -- its id of the message
                PRIMARY KEY (person, source, externalId)
            ) PARTITION BY HASH (person);
            CREATE UNIQUE INDEX imported_message ON imported (person, message);

            """

        /// The receipts of erasures.
        static let erasures = """
            CREATE TABLE erasure (
                id text COLLATE "C" PRIMARY KEY,
                personHash bytea NOT NULL,             -- SHA-256 of the app's id
                at bigint NOT NULL,
                removed text COLLATE "C" NOT NULL,     -- a JSON object of counts
                start bigint                           -- as in tokenEnd; null: the first whole second after it
            );
            CREATE INDEX erasure_person ON erasure (personHash, at);

            """

        /// The columns and the index for the remainders of erased people's rows (``ErasedRows``).
        static let erasedRows = """
            -- The numbers of the partitions of the person's rows, by person, name and account, until they're vacuumed.
            ALTER TABLE erasure ADD COLUMN parts bigint[], ADD COLUMN vacuumedAt bigint;
            CREATE INDEX erasure_parts ON erasure (at) WHERE parts IS NOT NULL AND vacuumedAt IS NULL;

            """
    }
#endif
