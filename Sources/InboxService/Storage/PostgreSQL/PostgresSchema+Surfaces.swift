#if PostgreSQL
    extension PostgresSchema {
        /// The settings of surfaces, the same for everyone.
        static let surfaces = """
            CREATE TABLE surface (
                id text COLLATE "C" PRIMARY KEY,
                settings text COLLATE "C" NOT NULL,    -- a JSON object
                created bigint NOT NULL,               -- the surfaces' sequence at which it was first set
                sequence bigint NOT NULL               -- that of its latest change
            );
            CREATE UNIQUE INDEX surface_sequence ON surface (sequence);

            -- Surfaces whose settings were deleted. Devices receive the deletion.
            CREATE TABLE destroyedSurface (
                id text COLLATE "C" PRIMARY KEY,
                created bigint NOT NULL,               -- the surfaces' sequence at which it was set
                sequence bigint NOT NULL               -- that at which it was deleted
            );
            CREATE UNIQUE INDEX destroyedSurface_sequence ON destroyedSurface (sequence);

            """
    }
#endif
